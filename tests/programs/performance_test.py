#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/performance.md: its kernels, run by its command, retire the instructions that its tables say.

    performance_test.py --update     rewrites them
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import sys
import tempfile
import unittest

from programs import BUILD, SOURCE, ProgramTest, run

PAGE = SOURCE / "docs/performance.md"
KERNELS = re.compile(r"^```c\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| `(\w+ [^`]*)` \| ([\d,]+) \|", re.MULTILINE)
COMMAND = re.compile(r"^    (RIVULET_MACHINE=\S+ rivulet run .*)$", re.MULTILINE)
ALLOWED = 0.05


def measured(text):
    """{row: instructions}: the command, with each row in the place of its example."""
    command = COMMAND.search(text)[1]
    example = next(row for row in ROW.findall(text) if row[0] in command)[0]
    rows = dict(ROW.findall(text))
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "costs.cl").write_text("".join(KERNELS.findall(text)))

        def instructions(row):
            done = run("sh", "-c", f"cd {shlex.quote(folder)} && {command.replace(example, row)}",
                       PATH=f"{BUILD}/bin:{os.environ['PATH']}", seconds=300,
                       RIVULET_CACHE=f"{folder}/cache")
            assert done.returncode == 0, done
            return json.loads(done.stdout[done.stdout.index("{"):])["runs"][0]["instructions"]

        first, *others = rows  # it also compiles for the others
        found = {first: instructions(first)}
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            return found | dict(zip(others, pool.map(instructions, others)))


class Performance(ProgramTest):
    def test_numbers_are_those_of_the_machine(self):
        text = PAGE.read_text()
        rows = {row: int(number.replace(",", "")) for row, number in ROW.findall(text)}
        self.assertGreater(len(rows), 25)
        wrong = [f"{row}: {found:,}, the page says {rows[row]:,}"
                 for row, found in measured(text).items()
                 if abs(found - rows[row]) > ALLOWED * rows[row]]
        self.assertEqual(wrong, [], "performance_test.py --update rewrites the tables")


def update():
    text = PAGE.read_text()
    for row, number in measured(text).items():
        text = re.sub(rf"^(\| `{re.escape(row)}` \| )[\d,]+", rf"\g<1>{number:,}", text,
                      flags=re.MULTILINE)
    PAGE.write_text(text)


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        sys.exit(update())
    unittest.main()
