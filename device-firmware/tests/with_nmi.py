#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a program on a machine whose harts have non-maskable interrupts (Smrnmi).

    with_nmi.py PROFILE.cfg HARTS FIRMWARE.elf -- PROGRAM ARGUMENT…

RIVULET_TEST_QTEST becomes the socket of QEMU that raises them, and RIVULET_TEST_PANIC_STACK an address on
the stack of the firmware's hart that fails.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests"))
from llvm import tool

VECTOR = 0x80000200  # firmware.ld

split = sys.argv.index("--")
profile, harts, firmware = sys.argv[1:split]
symbols = subprocess.run([tool("llvm-nm"), firmware], check=True, capture_output=True, text=True).stdout
stack_end = int(re.search(r"^([0-9a-f]+) \w panic_stack_end$", symbols, re.M)[1], 16)
vectors = ",,".join([str(VECTOR)] * int(harts))
with tempfile.TemporaryDirectory() as folder:
    emulator, socket = pathlib.Path(folder, "qemu"), pathlib.Path(folder, "qtest")
    emulator.write_text(f"""#!/bin/sh
exec qemu-system-riscv64 "$@" -qtest unix:{socket},server=on,wait=off -qtest-log none \\
    -global driver=rv64-riscv-cpu,property=smrnmi,value=true \\
    -global driver=riscv.hart_array,property=rnmi-interrupt-vector,value={vectors} \\
    -global driver=riscv.hart_array,property=rnmi-exception-vector,value={vectors}
""")
    emulator.chmod(0o755)
    environment = {"RIVULET_MACHINE": f"{profile},harts={harts}", "RIVULET_QEMU": str(emulator),
                   "RIVULET_FIRMWARE": firmware, "RIVULET_TEST_QTEST": str(socket),
                   "RIVULET_TEST_PANIC_STACK": hex(stack_end - 256)}
    sys.exit(subprocess.run(sys.argv[split + 1:], check=False, env={**os.environ, **environment}).returncode)
