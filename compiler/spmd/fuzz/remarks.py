#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many regions of the kernels in these files run one work-item after the other, and why."""
import argparse
import collections
import re
import subprocess
import sys

from run import totals


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("compiler", help="rivulet-cc")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--options", default="-cl-std=CL3.0 -w", help="build options")
    options = parser.parse_args()
    regions, reasons, failed = collections.Counter(), collections.Counter(), 0
    for path in options.files:
        done = subprocess.run([options.compiler, path, "--emit=spmd", "--remarks", "-o", "/dev/null",
                               *options.options.split()], capture_output=True, text=True)
        failed += done.returncode != 0
        regions += totals(done.stderr)
        reasons.update(re.findall(r"one work-item after the other: (.*)", done.stderr))
    for reason, count in reasons.most_common():
        print(f"{count:6} {reason}")
    print(f"{len(options.files)} files ({failed} not compiled); {regions['regions']} regions, "
          f"{regions['scalar']} of them scalar")


if __name__ == "__main__":
    sys.exit(main())
