# SPDX-License-Identifier: Apache-2.0
"""Suites from an OpenCL-CTS build: one per row of its lists."""
import csv
import os
import pathlib
import re

from errors import UsageError
from manifest import Suite

# Seconds per sub-test, for programs whose tests take long even on a fast device.
LONG = {"test_bruteforce": 7200, "test_conversions": 3600, "test_integer_ops": 1800,
        "test_half": 1800, "test_relationals": 900, "test_allocations": 1800}
USUAL = 600


def find_lists(folder):
    """The folder of opencl_conformance_tests_*.csv: the build, or test_conformance in it."""
    for directory in (pathlib.Path(folder), pathlib.Path(folder) / "test_conformance"):
        if any(directory.glob("opencl_conformance_tests_*.csv")):
            return directory.resolve()
    raise UsageError(f"{folder} has no opencl_conformance_tests_*.csv; --cts takes the folder "
                     "that cmake built the OpenCL-CTS in")


def rows(path):
    """(title, program, arguments) of a list: [DEVICE TYPE,] TITLE, PROGRAM ARGUMENTS."""
    device_type = "CL_DEVICE_TYPE_" + (os.environ.get("RIVULET_DEVICE_TYPE") or "ACCELERATOR")
    with path.open(newline="") as file:
        for row in csv.reader(line for line in file if line.strip() and line[0] not in "#\r"):
            if len(row) < 2 or not row[1].split():
                raise UsageError(f"{path}: not TITLE,PROGRAM ARGUMENTS: {','.join(row)}")
            if row[0].startswith("CL_DEVICE_TYPE_"):
                if row.pop(0) != device_type:
                    continue # the row is for another device type
            program, *arguments = row[-1].split()
            yield row[0].strip(), program, arguments


def offline_of(arguments):
    """(compilation mode or None, other words) of a row; *_binary and *_spirv lists name the mode."""
    words, mode = list(arguments), None
    for option in ("--compilation-mode", "--compilation-cache-path"):
        while option in words:
            at = words.index(option)
            if option == "--compilation-mode" and words[at + 1:]:
                mode = words[at + 1]
            del words[at:at + 2]
    return mode, words


def suite_name(title, program, taken):
    """cts.basic of basic/test_basic; by its title when a program has several rows."""
    name = "cts." + re.sub(r"^test_(cl_)?", "", os.path.basename(program))
    if name in taken:
        name = "cts." + re.sub(r"\W+", "_", title.lower()).strip("_")
    if name in taken:
        name += "." + str(sum(other.startswith(name) for other in taken) + 1)
    return name


def load(folder, which, wimpy, offline, compiler, cache):
    """(suites, names of those that are not built) of the list `which`.

    `offline` is the CTS's compilation mode for rows that name none; where it is not online,
    `compiler` is the cl_offline_compiler and `cache` the folder of what it compiled.
    """
    directory = find_lists(folder)
    path = directory / f"opencl_conformance_tests_{which}.csv"
    if not path.is_file():
        known = sorted(p.stem.removeprefix("opencl_conformance_tests_")
                       for p in directory.glob("opencl_conformance_tests_*.csv"))
        raise UsageError(f'--cts-list: there is no list "{which}"; there are ' + ", ".join(known))
    common = ["-w"] if wimpy else []
    suites, absent, taken = [], [], set()
    for title, program, arguments in rows(path):
        name = suite_name(title, program, taken)
        taken.add(name)
        if not (directory / program).is_file():
            absent.append(name)
            continue
        mode, arguments = offline_of(arguments)
        mode = mode or offline
        compilation = [] if mode == "online" else [
            "--compilation-mode", mode, "--compilation-cache-path", str(cache),
            "--compilation-program", str(compiler)]
        # The rows' words without a dash select sub-tests, or are words of the program's own.
        options = [word for word in arguments if word.startswith("-")
                   and not (wimpy and word in ("-w", "--wimpy"))]
        words = [word for word in arguments if not word.startswith("-")]
        suites.append(Suite(name, "cts", program=str(directory / program),
                            arguments=common + compilation + options,
                            timeout=LONG.get(os.path.basename(program), USUAL), summary=title,
                            section={"words": words}))
    return suites, absent


def select(suite, listed):
    """Sub-tests of a row; words that select none are given to the program with each."""
    # "all" is the harness' word for every sub-test, and would run all of them in addition to each single one.
    words = [word for word in suite.section.get("words", []) if word != "all"]
    patterns = [word for word in words
                if any(re.fullmatch(word.replace("*", ".*"), test) for test in listed)]
    suite.arguments += [word for word in words if word not in patterns and not word.endswith("*")]
    suite.section = {}
    if not patterns:
        return listed
    return [test for test in listed
            if any(re.fullmatch(word.replace("*", ".*"), test) for word in patterns)]
