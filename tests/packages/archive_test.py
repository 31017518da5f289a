#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The archive runs from wherever it is unpacked, and where its folder is moved to.

    archive_test.py PACKAGES VECADD
"""
import os
import pathlib
import subprocess
import sys
import tempfile

packages, vecadd = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
clean = {name: value for name, value in os.environ.items()
         if not name.startswith(("RIVULET_", "OCL_", "LD_", "PYTHON"))}


def run(folder, command, expect="", **variables):
    done = subprocess.run(["bash", "-c", f'. "{folder}/activate" && {command}'], cwd="/", text=True,
                          env={**clean, **variables}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    if done.returncode != 0 or expect not in done.stdout:
        sys.exit(f"{command} ended with {done.returncode}:\n{done.stdout[-6000:]}")
    print(f"{command}: {done.stdout.strip().splitlines()[-1]}", flush=True)
    return done.stdout


archives = list(packages.glob("rivulet-*-linux-*.tar.xz"))
if len(archives) != 1:
    sys.exit(f"{packages} has {len(archives)} archives: `./dev package` makes one")
with tempfile.TemporaryDirectory(prefix="somewhere else ") as name:
    subprocess.run(["tar", "-C", name, "-xJf", archives[0]], check=True)
    (folder,) = pathlib.Path(name).iterdir()
    for file, words in (("LICENSE", "Apache License"),
                        ("share/doc/rivulet/third-party-notices.txt", "newlib")):
        if words not in (folder / file).read_text():
            sys.exit(f"{file} does not speak of {words}")
    moved = folder.with_name("moved")
    for prefix in (folder, moved):
        if prefix == moved:
            folder.rename(moved)
        run(prefix, "command -v rivulet", str(prefix))
        run(prefix, "rivulet --version", "rivulet ")
        cache = {"RIVULET_CACHE": "off"}
        run(prefix, "clinfo -l", "Rivulet", **cache)
        run(prefix, f'"{vecadd}"', "all right", **cache)
        run(prefix, "rivulet hal-test --gtest_brief=1 --gtest_filter=Start.*:Launch.*", "PASSED",
            RIVULET_MACHINE="rv64-v128,harts=1")
    named = subprocess.run(["grep", "-rIl", str(packages.parents[2]), moved / "bin", moved / "etc",
                            moved / "lib/rivulet/machines", moved / "activate"], text=True,
                           stdout=subprocess.PIPE, check=False).stdout
    if named:
        sys.exit(f"files name the folder that they were built in:\n{named}")
