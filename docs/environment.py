#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/environment.md from the table through which all variables are read.

    environment.py [--check]      --check only says whether the file is up to date
"""
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
TABLE = TOP / "hal/core/environment.def"
DOCUMENT = TOP / "docs/environment.md"
ROW = re.compile(r'^RIVULET_VARIABLE\(\w+, "(\w+)", (\w+), "([^"]*)", "([^"]*)",\s*"([^"]*)"\)',
                 re.MULTILINE)
TEST_ROW = re.compile(r'^RIVULET_TEST_VARIABLE\("(\w+)", "([^"]*)"\)', re.MULTILINE)
KINDS = {"number": "whole number, ", "decimal": "number, "}
HEAD = """# The environment
Written by `docs/environment.py` from `hal/core/environment.def`, through which all of Rivulet's
variables are read; `rivulet info --environment` prints them with what they are set to.

An empty variable is like one that is not set. A number or word that is not permitted is an error on
standard error, and the default is used; machines, drivers, files and deadlines that make no sense
are errors that say why there is no device. Programs that run with other rights than their caller's
(set-user-ID and the like) read none of them.

| variable | permitted | default | meaning |
|---|---|---|---|
"""


def document():
    text = TABLE.read_text()
    rows = ROW.findall(text)
    # A row that is written in another way must not be missing silently.
    assert len(rows) == text.count("\nRIVULET_VARIABLE("), "rows that can't be read"
    lines = [f"| `{name}` | {KINDS.get(kind, '')}{permitted.replace('|', ', ')} "
             f"| {default or 'none'} | {meaning} |"
             for name, kind, permitted, default, meaning in rows]
    tests = [f"| `{name}` | {meaning} |" for name, meaning in TEST_ROW.findall(text)]
    return (HEAD + "\n".join(lines) + "\n\n## Read by tests\n| variable | meaning |\n|---|---|\n"
            + "\n".join(tests) + "\n")


def main():
    if sys.argv[1:] == ["--check"]:
        if DOCUMENT.exists() and DOCUMENT.read_text() == document():
            return 0
        print("docs/environment.md is not up to date; run docs/environment.py")
        return 1
    DOCUMENT.write_text(document())
    return 0


if __name__ == "__main__":
    sys.exit(main())
