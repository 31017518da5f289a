#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a command with a socket behind which OpenOCDs are: each connection to it is the gdb port of an
OpenOCD of its own, which reaches a Spike (riscv-isa-sim) by its JTAG pins. Both end when the connection
does.

    spike_stubs.py VLEN SETTINGS COMMAND...

Spike is RIVULET_SPIKE; without it the test is skipped. RIVULET_MACHINE becomes
gdb,target=unix:SOCKET,SETTINGS. With RIVULET_OPENOCD_LOG, OpenOCD's messages and the firmware's console
are shown.
"""
import os
import pathlib
import re
import subprocess
import sys
import threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "debug_module"))
import openocd_stubs  # pylint: disable=wrong-import-position

SKIPPED = 77
HARTS, MEMORY = "2", "0x80000000:0x8000000" # as in spike/board.dts


class Chip(openocd_stubs.Processes):
    """A Spike whose harts wait for a debugger."""
    config = HERE / "spike/openocd.cfg"

    def __init__(self, program, vlen):
        super().__init__()
        # Without --real-time-clint, mtime goes on with instructions, and fast where harts wait.
        spike = self.run([program, f"--isa=rv64gcv_zvl{vlen}b_zicntr", f"-p{HARTS}", f"-m{MEMORY}",
                          "--real-time-clint", "--halted", "--rbb-port=0", "none"],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        for line in spike.stdout:
            if port := re.search(r"remote bitbang connection on port (\d+)", line):
                break
        else:
            raise RuntimeError("Spike opens no port for JTAG")
        threading.Thread(target=self.take_console, args=(spike.stdout,), daemon=True).start()
        self.environment = {**os.environ, "RIVULET_DEBUG_PORT": port[1], "RIVULET_DEBUG_HARTS": HARTS}

    @staticmethod
    def take_console(console):
        for line in console:
            if "RIVULET_OPENOCD_LOG" in os.environ:
                print("console:", line, end="", file=sys.stderr)


def main():
    vlen, settings, *command = sys.argv[1:]
    program = os.environ.pop("RIVULET_SPIKE", None) # which the library would not know
    if not program:
        print("skipped: RIVULET_SPIKE names no Spike")
        return SKIPPED
    return openocd_stubs.run_with_stubs(lambda _: Chip(program, vlen), settings, command)


if __name__ == "__main__":
    sys.exit(main())
