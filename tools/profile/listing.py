# SPDX-License-Identifier: Apache-2.0
"""Kernel images as LLVM's disassembler shows them: instructions with their source lines, and the basic
blocks that they make."""
import dataclasses
import re
import shutil
import subprocess

FEATURES = ("+m,+a,+f,+d,+c,+v,+zba,+zbb,+zbs,+zfh,+zvfh,+zicsr,+zifencei,+zicond,+zfa,+zbc,+zvbb,"
            "+zcb,+zvfbfmin,+zihintpause,+zicboz,+zicbop")
FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
LINE = re.compile(r"^; (.+):(\d+)$")
INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\s+(\S.*)$")
TARGET = re.compile(r"\b0x([0-9a-f]+)(?: <.*>)?$")
JUMPS = re.compile(r"^(b\w+|j|jr|ret|ecall|c\.j|c\.jr|c\.b\w+|tail)\b")
ALWAYS = re.compile(r"^(j|jr|ret|ecall|c\.j|c\.jr|tail)\b")
VSET = re.compile(r"^vseti?vli?\s+.*\be(\d+),\s*m(f?\d)")


def tool(name):
    """An LLVM tool of the package llvm-22, or one without a version in PATH; None if there is none."""
    return shutil.which(f"{name}-22") or shutil.which(name)


@dataclasses.dataclass
class Instruction:
    address: int
    text: str
    function: str
    file: str
    line: int
    samples: int = 0


@dataclasses.dataclass
class Block:
    instructions: list
    follows: list = dataclasses.field(default_factory=list)  # addresses
    vtype: tuple = None                                      # SEW and LMUL on entry
    samples: int = 0

    @property
    def loops(self):
        return self.instructions[0].address in self.follows


def disassemble(image):
    """All instructions of an image in the order of their addresses; [] where there is no llvm-objdump."""
    program = tool("llvm-objdump")
    if program is None:
        return []
    process = subprocess.run([program, "-d", "-l", "--no-show-raw-insn", "--mattr=" + FEATURES, image],
                             capture_output=True, text=True, errors="replace")
    found, function, file, line = [], "", "", 0
    for text in process.stdout.splitlines():
        if match := FUNCTION.match(text):
            function, file, line = match[1], "", 0
        elif match := LINE.match(text):
            file, line = match[1], int(match[2])
        elif match := INSTRUCTION.match(text):
            words = " ".join(match[2].replace("\t", " ").split())
            found.append(Instruction(int(match[1], 16), words, function, file, line))
    return found


def _target(instruction):
    match = TARGET.search(instruction.text)
    return int(match[1], 16) if match else None


def blocks_of(instructions):
    """Basic blocks of each function, with what vtype the code before has set."""
    leaders = set()
    for at, instruction in enumerate(instructions):
        if at == 0 or instructions[at - 1].function != instruction.function:
            leaders.add(instruction.address)
        if JUMPS.match(instruction.text):
            if (target := _target(instruction)) is not None:
                leaders.add(target)
            if at + 1 < len(instructions):
                leaders.add(instructions[at + 1].address)
    blocks = []
    for instruction in instructions:
        if instruction.address in leaders or not blocks:
            blocks.append(Block([]))
        blocks[-1].instructions.append(instruction)
    for block, following in zip(blocks, blocks[1:] + [None]):
        last = block.instructions[-1]
        block.samples = sum(instruction.samples for instruction in block.instructions)
        if JUMPS.match(last.text) and (target := _target(last)) is not None:
            block.follows.append(target)
        if following and not ALWAYS.match(last.text):
            block.follows.append(following.instructions[0].address)
    _spread_vtypes(blocks)
    return blocks


def regions_of(blocks, most=400):
    """Innermost loops, as far as they are contiguous, and the blocks outside of them: what one looks
    at as a whole. Of a loop with branches in it all instructions count once a pass."""
    by_address = {block.instructions[0].address: at for at, block in enumerate(blocks)}
    loops = []
    for at, block in enumerate(blocks):
        for address in block.follows:
            head = by_address.get(address)
            if head is not None and head <= at and \
                    blocks[head].instructions[0].function == block.instructions[0].function and \
                    sum(len(part.instructions) for part in blocks[head:at + 1]) <= most:
                loops.append((head, at))
    loops.sort(key=lambda loop: loop[1] - loop[0])
    regions, taken = [], set()
    for head, end in loops:
        if taken.isdisjoint(range(head, end + 1)):
            taken.update(range(head, end + 1))
            parts = blocks[head:end + 1]
            regions.append(Block([i for part in parts for i in part.instructions],
                                 [parts[0].instructions[0].address], parts[0].vtype,
                                 sum(part.samples for part in parts)))
    return regions + [block for at, block in enumerate(blocks) if at not in taken]


def _vtype_after(block):
    for instruction in reversed(block.instructions):
        if match := VSET.match(instruction.text):
            return int(match[1]), match[2]
    return block.vtype


def _spread_vtypes(blocks):
    """The first vtype that reaches a block: the compiler sets it again where paths differ."""
    by_address = {block.instructions[0].address: block for block in blocks}
    work = [block for block in blocks if _vtype_after(block)]
    while work:
        block = work.pop()
        for address in block.follows:
            following = by_address.get(address)
            if following is not None and following.vtype is None:
                following.vtype = _vtype_after(block)
                work.append(following)
