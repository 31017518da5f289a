#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Differential test of the work-group pass, on this machine: random kernels with barriers as the
pass makes them, against one stack per work-item. The seed of a kernel is its name."""
import argparse
import os
import subprocess
import sys

from generate import Kernel

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
sys.path.append(os.path.join(ROOT, "tests"))
from llvm import tool  # pylint: disable=wrong-import-position

# The compiler verifies its code after each pass.
os.environ.setdefault("RIVULET_VERIFY", "1")


def braces(values):
    return "{" + ", ".join(map(str, values)) + "}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("compiler", help="the program kernel_object")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--folder", default=".")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    objects, names, rows = [], "", ""
    for seed in range(options.first, options.first + options.count):
        kernel = Kernel(seed)
        if not kernel.barriers:
            continue
        base = os.path.join(options.folder, kernel.name)
        with open(base + ".cl", "w") as file:
            file.write(kernel.source)
        for isa, suffix, extra in (("host", "_lowered", []),
                                   ("work-items", "_work_item", ["-DREFERENCE"])):
            subprocess.run([options.compiler, base + ".cl", isa, "0", suffix,
                            base + suffix + ".o", "-cl-std=CL3.0", "-w", *extra], check=True)
            objects.append(base + suffix + ".o")
        n, u = 40 + kernel.random.randrange(60), kernel.random.randrange(12)
        names += (f'extern "C" rvl_kernel {kernel.name}_lowered;\n'
                  f'extern "C" WorkItem {kernel.name}_work_item;\n')
        rows += (f'    {{"{kernel.name}", {kernel.name}_lowered, {kernel.name}_work_item, '
                 f"{kernel.dimensions}, {braces(kernel.size)}, {braces(kernel.offset)}, "
                 f"{braces(kernel.local)}, {kernel.chunk}, {n}, {u}}},\n")
    program = os.path.join(options.folder, "cases")
    with open(program + ".cpp", "w") as file:
        file.write(f'#include "fibers.cpp"\n{names}'
                   f"const std::vector<Case> cases = {{\n{rows}}};\n")
    objects.append(os.path.join(options.folder, "dispatch.o"))
    subprocess.run([tool("clang"), "-O1", "-I" + ROOT, "-c", "-o", objects[-1],
                    os.path.join(ROOT, "compiler", "runtime", "dispatch.c")], check=True)
    subprocess.run([tool("clang++"), "-std=c++20", "-O1", "-I" + ROOT, "-I" + HERE,
                    program + ".cpp", *objects, "-lm", "-o", program], check=True)
    return subprocess.run([program], timeout=120).returncode


if __name__ == "__main__":
    sys.exit(main())
