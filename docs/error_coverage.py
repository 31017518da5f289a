#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/coverage.md: entry point × error code → the tests that provoke it.

    error_coverage.py [--check]      --check only says what is missing or out of date

What the specification lists is tests/errors/specified.txt; a test says what it provokes by
EXPECT_FAILS(code, entry point, …) or EXPECT_CODE.
"""
import collections
import pathlib
import re
import sys

from entry_points import ROW, TABLE, TOP

DOCUMENT = TOP / "docs/coverage.md"
SPECIFIED = TOP / "tests/errors/specified.txt"
TEST = re.compile(r"^TEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\)", re.MULTILINE)
# … and what a macro expects of each `function` it is used with.
MACRO = re.compile(r"#define (EXPECT_\w+)\(function, .*?[^\\]\n", re.DOTALL)
EXPECTATION = re.compile(r"EXPECT_(?:FAILS|CODE)\(\s*(CL_\w+),\s*(cl\w+)")


def specified():
    """reasons; entry point → code → name of the reason why it can't occur, or None"""
    reasons, codes = {}, {}
    for number, line in enumerate(SPECIFIED.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        head, _, rest = line.partition(":")
        if head.startswith("reason "):
            reasons[head.split()[1]] = rest.strip()
            continue
        pairs = [code.partition("=") for code in rest.split()]
        codes[head] = {code: reason or None for code, _, reason in pairs}
        for reason in codes[head].values():
            if reason is not None and reason not in reasons:
                sys.exit(f"{SPECIFIED}:{number}: no reason is called {reason}")
    return reasons, codes


def tested():
    """(entry point, code) → tests"""
    tests = collections.defaultdict(list)
    for file in sorted((TOP / "tests").glob("*/*.cpp")):
        text = file.read_text()
        starts = [(match.start(), ".".join(match.groups())) for match in TEST.finditer(text)]
        for match in EXPECTATION.finditer(text):
            names = [name for start, name in starts if start < match.start()]
            key = match.group(2), match.group(1)
            if names and names[-1] not in tests[key]:
                tests[key].append(names[-1])
        for macro in MACRO.finditer(text):
            for use in re.finditer(macro.group(1) + r"\(\s*(cl\w+)", text):
                names = [name for start, name in starts if start < use.start()]
                for code in re.findall(r"EXPECT_FAILS\((CL_\w+), function", macro.group(0)):
                    if names and names[-1] not in tests[use.group(1), code]:
                        tests[use.group(1), code].append(names[-1])
    return tests


def entry_points():
    """Those that are there, in the order of the dispatch table."""
    return [name for kind, name, _ in ROW.findall(TABLE.read_text()) if kind != "ABSENT"]


def complaints(codes, tests):
    for name in entry_points():
        if name not in codes:
            yield f"{name} is not in tests/errors/specified.txt"
        for code, reason in codes.get(name, {}).items():
            if reason is None and (name, code) not in tests:
                yield f"no test has EXPECT_FAILS({code}, {name}, …)"
            if reason is not None and (name, code) in tests:
                yield f"{name} can end with {code}, {tests[name, code][0]} shows; strike the reason"


def document(reasons, codes, tests):
    lines = ["# Error codes and their tests",
             "Written by `docs/error_coverage.py` from `tests/errors/`: what the specification lists "
             "for each entry point, and the tests that provoke it.", "",
             "CL_OUT_OF_HOST_MEMORY and CL_OUT_OF_RESOURCES, which nearly all list, come from one "
             "place, the edge of the library. `Fork` and `DeviceDeath` test the latter; "
             "`OutOfHostMemory` the former, by refusing one allocation after the other.",
             ""]
    shown = [name for name in entry_points() if codes.get(name)]
    cells = [(name, code) for name in shown for code in codes[name]]
    provoked = sum(cell in tests for cell in cells)
    lines += [f"{len(shown)} entry points, {len(cells)} pairs: {provoked} provoked by a test, "
              f"{len(cells) - provoked} that can't occur here.", "",
              "| entry point | code | test, or why it can't occur |", "|---|---|---|"]
    for name in shown:
        for index, (code, reason) in enumerate(codes[name].items()):
            where = ", ".join(f"`{test}`" for test in tests.get((name, code), []))
            lines.append(f"| {f'`{name}`' if index == 0 else ''} | {code} | "
                         f"{where or reasons.get(reason, '**missing**')} |")
    return "\n".join(lines) + "\n"


def main():
    reasons, codes = specified()
    tests = tested()
    missing = list(complaints(codes, tests))
    text = document(reasons, codes, tests)
    if sys.argv[1:] != ["--check"]:
        DOCUMENT.write_text(text)
    elif not DOCUMENT.exists() or DOCUMENT.read_text() != text:
        missing.append("docs/coverage.md is not up to date; run docs/error_coverage.py")
    print(*missing, sep="\n", end="\n" if missing else "")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
