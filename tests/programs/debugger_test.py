#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gdb on QEMU's stub stops in a kernel and shows its source, as docs/firmware.md says."""
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import unittest

from programs import ABSENT, BUILD, PYTHON, VECADD, ProgramTest, run

# Builds a kernel, says so, and runs it until its standard input ends.
PROGRAM = """
import select, sys
import numpy, pyopencl as cl
device = cl.get_platforms()[0].get_devices()[0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
program = cl.Program(context, '''kernel void steps(global int *out) {
    size_t i = get_global_id(0);
    out[i] += 3; // the line to show
}''').build('-cl-opt-disable')
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4096)
kernel = program.steps
print("ready", flush=True)
while not select.select([sys.stdin], [], [], 0)[0]:
    kernel(queue, (1024,), None, out)
    queue.finish()
"""


class Debugger(ProgramTest):
    def test_breakpoint_in_a_kernel(self):
        with tempfile.TemporaryDirectory() as folder:
            socket = f"{folder}/gdb.sock"
            settings = {**os.environ, "RIVULET_GDB": socket, "RIVULET_DEBUG_FILES": folder,
                        "RIVULET_TIME_LIMIT": "0", "PYOPENCL_NO_CACHE": "1"}
            with subprocess.Popen([PYTHON, "-c", PROGRAM], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, text=True, env=settings) as program:
                self.assertEqual(program.stdout.readline(), "ready\n")
                commands = [f"target remote {socket}", f"source {folder}/{program.pid}.gdb",
                            "break steps", "continue", "list 1,4",
                            "delete", "detach"]
                words = [word for command in commands for word in ("-ex", command)]
                gdb = subprocess.run(["gdb-multiarch", "-nx", "-batch", *words],
                                     stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                     timeout=60)
                program.stdin.close()
                self.assertEqual(program.wait(60), 0)
            self.assertIn("steps", gdb.stdout, gdb.stderr)
            self.assertIn("out[i] += 3; // the line to show", gdb.stdout, gdb.stderr)
            kept = {path.suffix for path in pathlib.Path(folder).iterdir()}
            self.assertLessEqual({".cl", ".rvk", ".gdb"}, kept)

    def test_debug_stops_at_a_kernel_that_is_launched_once(self):
        program = PROGRAM.split('print("ready"')[0].replace(
            "program = cl.Program(context, '''", "program = cl.Program(context, '''"
            "kernel void other(global int *out) { out[0] = 1; }\n") + (
            "program.other(queue, (1024,), None, out)\nkernel(queue, (1024,), None, out)\n"
            "queue.finish()\nprint('finished')\n")
        shown = run(BUILD / "bin/rivulet", "debug", "steps", "--batch", "--ex", "list 2,5", "--ex",
                    "print $pc == &steps", "--ex", "list firmware_work", "--ex", "detach", "--",
                    PYTHON, "-c", program, PYOPENCL_NO_CACHE="1")
        self.assertEqual(shown.returncode, 0, shown)
        self.assertIn("$1 = 1", shown.stdout, shown)
        self.assertIn("out[i] += 3; // the line to show", shown.stdout)
        self.assertIn("void firmware_work(firmware *f", shown.stdout)  # its sources are found
        self.assertIn("finished", shown.stdout)

    def test_paths_may_have_blanks(self):
        with tempfile.TemporaryDirectory(prefix="with blanks ") as folder:
            shown = run(BUILD / "bin/rivulet", "debug", "vecadd", "--batch", "--ex",
                        "print $pc == &vecadd", "--ex", "detach", "--", VECADD, TMPDIR=folder)
            self.assertIn("$1 = 1", shown.stdout, shown)
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [])

    def test_signals_end_the_program_and_leave_no_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            process = subprocess.Popen([BUILD / "bin/rivulet", "debug", "steps", "--batch", "--", "sh",
                                        "-c", "echo ready; exec sleep 600"], text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                       env={**os.environ, "TMPDIR": folder})
            self.assertEqual(process.stdout.readline(), "ready\n")
            process.terminate()
            self.assertEqual(process.wait(20), 128 + signal.SIGTERM)
            process.stdout.close()
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [])

    def test_attach_joins_a_program_that_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            settings = {**os.environ, "RIVULET_GDB": f"{folder}/gdb.sock", "RIVULET_DEBUG_FILES": folder,
                        "RIVULET_TIME_LIMIT": "0", "PYOPENCL_NO_CACHE": "1"}
            with subprocess.Popen([PYTHON, "-c", PROGRAM], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, text=True, env=settings) as program:
                self.assertEqual(program.stdout.readline(), "ready\n")
                shown = run(BUILD / "bin/rivulet", "debug", "steps", "--attach", program.pid,
                            "--batch", "--ex", "list 1,4", "--ex", "print $pc == &steps", "--ex",
                            "delete", "--ex", "detach")
                program.stdin.close()
                self.assertEqual(program.wait(60), 0)  # it continues without gdb
            self.assertEqual(shown.returncode, 0, shown)
            self.assertIn("out[i] += 3; // the line to show", shown.stdout, shown)
            self.assertIn("$1 = 1", shown.stdout, shown)

    def test_debug_says_what_is_wrong(self):
        rivulet = BUILD / "bin/rivulet"
        self.assert_fails(run(rivulet, "debug", "steps", "--batch", "--", "true"),
                          "without a device")
        self.assert_fails(run(rivulet, "debug", "steps", "--batch", "--", ABSENT),
                          "can't be run")
        self.assert_fails(run(rivulet, "debug"), "name a kernel and a program")
        with tempfile.TemporaryDirectory() as folder:  # with QEMU, without gdb
            for name in "qemu-system-riscv64", "qemu-system-riscv32":
                pathlib.Path(folder, name).symlink_to(shutil.which(name))
            self.assert_fails(run(rivulet, "debug", "steps", "--batch", "--", VECADD, PATH=folder),
                              "gdb-multiarch can't be run")
        with subprocess.Popen(["sleep", "600"]) as program:
            self.assert_fails(run(rivulet, "debug", "--attach", program.pid), "no device on QEMU")
            program.kill()


if __name__ == "__main__":
    unittest.main()
