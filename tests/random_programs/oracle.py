#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random OpenCL programs on our device, on several machines, against implementations that share
nothing with it: PoCL's CPU device and Oclgrind, an interpreter, or Mesa's Rusticl where Debian has no
Oclgrind. A program counts as wrong where two of their opinions agree and differ from ours. --first SEED --count 1 repeats one."""
import argparse
import os
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import platforms
from kernel import Program, with_common_options

MACHINES = ["rv64-v128", "rv64-v512-strict", "rv64-v1024", "rv32"]


class Opinions:
    """The answers of other implementations to a program, each asked at most once, the cheapest
    first."""
    def __init__(self, runner, first):
        # Memory that changes its type at a barrier works on our device, as CAVEATS.md promises.
        # Other implementations may conclude from the types that nothing changed: their optimised
        # result counts only where it agrees with the result of code that isn't optimised.
        pocl = platforms.pocl(runner, "-cl-opt-disable")
        other, _ = platforms.OTHERS[first if first != "pocl" else platforms.installed()[0]]
        if first == "pocl":
            self.order = [pocl, other(runner, "-cl-opt-disable")]
        else: # Optimised code is interpreted faster.
            self.order = [other(runner), other(runner, "-cl-opt-disable"), pocl]
        self.known = [{} for _ in self.order]

    def ask(self, index, programs):
        programs = [p for p in programs if p.name not in self.known[index]]
        if programs:
            self.known[index] |= self.order[index].results(programs)

    def agreed(self, programs):
        """By name: the result on which two of them agree, if any."""
        found = {}
        for index in range(len(self.order)):
            rest = [program for program in programs if program.name not in found]
            self.ask(index, rest)
            for program in rest:
                said = Counter(known[program.name] for known in self.known[:index + 1]
                               if not known[program.name].startswith("failed"))
                if said and said.most_common(1)[0][1] > 1:
                    found[program.name] = said.most_common(1)[0][0]
        return found


def programs_of(options, seeds):
    programs = [with_common_options(Program(seed), options.batch) for seed in seeds]
    return [program for program in programs
            if not options.without or options.without not in program.source()]


class Batch:
    def __init__(self, options, seeds, machines):
        self.options, self.last, self.machines = options, seeds[-1], machines
        self.programs = programs_of(options, seeds)
        self.wrong, self.undecided, self.scalar = [], [], {}

    def on(self, machine, extra="", programs=None):
        device = platforms.ours(self.options.runner, self.options.build, machine + ",harts=1",
                                extra)
        return device.results(programs or self.programs)

    def run(self):
        machines = self.machines
        got = {machine: self.on(machine) for machine in machines}
        opinions = Opinions(self.options.runner, self.options.oracle)
        opinions.ask(0, self.programs)
        first = opinions.known[0]
        doubted = [p for p in self.programs
                   if first[p.name].startswith("failed") or
                   any(got[machine][p.name] != first[p.name] for machine in machines)]
        agreed = opinions.agreed(doubted)
        for program in self.programs:
            name = program.name
            expected = agreed.get(name) if program in doubted else first[name]
            if expected is None:
                self.undecided.append((name, {m: got[m][name] for m in machines}))
                continue
            self.wrong += [(program, machine, expected, got[machine][name])
                           for machine in machines if got[machine][name] != expected]
        if self.wrong:
            suspects = list({w[0].name: w[0] for w in self.wrong}.values())
            self.scalar = self.on(self.wrong[0][1], "-rvl-vectorize=off", suspects)
        return self


def stored(path):
    with open(path) as file:
        return {int(seed): hash_ for seed, hash_ in (line.split() for line in file)}


def record(options):
    """The result that PoCL and the other implementation agree on; our device isn't used."""
    programs = programs_of(options, range(options.first, options.first + options.count))
    name = options.oracle if options.oracle != "pocl" else platforms.installed()[0]
    one = platforms.pocl(options.runner, "-cl-opt-disable").results(programs)
    other = platforms.OTHERS[name][0](options.runner, "-cl-opt-disable").results(programs)
    agreed = [program for program in programs if one[program.name] == other[program.name]
              and not one[program.name].startswith("failed")]
    with open(options.write, "w") as file:
        file.writelines(f"{program.seed} {one[program.name]}\n" for program in agreed)
    for program in programs:
        if program not in agreed:
            print(f"{program.name}: PoCL {one[program.name]}, {name} {other[program.name]}")
    print(f"{len(agreed)} of {len(programs)} programs agreed on")
    return 0


def check(options):
    """Against what the others said when the file was written. In turn, each OpenCL program goes to
    one of the machines."""
    expected = stored(options.expected)
    programs = [with_common_options(Program(seed), options.batch) for seed in expected]
    runs = failures = 0
    for number, machine in enumerate(options.machine):
        part = [program for program in programs if not options.in_turn or
                program.seed // options.batch % len(options.machine) == number]
        if not part:
            continue
        got = platforms.ours(options.runner, options.build, machine + ",harts=1",
                             options.build_options).results(part)
        runs += len(part)
        for program in part:
            if got[program.name] != expected[program.seed]:
                failures += 1
                print(f"{program.name} on {machine}: {got[program.name]}, expected "
                      f"{expected[program.seed]}")
    print(f"{runs} runs on {', '.join(options.machine)}: {failures} wrong")
    return failures != 0 or runs == 0


def main():
    parser = argparse.ArgumentParser(prog="./dev fuzz", description=__doc__)
    parser.add_argument("runner", help="the program run_programs")
    parser.add_argument("build", help="the build tree, an OpenCL platform")
    parser.add_argument("--oracle", choices=["pocl", *platforms.OTHERS], default="pocl",
                        help="whom to ask first; PoCL, or the other one that is installed, decides")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--without", metavar="WORD",
                        help="leave programs out that hold this word, of a defect that is known")
    parser.add_argument("--machine", nargs="+", default=MACHINES)
    parser.add_argument("--in-turn", action="store_true",
                        help="each kernel on one of the machines, not on all")
    parser.add_argument("--batch", type=int, default=20, help="kernels in one OpenCL program")
    parser.add_argument("--together", type=int, default=200, help="kernels in one process")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--expected", metavar="FILE", help="run no other implementation, compare with this file")
    parser.add_argument("--build-options", default="", help="more build options, with --expected")
    parser.add_argument("--write", metavar="FILE", help="what others agree on, for --expected")
    options = parser.parse_args()
    found = platforms.installed()
    if not options.expected and (not found or options.oracle not in ["pocl", *found]):
        parser.error("not installed: " + (options.oracle if found else " and ".join(platforms.OTHERS))
                     + (f"; there is {', '.join(found)}" if found else ""))
    if options.expected or options.write:
        return check(options) if options.expected else record(options)
    end = options.first + options.count
    starts = range(options.first, end, options.together)
    batches = [Batch(options, range(at, min(at + options.together, end)),
                     [options.machine[number % len(options.machine)]] if options.in_turn
                     else options.machine) for number, at in enumerate(starts)]
    wrong = undecided = done = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for batch in pool.map(Batch.run, batches):
            done += len(batch.programs)
            for program, machine, expected, got in batch.wrong:
                wrong += 1
                scalar = batch.scalar.get(program.name)
                kind = "right as scalar code" if scalar == expected else f"scalar code {scalar}"
                print(f"{program.name} on {machine}: {got}, expected {expected} ({kind}; "
                      f"options: {program.options})", flush=True)
            for name, what in batch.undecided:
                undecided += 1
                print(f"{name}: no two implementations agree; {what}", flush=True)
            print(f"{done} programs of seeds up to {batch.last}, this part on "
                  f"{' '.join(batch.machines)}: {wrong} wrong, {undecided} undecided", flush=True)
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
