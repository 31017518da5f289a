#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Differential test of the vectoriser: random kernels, one work-item after the other against side
by side, bit for bit, on QEMU. The seed of a kernel is its name: --first 17 --count 1 repeats it."""
import argparse
import json
import os
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from generate import Kernel

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
RUNTIME = [os.path.join(ROOT, "compiler", "runtime", name) for name in ("runtime.c", "dispatch.c")]
CLANG = ["-mcmodel=medany", "-ffreestanding", "-O1", "-fno-vectorize", "-fno-slp-vectorize",
         "-fuse-ld=lld", "-nostdlib", "-static", "-Wl,--no-relax", "-I" + ROOT, "-I" + HERE]

# The compiler verifies its code after each pass.
os.environ.setdefault("RIVULET_VERIFY", "1")


class Machine:
    """What the kernels are compiled for, and the QEMU that runs them: with V's registers there is
    a Zve32f, whose elements have no more than 32 bits."""
    def __init__(self, isa, abi, elen=0):
        self.isa, self.xlen, self.vectors = isa, isa[2:4], elen > 0
        self.half = "zvfh" in isa
        self.clang = [f"--target=riscv{self.xlen}-unknown-elf", "-march=" + isa, "-mabi=" + abi]
        on = {word for word in isa.split("_")[1:] if not word.startswith("zve")}
        self.cpu = ",".join([f"rv{self.xlen}"] + sorted(f"{word}=true" for word in on))
        if elen:
            self.cpu += f",v=true,elen={elen},vlen="


MACHINES = {
    "rv64gcv": Machine("rv64gcv_zfh_zvfh_zba_zbb", "lp64d", 64),
    "rv64gc": Machine("rv64gc_zfh", "lp64d"),
    "rv32gcv": Machine("rv32gcv_zfh_zvfh", "ilp32d", 64),
    "rv32gc": Machine("rv32gc_zfh", "ilp32d"),
    "rv32-zve32f": Machine("rv32gc_zve32f_zfh_zba_zbb", "ilp32d", 32),
    "rv32-zve32f-zvfh": Machine("rv32gc_zve32f_zfh_zvfh", "ilp32d", 32),
}


def call(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(" ".join(command) + "\n" + done.stdout[-500:] + done.stderr[-2000:])
    return done


def totals(text):
    """Of what the compiler says on standard error of one or more programs."""
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
            self.simulate()
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
        # Harness and runtime both have memcpy and memset.
        call(["clang-22", *self.machine.clang, *CLANG, "-fno-builtin", "-Wl,-z,muldefs", "-T", os.path.join(HERE, "link.ld"), os.path.join(HERE, "start.S"),
              self.base + ".c", *RUNTIME, *objects, "-o", self.base + ".elf"])

    def simulate(self):
        cpu = self.machine.cpu + (str(self.vlen) if self.machine.vectors else "")
        command = [f"qemu-system-riscv{self.machine.xlen}", "-machine", "virt", "-m", "128M", "-bios",
                   "none", "-cpu", cpu, "-display", "none", "-monitor", "none", "-serial", "stdio",
                   "-no-reboot", "-kernel", self.base + ".elf"]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True,
                                  timeout=120)
            output = done.stdout.decode(errors="replace")
        except subprocess.TimeoutExpired as error:
            output = (error.stdout or b"").decode(errors="replace") + "\nTIMEOUT"
        running = "?"
        for line in output.splitlines():
            if line.startswith("RUN "):
                running = line[4:]
            elif line.startswith(("DIFFERS", "TRAP", "TIMEOUT")):
                self.problems.append((running, line))
        if "DONE" not in output and not self.problems:
            self.problems.append((running, output[-300:]))


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
