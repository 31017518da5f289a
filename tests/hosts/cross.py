# SPDX-License-Identifier: Apache-2.0
"""cross.py SOURCE NATIVE_BUILD PRESET BUILD [TARGET… --tests REGEX]: builds the preset in the folder
BUILD, all of it or the targets, and runs its tests, all or those of that name, under qemu-user."""
import argparse
import os
import shutil
import subprocess
import sys

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("source")
parser.add_argument("native_build")
parser.add_argument("preset")
parser.add_argument("build")
parser.add_argument("targets", nargs="*")
parser.add_argument("--tests", default=".")
options = parser.parse_args()

machine = {"arm64": "aarch64"}.get(options.preset, options.preset)
for program in (f"qemu-{machine}", f"{machine}-linux-gnu-g++"):
    if not shutil.which(program):
        sys.exit(f"{program} is missing: `./dev test` installs qemu-user and the cross compilers")

# CMake keeps one variable only of the properties of tests that GoogleTest lists.
environment = {**os.environ, "RIVULET_CC": f"{options.native_build}/bin/rivulet-cc",
               "RIVULET_CACHE": "off"}
for command in (
    ["cmake", "--preset", options.preset, "-B", options.build,
     f"-DRIVULET_NATIVE_BUILD={options.native_build}"],
    ["ninja", "-C", options.build, *options.targets],
    ["ctest", "--test-dir", options.build, "--output-on-failure", "--no-tests=error", "-R",
     options.tests],
):
    print("+", *command, flush=True)
    if subprocess.run(command, cwd=options.source, stdin=subprocess.DEVNULL,
                      env=environment).returncode != 0:
        sys.exit(f"failed: {' '.join(command)}")
