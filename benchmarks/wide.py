#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""./dev bench wide: retired instructions and modelled cycles of many kernels of the kinds that people
run, compared with LLVM's autovectorised loop over the work-items of the same source."""
import argparse
import concurrent.futures
import csv
import datetime
import json
import math
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "wide"))
import hands
import plot
from cases import all_cases
from hands import HANDS
from measure import chosen_kernels, geometric_mean, insist, instructions, models

BASELINE, RESULTS, PLOT = (HERE / "wide" / name for name in ("baseline.csv", "results.csv", "results.svg"))
VARIANTS = {"ours": "", "loopvec": "-rvl-vectorize=loops", "hand": ""}
HALVES = "look", "measure"
VLENS = 128, 512, 1024
MOST_DRIFT = 1.10


def device(kernels, variant, images):
    command = [sys.executable, "-B", str(HERE / "wide/device.py"), "-k", ",".join(kernels),
               f"--options={VARIANTS[variant]}"]
    return command + ([f"--images={images}"] if variant == "hand" else [])


def with_variant(kernels, variant):
    has = {"ours": lambda _: True, "loopvec": lambda kernel: all_cases()[kernel].has_loop,
           "hand": HANDS.__contains__}
    return list(filter(has[variant], kernels))


def half_of(kernel):
    return HALVES[not all_cases()[kernel].look]


def count_instructions(vlens, kernels, images):
    """({(kernel, column, variant): instructions per work-item}, complaints)"""
    costs, complaints = {}, []
    for vlen in vlens:
        for variant in VARIANTS:
            print(f"VLEN {vlen}: {variant} …", file=sys.stderr)
            counts, failures = instructions(with_variant(kernels, variant),
                                            lambda some: device(some, variant, images), vlen)
            costs.update({(kernel, f"v{vlen}", variant): count for kernel, count in counts.items()})
            complaints += [f"{variant} {kernel} at VLEN {vlen}: {why}" for kernel, why in failures.items()]
    return costs, complaints


def model_cycles(kernels, images):
    """{(kernel, column, variant): cycles per work-item}"""
    costs = {}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for model in models():
            print(f"modelled cycles: {model.name} …", file=sys.stderr)
            pairs = [(kernel, variant) for variant in VARIANTS
                     for kernel in with_variant(kernels, variant)]
            prices = pool.map(lambda pair: insist(model.price, device([pair[0]], pair[1], images),
                                                  at_vlmax=False), pairs)
            costs.update({(kernel, model.name, variant): found["cycles_per_work_item"]
                          for (kernel, variant), found in zip(pairs, prices) if found})
    return costs


def columns_of(costs):
    return list(dict.fromkeys(column for _, column, _ in costs))


def factors_of(costs, column, half, over="loopvec"):
    """How many times `over` costs what ours costs: {kernel: factor}."""
    return {kernel: costs[kernel, column, over] / cost
            for (kernel, place, variant), cost in costs.items()
            if place == column and variant == "ours" and half_of(kernel) == half
            and (kernel, column, over) in costs}


def changes(costs, baseline, column, half):
    """What ours costs now, relative to the baseline, of the kernels that are in both."""
    return [cost / baseline[key] for key, cost in costs.items()
            if key[1:] == (column, "ours") and key in baseline and half_of(key[0]) == half]


def drift(costs, baseline, column):
    """How far the halves have drifted apart since the baseline: the change of the kernels for looking
    at, divided by the change of those only for measuring. 1.1 and 1 / 1.1 are 10 %."""
    look, measure = (changes(costs, baseline, column, half) for half in HALVES)
    return geometric_mean(look) / geometric_mean(measure) if look and measure else 1.0


def print_table(costs, baseline, kernels):
    """Complaints about drift."""
    columns, complaints = columns_of(costs), []
    factors = {column: {kernel: factor for half in HALVES
                        for kernel, factor in factors_of(costs, column, half).items()}
               for column in columns}
    print("times that LLVM's autovectorised loop costs: instructions (v…: VLEN), modelled cycles "
          "(x…: core)\n"
          f"{'kernel':22}{'half':9}" + "".join(f"{column:>9}" for column in columns))
    for kernel in kernels:
        print(f"{kernel:22}{half_of(kernel):9}" + "".join(
            f"{factors[column].get(kernel, math.nan):9.2f}" for column in columns))
    for half in HALVES:
        print(f"{'geomean':22}{half:9}" + "".join(
            f"{geometric_mean(list(factors_of(costs, column, half).values())):9.2f}" for column in columns))
    for half in HALVES:
        print(f"{'ours / hand':22}{half:9}" + "".join(
            f"{1 / geometric_mean(list(factors_of(costs, column, half, 'hand').values())):9.2f}"
            for column in columns))
    apart = {column: drift(costs, baseline, column) for column in columns}
    for half in HALVES:
        print(f"{'cost / baseline':22}{half:9}" + "".join(
            f"{geometric_mean(changes(costs, baseline, column, half)):9.3f}" for column in columns))
    print(f"{'drift':31}" + "".join(f"{apart[column]:9.3f}" for column in columns))
    for column, value in apart.items():
        if not 1 / MOST_DRIFT <= value <= MOST_DRIFT:
            complaints.append(f"{column}: the kernels for looking at changed {value:.3f} times as much as "
                              f"those for measuring; {MOST_DRIFT} is allowed")
    slower = [f"{kernel} ({column} {factor:.2f})" for column in columns
              for kernel, factor in factors[column].items() if factor < 1]
    if slower:
        print("slower than LLVM's loop: " + ", ".join(slower))
    return complaints


def read_baseline():
    if not BASELINE.exists():
        return {}
    with BASELINE.open() as file:
        return {(row["kernel"], *name.split(" ")): float(value) for row in csv.DictReader(file)
                for name, value in row.items() if value and " " in name}


def write_baseline(costs):
    names = [f"{column} {variant}" for column in columns_of(costs) for variant in VARIANTS]
    with BASELINE.open("w") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["kernel", "half", *names])
        for name in all_cases():
            values = [costs.get((name, *column.split(" "))) for column in names]
            if any(values):
                rows.writerow([name, half_of(name),
                               *("" if value is None else f"{value:.4f}" for value in values)])


def record(costs, commit):
    """Appends the geomeans of a run of all kernels."""
    new = not RESULTS.exists()
    with RESULTS.open("a") as file:
        rows = csv.writer(file, lineterminator="\n")
        if new:
            rows.writerow(["date", "commit", "column", "half", "kernels", "geomean"])
        for column in columns_of(costs):
            for half in HALVES:
                factors = list(factors_of(costs, column, half).values())
                rows.writerow([datetime.date.today().isoformat(), commit, column, half, len(factors),
                               f"{geometric_mean(factors):.3f}"])
    plot.draw(RESULTS, PLOT)


def current_commit():
    process = subprocess.run(["git", "-C", HERE, "describe", "--always", "--dirty"], capture_output=True,
                             text=True, check=False)
    return process.stdout.strip() or "unknown"


def main():
    parser = argparse.ArgumentParser(prog="dev bench wide", description=__doc__)
    parser.add_argument("-k", "--kernels", help="only these, separated by commas")
    parser.add_argument("--json", metavar="FILE", type=pathlib.Path, help="write the costs to FILE, too")
    parser.add_argument("--vlens", default=",".join(map(str, VLENS)), help="vector lengths")
    parser.add_argument("--no-cycles", action="store_true", help="instructions only")
    parser.add_argument("--record", action="store_true",
                        help="append the geomeans to wide/results.csv and draw the plot")
    parser.add_argument("--baseline", action="store_true",
                        help="make this run the baseline that drift is measured from")
    parser.add_argument("--commit", default=current_commit(), help="what --record writes")
    parser.add_argument("--build", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--stage", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    kernels = chosen_kernels(parser, arguments, all_cases())
    vlens = [int(vlen) for vlen in arguments.vlens.split(",")]
    if (arguments.record or arguments.baseline) and (
            arguments.kernels or arguments.no_cycles or tuple(vlens) != VLENS):
        parser.error("only a run of all kernels, vector lengths and cycles can be recorded")
    images = arguments.build / "benchmarks/wide-hand"
    hands.make(arguments.stage / "bin/rivulet-cc", images)
    costs, complaints = count_instructions(vlens, kernels, images)
    if not arguments.no_cycles:
        costs |= model_cycles(kernels, images)
    if arguments.json:
        arguments.json.write_text(json.dumps(
            [{"kernel": kernel, "column": column, "variant": variant, "cost_per_work_item": cost}
             for (kernel, column, variant), cost in costs.items()], indent=1) + "\n")
    if arguments.baseline:
        write_baseline(costs)
    complaints += print_table(costs, read_baseline(), kernels)
    if arguments.record:
        record(costs, arguments.commit)
    print(*complaints, sep="\n")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
