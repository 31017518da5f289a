#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""OpenSBI starts the firmware of board k230-smode on QEMU's K230, and it finds a host that is waiting. The
driver `qemu` can't: for a kernel above OpenSBI, this machine takes no tree but a file's.

    k230_smode.py FIRMWARE.elf OPENSBI.bin CACHE
"""
import pathlib
import subprocess
import sys
import tempfile
import threading

import qemu

SKIPPED = 77
BOOT_BLOCK = 0x10600000 + 1024  # rvl_mailbox.boot: magic, protocol
HOST = {0: 0x544C5652, 4: 1 << 16}  # RVL_MAILBOX_MAGIC, RVL_VERSION(1, 0)
CONSOLE = 3  # UARTs before it are another hart's
LONGEST_WAIT = 300  # seconds; it takes a few
TREE = pathlib.Path(__file__).with_name("k230-smode.dts")
UP = "[0] board k230-smode, 1 harts, VLEN 0"  # the little core's, for which OpenSBI's tree speaks


def main():
    firmware, opensbi, cache = sys.argv[1:]
    try:
        program = qemu.find_qemu("k230", cache)
    except (qemu.Missing, LookupError) as why:
        print(f"skipped: {why}")
        return SKIPPED
    if not pathlib.Path(opensbi).exists():
        print(f"skipped: {opensbi} is missing, which `./dev test -R amp` installs")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder, "tree.dtb")
        subprocess.run(["dtc", "-q", "-I", "dts", "-O", "dtb", "-o", tree, TREE], check=True)
        command = [program, "-M", "k230", "-m", "2G", "-display", "none", "-monitor", "none",
                   *["-serial", "null"] * CONSOLE, "-serial", "stdio", "-bios", opensbi, "-dtb", tree, "-kernel", firmware]
        for offset, word in HOST.items():
            command += ["-device", f"loader,addr={BOOT_BLOCK + offset},data={word},data-len=4"]
        said = []
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                              errors="replace") as machine:
            limit = threading.Timer(LONGEST_WAIT, machine.kill)
            limit.start()
            for line in machine.stdout:
                said.append(line.rstrip())
                if line.startswith(UP):
                    break
            limit.cancel()
            machine.kill()
    print("\n".join(said))
    came_up = said and said[-1].startswith(UP)
    return 0 if came_up and not any("can't fence" in line for line in said) else 1


if __name__ == "__main__":
    sys.exit(main())
