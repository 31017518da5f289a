# SPDX-License-Identifier: Apache-2.0
"""Extracts errors in ULP from the output of tests."""
import re

# The library's accuracy tests (compiler/library/test/measure.h): function, type, inputs, error, limit.
OWN = re.compile(r"^accuracy,(\w+),(\w+),\d+,([\d.]+|inf),([\d.]+)$", re.MULTILINE)
# test_bruteforce of the OpenCL-CTS: "  1:    acos fp32 … 2.38 @ 0x1p-1".
CTS = re.compile(r"^ *\d+: +(\w+) +(fp16|fp32|fp64).*?\t *([\d.]+|inf) @", re.MULTILINE)
TYPES = {"fp16": "half", "fp32": "float", "fp64": "double"}


def accuracy(text):
    """[function, type, worst error in ULP, limit or None], one for each function and type."""
    worst = {}
    found = [(f, t, float(e), float(limit)) for f, t, e, limit in OWN.findall(text)]
    found += [(f, TYPES[t], float(e), None) for f, t, e in CTS.findall(text)]
    for function, kind, error, limit in found:
        before = worst.get((function, kind))
        if before is None or error > before[0]:
            worst[function, kind] = (error, limit)
    return [[f, t, min(error, 1e30), limit] for (f, t), (error, limit) in sorted(worst.items())]
