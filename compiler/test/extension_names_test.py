#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every extension that LLVM knows, experimental ones included, is in the table that tells new extensions
from typing errors. A newer LLVM with more of them fails here: add them.

    extension_names_test.py CLANG EXTENSION-NAMES.def
"""
import pathlib
import re
import subprocess
import sys


def main():
    done = subprocess.run([sys.argv[1], "--target=riscv64", "-print-supported-extensions"],
                          capture_output=True, text=True, check=True)
    known = re.findall(r"^\s+([szx][a-z0-9]+)\s+\d", done.stdout + done.stderr, re.M)
    table = re.findall(r"^RIVULET_ISA_EXTENSION\((\w+)\)$", pathlib.Path(sys.argv[2]).read_text(), re.M)
    missing = sorted(name for name in set(known) - set(table)
                     if not re.fullmatch(r"zvl\d+b", name))
    print(f"LLVM knows {len(known)} extensions, the table {len(table)}; missing: {missing}")
    return 1 if missing or len(known) < 100 or table != sorted(set(table)) else 0


if __name__ == "__main__":
    sys.exit(main())
