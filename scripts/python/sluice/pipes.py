# SPDX-License-Identifier: Apache-2.0
"""The host's ends of a program's pipes."""
import ctypes

import numpy as np
import pyopencl as cl

from . import calls, packets as arrays
from .calls import check, pointer, size_t, status, text, to_size, uint

HOST_PIPE_NAMES = 0x4217
PACKET_SIZE, ALIGNMENT, DECLARED, CAPACITY, TYPE, IO, HOST_ACCESS = range(0x534C0030, 0x534C0037)
HOST = {1 << 7: "writes", 1 << 8: "reads", 1 << 9: "none", 0: "undecided"}
MAP_READ, MAP_WRITE = 1, 2
NOTHING_NOW = -5


def host_pipes(program):
    """The names of those pipes of a program that the host has an end of."""
    names = calls.program_text(program, HOST_PIPE_NAMES)
    return names.split(";") if names else []


class Mapping:
    """Packets or free room of a pipe in its own memory: an array, until the block ends."""

    def __init__(self, pipe, write, packets):
        self.pipe = pipe
        self.address, self.bytes = pipe._map(write, arrays.count_of(packets) * pipe.size)
        memory = (ctypes.c_char * self.bytes).from_address(self.address) if self.address else b""
        self.array = pipe._as_packets(memory)
        if write:
            self.array = self.array.view(arrays.Room)
            self.array.pipe_name = pipe.name
        else:
            self.array.flags.writeable = False

    def __enter__(self):
        return self.array

    def __exit__(self, *_):
        self.give_back()

    def give_back(self, packets=None):
        """The first packets, or all that are left: written ones go to the kernel, read ones make room."""
        count = self.bytes if packets is None else arrays.count_of(packets) * self.pipe.size
        if count > self.bytes:
            raise ValueError(f"of {self.bytes // self.pipe.size} packets {packets} cannot be given back")
        if count:
            self.pipe._unmap(self.address, count)  # the address stays that of the whole
        self.bytes -= count
        self.array = self.array[count // self.pipe.size:]


class Pipe:
    """The host's end of the pipe `name` of a program that has been built; "name[1][2]" is an element of an array.

    The device is the first of the program with such pipes; the queue must be none that a kernel at the other end
    occupies: without one the pipe has its own. Threads may read and write, one of them each end at a time.
    """

    def __init__(self, program, name, dtype=None, queue=None, device=None):
        devices = [device] if device else program.get_info(cl.program_info.DEVICES)
        fitting = [one for one in devices if "cl_sluice_program_pipe" in one.extensions.split()]
        if not fitting:
            raise calls.Error("looking for a device with pipes of programs", -33)
        self.program, self.name, self.device = program, name, fitting[0]
        self.queue = queue or cl.CommandQueue(program.get_info(cl.program_info.CONTEXT), self.device)
        self._find_calls(self.device.platform)
        self.info = self._describe()
        self.size = self.info["packet_size"]
        self.dtype = arrays.chosen_dtype(dtype, self.info)

    def _find_calls(self, platform):
        bool_, event = uint, pointer
        transfer = (status, pointer, pointer, text, bool_, pointer, size_t, uint, pointer, event)
        self._enqueue_read = calls.extension(platform, "clEnqueueReadHostPipeINTEL", *transfer)
        self._enqueue_write = calls.extension(platform, "clEnqueueWriteHostPipeINTEL", *transfer)
        where = (pointer, pointer, text)
        self._ask = calls.extension(platform, "clGetProgramPipeInfoSLUICE", status, *where, uint, size_t, pointer,
                                    to_size)
        self._map_call = calls.extension(platform, "clMapProgramPipeSLUICE", pointer, *where, ctypes.c_uint64, size_t,
                                         to_size, ctypes.POINTER(status))
        self._unmap_call = calls.extension(platform, "clUnmapProgramPipeSLUICE", status, *where, pointer, size_t,
                                           to_size)

    def _where(self):
        return self.program.int_ptr, self.device.int_ptr, self.name.encode()

    # ---- what it is

    def _number(self, what, kind=uint):
        value = kind()
        check(f"clGetProgramPipeInfoSLUICE({self.name})",
              self._ask(*self._where(), what, ctypes.sizeof(value), ctypes.byref(value), None))
        return value.value

    def _text(self, what):
        return calls.text_of(f"clGetProgramPipeInfoSLUICE({self.name})",
                             lambda *answer: self._ask(*self._where(), what, *answer))

    def _describe(self):
        return {"name": self.name, "type": self._text(TYPE), "io": self._text(IO),
                "packet_size": self._number(PACKET_SIZE), "packet_alignment": self._number(ALIGNMENT),
                "declared_capacity": self._number(DECLARED), "capacity": self._number(CAPACITY),
                "host": HOST[self._number(HOST_ACCESS, ctypes.c_uint64)]}

    # ---- packets

    def _as_packets(self, memory):
        if self.dtype.subdtype:
            base, shape = self.dtype.subdtype
            return np.frombuffer(memory, base).reshape((-1, *shape))
        return np.frombuffer(memory, self.dtype)

    def _map(self, write, size):
        mapped, code = size_t(), status()
        address = self._map_call(*self._where(), MAP_WRITE if write else MAP_READ, size, ctypes.byref(mapped),
                                 ctypes.byref(code))
        if code.value != NOTHING_NOW:
            check(f"clMapProgramPipeSLUICE({self.name})", code.value)
        return address, mapped.value if address else 0

    def _unmap(self, address, size):
        check(f"clUnmapProgramPipeSLUICE({self.name})",
              self._unmap_call(*self._where(), address, size, ctypes.byref(size_t())))

    def _move(self, write, at, size):
        """What can be moved now, from or to memory: the bytes that were."""
        moved = 0
        for _ in range(2):  # the memory of a pipe may go round
            address, got = self._map(write, size - moved) if moved < size else (None, 0)
            if not address:
                break
            ctypes.memmove(*((address, at + moved) if write else (at + moved, address)), got)
            self._unmap(address, got)
            moved += got
        return moved

    def _transfer(self, write, at, size, blocking):
        """The bytes that were moved: all of them, if it may wait."""
        enqueue = self._enqueue_write if write else self._enqueue_read
        moved = self._move(write, at, size)
        while blocking and moved < size:
            check(f"{'writing' if write else 'reading'} {self.name}",
                  enqueue(self.queue.int_ptr, self.program.int_ptr, self.name.encode(), 1, at + moved, self.size, 0,
                          None, None))
            moved += self.size
            moved += self._move(write, at + moved, size - moved)
        return moved

    def write(self, data, blocking=True):
        """Writes a packet or a row of them, whatever numpy makes an array of; returns how many. Without blocking it may
        be fewer. What the pipe's type cannot hold, or has another shape, is refused (packets.py) and nothing written.
        """
        data = arrays.packets(data, self.dtype, self.name)
        return self._transfer(True, data.ctypes.data, data.nbytes, blocking) // self.size

    def read(self, count=None, blocking=True):
        """An array of so many packets, or of those that are there now. Without blocking it may be fewer."""
        if count is None:
            return self._read_all()
        base, shape = self.dtype.subdtype or (self.dtype, ())
        data = np.empty((arrays.count_of(count), *shape), base)
        moved = self._transfer(False, data.ctypes.data, data.nbytes, blocking)
        return data[:moved // self.size]

    def _read_all(self):
        parts = [self.read(max(1, self.info["capacity"]), blocking=False)]
        while len(parts[-1]):
            parts.append(self.read(max(1, self.info["capacity"]), blocking=False))
        return np.concatenate(parts)

    # ---- the pipe's own memory

    def map_write(self, packets=0):
        """Free room for at most so many packets, or all there is; fewer or none if there is no more."""
        return Mapping(self, True, packets)

    def map_read(self, packets=0):
        """At most so many of the packets that are there, or all in one piece."""
        return Mapping(self, False, packets)
