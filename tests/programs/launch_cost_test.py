#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The host's cost of a launch from clEnqueueNDRangeKernel to the released event, in instructions
that callgrind counts: of the library, of libc under it and of the program, without those of the
loopback driver's firmware and kernels."""
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from programs import BUILD, ProgramTest, run
from trace_cost_test import LINE, copied

FEW, MANY = 1000, 3000
# {program: instructions}: the linear cost of a command. What grows with the number of commands
# exceeds it at once.
LIMITS = {"chain": 5000, "graph": 8000}
READ_COST = 2  # a launch with a blocking read of 4 bytes behind it, in launches alone
DEVICE = ("loopback.so", "???")  # the driver with the firmware, and kernels


@unittest.skipUnless(shutil.which("valgrind") and shutil.which("eu-unstrip"),
                     "needs valgrind and elfutils")
class LaunchCost(ProgramTest):
    def instructions(self, kind, launches):
        out = self.folder / f"callgrind.{kind}.{launches}"
        done = self.launched(kind, launches, "valgrind", "--tool=callgrind",
                             f"--callgrind-out-file={out}")
        text = subprocess.run(["callgrind_annotate", "--threshold=100", out], check=True,
                              capture_output=True, text=True).stdout
        of_device = sum(int(count.replace(",", "")) for count, _, file in LINE.findall(text)
                        if pathlib.Path(file).name in DEVICE)
        self.assertGreater(of_device, 0, "no function of the loopback driver was seen")
        return int(re.search(r"refs: +([\d,]+)", done.stderr)[1].replace(",", "")) - of_device

    def launched(self, kind, launches, *tool):
        done = run(*tool, self.folder / "launches", kind, launches, RIVULET_VERIFY=None,
                   OCL_ICD_VENDORS=self.folder / "vendors", RIVULET_MACHINE="loopback",
                   RIVULET_CACHE=self.folder / "cache", RIVULET_DATA=None, RIVULET_CC=None)
        self.assertEqual(done.returncode, 0, done)
        return done

    def test_of_launches(self):
        with tempfile.TemporaryDirectory() as folder:
            self.folder = pathlib.Path(folder)
            copied(self.folder)
            subprocess.run(["strip", "-o", self.folder / "launches",
                            BUILD / "tests/programs/rivulet_launches"], check=True)
            self.launched("chain", 1)  # fills the cache: Valgrind can't start the compiler
            for kind, limit in LIMITS.items():
                cost = (self.instructions(kind, MANY) - self.instructions(kind, FEW)) / (MANY - FEW)
                print(f"a launch of a {kind}: {cost:.0f} instructions of the host, limit {limit}")
                with self.subTest(kind):
                    self.assertLess(cost, limit)
            alone, with_read = (self.instructions(kind, FEW) - self.instructions(kind, 1)
                                for kind in ("single", "read"))
            print(f"a launch at a time: {alone / (FEW - 1):.0f} instructions of the host, "
                  f"{with_read / (FEW - 1):.0f} with a read behind it")
            self.assertLess(with_read, READ_COST * alone)


if __name__ == "__main__":
    unittest.main()
