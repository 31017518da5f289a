#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""./dev bench compiler: retired instructions per work-item of our code, through the OpenCL API,
beside hand-written RVV on bare metal (benchmarks/compiler/baselines.json)."""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent / "compiler"
# Our variants: build options that make them.
OURS = {"scalar": "-rvl-vectorize=off", "loopvec": "-rvl-vectorize=loops", "ours": ""}
BASELINES = ["hand_spmd", "hand"]


def run_kernels(program, vlen, options, kernels):
    command = [str(program), str(HERE / "kernels")]
    if options:
        command.append(f"--options={options}")
    if kernels:
        command += ["-k", kernels]
    process = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                             env={**os.environ, "RIVULET_MACHINE": f"rv64-v{vlen}-icount",
                                  "RIVULET_CACHE": "off"})
    if process.returncode:
        sys.exit(f"bench: {' '.join(command)} failed:\n{process.stderr}")
    return json.loads(process.stdout)


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def measure(program, vlens, kernels):
    """(rows for JSON, complaints)"""
    baselines = json.loads((HERE / "baselines.json").read_text())
    rows, complaints = [], []

    def add(kernel, vlen, variant, source, value):
        rows.append({"kernel": kernel, "vlen": vlen, "variant": variant, "measured": source,
                     "instructions_per_work_item": value})

    for vlen in vlens:
        for variant, options in OURS.items():
            print(f"VLEN {vlen}: {variant} …", file=sys.stderr)
            for result in run_kernels(program, vlen, options, kernels):
                name = result["kernel"]
                if "failure" in result:
                    complaints.append(f"{variant} {name} at VLEN {vlen} does not build: {result['failure']}")
                    continue
                if not result["right"]:
                    complaints.append(f"{variant} {name} at VLEN {vlen} is WRONG: error {result['error']}")
                    continue
                add(name, vlen, variant, "OpenCL launch",
                    result["instructions"] / result["work_items"])
        for name, entry in baselines.items():
            if not kernels or name in kernels.split(","):
                for variant in BASELINES:
                    add(name, vlen, variant, "bare metal", entry[variant][str(vlen)])
    return rows, complaints


def print_table(rows, vlen):
    variants = [*OURS, *BASELINES]
    values = {(row["kernel"], row["variant"]): row["instructions_per_work_item"]
              for row in rows if row["vlen"] == vlen}
    names = list(dict.fromkeys(row["kernel"] for row in rows))
    print(f"\nVLEN {vlen}: instructions per work-item\n{'kernel':14}"
          + "".join(f"{variant:>12}" for variant in variants) + f"{'ours/spmd':>12}")
    ratios = []
    for name in names:
        cells = [values.get((name, variant)) for variant in variants]
        line = f"{name:14}" + "".join(f"{cell:12.4f}" if cell is not None else f"{'-':>12}"
                                      for cell in cells)
        if (name, "ours") in values:
            ratios.append(values[name, "ours"] / values[name, "hand_spmd"])
            line += f"{ratios[-1]:12.2f}"
        print(line)
    print(f"{'geomean':14}" + " " * 12 * len(variants) + f"{geometric_mean(ratios):12.2f}")


def main():
    parser = argparse.ArgumentParser(prog="dev bench compiler", description=__doc__)
    parser.add_argument("--json", metavar="FILE", help="write the rows to FILE, too")
    parser.add_argument("--vlens", default="128,512", help="vector lengths (default 128,512)")
    parser.add_argument("-k", "--kernels", help="only these, separated by commas")
    parser.add_argument("--build", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--stage", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    vlens = [int(vlen) for vlen in arguments.vlens.split(",")]
    rows, complaints = measure(arguments.build / "benchmarks/compiler/rivulet-compiler-bench",
                               vlens, arguments.kernels)
    for vlen in vlens:
        print_table(rows, vlen)
    print(*complaints, sep="\n")
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(rows, indent=1) + "\n")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
