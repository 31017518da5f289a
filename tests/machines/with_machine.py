#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a command on a machine of others, and ends with its status.

    with_machine.py [--stub BOARD] PROFILE.cfg CACHE -- COMMAND…

The device is that profile's, whose RAM is shared with this host; with --stub it is the board behind the
gdb stub of the same machine. CACHE is where a QEMU is kept if this system's has no such machine; without
any the test is skipped.
"""
import os
import pathlib
import re
import subprocess
import sys

import qemu

SKIPPED = 77
STUBS = pathlib.Path(__file__).resolve().parents[2] / "hal/drivers/gdb/qemu_stubs.py"


def setting(profile, key):
    return re.search(rf'^\s*{key} = "(.+)"$', profile.read_text(), re.M)[1]


def main():
    split = sys.argv.index("--")
    options, command = sys.argv[1:split], sys.argv[split + 1:]
    board = None
    if options[0] == "--stub":
        board, options = options[1], options[2:]
    profile, cache = pathlib.Path(options[0]), options[1]
    try:
        program = qemu.find_qemu(setting(profile, "type"), cache)
    except (qemu.Missing, LookupError) as why:
        print(f"skipped: {why}")
        return SKIPPED
    environment = {**os.environ, "RIVULET_QEMU": program, "RIVULET_MACHINE": str(profile)}
    if board:
        command = [sys.executable, "-B", STUBS, profile, setting(profile, "cpus"), f"board={board},start=entry",
                   *command]
    return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
