#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cost of traces for a program's own processor, in instructions that callgrind counts: next to
nothing when they are off, and a bounded number for each command when they are on."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from programs import BUILD, ProgramTest, run

RUNS = 200
COMMANDS = 3 * (RUNS - 1)  # each run but the first writes its buffer, launches, reads
LINE = re.compile(r"^ *([\d,]+) +(?:\([^)]*\) +)?[^:\s]+:(.*?) \[(.*)\]$", re.MULTILINE)


def copied(folder):
    """A copy of the build with symbols, but without the line tables that Valgrind can't read."""
    for name in ("bin/rivulet-run", "bin/rivulet-cc"):
        (folder / name).parent.mkdir(exist_ok=True)
        subprocess.run(["strip", "-o", folder / name, BUILD / name], check=True)
    shutil.copytree(BUILD / "lib/rivulet", folder / "lib/rivulet")
    for path in (folder / "lib/rivulet").rglob("*.so"):
        subprocess.run(["strip", "--strip-debug", path], check=True)
    library = folder / "lib/librivulet.so.1"
    subprocess.run(["eu-unstrip", BUILD / "lib/librivulet.so.1", BUILD / "lib/librivulet.so.1.debug",
                    "-o", library], check=True)
    subprocess.run(["strip", "--strip-debug", library], check=True)
    (folder / "vendors").mkdir()
    (folder / "vendors/rivulet.icd").write_text(f"{library}\n")


@unittest.skipUnless(shutil.which("valgrind") and shutil.which("eu-unstrip"),
                     "needs valgrind and elfutils")
class TraceCost(ProgramTest):
    def counted(self, runs, **environment):
        """(all instructions, those of the library's functions for traces)."""
        out = self.folder / f"callgrind.{runs}.{len(environment)}"
        done = run("valgrind", "--tool=callgrind", f"--callgrind-out-file={out}",
                   self.folder / "bin/rivulet-run", self.folder / "add.cl", "add", "zeros:64", "-r",
                   runs, "--json", OCL_ICD_VENDORS=self.folder / "vendors", RIVULET_VERIFY=None,
                   RIVULET_MACHINE="loopback", RIVULET_CACHE=self.folder / "cache", seconds=300,
                   **environment)
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(len(json.loads(done.stdout)["runs"]), runs)
        text = subprocess.run(["callgrind_annotate", "--threshold=100", out], check=True,
                              capture_output=True, text=True).stdout
        lines = [(int(count.replace(",", "")), function, pathlib.Path(file).name)
                 for count, function, file in LINE.findall(text)]
        total = int(re.search(r"refs: +([\d,]+)", done.stderr)[1].replace(",", ""))
        return total, sum(count for count, function, file in lines
                          if "hal::trace::" in function and file == "librivulet.so.1")

    def test_of_a_command(self):
        with tempfile.TemporaryDirectory() as folder:
            self.folder = pathlib.Path(folder)
            copied(self.folder)
            (self.folder / "add.cl").write_text(
                "kernel void add(global float *a) { a[get_global_id(0)] += 1; }\n")
            self.counted(1)  # fills the cache
            (one, one_traced), (many, many_traced) = self.counted(1), self.counted(RUNS)
            off = (many_traced - one_traced) / (many - one)
            trace = {"RIVULET_TRACE": self.folder / "trace"}
            on = (self.counted(RUNS, **trace)[0] - self.counted(1, **trace)[0]) - (many - one)
        print(f"a command: {(many - one) / COMMANDS:.0f} instructions of the host, "
              f"{100 * off:.2f} % of them ask whether it is traced; a trace adds {on / COMMANDS:.0f}")
        self.assertGreater(many_traced, one_traced, "no function of traces was seen")
        self.assertLess(off, 0.01)
        self.assertLess(on / COMMANDS, 6000)


if __name__ == "__main__":
    os.environ.pop("RIVULET_TRACE", None)
    unittest.main()
