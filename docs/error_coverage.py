#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints, as Markdown: entry point → the test of its result; entry point × error code → the tests
that provoke it; entry point × size → the sweep that tries all values.

    error_coverage.py [--check] [HEADERS]      --check only says what is missing, and fails if something is

What the specification lists is tests/errors/specified.txt; a test says what it provokes by
EXPECT_FAILS(code, entry point, …) or EXPECT_CODE. Tests of results are named by
tests/errors/results.txt. Which parameters are sizes the system's OpenCL headers say, in the folder HEADERS.
"""
import collections
import pathlib
import re
import sys

from entry_points import ROW, TABLE, TOP

SPECIFIED = TOP / "tests/errors/specified.txt"
RESULTS = TOP / "tests/errors/results.txt"
SIZES = [TOP / "tests/errors/sizes.cpp", TOP / "tests/errors/sizes_of_images.cpp"]
CHECK = "--check" in sys.argv
HEADERS = [pathlib.Path([*sys.argv, "/usr/include"][1 + CHECK], "CL", name) for name in ("cl.h", "cl_ext.h")]
TEST = re.compile(r"^TEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\)", re.MULTILINE)
# … and what a macro expects of each `function` it is used with.
MACRO = re.compile(r"#define (EXPECT_\w+)\(function, .*?[^\\]\n", re.DOTALL)
# These take sizes of what a pointer refers to, or write sizes.
NOT_SWEPT = {
    "clSetProgramSpecializationConstant", # must be that of the constant; see OfIntermediate…
    "clCreateProgramWithILKHR",           # clCreateProgramWithIL under another name
    "clGetSupportedImageFormats",
    "clImportMemoryARM",                  # at most that of a dma-buf; see OfExternalMemory
    "clGetSemaphoreHandleForTypeKHR",     # has one size, an int's; see OfExternalSemaphores
}
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


def bodies():
    """test → its text"""
    texts = {}
    files = [*(TOP / "tests").glob("*/*.cpp"), *(TOP / "host-runtime").glob("*/*_test.cpp")]
    for file in sorted(files):
        text = file.read_text()
        starts = list(TEST.finditer(text))
        ends = [start.start() for start in starts[1:]] + [len(text)]
        for start, end in zip(starts, ends):
            texts[".".join(start.groups())] = text[start.start():end]
    return texts


def results():
    """entry point → test, or (None, reason); complaints"""
    reasons, found, wrong, texts = {}, {}, [], bodies()
    for line in RESULTS.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("reason "):
            name, _, reasons_text = line.removeprefix("reason ").partition(": ")
            reasons[name] = reasons_text
            continue
        if " = " in line:
            name, _, reason = line.partition(" = ")
            found[name] = (None, reasons[reason])
            continue
        name, _, rest = line.partition(": ")
        test, _, text = rest.partition(" ")
        found[name] = (test, None)
        if test not in texts:
            wrong.append(f"{RESULTS.name}: there is no test {test}")
        elif not re.search(rf"\b{re.escape(text or name)}", texts[test]):
            wrong.append(f"{RESULTS.name}: {test} has no call of {text or name}")
    for name in entry_points():
        if name not in found:
            wrong.append(f"{name} has no test of its result in {RESULTS.name}")
    return found, wrong


def sizes():
    """Entry points with parameters of type size_t, as the headers declare them."""
    text = "".join(header.read_text() for header in HEADERS if header.exists())
    prototype = re.compile(r"\b(cl[A-Z]\w*)\(([^()]*(?:\([^()]*\)[^()]*)*)\)[^;{}]*;")
    found = {}
    for name, parameters in prototype.findall(text):
        # Sizes of answers say how much room there is for them; results are no arguments.
        parameters = re.sub(r"\([^()]*\)", "", parameters) # of callbacks
        names = [parameter for parameter in re.findall(r"size_t\b[\s*]*(\w+)", parameters)
                 if not parameter.endswith("_ret") and parameter != "param_value_size"]
        if names:
            found[name] = names
    if not found:
        sys.exit(f"no OpenCL headers: {', '.join(map(str, HEADERS))}")
    return found


def unswept():
    rows = set(re.findall(r'"(cl\w+)"|\b(clCreateProgramWith\w+)\(',
                          "".join(file.read_text() for file in SIZES)))
    rows = {name for pair in rows for name in pair}
    return [f"no row of {SIZES[0].name} sweeps the sizes of {name}: {', '.join(names)}"
            for name, names in sizes().items()
            if name in entry_points() and name not in rows and name not in NOT_SWEPT]


def entry_points():
    """The entry points that are there, in the order of the dispatch table."""
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


def document(reasons, codes, tests, successes):
    lines = ["# Entry points and their tests",
             "For each entry point the test of its result, what the specification lists as its "
             "errors, and the tests that provoke them. Sizes, offsets and pitches are swept by `Size` and `ImageSize`.", "",
             "CL_OUT_OF_HOST_MEMORY and CL_OUT_OF_RESOURCES, which nearly all list, come from one "
             "place, the edge of the library. `Fork` and `DeviceDeath` test the latter; "
             "`OutOfHostMemory` the former, by refusing one allocation after the other.",
             ""]
    cells = [(name, code) for name in entry_points() for code in codes.get(name, {})]
    provoked = sum(cell in tests for cell in cells)
    lines += [f"{len(entry_points())} entry points, {len(cells)} pairs: {provoked} provoked by a test, "
              f"{len(cells) - provoked} that can't occur here.", "",
              "| entry point | its result | code | test, or why it can't occur |",
              "|---|---|---|---|"]
    for name in entry_points():
        test, reason = successes.get(name, (None, "**missing**"))
        result = f"`{test}`" if test else reason
        for index, (code, reason) in enumerate((codes.get(name) or {"": None}).items()):
            where = ", ".join(f"`{test}`" for test in tests.get((name, code), []))
            first = f"`{name}` | {result}" if index == 0 else " | "
            otherwise = reasons.get(reason, "**missing**") if code else "no code of its own"
            lines.append(f"| {first} | {code} | {where or otherwise} |")
    return "\n".join(lines) + "\n"


def main():
    reasons, codes = specified()
    tests = tested()
    successes, wrong = results()
    missing = [*complaints(codes, tests), *wrong, *unswept()]
    if not CHECK:
        print(document(reasons, codes, tests, successes))
    print(*missing, sep="\n", end="\n" if missing else "", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
