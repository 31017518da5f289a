#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of README.md from what tests have printed and how they ended.

    readme.py RESULTS...     takes over results: build/release/tests.xml, as `./dev test` leaves it;
                             of a test that several files have, the last one counts
    readme.py                writes the tables anew from those taken over before
    readme.py --check        only says whether they are up to date

Results are kept in docs/readme.csv, so that a change of them is a difference. The tables stand between
comments <!-- NAME --> and <!-- end -->.
"""
import csv
import fnmatch
import pathlib
import re
import sys
import xml.etree.ElementTree as tree

TOP = pathlib.Path(__file__).resolve().parent.parent
README = TOP / "README.md"
RESULTS = TOP / "docs/readme.csv"

# Rows of the table of what works: the tests that show it (names of CTest), and what does not work yet.
ROWS = [
    ("platform, devices, sub-devices, contexts, in-order and out-of-order queues, events, profiling, "
     "command buffers",
     ["api.Queries@*", "api.Arguments@*", "api.Events@*", "api.Callbacks@*", "api.NDRange@*",
      "api.CommandBuffers@*", "api.Scheduling@*", "api.SeveralDevices@*"],
     "[pipes, device-side enqueue](docs/not-supported.md)"),
    ("buffers, sub-buffers, rectangles, fill, zero-copy map; SVM and unified shared memory; images of "
     "every type, samplers, mipmaps",
     ["api.Copy@*", "api.Map@*", "api.SharedMemory*", "api.UnifiedMemory@*", "api.Image@*",
      "api.ImageCommands@*", "api.MemoryModel@*"],
     "all of the Khronos conformance tests: [what was run so far](docs/conformance.md#opencl-cts)"),
    ("programs from source, SPIR-V and binary, compile and link, a cache; without a compiler, from images",
     ["api.Programs@*", "api.Intermediate@*", "hosts.without_compiler*",
      "api.images_run_without_compiler"],
     "[boards](boards) of silicon: firmware for three is built, none of them was run"),
    ("OpenCL C 1.2 and 3.0: built-ins, generic addresses, program-scope variables, collectives, "
     "sub-groups (`cl_khr_subgroup_*`, `cl_intel_subgroups`), atomic counters, fp64, fp16",
     ["api.Language@*", "api.LocalMemory@*", "api.PrivateMemory@*", "api.WorkGroups@*",
      "api.AtomicCounters@*", "api.Rounding@*", "api.Embedded@*", "api.Versions@*", "library.*",
      "random_programs.*"], ""),
    ("faults, endless loops and a killed QEMU end in errors, reports of faults name the source line; "
     "`rivulet debug` stops in kernels, [`RIVULET_CRASH_DUMP`]"
     "(docs/firmware.md#when-the-firmware-itself-fails) leaves a core file of firmware that fails",
     ["api.Fault@*", "api.DeviceDeath@*", "api.DeviceSilence@*", "programs.debugger",
      "programs.crash_dump", "programs.compiler_faults"], ""),
    ("[address sanitizer](docs/applications.md#accesses-out-of-bounds): `RIVULET_SANITIZE=1` names line, "
     "buffer and work-item of an access out of bounds, and barriers that not all work-items reach",
     ["api.Sanitizer@*"], ""),
    ("Linux on two harts and the firmware on two others of one machine ([tests/amp](tests/amp), "
     "`./dev test -R amp`)", ["amp*"], ""),
    ("Debian packages and an archive, installed, upgraded and purged in a clean Debian of amd64, arm64 "
     "and riscv64 ([tests/packages](tests/packages), `./dev test -R packages`)", ["packages*"], ""),
    ("[a card](docs/products.md#a-card-without-hardware) behind VFIO, in guests of x86-64 and aarch64 "
     "with Debian's kernel; libraries for arm64 and riscv64 hosts, run under QEMU (`./dev test -R card`, "
     "`-R hosts`)", ["card.guests*", "hosts.arm64*", "hosts.riscv64*"],
     "a real card, a host of arm64 or riscv64 that is no emulator"),
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
        for number, (_, patterns, _) in enumerate(ROWS, 1):
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
        as long as the kernel's instructions are the same: other code begins anew."""
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
    yield "| kernel | work-items | device time | host round trip | harts | instructions¹ | largest error " \
          "| allowed |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|"
    for kernel, (items, device, trip, harts, found, allowed, count) in results.kernels.items():
        yield (f"| `{kernel}` | {int(items):,} | {device} ms | {trip} ms | {harts} | {int(count):,} | "
               f"{float(found):.6g} | {float(allowed):.6g} |")


def standing(results):
    yield "| works | tests² | not yet, or not |"
    yield "|---|--:|---|"
    for number, (works, _, missing) in enumerate(ROWS, 1):
        passed, ran = results.tests.get(str(number), ["", ""])
        count = "long" if not ran else passed if passed == ran else f"{passed} of {ran}"
        yield f"| {works} | {count} | {missing} |"


def sizes(results):
    yield "| | text and data | limit |"
    yield "|---|--:|--:|"
    for file in ("librivulet.so.1", "virt-rv64.elf", "virt-rv32.elf", "signed-rv64.elf"):
        size, limit = results.sizes[file]
        yield f"| `{file}` | {int(size):,} | {int(limit):,} |"


TABLES = {"demo": demo, "standing": standing, "sizes": sizes}


def document(results, text):
    for name, rows in TABLES.items():
        block = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        if not block.search(text):
            raise SystemExit(f"README.md lacks <!-- {name} --> and <!-- end -->")
        text = block.sub(lambda match, rows=rows: match[1] + "\n".join(rows(results)) + "\n" + match[2],
                         text, count=1)
    return text


def main():
    results, text = Results(), README.read_text()
    if sys.argv[1:] == ["--check"]:
        if document(results, text) == text:
            return 0
        print("README.md is not up to date; run docs/readme.py")
        return 1
    if len(sys.argv) > 1:
        results.take_over(sys.argv[1:])
        results.save()
    README.write_text(document(results, text))
    return 0


if __name__ == "__main__":
    sys.exit(main())
