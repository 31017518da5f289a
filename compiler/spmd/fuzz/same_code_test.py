#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""same_code_test.py COMPILER: a program's code doesn't depend on where the compiler's own data lie,
which is another place in each process. Random kernels with more values than there are registers:
with those, choices are close."""
import pathlib
import subprocess
import sys
import tempfile

from generate import Kernel

SEEDS = [2, 10, 18, 40]
TIMES = 4


def main():
    compiler = sys.argv[1]
    complaints = []
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "kernel.cl"
        for seed in SEEDS:
            source.write_text(Kernel(seed).source)
            images = {subprocess.run([compiler, source, "-cl-std=CL3.0", "-o", "-"],
                                     capture_output=True, check=True).stdout
                      for _ in range(TIMES)}
            if len(images) > 1:
                complaints.append(f"seed {seed}: {len(images)} images of {TIMES} are different")
    sys.exit("\n".join(complaints) or 0)


main()
