#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rivulet doctor --board to its last rungs, which are the HAL suite: minutes."""
import unittest

from programs import BUILD, ProgramTest, run


class Doctor(ProgramTest):
    def test_suite_has_the_last_word(self):
        process = run(BUILD / "bin/rivulet", "doctor", "--board", "virt", seconds=1500,
                      RIVULET_MACHINE="rv64-v128,harts=2,memory=64M")
        self.assertEqual(process.returncode, 0, process)
        self.assertIn("ok   recovery", process.stdout)


if __name__ == "__main__":
    unittest.main()
