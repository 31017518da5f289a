#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""printed_table_test.py RIVULET_CC OPTION PAGE [--write]: the page ends with what the option of
rivulet-cc prints, behind a line that names it."""
import pathlib
import subprocess
import sys


def main():
    compiler, option, page = sys.argv[1:4]
    mark = f"<!-- rivulet-cc {option} -->\n"
    table = subprocess.run([compiler, option], capture_output=True, text=True, check=True).stdout
    before, found, written = pathlib.Path(page).read_text().partition(mark)
    if "--write" in sys.argv and found:
        pathlib.Path(page).write_text(before + mark + table)
    elif not table or written != table:
        sys.exit(f"{page} doesn't show what rivulet-cc {option} prints: "
                 f"run {' '.join(sys.argv[:4])} --write")


main()
