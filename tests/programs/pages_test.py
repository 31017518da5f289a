#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pages that people look at, as a browser shows them on a phone and on a desktop: what they show is
what the data says, and nothing is cut off."""
import json
import pathlib
import sys
import tempfile
import unittest

from browser import browser, look
from programs import BUILD, SOURCE, ProgramTest, run

sys.path.insert(0, str(SOURCE / "tools/conformance/test"))
import farm  # pylint: disable=wrong-import-position

WIDTHS = 390, 1280
LONG = "a_name_as_long_as_those_that_suites_give_to_tests_of_every_function_with_every_type"


class Page(unittest.TestCase):
    def looks(self, page, searches=()):
        """What it shows at each width, all of it within the window."""
        for width in WIDTHS:
            seen = look(page, width, searches)
            with self.subTest(width=width):
                self.assertEqual(seen["width"], width)
                self.assertLessEqual(seen["needed"], width)
                self.assertEqual(seen["cut"], [])
                yield seen

    def test_there_is_a_browser(self):
        self.assertIsNotNone(browser(), "install chromium-headless-shell")


class Reports(farm.FarmTest, Page):
    def test_report(self):
        words = {"good": ["pass"], "bad": ["fail"], "left": ["skip"], LONG: ["pass"]}
        self.run_suites({"a": words}, "--machine", "rv64-v128,harts=1", "--machine", "loopback", code=1)
        report = json.loads((self.out / "report.json").read_text())
        results = sorted([result["test"], result["machine"], result["status"]]
                         for result in report["results"])
        self.assertLessEqual({"started", "host", "qemu"}, set(report["facts"]))
        counts = {status: sum(result[2] == status for result in results)
                  for status in ("pass", "skip", "fail")}
        for seen in self.looks(self.out / "report.html", [LONG, "no such test"]):
            tiles = dict(reversed(tile.split("\n", 1)) for tile in seen["tiles"])
            self.assertEqual(tiles["pass"], str(counts["pass"]))
            self.assertEqual(tiles["skip"], str(counts["skip"]))
            self.assertEqual(tiles["fail, crash or hang"], str(counts["fail"]))
            self.assertEqual(tiles["missing"], "0")
            facts = next(t for t in seen["tables"] if t[0][0] == "built from, run on")
            self.assertEqual([row[1] for row in facts[1:]], list(report["facts"].values()))
            everything = next(t for t in seen["tables"] if t[0][:3] == ["test", "machine", "result"])
            self.assertEqual(sorted(row[:3] for row in everything[1:]), results)
            self.assertIn("Red. 2 results are worse than expected.", seen["text"])
            self.assertIn("this is fail", seen["text"])  # the log, which is folded at first
            found = [row[:3] for row in seen["found"][LONG] if row[-2:-1] in (["pass"], ["fail"], ["skip"])]
            self.assertEqual(sorted(found), [result for result in results if LONG in result[0]])
            self.assertFalse([row for row in seen["found"]["no such test"] if row[2:3] == ["pass"]])


class Profiles(ProgramTest, Page):
    def test_profile(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            source = folder / "work.cl"
            source.write_text("kernel void heavy(global float *x) {\n"
                              "    float sum = x[get_global_id(0)];\n"
                              "    for (int i = 1; i < 2000; ++i)\n"
                              "        sum = sum / (float)i + 1.0f;" + " /* a long line */" * 12 + "\n"
                              "    x[get_global_id(0)] = sum;\n}\n")
            page = folder / "page.html"
            process = run(BUILD / "bin/rivulet", "profile", "--json", "--rate", "10000", "--html", page, "--",
                          BUILD / "bin/rivulet", "run", source, "heavy", "iota:65536",
                          RIVULET_MACHINE="rv64-v512-icount")
            self.assertEqual(process.returncode, 0, process)
            kernel = json.loads(process.stdout)["kernels"][0]
            for seen in self.looks(page):
                kernels = seen["tables"][0]
                row = dict(zip(kernels[0], kernels[1]))
                self.assertEqual(row["kernel"], "heavy")
                self.assertEqual(row["launches"], str(kernel["launches"]))
                self.assertEqual(row["samples"], f"{kernel['samples']:,}")
                self.assertAlmostEqual(seen["bars"][0], kernel["percent"] / 100, delta=0.02)
                lines = {row[2]: row[0] for table in seen["tables"] for row in table
                         if len(row) == 4 and row[2].isdigit()}
                for line in kernel["lines"]:
                    share = 100 * line["samples"] / kernel["samples"]
                    self.assertEqual(lines[str(line["line"])], f"{share:.1f}" if share >= 0.05 else "")
                self.assertIn("sum = sum / (float)i + 1.0f;", seen["text"])
                self.assertIn("vfdiv", seen["text"])


if __name__ == "__main__":
    unittest.main()
