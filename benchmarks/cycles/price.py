# SPDX-License-Identifier: Apache-2.0
"""Cycles of a trace by LLVM's scheduling models.

What a basic block costs is T(context, block) - T(context), T being llvm-mca's total for one pass and
the context the blocks that ran before it, at least 64 instructions of them. The differences
telescope: with all of what ran before as context their sum is the simulation of the whole trace.
Each pair of context and block is priced once. README.md says where the models are doubtful.
"""
import array
import collections
import pathlib
import re
import struct
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

from cycles import trace as traces

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tests"))
from llvm import tool  # pylint: disable=wrong-import-position

MODELS = {"x60": ("spacemit-x60", 256), "x280": ("sifive-x280", 512)}
FEATURES = ("+m,+a,+f,+d,+c,+v,+zba,+zbb,+zbs,+zfh,+zvfh,+zicsr,+zifencei,+zicond,+zfa,+zbc,+zvbb,"
            "+zcb,+zvfbfmin,+zihintpause,+zicboz,+zicbop,+zicbom,+zacas")
CONTEXT = 64       # instructions
MOST_PAIRS = 1000  # of context and block; if there are more, contexts are shortened
# Replaces instructions that a core's model lacks but the device has with ones of the same cost.
ALIKE = [(re.compile(r"^vwsll\.v[ix] (\w+), (\w+), \w+"), r"vwmulu.vx \1, \2, a0"),
         (re.compile(r"^v(?:cpop|clz|ctz|brev8|rev8)\.v (\w+), (\w+)"), r"vxor.vi \1, \2, 1"),
         (re.compile(r"^amocas\."), "amoadd."),
         (re.compile(r"^vandn\.v([vx])"), r"vand.v\1"),
         (re.compile(r"^vro[lr]\.v([vx])"), r"vsll.v\1"),
         (re.compile(r"^vror\.vi"), "vsll.vi")]
LMULS = {0.125: "MF8", 0.25: "MF4", 0.5: "MF2", 1: "M1", 2: "M2", 4: "M4", 8: "M8"}


class Disassembler:
    def __init__(self):
        self.text = {}

    def learn(self, words):
        new = sorted(set(words) - self.text.keys())
        if not new:
            return
        lines, errors = self._run(new)
        if len(lines) == len(new) and "warning" not in errors:
            self.text.update(zip(new, lines))
            return
        for word in new:
            lines, errors = self._run([word])
            if len(lines) != 1 or "warning" in errors:
                print(f"cycles: {word:08x} can't be decoded and counts as a nop", file=sys.stderr)
                lines = ["nop"]
            self.text[word] = lines[0]

    @staticmethod
    def _run(words):
        def encoded(word):
            part = struct.pack("<I" if word & 3 == 3 else "<H", word)
            return " ".join(f"{byte:#04x}" for byte in part)

        process = subprocess.run(
            [tool("llvm-mc"), "-disassemble", "-triple=riscv64", "-mattr=" + FEATURES], text=True,
            input="\n".join(map(encoded, words)) + "\n", capture_output=True)
        lines = [line.split("#")[0].strip().replace("\t", " ")
                 for line in process.stdout.splitlines()]
        return [line for line in lines if line and not line.startswith(".")], process.stderr


class Pricer:
    def __init__(self, model, disassembler):
        self.cpu, self.disassembler = MODELS[model][0], disassembler
        self.known, self.checked, self.free = {}, set(), set()
        self.checking = threading.Lock()

    def cycles(self, trace, sequence):
        with self.checking:
            self._check({word for number in set(sequence) for word in trace.blocks[number].words})
        units, order = self._units(trace, sequence)
        texts = [self._unit_text([trace.blocks[number] for number in unit]) for unit in units]
        sizes = [sum(len(trace.blocks[number].words) for number in unit) for unit in units]
        pairs = self._pairs(order, sizes)

        # Averaged over contexts of none to three blocks less: loops may alternate between two costs.
        def contexts(context):
            return [context[skip:] for skip in range(min(4, max(1, len(context) - 2)))]

        sequences = {units for context, unit in pairs for shorter in contexts(context)
                     for units in (shorter, shorter + (unit,)) if units}
        sequences = list(sequences)
        totals = dict(zip(sequences, self._totals(
            ["\n".join(texts[unit] for unit in units) for units in sequences])))
        totals[()] = 0
        return sum(
            count * sum(totals[shorter + (unit,)] - totals[shorter] for shorter in contexts(context))
            / len(contexts(context)) for (context, unit), count in pairs.items())

    @staticmethod
    def _pairs(order, sizes):
        least = CONTEXT
        while True:
            pairs, context, following = collections.Counter(), (), {}
            for unit in order:
                key = (context, unit)
                pairs[key] += 1
                if key not in following:
                    longer = context + (unit,)
                    size = sum(sizes[part] for part in longer)
                    while len(longer) > 1 and size - sizes[longer[0]] >= least:
                        size -= sizes[longer[0]]
                        longer = longer[1:]
                    following[key] = longer
                context = following[key]
                if len(pairs) > MOST_PAIRS and least > 1:
                    break
            else:
                return pairs
            least //= 2

    @staticmethod
    def _units(trace, sequence):
        """TBs joined until one ends in a branch: basic blocks."""
        numbers, units, order, part, size = {}, [], array.array("I"), [], 0
        for at, number in enumerate(sequence):
            part.append(number)
            size += len(trace.blocks[number].words)
            if trace.blocks[number].ends or size > 512 or at + 1 == len(sequence):
                key = tuple(part)
                if key not in numbers:
                    numbers[key] = len(units)
                    units.append(key)
                order.append(numbers[key])
                part, size = [], 0
        return units, order

    def _check(self, words):
        """Instructions that llvm-mca can't price (fence, ecall and the like) are free."""
        self.disassembler.learn(words)
        new = sorted({self._priceable(word) for word in words} - self.checked)
        self.checked.update(new)

        def find(texts):
            try:
                self._mca(["\n".join(texts)])
                return
            except RuntimeError:
                if len(texts) == 1:
                    if texts[0].startswith("v"):
                        print(f"cycles: {self.cpu} has no model of {texts[0]}, which counts as a nop",
                              file=sys.stderr)
                    self.free.add(texts[0])
                    return
            find(texts[:len(texts) // 2])
            find(texts[len(texts) // 2:])

        if new:
            find(new)

    def _priceable(self, word):
        text = self.disassembler.text[word]
        for pattern, other in ALIKE:
            text = pattern.sub(other, text)
        return text

    def _text(self, block, word):
        text = self._priceable(word)
        if text in self.free:
            return "nop"
        # llvm-mca takes the number of elements of an indexed access from its index; so both alike.
        if traces.is_vector(word) and word & 0x7F in (0x07, 0x27) and word >> 26 & 1:
            return re.sub(r"ei(8|16|32|64)\.v", f"ei{block.sew}.v", text)
        return text

    def _unit_text(self, blocks):
        lines = []
        for block, following in zip(blocks, blocks[1:] + [None]):
            if block.sew and any(map(traces.is_vector, block.words)):
                lines += [f"# LLVM-MCA-RISCV-LMUL {LMULS[block.lmul]}",
                          f"# LLVM-MCA-RISCV-SEW E{block.sew}"]
            lines += [self._text(block, word) for word in block.words]
            # llvm-mca heeds a vset* more than what is said after it.
            if following and following.sew and traces.is_vset(block.words[-1]):
                lines[-1] = re.sub(r"\be\d+, *mf?\d",
                                   f"e{following.sew}, {LMULS[following.lmul].lower()}", lines[-1])
        return "\n".join(lines)

    def _totals(self, texts):
        missing = sorted(set(texts) - self.known.keys(), key=len)
        batches, lines = [[]], 0
        for text in missing:
            batches[-1].append(text)
            lines += text.count("\n") + 1
            if lines > 4000:
                batches.append([])
                lines = 0
        batches = [batch for batch in batches if batch]
        with ThreadPoolExecutor(2) as pool:
            for batch, totals in zip(batches, pool.map(self._mca, batches)):
                self.known.update(zip(batch, totals))
        return [self.known[text] for text in texts]

    def _mca(self, texts):
        source = "".join(f"# LLVM-MCA-BEGIN r{number}\n{text}\n# LLVM-MCA-END\n"
                         for number, text in enumerate(texts))
        process = subprocess.run(
            [tool("llvm-mca"), "-mtriple=riscv64", "-mcpu=" + self.cpu, "-mattr=" + FEATURES,
             "-iterations=1", "-all-views=0", "-summary-view=1", "-call-latency=1"],
            input=source, text=True, capture_output=True)
        totals = [int(total) for total in
                  re.findall(r"^Total Cycles:\s+(\d+)", process.stdout, re.M)]
        if len(totals) != len(texts):
            raise RuntimeError(process.stderr)
        return totals
