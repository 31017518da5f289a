#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""spills_test.py COMPILER KERNELS: the benchmarks' kernels spill and reload no vectors at any vector
length (rivulet-cc --stats), except for those listed here."""
import pathlib
import re
import subprocess
import sys
import tempfile

TARGET = "rv64gcv_zfh_zvfh_zba_zbb_zbs"
VLENS = [128, 256, 512]
ALLOWED = {
    # LMUL is 8, so there are four values: each of three exponentials needs three of them, while two
    # more wait. Half as many lanes need 1.9 times the instructions.
    "blackscholes": 4,
    # Four texels' addresses, channels and borders at a time; most stand where a sampler meets an
    # image's border.
    "sample_red": 493,
    "sample_rgba": 485,
}


def count(compiler, source, vlen, folder):
    statistics = subprocess.run(
        [compiler, source, "--target", TARGET, "--vlen", str(vlen), "--stats",
         "-o", pathlib.Path(folder) / "image"],
        capture_output=True, text=True, check=True).stderr
    spills = re.findall(r"^kernel (\w+): .* (\d+) vector spills", statistics, re.MULTILINE)
    if not spills:
        sys.exit(f"{source}: --stats tells of no kernel with vectors:\n{statistics}")
    return {name: int(number) for name, number in spills}


def main():
    compiler, kernels = sys.argv[1], pathlib.Path(sys.argv[2])
    sources = sorted(kernels.glob("*.cl"))
    complaints = [] if sources else [f"{kernels} has no kernels"]
    with tempfile.TemporaryDirectory() as folder:
        for vlen in VLENS:
            for source in sources:
                for name, spills in count(compiler, source, vlen, folder).items():
                    if spills > ALLOWED.get(name, 0):
                        complaints.append(f"{name} at VLEN {vlen}: {spills} vector spills, "
                                          f"{ALLOWED.get(name, 0)} are allowed")
    sys.exit("\n".join(complaints) or 0)


main()
