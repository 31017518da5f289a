#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/isa-extensions.md says of each extension that hal/isa knows what it brings.

    isa_extensions.py SOURCE-DIRECTORY
"""
import collections
import pathlib
import re
import sys

DOCUMENT = "docs/isa-extensions.md"
SECTION = "## All that are known\n"
LETTERS = re.compile(r'known_letters = "(\w+)"')


def known(top):
    names = set(re.findall(r"^RIVULET_ISA_EXTENSION\((\w+)\)",
                           (top / "hal/isa/extension_names.def").read_text(), re.MULTILINE))
    return names | set(LETTERS.search((top / "hal/isa/isa_string.cpp").read_text())[1])


def described(text):
    """How often each name is in the first column of the section's tables."""
    section = text.split(SECTION)[1].split("\n## ")[0]
    columns = [line.split("|")[1] for line in section.splitlines() if line.startswith("| ")]
    return collections.Counter(name.lower() for column in columns if column != " extensions "
                               for name in re.findall(r"\w+", column.split(" and ")[0]))


def complaints(names, counts):
    yield from (f"{DOCUMENT}: nothing about {name}" for name in sorted(names - set(counts)))
    yield from (f"{DOCUMENT}: {name} is in {count} rows" for name, count in sorted(counts.items())
                if count > 1)
    yield from (f"{DOCUMENT}: hal/isa knows no {name}" for name in sorted(set(counts) - names)
                if not re.fullmatch(r"zvl\d+b", name))


def main():
    top = pathlib.Path(sys.argv[1])
    names = known(top)
    found = list(complaints(names, described((top / DOCUMENT).read_text())))
    print(*found, sep="\n", end="\n" * bool(found))
    print(f"{len(names)} extensions, {len(found)} complaints")
    return 1 if found or len(names) < 300 else 0


if __name__ == "__main__":
    sys.exit(main())
