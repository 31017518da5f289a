#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Habits that a machine can check: licence lines, file lengths, READMEs, no traces of a workplace.

    tidiness.py [SOURCE-DIRECTORY]
"""
import pathlib
import re
import sys

from sources import source_files

LONGEST_FILE = 800  # lines, of what is written by hand
SOURCES = {".c", ".h", ".cpp", ".hpp", ".S", ".py", ".cl", ".cmake", ".ld"}
# Absolute paths of a developer's machine, and reminders.
TRACES = re.compile(r"(?<![\w./$}{-])/(work|home|root)/[\w.-]+|\b(TODO|FIXME|XXX)\b")

# A set-user-ID program must not obey its caller: the library asks base/environment.h.
ENVIRONMENT = re.compile(r"\bgetenv\(")
# Tests of two users, or two runs, would collide there. Guests and roots have a /tmp of their own.
FIXED_PLACE = re.compile(r"[\"'=]/tmp/")
HAVE_THEIR_OWN = ("tests/card/guest", "tests/packages/")
LIBRARY = ("base/", "host-runtime/", "hal/core/", "hal/drivers/", "compiler/frontend/spirv_reader.cpp")

COMMENTED = SOURCES | {".txt", ".ll", ".mir", ".def", ".dts", ".toml"}

# Code of Linux's kernel modules.
KERNEL = "hal/drivers/linux/kernel/"

# Links to our own files in Markdown.
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")


def complaints(top, files):
    for name in files:
        path = top / name
        if path.suffix not in COMMENTED | {".md", ".json", ".abi"}:
            continue
        if name.startswith("tests/checks/"): # they name what they look for
            continue
        lines = path.read_text(errors="replace").splitlines()
        if path.suffix in SOURCES:
            if len(lines) > LONGEST_FILE:
                yield f"{name}: {len(lines)} lines, more than {LONGEST_FILE}"
            # REUSE-IgnoreStart
            licence = "GPL-2.0-only" if name.startswith(KERNEL) else "Apache-2.0"
            if not any("SPDX-License-Identifier: " + licence in line for line in lines[:3]):
                # REUSE-IgnoreEnd
                yield f"{name}: no SPDX line at its top"
        for number, line in enumerate(lines, 1):
            if match := TRACES.search(line):
                yield f"{name}:{number}: {match.group(0)}"
            if (name.startswith(LIBRARY) and "test" not in name and path.suffix in SOURCES
                    and ENVIRONMENT.search(line)):
                yield f"{name}:{number}: getenv, where environment() or secure_getenv is meant"
            if (path.suffix in SOURCES | {".txt"} and not name.startswith(HAVE_THEIR_OWN)
                    and FIXED_PLACE.search(line)):
                yield f"{name}:{number}: a fixed name in /tmp"
        if path.suffix == ".md":
            for target in LINK.findall("\n".join(lines)):
                if not (path.parent / target).exists():
                    yield f"{name}: link to {target}, which does not exist"
    for folder in sorted({name.split("/")[0] for name in files if "/" in name}):
        if f"{folder}/README.md" not in files and folder != "LICENSES": # where REUSE wants none
            yield f"{folder}/: no README.md"


def main():
    top = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    files = source_files(top)
    found = list(complaints(top, files))
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{len(files)} files, {len(found)} complaints")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
