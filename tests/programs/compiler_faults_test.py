#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A compiler that crashes, never ends or eats memory is a failed build with a log; the program
and its later builds are fine."""
import unittest

from programs import ProgramTest, run

# Builds a source that takes the compiler down, then a good one.
PROGRAM = """
import sys
import numpy, pyopencl as cl
device = cl.get_platforms()[0].get_devices()[0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
# 8^12 words
endless = "".join(f"#define A{i} " + f"A{i + 1} " * 8 + "\\n" for i in range(12)) + (
    "#define A12 x\\nkernel void f() { A0 }\\n")
sources = {"crash": "#pragma clang __debug crash\\n",
           "fatal": "#pragma clang __debug llvm_fatal_error\\n", "endless": endless}
try:
    cl.Program(context, sources[sys.argv[1]]).build(cache_dir=False)
except cl.RuntimeError as error:
    print(error.code == cl.status_code.BUILD_PROGRAM_FAILURE, error)
good = cl.Program(context, "kernel void good(global int *out) { *out = 42; }").build(
    cache_dir=False)
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4)
good.good(queue, (1,), None, out)
result = numpy.zeros(1, numpy.int32)
cl.enqueue_copy(queue, result, out)
print("then", result[0])
"""


class CompilerFaults(ProgramTest):
    def assert_survives(self, kind, *words, **environment):
        process = run("/usr/bin/python3", "-c", PROGRAM, kind, PYOPENCL_NO_CACHE="1",
                      **environment)
        self.assertEqual(process.returncode, 0, process)
        self.assertTrue(process.stdout.startswith("True"), process)
        self.assertIn("then 42", process.stdout)
        for word in ("the compiler failed", *words):
            self.assertIn(word, process.stdout)

    def test_crash(self):
        self.assert_survives("crash", "during front end", "SIG")

    def test_fatal_error_of_llvm(self):
        self.assert_survives("fatal", "llvm_fatal_error")

    def test_endless_compilation(self):
        self.assert_survives("endless", "more than 1 s of processor time", RIVULET_CC_SECONDS=1)

    def test_eaten_memory(self):
        self.assert_survives("endless", "out of memory (limit: 300 MiB)", RIVULET_CC_MEMORY=300)


if __name__ == "__main__":
    unittest.main()
