#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A cross build takes at most twice the processor time of a native build of the same files.

    cost_test.py SOURCE NATIVE_BUILD STEP ARCHITECTURE...

Compiles every STEPth object file of the product, of those that all of the builds have, in new build
trees and without a compiler cache. User and system time count, also that of precompiled headers and of
all else that these files need. Sysroots are those of `./dev package --arch`.
"""
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

source, native, step = sys.argv[1], sys.argv[2], int(sys.argv[3])
architectures = sys.argv[4:]
LIMIT = 2
if not shutil.which("mmdebstrap"):
    print("skipped: needs mmdebstrap, which `./dev test -R hosts` installs")
    sys.exit(77)

environment = {name: value for name, value in os.environ.items()
               if not name.endswith("_COMPILER_LAUNCHER")}
environment["CCACHE_DISABLE"] = "1" # where the compiler's name is one of ccache


def run(*command, **options):
    return subprocess.run(command, cwd=source, env=environment, stdin=subprocess.DEVNULL, check=True,
                          stdout=subprocess.PIPE, text=True, **options).stdout


def configure(architecture, tree):
    """Configures the product, and returns its object files."""
    options = ["-DBUILD_TESTING=OFF", "-DRIVULET_HAL_TEST=ON"]
    if architecture == "native":
        # A cross build takes firmware from a native one.
        run("cmake", "--preset", "release", "-B", tree, "-DRIVULET_FIRMWARE=OFF", *options)
    else:
        sysroot = f"{source}/build/cache/compiler-sysroot-{architecture}"
        run(sys.executable, "-B", f"{source}/cmake/toolchains/sysroot.py", architecture, sysroot)
        run("cmake", "--preset", architecture, "-B", tree, f"-DRIVULET_SYSROOT={sysroot}",
            f"-DRIVULET_NATIVE_BUILD={native}", *options)
    return {name for name in run("ninja", "-C", tree, "-t", "inputs", "product").split()
            if name.endswith(".o") and not name.startswith("/")}


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


with tempfile.TemporaryDirectory(dir=pathlib.Path(source, "build")) as folder:
    trees = {name: f"{folder}/{name}" for name in ("native", *architectures)}
    objects = [configure(name, tree) for name, tree in trees.items()]
    common = sorted(set.intersection(*objects))
    chosen = common[::step]
    print(f"{len(chosen)} of {len(common)} object files that all builds have", flush=True)
    seconds = {}
    for name, tree in trees.items():
        before = processor_time()
        run("ninja", "-C", tree, *chosen)
        seconds[name] = processor_time() - before
        print(f"{name}: {seconds[name]:.1f} s of processor time, "
              f"{seconds[name] / seconds['native']:.2f} of the native build's", flush=True)
slow = [name for name in architectures if seconds[name] > LIMIT * seconds["native"]]
sys.exit(f"more than {LIMIT} times the native build: {', '.join(slow)}" if slow else 0)
