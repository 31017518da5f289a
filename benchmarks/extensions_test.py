#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`./dev bench extensions` counts instructions with and without an extension."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["RIVULET_BUILD"])
SCRIPT = pathlib.Path(__file__).with_name("extensions.py")


class Extensions(unittest.TestCase):
    def test_counting_bits_takes_more_without_zvbb(self):
        with tempfile.TemporaryDirectory() as folder:
            rows = pathlib.Path(folder, "rows.json")
            done = subprocess.run(
                [sys.executable, "-B", SCRIPT, "--build", BUILD, "--stage", BUILD, "-k", "popcount",
                 "-e", "Zvbb", "--json", rows], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            [(extension, kernel, without, with_it)] = json.loads(rows.read_text())
        self.assertEqual((extension, kernel), ("Zvbb", "popcount"))
        self.assertGreater(without, 1.5 * with_it)
        self.assertIn("| Zvbb | popcount |", done.stdout)

    def test_unknown_names_are_errors(self):
        done = subprocess.run([sys.executable, "-B", SCRIPT, "--build", BUILD, "--stage", BUILD, "-e",
                               "Zvnothing"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("unknown: Zvnothing", done.stderr)


if __name__ == "__main__":
    unittest.main()
