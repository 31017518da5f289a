#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pipeline_table_test.py RIVULET_CC README [--write]: the README ends with what --print-pipeline
prints."""
import pathlib
import subprocess
import sys

MARK = "<!-- rivulet-cc --print-pipeline -->\n"


def main():
    readme = pathlib.Path(sys.argv[2])
    table = subprocess.run([sys.argv[1], "--print-pipeline"], capture_output=True, text=True,
                           check=True).stdout
    before, _, written = readme.read_text().partition(MARK)
    if "--write" in sys.argv:
        readme.write_text(before + MARK + table)
    elif written != table:
        sys.exit(f"{readme} doesn't show the passes of support/passes.def: "
                 f"run {' '.join(sys.argv[:3])} --write")


main()
