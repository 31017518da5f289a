#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Differential test of the vectoriser: random kernels, one work-item after the other against side
by side, bit for bit, on QEMU. The seed of a kernel is its name: --first 17 --count 1 repeats it."""
import argparse
import json
import os
import re
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from generate import Kernel
from machines import MACHINES, call, link, simulate


def totals(text):
    """Sums of the numbers that the compiler prints on standard error of one or more programs."""
    found = re.findall(r"^(\d+) regions, (\d+) of them scalar$", text, re.MULTILINE)
    return Counter(regions=sum(int(all_) for all_, _ in found),
                   scalar=sum(int(scalar) for _, scalar in found))


class Batch:
    def __init__(self, options, number, seeds, vlen):
        self.options, self.seeds, self.vlen = options, seeds, vlen
        self.machine = MACHINES[options.machine]
        self.base = os.path.join(options.folder, f"batch{number}")
        self.problems = []
        self.regions = Counter()

    def run(self):
        kernels = [Kernel(seed, half=self.machine.half) for seed in self.seeds]
        try:
            objects = self.compile(kernels, f"{self.base}.all")
        except RuntimeError: # one of them: which?
            kernels, objects = self.compile_each(kernels)
        if kernels:
            self.link(kernels, objects)
            self.problems += simulate(self.machine, self.vlen, self.base, 120)
        if not self.options.keep:
            for path in objects:
                os.remove(path)
        return self

    def compile(self, kernels, base):
        with open(base + ".cl", "w") as file:
            file.writelines(kernel.source for kernel in kernels)
        objects, found = [], Counter()
        for name, extra in (("one", ["-rvl-vectorize=off", "-cl-opt-disable",
                                      "-DREFERENCE"]),
                            ("side", ["-rvl-vectorize=spmd"])):
            objects.append(f"{base}.{name}.o")
            done = call([self.options.compiler, base + ".cl", self.machine.isa,
                         str(self.vlen) if self.machine.vectors and not self.options.agnostic else "0", "_" + name,
                         objects[-1], "-cl-std=CL3.0", "-w"] + extra)
            if name == "side":
                found = totals(done.stderr)
                if self.options.remarks and "remark:" in done.stderr:
                    print(done.stderr.strip())
        self.regions += found
        return objects

    def compile_each(self, kernels):
        compiled, objects = [], []
        for kernel in kernels:
            try:
                objects += self.compile([kernel], f"{self.base}.{kernel.name}")
                compiled.append(kernel)
            except RuntimeError as error:
                self.problems.append((kernel.name, f"compiler: {error}"))
        return compiled, objects

    def link(self, kernels, objects):
        text = '#include "harness.c"\n'
        rows = ""
        for k in kernels:
            braces = lambda values: "{" + ", ".join(map(str, values)) + "}"
            n, u = 40 + k.random.randrange(60), k.random.randrange(12)
            text += f"rvl_kernel {k.name}_one, {k.name}_side;\n"
            rows += (f'    {{"{k.name}", {k.name}_one, {k.name}_side, {{{k.dimensions}, '
                     f'{braces(k.size)}, {braces(k.offset)}, {braces(k.local)}, {k.chunk}}}, '
                     f'{n}, {u}}},\n')
        text += (f"const struct test_case cases[] = {{\n{rows}}};\n"
                 f"const unsigned case_count = {len(kernels)};\n")
        with open(self.base + ".c", "w") as file:
            file.write(text)
        link(self.machine, self.base, objects)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("compiler", help="the program kernel_object")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--vlen", type=int, nargs="+", default=[128, 256, 1024])
    parser.add_argument("--machine", choices=MACHINES, default="rv64gcv")
    parser.add_argument("--batch", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--folder", default=".")
    parser.add_argument("--agnostic", action="store_true", help="compile for any vector length")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--remarks", action="store_true")
    parser.add_argument("--at-most", help="the file with totals that may only get better")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    seeds = range(options.first, options.first + options.count)
    parts = [list(seeds[i:i + options.batch]) for i in range(0, options.count, options.batch)]
    batches = [Batch(options, number, part, options.vlen[number % len(options.vlen)])
               for number, part in enumerate(parts)]
    problems, regions = 0, Counter()
    with ThreadPoolExecutor(options.jobs) as pool:
        for batch in pool.map(Batch.run, batches):
            regions += batch.regions
            for name, what in batch.problems:
                problems += 1
                print(f"{name} at VLEN {batch.vlen}: {what}", flush=True)
    print(f"{options.count} kernels, {problems} problems; {regions['regions']} regions, "
          f"{regions['scalar']} of them scalar")
    if options.at_most:
        with open(options.at_most) as file:
            most = json.load(file)["random kernels"]
        if regions["scalar"] * most["regions"] > most["scalar"] * regions["regions"]:
            problems += 1
            print(f"{options.at_most} allows {most['scalar']} of {most['regions']}")
    return problems != 0


if __name__ == "__main__":
    sys.exit(main())
