#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lone_passes_test.py RIVULET_OPT PASSES.DEF: each pass of ours and each stage, run without those that
come before it, works or ends with an error that says what is missing; none crashes."""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

FOLDER = pathlib.Path(__file__).parent
SECONDS = 60 # of one run: only an endless one takes as long
# Each of these takes what another pass leaves, so that it must be refused.
REFUSED = ["rvl-parallel-regions", "rvl-rows", "rvl-group-loops", "rvl-local-memory",
           "rvl-work-items,rvl-rows", "rvl-work-items,rvl-work-items",
           "rvl-work-items,rvl-parallel-regions,rvl-parallel-regions"]


def complaint(command, refused=False):
    run = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    told = run.returncode == 1 and "rivulet-opt: " in run.stderr
    if told or (run.returncode == 0 and not refused):
        return None
    return f"{' '.join(command)} ends with {run.returncode}: {run.stderr}"


def main():
    opt, table = sys.argv[1:]

    def names(option):
        found = subprocess.run([opt, option], capture_output=True, text=True, check=True).stdout.split()
        assert found, f"{option} prints no passes"
        return found

    stages = re.findall(r"^RVL_STAGE\((\w+), \"(?!machine)", pathlib.Path(table).read_text(), re.M)
    assert stages, f"{table} has no stages"
    kernel = str(FOLDER / "workgroup/rows.ll") # it has a barrier, local memory and ids
    # Passes that legalise types do nothing on a hart that has all of them.
    runs = [([opt, f"--target={isa}", "--vlen=128", f"-passes={name}", kernel, "-o", os.devnull], name in REFUSED)
            for isa in ("rv64gcv", "rv32imafc_zve32f")
            for name in names("--print-passes") + [f"rvl-stage-{stage}" for stage in stages] + REFUSED]
    runs += [([opt, f"-run-pass={name}", str(code), "-o", os.devnull], False)
             for name in names("--print-machine-passes") for code in sorted(FOLDER.glob("*/*.mir"))]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        complaints = [found for found in pool.map(lambda run: complaint(*run), runs) if found]
    sys.exit("\n".join(complaints) or 0)


main()
