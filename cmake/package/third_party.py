#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the notices of what others wrote and what is part of this build, or is loaded by it.

    third_party.py OUTPUT TEXTS      TEXTS/PACKAGE/copyright are licence texts: /usr/share/doc on Debian

third_party.csv names it; tests/licences holds that it names all. The texts of what is compiled in are
repeated, as most of these licences ask for. What is shared comes with its own package.
"""
import csv
import fnmatch
import pathlib
import sys

TABLE = pathlib.Path(__file__).resolve().parent / "third_party.csv"
HEAD = """Rivulet is licensed under the Apache License, version 2.0. It contains, or loads, what others wrote:
"""


def rows():
    with TABLE.open(newline="") as file:
        return [{**row, "packages": row["packages"].split()} for row in csv.DictReader(file)]


def is_of(package, row):
    """Names of packages may be patterns, since some hold a version."""
    return any(fnmatch.fnmatchcase(package, pattern) for pattern in row["packages"])


def text_of(row, texts):
    """The first licence text that is installed for one of the packages."""
    for pattern in row["packages"]:
        for path in sorted(texts.glob(f"{pattern}/copyright")):
            return path.read_text(encoding="utf-8", errors="replace").strip()
    print(f"third_party.py: no licence text of {row['component']} in {texts}", file=sys.stderr)
    return f"The text was not there when this was built: {row['licence']}"


def notices(texts):
    parts = [HEAD]
    for how, title in (("compiled in", "Compiled in:"), ("shared", "Shared libraries and interfaces:")):
        parts.append(title)
        parts += [f"  {row['component']}: {row['licence']}; in {row['in']}"
                  for row in rows() if row["how"] == how]
        parts.append("")
    for row in rows():
        if row["how"] == "compiled in":
            parts += ["=" * 80, row["component"], "=" * 80, text_of(row, texts), ""]
    return "\n".join(parts)


if __name__ == "__main__":
    pathlib.Path(sys.argv[1]).write_text(notices(pathlib.Path(sys.argv[2])), encoding="utf-8")
