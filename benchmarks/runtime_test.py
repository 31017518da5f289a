#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""./dev bench, without the debug ports, which bench.debug_port runs: a table and JSON with figures."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
BUILD = os.environ["RIVULET_BUILD"]


class Bench(unittest.TestCase):
    def test_prints_a_table_and_writes_json(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "figures.json")
            done = subprocess.run([sys.executable, "-B", HERE / "runtime.py", "--build", BUILD,
                                   "--stage", BUILD, "--no-debug-ports", "--json", path],
                                  capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            figures = json.loads(path.read_text())
        self.assertIn("empty kernel, each of a chain of 500", done.stdout)
        self.assertGreater(figures["library_bytes"], 100_000)
        self.assertGreater(figures["device_instructions"]["launch"], 0)
        self.assertGreater(figures["runtime"]["round_trip"]["in_chain_us"]["median"], 0)


if __name__ == "__main__":
    unittest.main()
