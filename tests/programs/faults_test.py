#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A program is told that its kernel failed, although it exits at once and queries nothing."""
import unittest

from programs import BUILD, ProgramTest, run

FAULT = BUILD / "tests/programs/rivulet_fault"


class Faults(ProgramTest):
    def test_context_is_told_before_the_program_ends(self):
        for _ in range(5):
            process = run(FAULT)
            self.assertEqual(process.returncode, 0, process.stderr)
            self.assertIn("told: kernel wild: ", process.stdout)
            self.assertIn("outside of the context's memory", process.stdout)
            self.assertIn("program.cl:1", process.stdout)

    def test_first_line_of_a_report_is_shown_before_clFinish_returns(self):
        lines = run(FAULT, RIVULET_LOG=None).stderr.splitlines()
        self.assertRegex(lines[0], "^rivulet: warning: kernel wild: .* pc 0x")
        self.assertIn("finished", lines[1:])
        self.assertTrue(any("the fault is at program.cl:1" in line for line in lines), lines)

    def test_log_level_of_errors_alone_silences_it(self):
        self.assertEqual(run(FAULT, RIVULET_LOG=0).stderr, "finished\n")


if __name__ == "__main__":
    unittest.main()
