#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/entry-points.md from the table that the dispatch table is made of.

    entry_points.py [--check]      --check only says whether the file is up to date
"""
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
TABLE = TOP / "host-runtime/api/entry_points.def"
DOCUMENT = TOP / "docs/entry-points.md"
ROW = re.compile(r'^RIVULET_(HERE|ABSENT|EXTENSION|COMMAND)\((\w+), "([^"]+)"\)', re.MULTILINE)


def document():
    rows = {"HERE": [], "ABSENT": [], "EXTENSION": []}
    for kind, name, since in ROW.findall(TABLE.read_text()):
        rows["EXTENSION" if kind == "COMMAND" else kind].append(f"| `{name}` | {since} |")
    sections = (("HERE", "Implemented", "since OpenCL"),
                ("EXTENSION", "Of extensions", "extension"),
                ("ABSENT", "Not there: they return CL_INVALID_OPERATION", "since OpenCL"))
    parts = ["# Entry points\nWritten by `docs/entry_points.py` from "
             "`host-runtime/api/entry_points.def`, which the dispatch table is made of.\n"]
    for kind, title, column in sections:
        if rows[kind]:
            parts.append(f"## {title} ({len(rows[kind])})\n| function | {column} |\n|---|---|\n"
                         + "\n".join(rows[kind]) + "\n")
    return "\n".join(parts)


def main():
    if sys.argv[1:] == ["--check"]:
        if DOCUMENT.read_text() == document():
            return 0
        print("docs/entry-points.md is not up to date; run docs/entry_points.py")
        return 1
    DOCUMENT.write_text(document())
    return 0


if __name__ == "__main__":
    sys.exit(main())
