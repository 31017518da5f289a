#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""disabled_passes_test.py RIVULET_OPT FILECHECK: each pass of ours has a test in passes/, which
passes with the pass and fails without it."""
import pathlib
import re
import subprocess
import sys

PRELUDE = 'set -o pipefail; not() { ! "$@"; }; '
FOLDER = pathlib.Path(__file__).parent / "passes"


def passes(command):
    return subprocess.run(command, shell=True, executable="/bin/bash",
                          capture_output=True).returncode == 0


def main():
    opt, filecheck = sys.argv[1:]
    names = subprocess.run([opt, "--print-passes"], capture_output=True, text=True,
                           check=True).stdout.split()
    complaints = []
    for name in names:
        test = FOLDER / (name.removeprefix("rvl-") + ".ll")
        if not test.exists():
            complaints.append(f"{name} has no test {test}")
            continue
        command = re.search(r"RUN: (.*)", test.read_text()).group(1)
        for option, wanted in ("", True), (f" -rvl-disable-pass={name}", False):
            run = command.replace("%opt", opt + option).replace("%s", str(test))
            if passes(PRELUDE + run.replace("FileCheck", filecheck)) != wanted:
                complaints.append(f"{test} {'fails' if wanted else 'passes'} with: {run}")
    sys.exit("\n".join(complaints) or 0)


main()
