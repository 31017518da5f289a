#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels whose results are known without a compiler, side by side on QEMU. Each is compiled for
one of the machines in turn, single cases for all of them; --everywhere compiles all for all."""
import argparse
import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

from loops import Endless, loops
from machines import MACHINES, call, link, simulate
from single_cases import Single, singles

# Machine and VLEN.
TARGETS = [("rv64gcv", 128), ("rv64gcv", 512), ("rv64gcv", 1024), ("rv32gcv", 128)]


class Data:
    """Bytes that kernels read and that they should write, each string once."""

    def __init__(self):
        self.bytes, self.offsets = bytearray(), {}

    def offset(self, what):
        if what not in self.offsets:
            self.bytes += bytes(-len(self.bytes) % 8)
            self.offsets[what] = len(self.bytes)
            self.bytes += what
        return self.offsets[what]


class Batch:
    def __init__(self, options, number, cases, target):
        self.options, self.cases = options, cases
        machine, self.vlen = target
        self.machine = MACHINES[machine]
        self.base = os.path.join(options.folder, f"{machine}-{self.vlen}.{number}")
        self.where = f"{machine} at VLEN {self.vlen}"
        self.problems = []

    def run(self):
        with open(self.base + ".cl", "w") as file:
            file.writelines(case.source for case in self.cases)
        try:
            call([self.options.compiler, self.base + ".cl", self.machine.isa, str(self.vlen), "",
                  self.base + ".o", "-cl-std=CL3.0", "-w", *self.options.build])
            self.link()
        except RuntimeError as error:
            self.problems.append(str(error))
            return self
        # A kernel that differs names itself.
        self.problems += [what if what.startswith("DIFFERS") else f"{running}: {what}" for
                          running, what in simulate(self.machine, self.vlen, self.base, 300)]
        if not self.options.keep:
            for suffix in (".o", ".elf"):
                os.remove(self.base + suffix)
        return self

    def link(self):
        data, rows, names = Data(), "", ""
        for case in self.cases:
            inputs = [data.offset(text) for text in case.inputs]
            expected = b"".join(word.to_bytes(4, "little") for word in case.expected)
            names += f"rvl_kernel {case.name};\n"
            rows += (f'    {{"{case.name}", {case.name}, {{1, {{{case.size}, 1, 1}}, '
                     f'{{{case.offset}, 0, 0}}, {{{case.local}, 1, 1}}, 4}}, '
                     f'{{{inputs[0]}, {inputs[1]}}}, {data.offset(expected)}, '
                     f'{len(case.expected)}, '
                     f'{{{", ".join(f"{number}ll" for number in case.numbers)}}}}},\n')
        with open(self.base + ".bin", "wb") as file:
            file.write(data.bytes)
        with open(self.base + ".c", "w") as file:
            file.write(f'#include "known.c"\n{names}'
                       f'const struct test_case cases[] = {{\n{rows}}};\n'
                       f'const unsigned case_count = {len(self.cases)};\n'
                       '__asm__(".section .rodata\\n.balign 128\\n.globl data\\ndata:\\n'
                       f'.incbin \\"{self.base}.bin\\"\\n.previous\\n");\n')
        link(self.machine, self.base, [self.base + ".o"])


def find_cases(options):
    cases = [case for case in singles() if re.search(options.only, case.name)]
    for name, make in islice(loops(), options.loops):
        if re.search(options.only, name):
            try:
                cases.append(make())
            except Endless:
                pass
    return cases


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("compiler", help="the program kernel_object")
    parser.add_argument("--only", default="", help="a regular expression: kernels with such names")
    parser.add_argument("--loops", type=int, default=10 ** 6, help="so many of the grid")
    parser.add_argument("--everywhere", action="store_true")
    parser.add_argument("--build", action="append", default=[], help="a build option")
    parser.add_argument("--batch", type=int, default=120)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--folder", default=".")
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    cases = find_cases(options)
    batches = []
    for t, target in enumerate(TARGETS):
        some = [case for i, case in enumerate(cases)
                if options.everywhere or isinstance(case, Single) or i % len(TARGETS) == t]
        batches += [Batch(options, number, some[first:first + options.batch], target)
                    for number, first in enumerate(range(0, len(some), options.batch))]
    problems = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for batch in pool.map(Batch.run, batches):
            for problem in batch.problems:
                problems += 1
                print(f"{batch.where}: {problem}", flush=True)
    print(f"{len(cases)} kernels, {problems} problems")
    return problems != 0


if __name__ == "__main__":
    sys.exit(main())
