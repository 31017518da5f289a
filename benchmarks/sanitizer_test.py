#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""-rv-sanitize=address costs less than three times the instructions of each kernel of the benchmark, and
their results stay right. On counting machines, whose numbers are the same each time.

    sanitizer_test.py VLEN [KERNEL…]
"""
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE))
import compiler # pylint: disable=wrong-import-position

LIMIT = 3 # also, no kernel may be cheaper than without checks by more than a tenth
PROGRAM = pathlib.Path(os.environ["RIVULET_BUILD"]) / "benchmarks/compiler/rivulet-compiler-bench"


def main():
    vlen, kernels = sys.argv[1], sys.argv[2:] or compiler.KERNELS
    plain, checked = ({row["kernel"]: row for row in compiler.run_kernels(
        PROGRAM, vlen, kernels, folder=HERE / "compiler/kernels", options=options)}
        for options in ("", "-rv-sanitize=address"))
    if set(plain) != set(kernels) or set(checked) != set(kernels):
        sys.exit(f"not all of {kernels} ran: {sorted(checked)}")
    failures = []
    for kernel in kernels:
        if not all(row.get("right") for row in (plain[kernel], checked[kernel])):
            failures.append(f"{kernel} is wrong: {plain[kernel]}, {checked[kernel]}")
            continue
        factor = checked[kernel]["instructions"] / plain[kernel]["instructions"]
        print(f"{kernel:14} {factor:.2f}")
        if not 0.9 < factor < LIMIT:
            failures.append(f"{kernel}: {factor:.2f} times the instructions")
    return "\n".join(failures) or 0 # an empty text would be a failure, too


if __name__ == "__main__":
    sys.exit(main())
