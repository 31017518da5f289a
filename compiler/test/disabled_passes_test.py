#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""disabled_passes_test.py RIVULET_OPT FILECHECK: pass rvl-x-y has the test FOLDER/x_y.ll or .mir,
which passes with the pass and fails without it."""
import pathlib
import re
import subprocess
import sys

from work_item import HEADS

PRELUDE = 'set -o pipefail; not() { ! "$@"; }; '
FOLDER = pathlib.Path(__file__).parent


def passes(command):
    return subprocess.run(command, shell=True, executable="/bin/bash",
                          capture_output=True).returncode == 0


def check(name, suffix, opt, filecheck):
    # "rvl-a-pass<4>" is another form of rvl-a-pass, with a test of its own.
    file = re.sub(r"<(.*)>", r"_\1", name.removeprefix("rvl-")).replace("-", "_") + suffix
    found = list(FOLDER.glob("*/" + file))
    if len(found) != 1:
        yield f"{name} has {len(found)} tests */{file}"
        return
    test = found[0]
    command = re.search(r"RUN: (.*)", test.read_text()).group(1)
    for option, wanted in ("", True), (f" '-rvl-disable-pass={name}'", False):
        run = command.replace("%heads", HEADS).replace("%opt", opt + option).replace("%s", str(test))
        if passes(PRELUDE + run.replace("FileCheck", filecheck)) != wanted:
            yield f"{test} {'fails' if wanted else 'passes'} with: {run}"


def main():
    opt, filecheck = sys.argv[1:]
    complaints = []
    for suffix, option in (".ll", "--print-passes"), (".mir", "--print-machine-passes"):
        names = subprocess.run([opt, option], capture_output=True, text=True,
                               check=True).stdout.split()
        complaints += [each for name in names for each in check(name, suffix, opt, filecheck)]
        if not names:
            complaints.append(f"{option} prints no passes")
    sys.exit("\n".join(complaints) or 0)


main()
