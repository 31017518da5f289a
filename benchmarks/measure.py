# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks of generated code share: runs of a program that prints JSON rows, on a machine
that counts instructions, and prices of what it executes."""
import concurrent.futures
import json
import math
import os
import subprocess
import sys

from cycles import price, trace

TOGETHER = 8  # kernels of one run


def chosen_kernels(parser, arguments, known):
    """The kernels that the option -k names, or all that are known."""
    names = arguments.kernels.split(",") if arguments.kernels else list(known)
    if unknown := set(names) - set(known):
        parser.error(f"no such kernel: {', '.join(sorted(unknown))}")
    return names


def environment(vlen):
    return {**os.environ, "RIVULET_MACHINE": f"rv64-v{vlen}-icount", "RIVULET_CACHE": "off"}


def run(command, vlen):
    """The rows that a program prints."""
    process = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                             env=environment(vlen))
    if process.returncode:
        sys.exit(f"bench: {' '.join(command)} failed:\n{process.stderr}")
    return json.loads(process.stdout)


def insist(function, *arguments, **options):
    """What the function returns, at the third attempt at the latest: on a busy machine a device may
    start later than the library waits, and a benchmark of an hour should survive that."""
    for _ in range(2):
        try:
            return function(*arguments, **options)
        except SystemExit as failure:
            print(failure, file=sys.stderr)
    return function(*arguments, **options)


def instructions(kernels, command_of, vlen):
    """({kernel: instructions per work-item}, {kernel: why its result doesn't count}). command_of(kernels)
    is a program that runs them."""
    counts, failures = {}, {}
    parts = [kernels[at:at + TOGETHER] for at in range(0, len(kernels), TOGETHER)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for rows in pool.map(lambda part: insist(run, command_of(part), vlen), parts):
            for row in rows:
                if row.get("right"):
                    counts[row["kernel"]] = row["instructions"] / row["work_items"]
                else:
                    failures[row["kernel"]] = row.get("failure", f"WRONG, error {row.get('error')}")
    return counts, failures


class Model:
    """A core of price.MODELS."""

    def __init__(self, name, disassembler):
        self.name, self.vlen = name, price.MODELS[name][1]
        self.pricer = price.Pricer(name, disassembler)

    def price(self, command, at_vlmax=True):
        """Of a program that runs one kernel, None if that can't be built: cycles_per_work_item
        assumes a machine whose time is proportional to vl, …_at_vlmax one that doesn't stop there."""
        log, output = trace.run(command, environment(self.vlen))
        result = json.loads(output)[0]
        if "failure" in result:
            return None
        trace.look_up_vl(log, command, environment(self.vlen))
        items = result["work_items"]
        costs = {"cycles_per_work_item":
                     self.pricer.cycles(log, trace.priced_by_vl(log, self.vlen)) / items}
        if at_vlmax:
            costs["cycles_per_work_item_at_vlmax"] = self.pricer.cycles(log, log.sequence) / items
        return {**costs, "instructions_per_work_item": result["instructions"] / items}


def models():
    disassembler = price.Disassembler()
    return [Model(name, disassembler) for name in price.MODELS]


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan
