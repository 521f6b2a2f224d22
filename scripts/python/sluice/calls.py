# SPDX-License-Identifier: Apache-2.0
"""Functions of OpenCL by the handles of pyopencl's objects. Every handle begins with the address of its driver's table
of functions (cl_khr_icd), so no loader needs to be found.
"""
import ctypes

GET_PROGRAM_INFO, GET_FUNCTION = 32, 107  # places in the table
PROGRAM_DEVICES = 0x1163

size_t, pointer, text = ctypes.c_size_t, ctypes.c_void_p, ctypes.c_char_p
status, uint = ctypes.c_int32, ctypes.c_uint32
to_size = ctypes.POINTER(size_t)


class Error(RuntimeError):
    """A call that failed; `code` is OpenCL's."""

    def __init__(self, call, code):
        super().__init__(f"{call} failed: {code}")
        self.code = code


def check(call, code):
    if code:
        raise Error(call, code)


def _entry(handle, place, result, *arguments):
    table = ctypes.cast(handle, ctypes.POINTER(pointer))[0]
    address = ctypes.cast(table, ctypes.POINTER(pointer))[place]
    return ctypes.CFUNCTYPE(result, *arguments)(address)


def extension(platform, name, result, *arguments):
    """A function of an extension; calls of it let other threads of Python run."""
    find = _entry(platform.int_ptr, GET_FUNCTION, pointer, pointer, text)
    address = find(platform.int_ptr, name.encode())
    if not address:
        raise Error(f"looking for {name}, which this platform does not have,", -59)
    return ctypes.CFUNCTYPE(result, *arguments)(address)


def text_of(call, ask):
    """The text that ask(bytes, buffer, size) gives."""
    size = size_t()
    check(call, ask(0, None, ctypes.byref(size)))
    buffer = ctypes.create_string_buffer(size.value + 1)
    check(call, ask(size.value, buffer, None))
    return buffer.value.decode()


def program_text(program, what):
    ask = _entry(program.int_ptr, GET_PROGRAM_INFO, status, pointer, uint, size_t, pointer, to_size)
    return text_of("clGetProgramInfo", lambda *answer: ask(program.int_ptr, what, *answer))
