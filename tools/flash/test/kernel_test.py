#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A kernel leaves requests for an update all over the memory that it may write, and the board is reset
without losing it: the boot stage believes none. The same bytes from the host it does believe, unless
another host came in between.

    kernel_test.py RIVULET DATA XLEN
"""
import hashlib
import os
import re
import struct
import sys
import tempfile

from machine import UP, Tools, check, failures, start

RIVULET, DATA, XLEN = sys.argv[1], sys.argv[2], int(sys.argv[3])
FIRMWARE = os.path.join(DATA, "firmware", f"virt-rv{XLEN}.elf")
RAM, MAILBOX, UPDATE_AT = 0x80000000, 0x80100000, 0x80210000
SLOT_B = "boot: slot B" # the boot stage's last word: what a request brings doesn't run
ENOUGH = 28000 # the buffer and two stacks full of them
REPEATED = 512 # bytes; a page holds whole ones
tools = Tools(RIVULET, DATA)


def request():
    """An update whose firmware, on the next page, is the begin of the next such update."""
    begin = struct.pack("<4sIII", b"RVLU", 1, 0, 2 << 16)
    statement = struct.pack("<16sQQQQII64sQ", b"RivuletFirmware2", RAM, RAM, len(begin), 0, 0, XLEN,
                            b"virt", 0)
    update = begin + bytes(112) + hashlib.sha512(statement + begin).digest() + statement + bytes(64)
    return update.ljust(REPEATED, b"\0")


def kernel(update):
    """Fills its stack, local memory and a buffer; which element depends on the address alone."""
    words = ", ".join(f"{word:#x}u" for word in struct.unpack(f"<{REPEATED // 4}I", update))
    return f"""
constant uint words[] = {{{words}}};
#define FILL(at, count)                                                                              \\
    for (size_t i = 0; i < (count); ++i)                                                             \\
        (at)[i] = words[((size_t)(at) / 4 + i) % {REPEATED // 4}]
__attribute__((reqd_work_group_size(1, 1, 1))) kernel void fill(global uint *buffer, uint count) {{
    volatile uint stack[820000];
    local volatile uint shared[12000];
    FILL(stack, 820000);
    FILL(shared, 12000);
    const size_t part = count / get_num_groups(0);
    global volatile uint *mine = buffer + part * get_group_id(0);
    FILL(mine, part);
}}
"""


class Board:
    """QEMU's virt from flash. Its RAM is a file, which hosts see, and which a reset leaves as it is."""

    def __init__(self, folder, chip):
        self.memory, self.chip, self.machine = os.path.join(folder, "ram"), chip, None
        with open(self.memory, "wb") as file:
            file.truncate(256 << 20)

    def stop(self):
        if self.machine:
            self.machine.kill()
            self.machine.communicate()

    def reset(self, until="board virt, 2 harts"):
        """The console up to that, or to the start of what a request brought."""
        self.stop()
        self.machine = start(XLEN, self.chip, "-machine", "memory-backend=ram", "-object",
                             f"memory-backend-file,id=ram,size=256M,mem-path={self.memory},share=on")
        said = []
        for line in self.machine.stdout:
            said.append(line.rstrip())
            if until in line or SLOT_B in line:
                return said
        return said + ["END"]

    def write(self, address, contents):
        with open(self.memory, "r+b") as file:
            file.seek(address - RAM)
            file.write(contents)

    def read(self, address, count):
        with open(self.memory, "rb") as file:
            file.seek(address - RAM)
            return file.read(count)

    def host(self, *arguments, what, words=()):
        """A host that attaches and leaves."""
        return tools.expect(what, 0, list(words), *arguments, env={
            "RIVULET_MACHINE": f"linux,window.file={self.memory},firmware.running=true,"
                               f"mailbox={MAILBOX:#x},doorbell.poll=1ms"})


def contents(path):
    with open(path, "rb") as file:
        return file.read()


def takes(said):
    return [line for line in said if re.search("boot: .*update", line)]


def main(folder):
    chip, source = os.path.join(folder, "chip.img"), os.path.join(folder, "fill.cl")
    update = request()
    with open(source, "w") as file:
        file.write(kernel(update))
    tools.expect("new chip", 0, ["image"], "flash", "--board", "virt", "--firmware", FIRMWARE, "--image",
                 chip)
    board = Board(folder, chip)
    try:
        check("comes up", "boot: slot A, number 1, on trial" in board.reset(UP))
        before = contents(chip)
        for _ in range(4): # until both harts have had a share
            board.host("run", source, "fill", "zeros:2000000", "2000000", "-g", "8", "-l", "1",
                       what="kernel")
            found = contents(board.memory).count(update)
            if found > ENOUGH:
                break
        check("requests all over memory", found > ENOUGH, found)
        said = board.reset()
        check("no update by a kernel", not takes(said) and said[-1] != "END", "\n".join(said))
        check("flash is as before", contents(chip) == before)

        asked = update * (2 * 4096 // REPEATED)
        board.write(UPDATE_AT, asked)
        board.host("info", "--start", what="a host comes and goes")
        check("what was asked before a host came is dropped", board.read(UPDATE_AT, 4) == bytes(4))
        check("and not done", not takes(board.reset()) and contents(chip) == before)
        board.write(UPDATE_AT, asked)
        said = board.reset()
        check("the host asks", "boot: writing an update to slot B" in said, "\n".join(said))
        check("once", not takes(board.reset()))
    finally:
        board.stop()


with tempfile.TemporaryDirectory() as folder:
    main(folder)
if failures:
    sys.exit(f"{len(failures)} failures")
