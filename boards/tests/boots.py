#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The template's memory map is that of QEMU's virt machine: its firmware comes up there, finds a host
that is waiting, and says so on the console that its tree names.

    boots.py FIRMWARE.elf HARTS
"""
import subprocess
import sys
import threading

BOOT_BLOCK = 0x80100000 + 1024 # rvl_mailbox.boot: magic, protocol
HOST = {0: 0x544C5652, 4: 1 << 16} # RVL_MAILBOX_MAGIC, RVL_VERSION(1, 0)
LONGEST_WAIT = 300 # seconds; it takes less than one

firmware, harts = sys.argv[1:3]
command = ["qemu-system-riscv64", "-M", "virt", "-cpu", "rv64,v=on", "-smp", harts, "-m", "512M",
           "-display", "none", "-monitor", "none", "-serial", "stdio", "-bios", firmware]
for offset, word in HOST.items():
    command += ["-device", f"loader,addr={BOOT_BLOCK + offset},data={word},data-len=4"]
with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as qemu:
    limit = threading.Timer(LONGEST_WAIT, qemu.kill)
    limit.start()
    said = []
    for line in qemu.stdout:
        said.append(line.rstrip())
        if line.startswith(f"[0] board template, {harts} harts, VLEN 128"):
            break
    else:
        said.append("and no more")
    limit.cancel()
    qemu.kill()
print("\n".join(said))
came_up = said[0].startswith("rivulet firmware for template, hart ") and said[-1].startswith("[0]")
sys.exit(0 if came_up else 1)
