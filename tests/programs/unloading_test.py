#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An application that unloads the library: its threads continue, so its code must stay mapped."""
import sys
import unittest

from programs import BUILD, ProgramTest, run

PROGRAM = f"""
import _ctypes, ctypes, time
library = ctypes.CDLL("{BUILD}/lib/librivulet.so")
def made(function, *arguments):
    function.restype = ctypes.c_void_p
    code = ctypes.c_int(1)
    result = function(*arguments, ctypes.byref(code))
    assert code.value == 0, code.value
    return ctypes.c_void_p(result)
platform, device = ctypes.c_void_p(), ctypes.c_void_p()
assert library.clGetPlatformIDs(1, ctypes.byref(platform), None) == 0
assert library.clGetDeviceIDs(platform, ctypes.c_ulong(0xFFFFFFFF), 1, ctypes.byref(device), None) == 0
context = made(library.clCreateContext, None, 1, ctypes.byref(device), None, None)
queue = made(library.clCreateCommandQueue, context, device, ctypes.c_ulong(0))
text = ctypes.c_char_p(b"kernel void k() {{}}")
program = made(library.clCreateProgramWithSource, context, 1, ctypes.byref(text), None)
assert library.clBuildProgram(program, 0, None, None, None, None) == 0
kernel = made(library.clCreateKernel, program, b"k")
for n in range(100):
    assert library.clEnqueueTask(queue, kernel, 0, None, None) == 0
library.clFlush(queue)
_ctypes.dlclose(library._handle)
time.sleep(0.5)
again = ctypes.CDLL("{BUILD}/lib/librivulet.so")
assert again.clFinish(queue) == 0
"""


class Unloading(ProgramTest):
    def test_threads_run_on(self):
        for machine in "loopback", "rv64-v128,harts=2":
            process = run(sys.executable, "-c", PROGRAM, RIVULET_MACHINE=machine)
            self.assertEqual(process.returncode, 0, process)


if __name__ == "__main__":
    unittest.main()
