# SPDX-License-Identifier: Apache-2.0
"""Builds a program from source and runs it on the first device, through the library that LIBRARY names:
what a clean root of any architecture can do with Python alone.

    from_source.py LIBRARY
"""
import ctypes
import sys

SOURCE = b"""kernel void saxpy(global float *y, global const float *x, float a) {
    size_t i = get_global_id(0);
    y[i] += a * sqrt(x[i]);
}"""
COUNT = 1000
READ_WRITE_COPY = 1 | 1 << 5  # CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR
BUILD_LOG = 0x1183
cl = ctypes.CDLL(sys.argv[1])
POINTER, SIZE = ctypes.c_void_p, ctypes.c_size_t
status = ctypes.c_int()


def made(name, *arguments):
    """An object that a function creates, whose last argument is the status."""
    function = getattr(cl, name)
    function.restype = POINTER
    made_object = POINTER(function(*arguments, ctypes.byref(status)))
    if status.value != 0:
        sys.exit(f"{name}: {status.value}")
    return made_object


def call(name, *arguments):
    result = getattr(cl, name)(*arguments)
    if result != 0:
        sys.exit(f"{name}: {result}")


platform, device = POINTER(), POINTER()
call("clGetPlatformIDs", 1, ctypes.byref(platform), None)
call("clGetDeviceIDs", platform, ctypes.c_uint64(0xFFFFFFFF), 1, ctypes.byref(device), None)
context = made("clCreateContext", None, 1, ctypes.byref(device), None, None)
queue = made("clCreateCommandQueueWithProperties", context, device, None)
text = ctypes.c_char_p(SOURCE)
program = made("clCreateProgramWithSource", context, 1, ctypes.byref(text), None)
if cl.clBuildProgram(program, 1, ctypes.byref(device), b"", None, None) != 0:
    log = ctypes.create_string_buffer(4000)
    cl.clGetProgramBuildInfo(program, device, BUILD_LOG, SIZE(len(log)), log, None)
    sys.exit(f"the build fails:\n{log.value.decode()}")
kernel = made("clCreateKernel", program, b"saxpy")
y = (ctypes.c_float * COUNT)(*range(COUNT))
x = (ctypes.c_float * COUNT)(*(i * i for i in range(COUNT)))
buffers = [made("clCreateBuffer", context, ctypes.c_uint64(READ_WRITE_COPY), SIZE(4 * COUNT), host)
           for host in (y, x)]
for index, buffer in enumerate(buffers):
    call("clSetKernelArg", kernel, index, SIZE(8), ctypes.byref(buffer))
call("clSetKernelArg", kernel, 2, SIZE(4), ctypes.byref(ctypes.c_float(2)))
call("clEnqueueNDRangeKernel", queue, kernel, 1, None, ctypes.byref(SIZE(COUNT)), None, 0, None, None)
call("clEnqueueReadBuffer", queue, buffers[0], 1, SIZE(0), SIZE(4 * COUNT), y, 0, None, None)
wrong = [i for i in range(COUNT) if y[i] != 3 * i]
sys.exit(f"wrong at {wrong[:10]}" if wrong else print("built from source, all right"))
