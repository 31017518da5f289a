#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tables of README.md and docs/performance.md from what tests have printed and how they ended.

    readme.py RESULTS...     takes over results: build/release/tests.xml, as `./dev test` leaves it;
                             of a test that several files have, the last one counts
    readme.py                rewrites the tables from the recorded results
    readme.py --check        only says whether they are up to date

Results are kept in docs/readme.csv, so that a change of them is a difference; those of the OpenCL-CTS
are in the expectations of `rivulet conformance`. The tables stand between comments <!-- NAME --> and
<!-- end -->. They are part of the pages, because these are read where tests can't be run.
"""
import argparse
import collections
import csv
import fnmatch
import pathlib
import re
import sys
import xml.etree.ElementTree as tree

TOP = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(TOP / "tools/conformance"))
from expectations import Expectations

RESULTS = TOP / "docs/readme.csv"

# Rows of the table of what works, and the tests that show it (names of CTest).
ROWS = [
    ("queues, events, profiling, command buffers, sub-devices",
     ["api.Queries@*", "api.Arguments@*", "api.Events@*", "api.Callbacks@*", "api.NDRange@*",
      "api.CommandBuffers@*", "api.Scheduling@*", "api.SeveralDevices@*"]),
    ("buffers, zero-copy maps, SVM and unified shared memory, images, samplers, mipmaps",
     ["api.Copy@*", "api.Map@*", "api.SharedMemory*", "api.UnifiedMemory@*", "api.Image@*",
      "api.ImageCommands@*", "api.MemoryModel@*", "api.LargeBuffers*", "api.LargeImages@*",
      "api.LargeSharedMemory*"]),
    ("programs from source, SPIR-V and binary; without a compiler",
     ["api.Programs@*", "api.Intermediate@*", "hosts.without_compiler*",
      "api.images_run_without_compiler"]),
    ("OpenCL C 1.2 and 3.0 with sub-groups, atomics, fp64, fp16",
     ["api.Language@*", "api.LocalMemory@*", "api.PrivateMemory@*", "api.WorkGroups@*",
      "api.AtomicCounters@*", "api.Rounding@*", "api.Embedded@*", "api.Versions@*", "library.*",
      "random_programs.*"]),
    ("[faults](docs/firmware.md), endless loops and a killed QEMU end in errors with source lines",
     ["api.Fault@*", "api.DeviceDeath@*", "api.DeviceSilence@*", "programs.debugger",
      "programs.crash_dump", "programs.compiler_faults"]),
    ("[address sanitizer](docs/applications.md#accesses-out-of-bounds) for kernels",
     ["api.Sanitizer@*", "api.LargeSanitizer@*", "api.SanitizedBinaries@*"]),
    ("[Linux and the firmware](tests/amp) on harts of one machine", ["amp*"]),
    ("[Debian packages](tests/packages) in a clean Debian of amd64, arm64 and riscv64", ["packages*"]),
    ("[a card](docs/products.md#a-card-without-hardware) behind VFIO; arm64 and riscv64 hosts",
     ["card.guests*", "hosts.arm64*", "hosts.riscv64*"]),
]
PHOTO = re.compile(r"^(\w+) +(\d+) +([\d.]+) ms +(\d+|-) +(\d+|-) +([\d.]+) ms +([\d.]+) +([\d.]+)$",
                   re.MULTILINE)
SIZE = re.compile(r"/([\w.-]+): text and data are (\d+) bytes of (\d+)")


class Results:
    """kernels[name] is the demo's row, sizes[file] are bytes and limit, tests[i] is (passed, ran)."""

    def __init__(self):
        self.kernels, self.sizes, self.tests = {}, {}, {}
        if RESULTS.is_file():
            with RESULTS.open(newline="") as file:
                for kind, name, *row in csv.reader(file):
                    {"kernel": self.kernels, "size": self.sizes, "tests": self.tests}[kind][name] = row

    def take_over(self, paths):
        status, texts = {}, {}
        for path in paths:
            for case in tree.parse(path).getroot().iter("testcase"):
                output = case.find("system-out")
                if case.get("status") in ("run", "fail"):  # not those that were skipped
                    status[case.get("name")] = case.get("status") == "run"
                    texts[case.get("name")] = (output.text or "") if output is not None else ""
        for number, (_, patterns) in enumerate(ROWS, 1):
            ran = [passed for name, passed in status.items()
                   if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)]
            if ran:
                self.tests[str(number)] = [str(sum(ran)), str(len(ran))]
        for text in texts.values():
            for file, size, limit in SIZE.findall(text):
                self.sizes[file] = [size, limit]
        self.take_over_demo(texts.get("programs.pictures", ""))

    def take_over_demo(self, text):
        """Times of the run that counts no instructions, and instructions of the one that does. Of
        runs the one with the shortest device time is kept, since others may have used the processors,
        as long as the kernel's instructions are the same: for other code they are reset."""
        counted, timed = {}, {}
        for kernel, items, device, instructions, harts, trip, found, allowed in PHOTO.findall(text):
            if instructions != "-":
                counted[kernel] = instructions
            else:
                timed[kernel] = [items, device, trip, harts, found, allowed]
        for kernel in timed:
            before = self.kernels.get(kernel)
            if (before and counted.get(kernel) == before[-1] and
                    float(before[1]) < float(timed[kernel][1])):
                timed[kernel][1:4] = before[1:4]
            if kernel in counted:
                self.kernels[kernel] = [*timed[kernel], counted[kernel]]

    def save(self):
        with RESULTS.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            for kind, table in (("kernel", self.kernels), ("size", self.sizes), ("tests", self.tests)):
                writer.writerows([kind, name, *row] for name, row in table.items())


def demo(results):
    yield "| kernel | work-items | device time | host round trip | harts | instructions | largest error " \
          "| allowed |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|"
    for kernel, (items, device, trip, harts, found, allowed, count) in results.kernels.items():
        yield (f"| `{kernel}` | {int(items):,} | {device} ms | {trip} ms | {harts} | {int(count):,} | "
               f"{float(found):.6g} | {float(allowed):.6g} |")


def standing(results):
    yield "| works | tests passed |"
    yield "|---|--:|"
    for number, (works, _) in enumerate(ROWS, 1):
        passed, ran = results.tests.get(str(number), ["", ""])
        count = "in `--long`" if not ran else passed if passed == ran else f"{passed} of {ran}"
        yield f"| {works} | {count} |"


def cts(_results):
    yield "| machine | pass | fail | skip |"
    yield "|---|--:|--:|--:|"
    for path in sorted((TOP / "tools/conformance/expectations").glob("*.txt")):
        count = collections.Counter(status for name, (status, _) in Expectations(path).entries.items()
                                    if name.startswith("cts."))
        yield f"| `{path.stem}` | {count['pass']:,} | {count['fail']} | {count['skip']} |"


def sizes(results):
    yield "| | text and data | limit |"
    yield "|---|--:|--:|"
    for file in ("librivulet.so.1", "virt-rv64.elf", "virt-rv32.elf", "signed-rv64.elf"):
        size, limit = results.sizes[file]
        yield f"| `{file}` | {int(size):,} | {int(limit):,} |"


TABLES = {"README.md": {"cts": cts, "standing": standing},
          "docs/performance.md": {"demo": demo, "sizes": sizes}}


def document(results, name):
    """The page as it is, and as it should be."""
    text = before = (TOP / name).read_text()
    for table, rows in TABLES[name].items():
        block = re.compile(rf"(<!-- {table} -->\n).*?(<!-- end -->)", re.DOTALL)
        if not block.search(text):
            raise SystemExit(f"{name} lacks <!-- {table} --> and <!-- end -->")
        text = block.sub(lambda match, rows=rows: match[1] + "\n".join(rows(results)) + "\n" + match[2],
                         text, count=1)
    return before, text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("results", nargs="*", metavar="RESULTS")
    arguments = parser.parse_args()
    check = arguments.check
    results = Results()
    if arguments.results and not check:
        results.take_over(arguments.results)
        results.save()
    stale = False
    for name in TABLES:
        before, text = document(results, name)
        if before != text and check:
            print(f"{name} is not up to date; run docs/readme.py")
            stale = True
        elif before != text:
            (TOP / name).write_text(text)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
