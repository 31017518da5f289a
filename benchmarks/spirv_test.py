#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`./dev bench spirv` compares kernels from OpenCL C and from SPIR-V."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["RIVULET_BUILD"])
SCRIPT = pathlib.Path(__file__).with_name("spirv.py")
# Each depends on something that a module can lose: conditions on arguments (bilateral), signed
# operations that don't wrap (floyd_warshall), calls that may not move (erode_local), groups of one
# size (fft_radix8_local).
KERNELS = "bilateral", "floyd_warshall", "erode_local", "fft_radix8_local"


def bench(*options):
    return subprocess.run([sys.executable, "-B", SCRIPT, "--build", BUILD, "--stage", BUILD, *options],
                          capture_output=True, text=True, check=False)


class Spirv(unittest.TestCase):
    def test_a_module_takes_as_many_instructions_as_its_source(self):
        with tempfile.TemporaryDirectory() as folder:
            rows = pathlib.Path(folder, "rows.json")
            done = bench("-k", ",".join(KERNELS), "--json", rows)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            costs = json.loads(rows.read_text())
        self.assertEqual(set(costs), set(KERNELS))
        for name, cost in costs.items():
            self.assertLessEqual(cost["spirv"], 1.02 * cost["source"], name)

    def test_unknown_kernels_are_errors(self):
        done = bench("-k", "nothing")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no such kernel: nothing", done.stderr)


if __name__ == "__main__":
    unittest.main()
