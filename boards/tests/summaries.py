#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The firmware reads from a board's tree what its summary.txt says.

    summaries.py BOARD-HEADER BOARD.dtb SUMMARY.txt
"""
import difflib
import pathlib
import subprocess
import sys

header, blob, expected = sys.argv[1:4]
told = subprocess.run([header, "--summary", blob], capture_output=True, text=True, check=True).stdout
stated = pathlib.Path(expected).read_text()
if told == stated:
    sys.exit(0)
sys.stdout.writelines(difflib.unified_diff(stated.splitlines(True), told.splitlines(True),
                                           expected, "board-header --summary"))
sys.exit(1)
