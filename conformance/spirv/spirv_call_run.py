# SPDX-License-Identifier: Apache-2.0
"""Runs one kernel of a SPIR-V module on the first CPU device that the OpenCL loader finds."""
import ctypes
from ctypes import byref, c_char_p, c_int, c_size_t, c_uint, c_ulong, c_void_p

import spirv_call

ITEMS, LOCAL = 256, 64
DEVICE_TYPE_CPU, DEVICE_TYPE_ALL = 1 << 1, 0xFFFFFFFF
MEM_READ_WRITE_COPY = 1 << 0 | 1 << 5
BUFFER_CREATE_REGION, PROGRAM_BUILD_LOG = 0x1220, 0x1183


class DriverError(Exception):
    """A call failed; what the message says is the call, its code, and the build log."""


class Device:
    def __init__(self):
        self.cl = ctypes.CDLL("libOpenCL.so.1")
        for name in ("clCreateContext", "clCreateCommandQueue", "clCreateProgramWithIL",
                     "clCreateKernel", "clCreateBuffer", "clCreateSubBuffer"):
            getattr(self.cl, name).restype = c_void_p
        self.device = self._find()
        self.context = self._made("clCreateContext", None, 1, byref(self.device), None, None)
        self.queue = self._made("clCreateCommandQueue", self.context, self.device, c_ulong(0))

    def _find(self):
        platforms, count = (c_void_p * 8)(), c_uint()
        self._call("clGetPlatformIDs", 8, platforms, byref(count))
        device = c_void_p()
        for kind in (DEVICE_TYPE_CPU, DEVICE_TYPE_ALL):
            for platform in platforms[:min(count.value, 8)]:
                if not self.cl.clGetDeviceIDs(c_void_p(platform), c_ulong(kind), 1, byref(device),
                                              None):
                    return device
        raise DriverError("no device")

    def _call(self, name, *arguments):
        code = getattr(self.cl, name)(*arguments)
        if code:
            raise DriverError(f"{name} {code}")

    def _made(self, name, *arguments):
        code = c_int()
        handle = getattr(self.cl, name)(*arguments, byref(code))
        if code.value or not handle:
            raise DriverError(f"{name} {code.value}")
        return c_void_p(handle)

    def _program(self, module):
        program = self._made("clCreateProgramWithIL", self.context, module.data,
                             c_size_t(len(module.data)))
        code = self.cl.clBuildProgram(program, 1, byref(self.device), b"", None, None)
        if code:
            log = ctypes.create_string_buffer(4000)
            self.cl.clGetProgramBuildInfo(program, self.device, PROGRAM_BUILD_LOG,
                                          c_size_t(len(log)), log, None)
            self.cl.clReleaseProgram(program)
            raise DriverError(f"clBuildProgram {code}: {log.value.decode(errors='replace')}")
        return program

    def _buffer(self, data):
        """(the whole, the part that the kernel gets): what lies in front of it is known too."""
        whole = self._made("clCreateBuffer", self.context, c_ulong(MEM_READ_WRITE_COPY),
                           c_size_t(len(data)), c_char_p(data))
        region = (c_size_t * 2)(spirv_call.FRONT_BYTES, len(data) - spirv_call.FRONT_BYTES)
        return whole, self._made("clCreateSubBuffer", whole, c_ulong(0), BUFFER_CREATE_REGION,
                                 region)

    def _set_arguments(self, handle, kernel, seed):
        buffers = []
        for index, argument in enumerate(kernel.arguments):
            size, data = spirv_call.LOCAL_BYTES, None
            if argument.kind == "value":
                data = spirv_call.value(kernel, seed, index)
                size = len(data)
            elif argument.kind == "buffer":
                buffers.append(self._buffer(spirv_call.contents(argument.number, seed, index)))
                size, data = ctypes.sizeof(c_void_p), byref(buffers[-1][1])
            self._call("clSetKernelArg", handle, index, c_size_t(size), data)
        return buffers

    def run(self, module, kernel, seed, items):
        """What its buffers hold afterwards. items: 0 for as many as usual."""
        program = self._program(module)
        handle = self._made("clCreateKernel", program, c_char_p(kernel.name.encode()))
        buffers = self._set_arguments(handle, kernel, seed)
        local = list(kernel.local_size or (min(items or LOCAL, LOCAL), 1, 1))
        size = [max(items or ITEMS, local[0]) // local[0] * local[0], local[1], local[2]]
        self._call("clEnqueueNDRangeKernel", self.queue, handle, 3, None, (c_size_t * 3)(*size),
                   (c_size_t * 3)(*local), 0, None, None)
        self._call("clFinish", self.queue)
        results = []
        for whole, part in buffers:
            data = ctypes.create_string_buffer(spirv_call.BUFFER_BYTES)
            self._call("clEnqueueReadBuffer", self.queue, whole, 1, c_size_t(0),
                       c_size_t(spirv_call.BUFFER_BYTES), data, 0, None, None)
            self._call("clReleaseMemObject", part)
            self._call("clReleaseMemObject", whole)
            results.append(data.raw)
        self.cl.clReleaseKernel(handle)
        self.cl.clReleaseProgram(program)
        return results
