# SPDX-License-Identifier: Apache-2.0
"""For gdb on the stub of a device that runs Rivulet's firmware: stops where a kernel begins.

    rivulet-kernel NAME SCRIPT

goes on until a hart enters the kernel NAME and stops at its first instruction. SCRIPT is the file
PROCESS.gdb that the library writes with RIVULET_DEBUG_FILES: it is read again whenever it has
grown, so kernels need not be built yet. `rivulet debug` loads this file."""
import os
import re

import gdb

ENTRY = "*arch_run_kernel"  # arguments: firmware, hart, frame
SYMBOL_FILE = re.compile(r"^add-symbol-file (.*) (-o \S+)$")  # gdb takes paths apart at blanks


class KernelImages:
    """The kernel images loaded by the library, added to gdb as they appear."""

    def __init__(self, script):
        self.script = script
        self.lines = 0

    def update(self):
        if not os.path.exists(self.script):
            return
        with open(self.script, encoding="utf-8") as file:
            commands = file.read().split("\n")[:-1]  # whole lines
        for command in commands[self.lines:]:
            gdb.execute(SYMBOL_FILE.sub(r'add-symbol-file "\1" \2', command), to_string=True)
        self.lines = len(commands)


def symbol_at(address):
    """"steps" for `steps in section .text of …`; "" if not at a symbol's start."""
    text = gdb.execute(f"info symbol {address:#x}", to_string=True).split(" in section")[0]
    return text if " " not in text else ""


class KernelCommand(gdb.Command):
    def __init__(self):
        super().__init__("rivulet-kernel", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        name, _, script = argument.partition(" ")  # a path may have blanks
        images = KernelImages(script)
        entry = gdb.Breakpoint(ENTRY, internal=True)
        entry.silent = True
        seen = set()
        try:
            while True:
                gdb.execute("continue", to_string=True)
                if entry.hit_count == 0 or "arch_run_kernel" not in str(gdb.selected_frame().name()):
                    raise gdb.GdbError("stopped before the kernel was entered")
                entry.hit_count = 0
                images.update()
                hart = gdb.parse_and_eval("(struct hart *)$a1")
                kernel = int(hart["launch"]["kernel"])
                symbol = symbol_at(kernel)
                if symbol == name:
                    break
                seen.add(symbol or hex(kernel))
        except gdb.error as error:
            others = f"; launched were: {', '.join(sorted(seen))}" if seen else ""
            raise gdb.GdbError(f"the kernel {name} was not launched: {error}{others}")
        finally:
            entry.delete()
        stop = gdb.Breakpoint(f"*{kernel:#x}", internal=True)
        stop.silent = True
        gdb.execute("continue", to_string=True)
        stop.delete()
        gdb.execute("frame")


KernelCommand()
