#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of ./dev bench library has all functions; its recorded costs hold."""
import os
import pathlib
import re
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "library")]
import library
from functions import all_functions

BUILD = pathlib.Path(os.environ["RIVULET_BUILD"])
MEASURED = re.compile(r"(?:math_|common|geometric|integer|convert_)\w*\.(\w+)")  # module.function
VECTORS = re.compile(r"convert_[a-z]+\d")
# Changes of the compiler move costs: recorded ones may be that much too low, for ordinary and for
# extreme arguments, or too high.
MOST_ABOVE, MOST_BELOW = (1.1, 1.3), 0.6
SAMPLE = {"acos", "atan2", "cbrt", "exp", "fmod", "half_exp", "hypot", "length", "lgamma", "log",
          "native_sin", "normalize", "pow", "remainder", "sin", "tgamma"}


class Library(unittest.TestCase):
    def test_all_functions_of_the_library_are_measured(self):
        members = subprocess.run(["ar", "t", BUILD / "lib/rivulet/library/builtins64.a"],
                                 capture_output=True, text=True, check=True).stdout
        names = {name for name in MEASURED.findall(members)
                 if not name.startswith("__") and not VECTORS.match(name)}
        self.assertGreater(len(names), 200)
        self.assertEqual(names, {function.name for function in all_functions()})

    def test_all_functions_have_recorded_costs(self):
        self.assertEqual(set(library.read_costs()),
                         {(function.name, function.kind) for function in all_functions()})

    def test_recorded_costs_hold(self):
        recorded, functions = library.read_costs(), []
        for function in all_functions():
            if function.name in SAMPLE and function.kind in ("half", "float"):
                functions.append(function)
        for key, costs in library.Runner().measure(functions).items():
            for cost, before, most in zip(costs, recorded[key], MOST_ABOVE):
                with self.subTest(key):
                    self.assertLess(cost, most * before, "dearer; ./dev bench library --record?")
                    self.assertGreater(cost, MOST_BELOW * before, "run ./dev bench library --record")

    def test_results_with_pointers_and_vectors_have_kernels(self):
        sources = {function.name: library.source_of(function) for function in all_functions()
                   if function.kind == "float"}
        self.assertIn("o[i] = frexp(a[i], &second); p[i] = second;", sources["frexp"])
        self.assertIn("vstore3(cross(vload3(i, a), vload3(i, b)), i, o);", sources["cross"])


if __name__ == "__main__":
    unittest.main()
