#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`rivulet flash --via openocd` by Debian's OpenOCD, through the model of a debug module, onto a QEMU
whose memory is empty: the firmware comes up, and goes on when tool and OpenOCD are gone.

    flash_test.py RIVULET DATA MODULE XLEN
"""
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time

import openocd_stubs

RIVULET, DATA, MODULE, XLEN = sys.argv[1:5]
HARTS, LONGEST_WAIT = "2", 200
HEARTBEAT = 0x100000 + 1920 # rvl_mailbox.heartbeat, from where memory begins
failures = []


def check(what, good, said):
    if not good:
        failures.append(f"{what}:\n{said}")


def data_with_recipe(folder):
    data = os.path.join(folder, "data")
    shutil.copytree(DATA, data, symlinks=True, ignore=shutil.ignore_patterns("library", "conformance"))
    with open(os.path.join(data, "boards/virt/flash.toml"), "w") as file:
        file.write(f'[flash]\nmethod = "openocd"\nslot_bytes = 0x100000\n'
                   f'[openocd]\nconfig = "{openocd_stubs.CONFIG}"\n')
    return data


def until(condition):
    deadline = time.monotonic() + LONGEST_WAIT
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def flash(chip, data, *more, machine="gdb,start=reset" + (",isa=rv32imafdcv" if XLEN == "32" else "")):
    run = subprocess.run([RIVULET, "flash", "--board", "virt", *more], capture_output=True, text=True,
                         timeout=LONGEST_WAIT,
                         env={**chip.environment, "RIVULET_DATA": data,
                              "RIVULET_MACHINE": machine})
    return run.returncode, run.stdout + run.stderr


def beats(chip):
    with open(chip.memory, "rb") as memory:
        memory.seek(HEARTBEAT)
        return struct.unpack("<I", memory.read(4))[0]


def flashes(data, console, chip):
    firmware = os.path.join(data, f"firmware/virt-rv{XLEN}.elf")
    status, said = flash(chip, data, "--firmware", firmware)
    check("flash", status == 0 and "running    2 harts of VLEN 128" in said, said)

    def words():
        with open(console, errors="replace") as file:
            return file.read()
    check("comes up", "board virt, 2 harts" in words(), words())
    before = beats(chip)
    check("goes on", until(lambda: beats(chip) > before), f"{before} beats")


with tempfile.TemporaryDirectory() as folder:
    data = data_with_recipe(folder)
    console = os.path.join(folder, "console")
    chip = openocd_stubs.Chip(MODULE, XLEN, HARTS, folder, "-serial", f"file:{console}")
    try:
        flashes(data, console, chip)
    finally:
        chip.end()
if failures:
    sys.exit("\n".join(failures))
