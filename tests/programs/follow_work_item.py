# SPDX-License-Identifier: Apache-2.0
"""For gdb, in debug_kernels_test.py, where a work-item of a kernel has begun:

    rivulet-follow ORDERS REPORT

sets a breakpoint on every line of the kernel's file that starts a statement, and follows the
work-item from one to the next until the program ends. ORDERS (JSON) has the work-item's id, lines
to leave out (`but`), and in `stops` lines with expressions to print at each. REPORT (JSON) gets the
lines that start statements, and all stops with variables and printed values."""
import json
import re

import gdb


def shown(command):
    return gdb.execute(command, to_string=True)


def statement_lines(file):
    """The lines of a file with is_stmt in the line table, which Python's own table doesn't tell."""
    lines, is_of_file = set(), False
    for text in shown("maint info line-table").splitlines():
        if text.startswith("symtab: "):
            is_of_file = text.startswith(f"symtab: {file} ")
        row = re.match(r"[0-9]+ +([0-9]+) +0x[0-9a-f]+ +Y", text)
        if is_of_file and row:
            lines.add(int(row[1]))
    return sorted(lines - {0})


class FollowCommand(gdb.Command):
    def __init__(self):
        super().__init__("rivulet-follow", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        orders_file, report_file = argument.split()
        with open(orders_file, encoding="utf-8") as file:
            orders = json.load(file)
        source = gdb.selected_frame().find_sal().symtab.filename
        report = {"statements": statement_lines(source), "stops": []}
        # In OpenCL C, gdb 13 says that 0 && 0 is 1.
        condition = " & ".join(f"(__global_id[{d}] == {value})"
                               for d, value in enumerate(orders["item"]))
        for line in report["statements"]:
            if line not in orders["but"]:
                shown(f"break {line} if {condition}")
        expected = iter(orders["stops"])
        awaited = next(expected)
        try:
            while True:
                line = gdb.selected_frame().find_sal().line
                values = []
                if awaited and awaited[0] == line:
                    values = [shown(f"output {value}") for value in awaited[1]]
                    awaited = next(expected, None)
                report["stops"].append({"line": line, "locals": shown("info locals"),
                                        "args": shown("info args"), "values": values})
                shown("continue")
        except gdb.error as error:
            report["end"] = str(error)
        with open(report_file, "w", encoding="utf-8") as file:
            json.dump(report, file)


FollowCommand()
