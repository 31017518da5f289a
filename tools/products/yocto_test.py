#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bitbake parses meta-rivulet, and finds all that its recipes depend on. Skipped without
openembedded-core, meta-openembedded and bitbake.

    yocto_test.py SOURCE FOLDER

FOLDER has the three, by these names. Nothing is built, and nothing is downloaded.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
NEEDED = ("bitbake/bin/bitbake", "openembedded-core/meta", "meta-openembedded/meta-oe")
NOBODY = 65534
LOCAL = """\
MACHINE = "qemuarm64"
BB_NO_NETWORK = "1"
CONNECTIVITY_CHECK_URIS = ""
# Layers of neighbouring releases are taken together.
LAYERSERIES_CORENAMES:append = " whinlatter wrynose"
RIVULET_URI = "file://{archive}"
RIVULET_BOARD_NAMES = "virt"
PACKAGECONFIG:append:pn-rivulet = " compiler gdb"
"""
TARGETS = ("rivulet", "rivulet-native", "rivulet-firmware")

source = pathlib.Path(sys.argv[1]).resolve()
if len(sys.argv) < 3 or not sys.argv[2]:
    print("skipped: RIVULET_OPENEMBEDDED names no folder")
    sys.exit(SKIPPED)
layers = pathlib.Path(sys.argv[2]).resolve()
for part in NEEDED:
    if not (layers / part).exists():
        sys.exit(f"{layers} has no {part}")


def bitbake(build, *arguments):
    environment = {**os.environ, "BBPATH": str(build), "BUILDDIR": str(build), "LC_ALL": "en_US.UTF-8",
                   "HOME": str(build), "PATH": f"{layers}/bitbake/bin:{layers}/openembedded-core/scripts:"
                                               f"{os.environ['PATH']}"}
    # bitbake does not run as root.
    user = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"] if os.getuid() == 0 else []
    done = subprocess.run([*user, layers / "bitbake/bin/bitbake", *arguments], cwd=build, env=environment,
                          text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    ours = [line for line in done.stdout.splitlines() if "WARNING" in line and "rivulet" in line]
    if done.returncode != 0 or ours:
        sys.exit(f"bitbake {' '.join(arguments)} ended with {done.returncode}:\n"
                 + "\n".join(ours) + done.stdout[-6000:])
    return done.stdout


with tempfile.TemporaryDirectory() as name:
    build = pathlib.Path(name)
    # A copy, because the user that runs bitbake may be unable to read the working copy.
    shutil.copytree(source / "tools/products/yocto/meta-rivulet", build / "meta-rivulet")
    (build / "conf").mkdir()
    (build / "conf/bblayers.conf").write_text(
        f'BBPATH = "${{TOPDIR}}"\nBBLAYERS = "{layers}/openembedded-core/meta '
        f'{layers}/meta-openembedded/meta-oe {build}/meta-rivulet"\n', encoding="utf-8")
    archive = build / "rivulet-source.tar.xz"
    subprocess.run(["tar", "-C", source, "-cJf", archive, "LICENSES"], check=True)
    (build / "conf/local.conf").write_text(LOCAL.format(archive=archive), encoding="utf-8")
    if os.getuid() == 0:
        for path in (build, *build.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
    bitbake(build, "-p")
    variables = bitbake(build, "-e", "rivulet")
    for line in ('TOOLCHAIN="clang"', "-DRIVULET_COMPILER=ON", "rivulet-native"):
        if line not in variables:
            sys.exit(f"bitbake -e rivulet does not say {line}")
    bitbake(build, "-n", *TARGETS)
    print(f"bitbake would build {', '.join(TARGETS)}")
