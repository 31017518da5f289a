#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""./dev bench compiler: retired instructions per work-item of our code, through the OpenCL API,
beside hand-written RVV, run the same way and on bare metal."""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys

import hand_images
import report

HERE = pathlib.Path(__file__).resolve().parent / "compiler"
# Our variants: build options that make them.
OURS = {"scalar": "-rvl-vectorize=off", "loopvec": "-rvl-vectorize=loops", "ours": ""}
VARIANTS = [*OURS, *hand_images.VARIANTS]
WITHOUT_HAND = ["sample_red", "sample_rgba"]  # nothing to compare with: through images and samplers
KERNELS = [*hand_images.KERNELS, *WITHOUT_HAND]


def run_kernels(program, vlen, kernels, folder, suffix=".cl", options=""):
    command = [str(program), str(folder), "--suffix", suffix, "-k", ",".join(kernels)]
    if options:
        command.append(f"--options={options}")
    process = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                             env={**os.environ, "RIVULET_MACHINE": f"rv64-v{vlen}-icount",
                                  "RIVULET_CACHE": "off"})
    if process.returncode:
        sys.exit(f"bench: {' '.join(command)} failed:\n{process.stderr}")
    return json.loads(process.stdout)


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def make_hand_images(compiler, kernels, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for kernel in kernels:
        for variant in hand_images.VARIANTS:
            hand_images.make(compiler, kernel, variant, folder)


def measure(program, compiler, vlens, kernels, hand_folder):
    """(rows for JSON, complaints)"""
    baselines = json.loads((HERE / "baselines.json").read_text())
    by_hand = [kernel for kernel in kernels if kernel not in WITHOUT_HAND]
    make_hand_images(compiler, by_hand, hand_folder)
    rows, complaints = [], []
    for vlen in vlens:
        runs = {variant: {"folder": HERE / "kernels", "options": options}
                for variant, options in OURS.items()}
        runs |= {variant: {"folder": hand_folder, "suffix": f".{variant}.rvk"}
                 for variant in hand_images.VARIANTS if by_hand}
        for variant, how in runs.items():
            print(f"VLEN {vlen}: {variant} …", file=sys.stderr)
            some = kernels if variant in OURS else by_hand
            for result in run_kernels(program, vlen, some, **how):
                name = result["kernel"]
                if "failure" in result or not result["right"]:
                    complaints.append(f"{variant} {name} at VLEN {vlen}: "
                                      + result.get("failure", f"WRONG, error {result.get('error')}"))
                    continue
                rows.append({"kernel": name, "vlen": vlen, "variant": variant,
                             "instructions_per_work_item":
                                 result["instructions"] / result["work_items"],
                             "bare_metal": baselines.get(name, {}).get(variant, {}).get(str(vlen))})
    return rows, complaints


def print_table(rows, vlen):
    here = [row for row in rows if row["vlen"] == vlen]
    values = {(row["kernel"], row["variant"]): row["instructions_per_work_item"] for row in here}
    bare = {(row["kernel"], row["variant"]): row["bare_metal"] for row in here}
    print(f"\nVLEN {vlen}: instructions per work-item, launch included; [bare metal]\n"
          f"{'kernel':14}" + "".join(f"{variant:>11}" for variant in OURS)
          + "".join(f"{variant:>22}" for variant in hand_images.VARIANTS) + f"{'ours/spmd':>11}")
    ratios = []
    for name in dict.fromkeys(row["kernel"] for row in here):
        line = f"{name:14}"
        for variant in VARIANTS:
            value, metal = values.get((name, variant)), bare.get((name, variant))
            line += f"{value:11.4f}" if value is not None else f"{'-':>11}"
            if variant in hand_images.VARIANTS:
                line += f" [{metal:8.4f}]" if metal is not None else " " * 11
        if (name, "ours") in values and (name, "hand_spmd") in values:
            ratios.append(values[name, "ours"] / values[name, "hand_spmd"])
            line += f"{ratios[-1]:11.2f}"
        print(line)
    print(f"{'geomean of ours / hand_spmd':14}: {geometric_mean(ratios):.2f}")


def main():
    parser = argparse.ArgumentParser(prog="dev bench compiler", description=__doc__)
    parser.add_argument("--json", metavar="FILE", help="write the rows to FILE, too")
    parser.add_argument("--html", metavar="FILE", help="write a report with charts to FILE, too")
    parser.add_argument("--vlens", default="128,512", help="vector lengths (default 128,512)")
    parser.add_argument("-k", "--kernels", help="only these, separated by commas")
    parser.add_argument("--build", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--stage", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    vlens = [int(vlen) for vlen in arguments.vlens.split(",")]
    kernels = arguments.kernels.split(",") if arguments.kernels else KERNELS
    if unknown := set(kernels) - set(KERNELS):
        parser.error(f"no such kernel: {', '.join(sorted(unknown))}")
    folder = arguments.build / "benchmarks/compiler"
    rows, complaints = measure(folder / "rivulet-compiler-bench",
                               arguments.stage / "bin/rivulet-cc", vlens, kernels,
                               folder / "hand-images")
    for vlen in vlens:
        print_table(rows, vlen)
    print(*complaints, sep="\n")
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(rows, indent=1) + "\n")
    if arguments.html:
        report.write(pathlib.Path(arguments.html), rows, VARIANTS)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
