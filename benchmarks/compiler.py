#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""./dev bench compiler: retired instructions and modelled cycles per work-item of our code, through
the OpenCL API, compared with hand-written RVV, run the same way and on bare metal."""
import argparse
import concurrent.futures
import json
import pathlib
import sys

import hand_images
import report
from cycles import price
from measure import chosen_kernels, geometric_mean, models, run

HERE = pathlib.Path(__file__).resolve().parent / "compiler"
# Our variants: build options that make them.
OURS = {"scalar": "-rvl-vectorize=off", "loopvec": "-rvl-vectorize=loops", "ours": ""}
VARIANTS = [*OURS, *hand_images.VARIANTS]
WITHOUT_HAND = ["sample_red", "sample_rgba"]  # nothing to compare with: through images and samplers
KERNELS = [*hand_images.KERNELS, *WITHOUT_HAND]


MODELLED = ["ours", *hand_images.VARIANTS]


def bench_command(program, kernels, folder, suffix=".cl", options=""):
    command = [str(program), str(folder), "--suffix", suffix, "-k", ",".join(kernels)]
    return command + ([f"--options={options}"] if options else [])


def run_kernels(program, vlen, kernels, **how):
    return run(bench_command(program, kernels, **how), vlen)


def variants(hand_folder):
    """How each is run."""
    return ({variant: {"folder": HERE / "kernels", "options": options}
             for variant, options in OURS.items()}
            | {variant: {"folder": hand_folder, "suffix": f".{variant}.rvk"}
               for variant in hand_images.VARIANTS})


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
        for variant, how in variants(hand_folder).items():
            some = kernels if variant in OURS else by_hand
            if not some:
                continue
            print(f"VLEN {vlen}: {variant} …", file=sys.stderr)
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


def model_cycles(program, kernels, hand_folder):
    """Rows for JSON."""
    def one(model, kernel, variant):
        costs = model.price(bench_command(program, [kernel], **variants(hand_folder)[variant]))
        return costs and {"kernel": kernel, "vlen": model.vlen, "variant": variant,
                          "model": model.name, **costs}

    rows = []
    for model in models():
        print(f"modelled cycles: {model.name} …", file=sys.stderr)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            rows += filter(None, pool.map(lambda pair: one(model, *pair),
                                          [(kernel, variant) for kernel in kernels
                                           for variant in MODELLED
                                           if variant in OURS or kernel not in WITHOUT_HAND]))
    return rows


def print_cycles(rows):
    columns = [(model, variant) for model in price.MODELS for variant in MODELLED]
    values = {(row["kernel"], row["model"], row["variant"]): row["cycles_per_work_item"]
              for row in rows}
    print("\nmodelled cycles per work-item: "
          + ", ".join(f"{model} = {cpu} at VLEN {vlen}"
                      for model, (cpu, vlen) in price.MODELS.items()))
    print(f"{'kernel':14}" + "".join(
        "".join(f"{f'{model} {variant}':>16}" for variant in MODELLED) + f"{'ours/spmd':>11}"
        for model in price.MODELS))
    ratios = {model: [] for model in price.MODELS}
    for name in dict.fromkeys(row["kernel"] for row in rows):
        line = f"{name:14}"
        for model, variant in columns:
            value = values.get((name, model, variant))
            line += f"{value:16.4f}" if value is not None else f"{'-':>16}"
            if variant == MODELLED[-1]:
                ours, hand = (values.get((name, model, which)) for which in ("ours", "hand_spmd"))
                if ours and hand:
                    ratios[model].append(ours / hand)
                line += f"{ours / hand:11.2f}" if ours and hand else f"{'-':>11}"
        print(line)
    for model, values in ratios.items():
        print(f"geomean of ours / hand_spmd in cycles of {model}: {geometric_mean(values):.2f}")


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
    parser.add_argument("--no-cycles", action="store_true", help="instructions only")
    parser.add_argument("-k", "--kernels", help="only these, separated by commas")
    parser.add_argument("--build", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--stage", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    machines = arguments.stage / "lib/rivulet/machines"
    for vlen in arguments.vlens.split(","):
        if not (machines / f"rv64-v{vlen}-icount.cfg").exists():
            parser.error(f"no machine with VLEN {vlen}")
    vlens = [int(vlen) for vlen in arguments.vlens.split(",")]
    kernels = chosen_kernels(parser, arguments, KERNELS)
    folder = arguments.build / "benchmarks/compiler"
    rows, complaints = measure(folder / "rivulet-compiler-bench",
                               arguments.stage / "bin/rivulet-cc", vlens, kernels,
                               folder / "hand-images")
    for vlen in vlens:
        print_table(rows, vlen)
    modelled = []
    if not arguments.no_cycles:
        modelled = model_cycles(folder / "rivulet-compiler-bench", kernels, folder / "hand-images")
        print_cycles(modelled)
    print(*complaints, sep="\n")
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(rows + modelled, indent=1) + "\n")
    if arguments.html:
        report.write(pathlib.Path(arguments.html), rows, VARIANTS)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
