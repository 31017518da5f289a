#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Harts that can't fence kernels: programs are told why they get no context, and how to do without
fences; clBuildProgram, which needs a context, is not reached."""
import pathlib
import tempfile
import unittest

from programs import BUILD, ProgramTest, run

VECADD = BUILD / "examples/vecadd/vecadd"
PMP = 'property = "pmp"\n  value = "true"'


class Unfenced(ProgramTest):
    def setUp(self):
        super().setUp()
        profile = (BUILD / "lib/rivulet/machines/rv64-v128.cfg").read_text()
        self.assertIn(PMP, profile)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.machine = pathlib.Path(folder.name) / "no-pmp.cfg"
        self.machine.write_text(profile.replace(PMP, PMP.replace("true", "false")))

    def test_program_learns_why_there_is_no_context(self):
        process = run(VECADD, RIVULET_MACHINE=f"{self.machine},harts=2")
        self.assertNotEqual(process.returncode, 0, process)
        self.assertIn("can't fence kernels: it has too few PMP entries", process.stderr)
        self.assertIn("unfenced=yes in RIVULET_MACHINE", process.stderr)
        self.assertIn("clCreateContext: OpenCL error -2", process.stderr)  # CL_DEVICE_NOT_AVAILABLE

    def test_user_can_ask_for_it_by_name(self):
        process = run(VECADD, RIVULET_MACHINE=f"{self.machine},harts=2,unfenced=yes")
        self.assertEqual(process.returncode, 0, process)


if __name__ == "__main__":
    unittest.main()
