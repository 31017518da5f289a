#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The firmware of a board whose tree was moved to QEMU's virt (models.cmake) comes up on as many harts
as the board has, entered where its boot chain enters, and finds a host that is waiting.

    model_boots.py FIRMWARE.elf BOARD HARTS VLEN ENTRY SLOT-BYTES LOADER.bin PACK.py

With SLOT-BYTES, what is entered is the loader stage with the firmware behind it.
"""
import os
import struct
import subprocess
import sys
import tempfile
import threading

MAILBOX = 0x90100000 # of all three
HOST = {0: 0x544C5652, 4: 1 << 16} # RVL_MAILBOX_MAGIC, RVL_VERSION(1, 0)
LONGEST_WAIT = 300 # seconds; it takes about one

firmware, board, harts, vlen, entry, slot_bytes, loader, pack = sys.argv[1:9]
wanted = f"[0] board {board}, {harts} harts, VLEN {vlen}"
with tempfile.TemporaryDirectory() as folder:
    # The first code after reset, in flash: jumps to the entry with the a0 and a1 of the reset.
    flash = os.path.join(folder, "flash")
    with open(flash, "wb") as file:
        file.write(struct.pack("<IIIIQ", 0x00000297, 0x0102b283, 0x00028067, 0x13, int(entry, 0)))
        file.truncate(32 << 20)
    entered = ["-device", f"loader,file={firmware}"]
    if slot_bytes != "0":
        slot = os.path.join(folder, "slot.bin")
        subprocess.run([sys.executable, pack, loader, firmware, slot_bytes, slot], check=True)
        entered = ["-device", f"loader,file={slot},addr={entry},force-raw=on"]
    command = ["qemu-system-riscv64", "-M", "virt,acpi=off,pflash0=boot", "-cpu",
               f"rv64,v=on,vlen={vlen}", "-smp", harts, "-m", "2G", "-display", "none", "-monitor",
               "none", "-serial", "stdio", "-bios", "none", "-blockdev",
               f"driver=file,filename={flash},node-name=boot,read-only=on", *entered]
    for offset, word in HOST.items():
        command += ["-device", f"loader,addr={MAILBOX + 1024 + offset},data={word},data-len=4"]
    said = []
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as qemu:
        limit = threading.Timer(LONGEST_WAIT, qemu.kill)
        limit.start()
        for line in qemu.stdout:
            said.append(line.rstrip())
            if line.startswith("[0] board"):
                break
        limit.cancel()
        qemu.kill()
print("\n".join(said))
came_up = said and said[0].startswith(f"rivulet firmware for {board}, hart ") and \
    said[-1].startswith(wanted)
sys.exit(0 if came_up else f"no line that says {wanted}")
