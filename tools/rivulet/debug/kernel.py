# SPDX-License-Identifier: Apache-2.0
"""For gdb on the stub of a device that runs Rivulet's firmware: stops where a kernel begins.

    rivulet-kernel NAME SCRIPT
    rivulet-work-item X[,Y[,Z]]

goes on until a hart enters the kernel NAME and stops at its first instruction. SCRIPT is the file
PROCESS.gdb that the library writes with RIVULET_DEBUG_FILES: it is read again whenever it has
grown, so kernels need not be built yet.

rivulet-work-item goes on from there to the first line of the work-item with this global id. The
kernel must have been built with -g and -cl-opt-disable: then a variable __global_id exists.

`rivulet debug` loads this file."""
import os
import re

import gdb

ENTRY = "riscv_begin_user"  # of the firmware, with the kernel in a5; no kernel if that is 0
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
        entry = gdb.Breakpoint("*" + ENTRY, internal=True)
        entry.silent = True
        seen = set()
        try:
            while True:
                gdb.execute("continue", to_string=True)
                if entry.hit_count == 0 or ENTRY not in str(gdb.selected_frame().name()):
                    raise gdb.GdbError("stopped before the kernel was entered")
                entry.hit_count = 0
                images.update()
                kernel = int(gdb.parse_and_eval("(unsigned long)$a5"))
                if kernel == 0:
                    continue
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


def function_at(address):
    """The symbol of the function, inlined or not, that the code at an address belongs to."""
    block = gdb.block_for_pc(address)
    while block and not block.function:
        block = block.superblock
    return block.function if block else None


def first_line(frame):
    """The first line of the kernel's body that has code. (At its entry ids aren't known yet.)"""
    kernel = frame.function()
    lines = set()
    for entry in kernel.symtab.linetable():
        function = function_at(entry.pc)
        if function and function.name == kernel.name and entry.line > function.line:
            lines.add(entry.line)
    return min(lines, default=None)


class WorkItemCommand(gdb.Command):
    def __init__(self):
        super().__init__("rivulet-work-item", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        if not re.fullmatch(r"[0-9]+(,[0-9]+){0,2}", argument):
            raise gdb.GdbError("rivulet-work-item: name a global id: X or X,Y or X,Y,Z")
        frame = gdb.selected_frame()
        if "__global_id" not in gdb.execute(f"info scope *{frame.pc():#x}", to_string=True):
            raise gdb.GdbError("rivulet-work-item: no ids are known here: stop in a kernel that was "
                               "built with -g -cl-opt-disable and has no sub-groups")
        line = first_line(frame)
        if line is None:
            raise gdb.GdbError("rivulet-work-item: the kernel has no line of code")
        ids = enumerate(argument.split(","))
        # In OpenCL C, gdb 13 says that 0 && 0 is 1.
        condition = " & ".join(f"(__global_id[{d}] == {value})" for d, value in ids)
        place = f"{frame.function().symtab.filename}:{line}"
        gdb.execute(f'tbreak -source "{frame.function().symtab.filename}" -line {line} '
                    f"if {condition}", to_string=True)
        try:
            gdb.execute("continue", to_string=True)
            gdb.execute("frame")
        except gdb.error:
            raise gdb.GdbError(f"no work-item {argument} came to {place}")


KernelCommand()
WorkItemCommand()
