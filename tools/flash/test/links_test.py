#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rivulet flash over links whose board isn't here: Debian's fastboot against a server of its TCP
protocol, Debian's OpenOCD with a target that is none, and Linux's remoteproc as files in a folder.

    links_test.py RIVULET DATA
"""
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time

from fastboot_server import Board
from machine import Tools, check, data_with, failures

RIVULET, DATA = sys.argv[1:3]
FIRMWARE = os.path.join(DATA, "firmware", "virt-rv64.elf")


def with_recipe(folder, name, recipe, files=()):
    data = data_with(os.path.join(folder, name), DATA, "virt", {})
    with open(os.path.join(data, "boards", "virt", "flash.toml"), "w") as file:
        file.write(recipe)
    for path, text in files:
        with open(os.path.join(data, "boards", "virt", path), "w") as file:
            file.write(text)
    return Tools(RIVULET, data)


def fastboot(folder):
    tools = with_recipe(folder, "fastboot", '[flash]\nmethod = "fastboot"\nslot_bytes = 0x100000\n'
                        '[fastboot]\nproduct = "k1"\nreads_back = true\n')
    raw = os.path.join(folder, "raw.bin")
    tools.expect("raw", 0, [], "flash", "--board", "virt", "--via", "raw", "--image", raw)
    board = Board()
    flash = ["flash", "--board", "virt", "--target"]
    tools.expect("dry run", 0, ["stage", "continue"], *flash, board.target, "--dry-run")
    check("nothing was sent", not board.commands)
    tools.expect("fastboot", 0, ["matches what was sent"], *flash, board.target)
    check("staged", board.staged == open(raw, "rb").read() and board.continued, board.commands)
    board.close()

    for what, other, words in (
            ("another product", Board(product="k230"), ['calls itself "k230", not "k1"', "--force"]),
            ("connection lost", Board(lose=20000), ["stage", "rivulet: "]),
            ("altered on the way", Board(corrupt=True), ["differs", "not started"]),
            ("no read-back", Board(reads_back=False), ["get_staged", "failed"])):
        tools.expect(what, 1, words, *flash, other.target)
        check(f"{what}: not started", not other.continued, other.commands)
        other.close()
    other = Board(product="k230")
    tools.expect("forced", 0, [], *flash, other.target, "--force")
    check("forced: started", other.continued)
    other.close()
    small = with_recipe(folder, "small", '[flash]\nmethod = "fastboot"\nslot_bytes = 4096\n')
    small.expect("too large", 1, ["its slot only 4 KiB"], "flash", "--board", "virt")
    tools.expect("nobody there", 1, ["is the board there?"], *flash, board.target)


OPENOCD = """adapter driver dummy
transport select jtag
jtag newtap riscv cpu -irlen 5 -expected-id 0
target create riscv.cpu riscv -chain-position riscv.cpu
"""


def openocd(folder):
    recipe = '[flash]\nmethod = "openocd"\n[openocd]\nconfig = "openocd.cfg"\n'
    tools = with_recipe(folder, "openocd", recipe, [("openocd.cfg", OPENOCD)])
    tools.expect("openocd, dry run", 0, ["openocd -f", "gdb_port"], "flash", "--board", "virt",
                 "--dry-run")
    # Its port for gdb opens and is used; what is behind it is no RISC-V hart.
    said = tools.expect("openocd", 1, ["localhost:"], "flash", "--board", "virt")
    check("came to its port", "opens no port" not in said, said)
    broken = with_recipe(folder, "broken", recipe, [("openocd.cfg", "no such command\n")])
    broken.expect("bad configuration", 1, ["OpenOCD opens no port"], "flash", "--board", "virt")
    missing = with_recipe(folder, "missing", recipe)
    missing.expect("no configuration", 1, ["[openocd] config"], "flash", "--board", "virt")
    for board in ("k230", "bananapi-f3", "sg2044", "template"):
        path = os.path.join(DATA, "boards", board, "openocd.cfg")
        done = subprocess.run(["openocd", "-c", "adapter driver dummy", "-f", path, "-c",
                               "echo parsed; shutdown"], capture_output=True, text=True)
        check(f"configuration of {board}", "parsed" in done.stdout + done.stderr, done.stderr)


def resource_table(path):
    """Entries of the ELF section that Linux looks for: (type, address, bytes, name)."""
    elf = open(path, "rb").read()
    table, = struct.unpack_from("<Q", elf, 40)
    size, count, names = struct.unpack_from("<HHH", elf, 58)
    sections = [struct.unpack_from("<IIQQQQ", elf, table + i * size) for i in range(count)]
    strings = sections[names][4]
    for name, _, _, _, offset, _ in sections:
        if elf[strings + name:].split(b"\0", 1)[0] == b".resource_table":
            break
    else:
        return None
    version, entries, *reserved = struct.unpack_from("<IIII", elf, offset)
    check("resource table's header", version == 1 and reserved == [0, 0])
    found = []
    for at in struct.unpack_from(f"<{entries}I", elf, offset + 16):
        kind, address, second, third, _, _ = struct.unpack_from("<IIIIII", elf, offset + at)
        name_at = {0: 24, 2: 16}[kind]
        name = elf[offset + at + name_at:][:32].split(b"\0", 1)[0].decode()
        found.append((kind, address, third if kind == 0 else second, name))
    return found


class Linux(threading.Thread):
    """Does what the kernel does with the files of one processor."""

    def __init__(self, root, state="offline", crashes=False):
        super().__init__(daemon=True)
        self.folder = os.path.join(root, "sys/class/remoteproc/remoteproc0")
        self.crashes, self.ends, self.firmware = crashes, False, None
        self.root = root
        os.makedirs(self.folder)
        os.makedirs(os.path.join(root, "lib/firmware"))
        self.put("state", state)
        self.put("firmware", "old.elf")
        self.start()

    def put(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text + "\n")

    def get(self, name):
        with open(os.path.join(self.folder, name)) as file:
            return file.read().strip()

    def run(self):
        while not self.ends:
            state = self.get("state")
            if state == "stop":
                self.put("state", "offline")
            elif state == "start":
                path = os.path.join(self.root, "lib/firmware", self.get("firmware"))
                self.firmware = open(path, "rb").read() if os.path.exists(path) else None
                self.put("state", "crashed" if self.crashes or not self.firmware else "running")
            time.sleep(0.005)


def remoteproc(folder):
    tools = with_recipe(folder, "remoteproc", '[flash]\nmethod = "remoteproc"\n')
    entries = resource_table(FIRMWARE)
    check("resource table", entries and [entry[0] for entry in entries] == [0, 0, 2] and
          entries[0][1:3] == (0x80000000, 0x100000) and entries[1][1:3] == (0x80100000, 0x100000) and
          entries[1][1] < entries[2][1] < entries[1][1] + entries[1][2] and
          entries[2][2:] == (65536, "rivulet-log"), entries)

    def root(name, **options):
        return Linux(os.path.join(folder, name), **options)
    flash = ["flash", "--board", "virt", "--sysroot"]
    linux = root("good")
    tools.expect("dry run", 0, ["lib/firmware/rivulet-virt.elf"], *flash, linux.root, "--dry-run")
    check("nothing was written", os.listdir(os.path.join(linux.root, "lib/firmware")) == [])
    tools.expect("remoteproc", 0, ["offline", "running"], *flash, linux.root)
    check("firmware", linux.firmware == open(FIRMWARE, "rb").read())
    tools.expect("runs already", 1, ["is running", "--force"], *flash, linux.root)
    tools.expect("stopped by force", 0, ["running"], *flash, linux.root, "--force")
    crashing = root("crashing", crashes=True)
    tools.expect("crashes", 1, ["has crashed"], *flash, crashing.root)
    tools.expect("no such processor", 1, ["ENOENT", "--sysroot"], *flash, os.path.join(folder, "none"))
    full = root("full")
    shutil.rmtree(os.path.join(full.root, "lib/firmware"))
    tools.expect("nowhere to write", 1, ["ENOENT"], *flash, full.root)
    check("not started", full.get("state") == "offline" and full.get("firmware") == "old.elf")
    for machine in (linux, crashing, full):
        machine.ends = True
        machine.join()


with tempfile.TemporaryDirectory() as folder:
    fastboot(folder)
    openocd(folder)
    remoteproc(folder)
if failures:
    sys.exit(f"{len(failures)} failures")
