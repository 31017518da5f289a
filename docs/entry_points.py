#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints, as Markdown, which entry points are there, from the table of the dispatch table."""
import pathlib
import re

TOP = pathlib.Path(__file__).resolve().parent.parent
TABLE = TOP / "host-runtime/api/entry_points.def"
ROW = re.compile(r'^RIVULET_(HERE|ABSENT|NEWER|EXTENSION|COMMAND)\((\w+), "([^"]+)"\)', re.MULTILINE)


def document():
    rows = {"HERE": [], "ABSENT": [], "EXTENSION": []}
    for kind, name, since in ROW.findall(TABLE.read_text()):
        kind = {"COMMAND": "EXTENSION", "NEWER": "HERE"}.get(kind, kind)
        rows[kind].append(f"| `{name}` | {since} |")
    sections = (("HERE", "Implemented", "since OpenCL"),
                ("EXTENSION", "Of extensions", "extension"),
                ("ABSENT", "Not there: they return CL_INVALID_OPERATION", "since OpenCL"))
    parts = ["# Entry points"]
    for kind, title, column in sections:
        if rows[kind]:
            parts.append(f"## {title} ({len(rows[kind])})\n| function | {column} |\n|---|---|\n"
                         + "\n".join(rows[kind]) + "\n")
    return "\n".join(parts)


if __name__ == "__main__":
    print(document())
