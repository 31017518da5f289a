#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the table of locks of docs/architecture.md, and holds the page against the tree: files and
functions that it names exist, and every mutex of host library and HAL core has a rank.

    architecture.py [--check]      --check only says what is wrong
"""
import argparse
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
LOCKS = "## Locks\n"
RANK = re.compile(r'^RIVULET_LOCK_RANK\((\w+),\s*"([^"]+)"\)', re.MULTILINE)
MUTEX = re.compile(r"^( *)(?:mutable )?(?:Mutex|SharedMutex|BriefMutex) (\w+)\{LockRank::(\w+)\};", re.MULTILINE)
STANDARD = re.compile(r"\bstd::(?:recursive_|shared_|timed_)*mutex\s+\w+\s*[;{=]")
OF_DRIVER = re.compile(r"^( *)(?:mutable )?std::(?:recursive_|shared_|timed_)*mutex (\w+)\s*[;{=]", re.MULTILINE)
TESTS = re.compile(r"test|fixture")
SCOPE = re.compile(r"^( *)(?:class|struct) (?:alignas\([^)]*\) )?(\w+)[^;{]*\{", re.MULTILINE)
FILE = re.compile(r"`([\w.-]+(?:/[\w.-]+)+\.\w+)`")
ROW = re.compile(r"^\| `([^`|]+/[^`|]+)` \| ([^|]+) \|", re.MULTILINE)


def sources(top):
    for folder in ("base", "hal/core", "host-runtime"):
        for path in sorted((top / folder).rglob("*")):
            if path.suffix in (".h", ".cpp") and not TESTS.search(str(path.relative_to(top))):
                yield path, str(path.relative_to(top))


def mutexes(top):
    """(rank, "Class::member", file) for each declaration."""
    for path, name in sources(top):
        text = path.read_text()
        for match in MUTEX.finditer(text):
            yield match.group(3), member_of(text, match), name


def member_of(text, match):
    """ "Class::member" of a declaration whose groups 1 and 2 are its indentation and its name."""
    indent, member = match.group(1, 2)
    scopes = [scope.group(2) for scope in SCOPE.finditer(text, 0, match.start())
              if len(scope.group(1)) < len(indent)]
    return f"{scopes[-1]}::{member}" if scopes else member


def mutexes_of_drivers(top):
    """ "Class::member" and file of each: shared objects know nothing of the ranks."""
    for path in sorted((top / "hal/drivers").rglob("*")):
        name = str(path.relative_to(top))
        if path.suffix in (".h", ".cpp", ".c") and not TESTS.search(name):
            text = path.read_text()
            for match in OF_DRIVER.finditer(text):
                yield member_of(text, match), name


def table(top):
    found = list(mutexes(top))
    lines = ["| rank | guards | mutexes |", "|---|---|---|"]
    for rank, guards in RANK.findall((top / "base/lock_ranks.def").read_text()):
        own = ", ".join(f"`{mutex}` ({name})" for of, mutex, name in found if of == rank)
        lines.append(f"| `{rank}` | {guards} | {own} |")
    drivers = ", ".join(f"`{mutex}` ({name})" for mutex, name in mutexes_of_drivers(top))
    lines.append("| none: below `driver` | private to drivers, which are separate shared objects; "
                 f"none is held while a driver reports a death | {drivers} |")
    return "\n".join(lines) + "\n"


def with_table(top, text):
    before, heading, after = text.partition(LOCKS)
    return before + heading + after.partition("|")[0] + table(top)


def complaints(top):
    text = (top / "docs/architecture.md").read_text()
    if text != with_table(top, text):
        yield "docs/architecture.md: the table of locks is not up to date; run docs/architecture.py"
    for name in sorted(set(FILE.findall(text))):
        if not (top / name).is_file():
            yield f"docs/architecture.md: there is no {name}"
    for name, functions in ROW.findall(text):
        if not (top / name).is_file():
            continue
        code = (top / name).read_text()
        for function in re.findall(r"`([\w:]+)`", functions):
            scope, _, plain = function.rpartition("::")
            # Members are defined as Class::member, or in the class's body.
            if not re.search(rf"\b{function}\(", code) and not (
                    scope and re.search(rf"\bclass {scope}\b", code)
                    and re.search(rf"\b{plain}\(", code)):
                yield f"docs/architecture.md: {name} has no function {function}"
    used = {rank for rank, _, _ in mutexes(top)}
    for rank, _ in RANK.findall((top / "base/lock_ranks.def").read_text()):
        if rank not in used:
            yield f"base/lock_ranks.def: no mutex has the rank {rank}"
    for path, name in sources(top):
        if name != "base/lock.h" and STANDARD.search(path.read_text()):
            yield f"{name}: a standard mutex, which has no rank; see base/lock.h"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    document = TOP / "docs/architecture.md"
    if not check:
        document.write_text(with_table(TOP, document.read_text()))
    found = list(complaints(TOP))
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
