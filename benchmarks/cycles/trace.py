# SPDX-License-Identifier: Apache-2.0
"""The blocks that the device executes in U mode, from QEMU's log of translation blocks (TBs).

With `-d exec,nochain` every executed TB has a line; `in_asm` gives the bytes of each at its
translation. QEMU ends a TB at each branch and each vset*, so the third word of a line (the TB's
flags) tells privilege, LMUL and SEW of all of it, and whether vl is VLMAX. What vl is where it is
less, a second run of the same kernel tells, which dumps the processor there.
"""
import array
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
MEMORY = "0x80000000..0xffffffff"


def ends_block(word):
    """Branches, jumps, ecall and mret."""
    if word & 3 == 3:
        return word & 0x7F in (0x63, 0x6F, 0x67) or (word & 0x7F == 0x73 and word & 0x7000 == 0)
    quadrant, function = word & 3, word >> 13
    if quadrant == 1:
        return function in (5, 6, 7)
    return (quadrant == 2 and function == 4 and (word >> 2) & 31 == 0 and (word >> 7) & 31 != 0)


def is_vset(word):
    return word & 0x707F == 0x7057


def is_vector(word):
    return word & 3 == 3 and (word & 0x7F == 0x57 or
                              (word & 0x7F in (0x07, 0x27) and (word >> 12) & 7 in (0, 5, 6, 7)))


def length(word):
    return 4 if word & 3 == 3 else 2


class Block:
    """A TB. Flags as QEMU 10 lays them out: bits 0-2 privilege, 7-9 LMUL, 10-12 SEW, 13 vl is
    VLMAX, 14 vill."""

    def __init__(self, pc, words, flags):
        self.pc, self.words = pc, words
        multiplier = flags >> 7 & 7
        self.lmul = 2.0 ** (multiplier - 8 if multiplier > 4 else multiplier)
        self.sew = None if flags >> 14 & 1 else 8 << (flags >> 10 & 7)
        self.full = bool(flags >> 13 & 1)
        self.ends = bool(words) and ends_block(words[-1])

    def with_lmul(self, lmul):
        other = Block.__new__(Block)
        other.__dict__.update(self.__dict__, lmul=lmul)
        return other


class Trace:
    def __init__(self):
        self.blocks = []
        self.sequence = array.array("I")  # numbers of blocks, as they ran
        self.vl = array.array("i")        # on entry, where the log tells; else -1
        self.numbers = {}

    def number(self, pc, words, flags):
        key = (pc, words, flags)
        if key not in self.numbers:
            self.numbers[key] = len(self.blocks)
            self.blocks.append(Block(pc, words, flags))
        return self.numbers[key]

    def instructions(self):
        return sum(len(self.blocks[number].words) for number in self.sequence)


def read_log(stream):
    trace = Trace()
    known, translated, words, pc = {}, {}, [], None
    last = None  # (pc, words, flags) of the last line, if it was in U mode

    def finish():
        nonlocal pc
        if pc is not None:
            translated[pc] = tuple(words)
        pc = None

    def take_back():
        trace.sequence.pop()
        trace.vl.pop()

    for line in stream:
        start = line[0]
        if start == "T" and line.startswith("Trace "):
            finish()
            fields = line.split(None, 4)[3].split("/")
            at, flags = int(fields[1], 16), int(fields[2], 16)
            if at in translated:
                known[at] = translated.pop(at)
            last = None
            if flags & 7 == 0:
                last = (at, known.get(at, ()), flags)
                trace.sequence.append(trace.number(*last))
                trace.vl.append(-1)
        elif start == "0" and line.startswith("0x"):
            fields = line.split(None, 2)
            if len(fields) > 1 and fields[0].endswith(":"):
                if pc is None:
                    pc, words = int(fields[0][:-1], 16), []
                words.append(int(fields[1], 16))
        elif start == "-":
            finish()
        elif start == " " and last and line.startswith(" vl  "):
            trace.vl[-1] = int(line.split()[1], 16)
        elif start == "S" and line.startswith("Stopped execution") and last:
            take_back()  # it did not run after all
            last = None
        elif start == "c" and line.startswith("cpu_io_recompile") and last:
            end = int(line.split("[")[1][:16] if "[" in line else line.split()[-1], 16)
            take_back()  # it ran up to there only
            at, part = last[0], []
            for word in last[1]:
                if at < end:
                    part.append(word)
                at += length(word)
            if part:
                trace.sequence.append(trace.number(last[0], tuple(part), last[2]))
                trace.vl.append(-1)
            last = None
    return trace


def run(command, environment, items="exec,nochain,in_asm", addresses=MEMORY):
    """(trace, standard output) of a program that uses one device."""
    with tempfile.TemporaryDirectory() as folder:
        fifo = os.path.join(folder, "log")
        os.mkfifo(fifo)
        box = []

        def read():
            with open(fifo, errors="replace") as stream:
                box.append(read_log(stream))

        reader = threading.Thread(target=read)
        reader.start()
        qemu = os.environ.get("RIVULET_QEMU") or shutil.which("qemu-system-riscv64")
        process = subprocess.run(
            [str(word) for word in command], capture_output=True, text=True,
            stdin=subprocess.DEVNULL,
            env={**environment, "RIVULET_QEMU": str(HERE / "qemu_with_log.sh"),
                 "BENCH_QEMU": qemu, "BENCH_LOG": fifo, "BENCH_LOG_ITEMS": items,
                 "BENCH_LOG_RANGE": addresses})
        try:  # if QEMU never started, nothing is written
            os.close(os.open(fifo, os.O_WRONLY | os.O_NONBLOCK))
        except OSError:
            pass
        reader.join()
    if process.returncode:
        sys.exit(f"bench: {' '.join(map(str, command))} failed:\n{process.stderr}")
    return box[0], process.stdout


def shorter_after_vset(trace):
    """Addresses of the blocks whose vl has to be looked up."""
    addresses, after = set(), True
    for number in trace.sequence:
        block = trace.blocks[number]
        if after and not block.full and block.sew:
            addresses.add(block.pc)
        after = bool(block.words) and is_vset(block.words[-1])
    return addresses


def look_up_vl(trace, command, environment):
    addresses = shorter_after_vset(trace)
    if not addresses:
        return
    ranges = ",".join(f"{address:#x}..{address:#x}" for address in sorted(addresses))
    second, _ = run(command, environment, "exec,nochain,in_asm,cpu,vpu", ranges)
    found = iter([(second.blocks[number].pc, vl)
                  for number, vl in zip(second.sequence, second.vl)])
    for i, number in enumerate(trace.sequence):
        if trace.blocks[number].pc in addresses:
            pc, trace.vl[i] = next(found, (None, -1))
            if pc != trace.blocks[number].pc:
                sys.exit("bench: the second run of a kernel went another way than the first")


def priced_by_vl(trace, vlen):
    """The sequence, with each TB that ran with less than VLMAX elements at the smallest LMUL (not
    below 1) that holds them."""
    smaller, current, sequence = {}, None, array.array("I")
    for number, vl in zip(trace.sequence, trace.vl):
        block = trace.blocks[number]
        current = vl if vl >= 0 else current
        if block.full or not block.sew:
            current = None
        if current is not None and block.lmul > 1:
            lmul = 1
            while lmul * vlen / block.sew < current:
                lmul *= 2
            if lmul < block.lmul:
                if (number, lmul) not in smaller:
                    smaller[number, lmul] = len(trace.blocks)
                    trace.blocks.append(block.with_lmul(lmul))
                number = smaller[number, lmul]
        sequence.append(number)
    return sequence
