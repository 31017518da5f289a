#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""However a program ends, its QEMU and its compiler end along with it."""
import os
import signal
import subprocess
import time
import unittest

from programs import PYTHON, ProgramTest, descendants, run

# Starts an endless kernel, prints a line, then acts according to its argument.
SPIN = """
import os, sys, time
import numpy, pyopencl as cl
device = cl.get_platforms()[0].get_devices()[0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
program = cl.Program(context, '''kernel void spin(global int *out) {
    while (*(volatile global int *)out == 0) {}
}''').build()
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4)
cl.enqueue_copy(queue, out, numpy.zeros(1, numpy.int32))
program.spin(queue, (1,), None, out)
queue.flush()
print("spinning", flush=True)
if sys.argv[1] == "_exit":
    os._exit(7)
if sys.argv[1] == "exit":
    sys.exit(7)
if sys.argv[1] == "abort":
    os.abort()
time.sleep(60)
"""


class Processes(ProgramTest):
    def test_exit_in_the_middle_of_a_launch(self):
        for way, code in ("_exit", 7), ("exit", 7), ("abort", -signal.SIGABRT):
            process = run(PYTHON, "-c", SPIN, way)
            self.assertEqual(process.returncode, code, process.stderr)
            self.assertIn("spinning", process.stdout)
            self.assert_nothing_is_left(way)

    def test_signals_in_the_middle_of_a_launch(self):
        for number in signal.SIGTERM, signal.SIGKILL, signal.SIGINT:
            with subprocess.Popen([PYTHON, "-c", SPIN, "sleep"], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True) as process:
                self.assertEqual(process.stdout.readline(), "spinning\n")
                self.assertTrue(any("qemu" in name for name in descendants().values()), descendants())
                os.kill(process.pid, number)
                process.wait(30)
            self.assert_nothing_is_left(f"signal {number}")

    def assert_nothing_is_left(self, after):
        deadline = time.monotonic() + 10
        while descendants() and time.monotonic() < deadline:
            time.sleep(0.02)
        self.assertEqual(descendants(), {}, f"after {after}")


if __name__ == "__main__":
    unittest.main()
