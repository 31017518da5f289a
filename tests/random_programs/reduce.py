#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a small program of one that our device gets wrong: takes statements away and expressions
apart, as long as two other implementations agree against it."""
import argparse
import copy
import itertools
import re
import sys

import platforms
from kernel import PRELUDE, Program, with_common_options
from oracle import Opinions
from tree import Block, Whole

TOGETHER = 12 # ways to make a program smaller that are tried in one process


class Variant:
    """A reduced program, with its own name."""
    def __init__(self, program, kernels, number):
        self.name = f"{program.name}v{number}"
        self.options, self.program = program.options, program
        self.kernels = kernels

    def renamed(self, text):
        return re.sub(rf"\b{self.program.name}(_|\b)", self.name + r"\1", text)

    def source(self):
        return self.renamed("".join(kernel.source() for kernel in self.kernels))

    def launch(self):
        words = self.program.launch().split()[:10]
        return self.renamed(" ".join(words + [kernel.name for kernel in self.kernels]) + "\n")


def bodies(nodes):
    """Every list of statements."""
    yield nodes
    for node in nodes:
        if isinstance(node, Block):
            yield from bodies(node.body)


def without(kernels):
    """With a statement less, or with what is inside of a block in its place; the largest first."""
    if len(kernels) > 1:
        for index in range(len(kernels)):
            yield kernels[:index] + kernels[index + 1:]
    for k, kernel in enumerate(kernels):
        step = len(kernel.body) // 2
        while step > 1:
            for at in range(0, len(kernel.body), step):
                smaller = copy.deepcopy(kernels)
                del smaller[k].body[at:at + step]
                yield smaller
            step //= 2
    positions = [(k, b, i) for k, kernel in enumerate(kernels)
              for b, body in enumerate(bodies(kernel.body)) for i in range(len(body))]
    for k, b, i in positions:
        smaller = copy.deepcopy(kernels)
        del list(bodies(smaller[k].body))[b][i]
        yield smaller
    for k, b, i in positions:
        smaller = copy.deepcopy(kernels)
        body = list(bodies(smaller[k].body))[b]
        if isinstance(body[i], Block) and not body[i].guards:
            body[i:i + 1] = body[i].body
            yield smaller


def groups(line):
    """Positions of matching parentheses, widest first."""
    stack, found = [], []
    for at, letter in enumerate(line):
        if letter == "(":
            stack.append(at)
        elif letter == ")" and stack:
            found.append((stack.pop(), at + 1))
    return sorted(found, key=lambda pair: pair[0] - pair[1])


# Counters of iterations, in a loop's head and tail.
COUNTED = re.compile(r"\bi\d+\b")


def simpler(line):
    """With 1, or with one of its own parts, for what is in parentheses. A part does not take the
    place of the whole where a number would go, which may be the mask that keeps an index within its
    array or a shift within its width; nor does anything change that ends a loop."""
    if isinstance(line, Whole):
        return
    for start, end in groups(line):
        whole = line[start:end]
        if end - start > 3 and whole != "(1)" and not COUNTED.search(whole):
            yield line[:start] + "(1)" + line[end:]
            for inner, last in groups(line[start + 1:end - 1])[:2]:
                inner, last = start + 1 + inner, start + 1 + last
                if not re.search(r"\b\d", line[start:inner] + line[last:end]):
                    yield line[:start] + line[inner:last] + line[end:]
            if re.search(r"\w$", line[:start]): # a call, or a conversion before it
                word = re.search(r"\w+$", line[:start]).start()
                yield line[:word] + "(1)" + line[end:]


def positions_of_text(kernels):
    for k, kernel in enumerate(kernels):
        for b, body in enumerate(bodies(kernel.body)):
            for i, node in enumerate(body):
                if isinstance(node, Block):
                    yield k, b, i, "head", node.head
                    yield k, b, i, "tail", node.tail
                else:
                    yield k, b, i, None, node


def with_simpler_text(kernels):
    found = []
    for k, b, i, part, line in positions_of_text(kernels):
        for shorter in simpler(line):
            if len(shorter) < len(line):
                found.append((len(line) - len(shorter), k, b, i, part, shorter))
    for _, k, b, i, part, shorter in sorted(found, key=lambda row: -row[0]):
        smaller = copy.deepcopy(kernels)
        body = list(bodies(smaller[k].body))[b]
        if part:
            setattr(body[i], part, shorter)
        else:
            body[i] = shorter
        yield smaller


class Reducer:
    def __init__(self, options):
        self.options = options
        self.program = with_common_options(Program(options.seed), options.batch)
        self.number = 0
        self.device = platforms.ours(options.runner, options.build,
                                     options.machine + ",harts=1")

    def wrong(self, candidates):
        """The programs for which our device is still wrong."""
        variants = []
        for kernels in candidates:
            self.number += 1
            variants.append(Variant(self.program, kernels, self.number))
        got = self.device.results(variants)
        doubted = [v for v in variants if not got[v.name].startswith("failed build")]
        opinions = Opinions(self.options.runner, platforms.installed()[0])
        opinions.ask(0, doubted)
        doubted = [v for v in doubted if got[v.name] != opinions.known[0][v.name]]
        agreed = opinions.agreed(doubted)
        return [v.kernels for v in doubted
                if agreed.get(v.name) and agreed[v.name] != got[v.name]]

    def first_that_stays_wrong(self, candidates):
        while few := list(itertools.islice(candidates, TOGETHER)):
            if found := self.wrong(few):
                return min(found, key=size)
        return None

    def run(self):
        kernels = self.program.kernels
        if not self.wrong([kernels]):
            print(f"{self.program.name} is right on {self.options.machine}")
            return 1
        for smaller in (without, with_simpler_text, without, with_simpler_text):
            while found := self.first_that_stays_wrong(smaller(kernels)):
                kernels = found
                print(f"{size(kernels)} characters", file=sys.stderr, flush=True)
        smallest = Variant(self.program, kernels, 0)
        text = PRELUDE if "_t " in smallest.source() else ""
        print(f"// on {self.options.machine}, options: {smallest.options}\n"
              f"// {smallest.launch()}{text}{smallest.source()}", end="")
        return 0


def size(kernels):
    return sum(len(line) for kernel in kernels for line in kernel.source().splitlines())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runner", help="the program run_programs")
    parser.add_argument("build", help="the build tree, an OpenCL platform")
    parser.add_argument("seed", type=int)
    parser.add_argument("--machine", default="rv64-v128")
    parser.add_argument("--batch", type=int, default=20)
    return Reducer(parser.parse_args()).run()


if __name__ == "__main__":
    sys.exit(main())
