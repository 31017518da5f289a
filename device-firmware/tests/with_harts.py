#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a program on a machine whose harts differ in some properties from its profile.

    with_harts.py PROFILE.cfg HARTS PROPERTY=VALUE… -- PROGRAM ARGUMENT…
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

split = sys.argv.index("--")
profile, harts, *changes = sys.argv[1:split]
text = pathlib.Path(profile).read_text()
driver = re.search(r'driver = "(\S+-riscv-cpu)"', text)[1]
for change in changes:
    name, value = change.split("=")
    text = re.sub(rf'\n\[global\]\n[^[]*property = "{name}"\n[^[]*', "", text)
    text += f'\n[global]\n  driver = "{driver}"\n  property = "{name}"\n  value = "{value}"\n'
with tempfile.TemporaryDirectory() as folder:
    machine = pathlib.Path(folder, "machine.cfg")
    machine.write_text(text)
    sys.exit(subprocess.run(sys.argv[split + 1:], check=False,
                            env={**os.environ, "RIVULET_MACHINE": f"{machine},harts={harts}"}).returncode)
