#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs unaware of Rivulet find its device and can use it."""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from programs import ABSENT, BUILD, PYTHON, SOURCE, VECADD, ProgramTest, run


BINARY = """
import pyopencl as cl
import sys
context = cl.Context(cl.get_platforms()[0].get_devices())
program = cl.Program(context, "kernel void k(global float *a, global float *b) {"
                     "size_t i = get_global_id(0); a[i] = a[i] * b[i] + b[i + 1] / a[i + 1]; }")
sys.stdout.buffer.write(program.build(sys.argv[1:]).binaries[0])
"""


class Platform(ProgramTest):
    def test_clinfo_shows_one_platform_with_one_device(self):
        process = run("clinfo")
        self.assertEqual(process.returncode, 0, process.stderr)
        lines = {line[:50].strip(): line[50:].strip() for line in process.stdout.splitlines()}
        self.assertEqual(lines["Number of platforms"], "1")
        self.assertEqual(lines["Platform Name"], "Rivulet")
        self.assertEqual(lines["Platform Profile"], "EMBEDDED_PROFILE")
        self.assertEqual(lines["Number of devices"], "1")
        self.assertEqual(lines["Device Type"], "Accelerator")
        self.assertNotIn("error", process.stdout.lower().replace("error correction", "")
                         .replace("error-correction", ""))

    def test_clinfo_shows_the_machine_that_was_picked(self):
        process = run("clinfo", RIVULET_MACHINE="rv64-v256,harts=3")
        self.assertIn("v256", process.stdout)
        units = [line for line in process.stdout.splitlines() if "Max compute units" in line]
        self.assertEqual(units[0].split()[-1], "3")

    def test_clinfo_starts_no_device(self):
        self.assertEqual(run("clinfo", "--list", RIVULET_QEMU=ABSENT).returncode, 0)

    def test_library_tools_and_firmware_name_the_same_build(self):
        tool = BUILD / "bin/rivulet"
        build = run(tool, "--version").stdout.removeprefix("rivulet ").strip()
        self.assertRegex(build, r"^\d+\.\d+\.\d+(\+g[0-9a-f]{12}(\.dirty)?)?$")
        library = [line.split()[-1] for line in run("clinfo", "--raw").stdout.splitlines()
                   if "CL_DRIVER_VERSION" in line]
        self.assertEqual(library, [build])
        (device,) = json.loads(run(tool, "info", "--start", "--json").stdout)
        self.assertEqual(device["firmware"]["build"], build)

    def test_vecadd(self):
        process = run(VECADD)
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertIn("all right", process.stdout)

    def test_pyopencl(self):
        process = run(PYTHON, SOURCE / "examples/pyopencl/mandelbrot.py")
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertIn("2340 points", process.stdout)

    def test_kernels_are_tuned_for_the_core_of_the_device(self):
        def code(settings, *options):
            process = subprocess.run(
                [PYTHON, "-c", BINARY, *options], capture_output=True, check=True,
                env={**os.environ, "RIVULET_MACHINE": "rv64-v256" + settings, "PYOPENCL_NO_CACHE": "1"})
            return hashlib.sha256(process.stdout).hexdigest()

        general = code("")
        self.assertNotEqual(code(",core=spacemit-x60"), general)
        self.assertEqual(code(",core=thead-c908"), general)  # the compiler has no model of it
        option = "-mcpu=spacemit-x60"
        self.assertEqual(code(",core=sifive-x280", option), code("", option))

    def test_program_with_rights_of_its_own_does_not_obey_its_caller(self):
        if os.getuid() != 0 or os.statvfs(BUILD).f_flag & os.ST_NOSUID:
            self.skipTest("a set-user-ID program can't be made here")
        folder = tempfile.mkdtemp(dir=BUILD)
        self.addCleanup(shutil.rmtree, folder)
        os.chmod(folder, 0o755)
        program = pathlib.Path(folder) / "rivulet-doorbell"
        shutil.copy(BUILD / "hal/rivulet-doorbell", program)
        self.assertIn(ABSENT, run(program, RIVULET_DRIVER=ABSENT + "/x.so").stderr)
        os.chown(program, 65534, 65534)
        os.chmod(program, 0o4755)
        self.assertNotIn(ABSENT, run(program, RIVULET_DRIVER=ABSENT + "/x.so").stderr)


if __name__ == "__main__":
    unittest.main()
