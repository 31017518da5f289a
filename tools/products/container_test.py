#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docker/Dockerfile as a whole, by buildah, on a base image that mmdebstrap makes: both stages are built,
and programs run on QEMU in a container of the image. Needs no container engine, registry or namespace.

    container_test.py SOURCE PROGRAM CACHE [--suite SUITE]

PROGRAM is an OpenCL program that compiles its kernels, and exits with 0 if their results are right. SUITE
is this system's release, if not given. Packages of the base image are kept in CACHE.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests"))
from clean_root import Root, missing
from debian import release

SKIPPED = 77


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("cache", type=lambda word: pathlib.Path(word).resolve())
    parser.add_argument("--suite", default=release())
    options = parser.parse_args()
    why = missing() or (None if shutil.which("buildah") else
                        "no buildah, which `./dev test -R products` installs")
    if why:
        print("skipped:", why)
        return SKIPPED
    options.cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="container-", dir=options.cache) as name:
        scratch = pathlib.Path(name)

        def buildah(*words, **more):
            # Copies instead of overlays: the folder may itself be on one.
            command = ["buildah", "--root", scratch / "storage", "--runroot", scratch / "run",
                       "--storage-driver", "vfs", *words]
            print("+ buildah", *words, flush=True)
            return subprocess.run(command, check=True, text=True, stdin=subprocess.DEVNULL,
                                  env={**os.environ, "BUILDAH_ISOLATION": "chroot"}, **more)

        root = Root(scratch / "base", options.cache / "archives", options.suite)
        base = f"docker.io/library/debian:{options.suite}"
        container = buildah("from", "scratch", stdout=subprocess.PIPE).stdout.strip()
        buildah("add", "--quiet", container, root.top, "/")
        buildah("commit", "--quiet", "--rm", container, base)
        shutil.rmtree(root.top)
        context = scratch / "source"
        subprocess.run(["git", "clone", "--quiet", f"file://{options.source}", context], check=True)
        buildah("build", "--pull-never", "--build-arg", f"DEBIAN={options.suite}",
                "-f", context / "tools/products/docker/Dockerfile", "-t", "rivulet", context)
        container = buildah("from", "--pull-never", "rivulet", stdout=subprocess.PIPE).stdout.strip()
        told = buildah("run", container, "--", "rivulet", "info", "--start", stdout=subprocess.PIPE).stdout
        if "start_ms" not in told:
            sys.exit(f"rivulet info --start names no device that answered:\n{told}")
        buildah("add", "--quiet", container, options.program, "/usr/local/bin/program")
        buildah("run", container, "--", "program")
    print(f"the Dockerfile works on {options.suite}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
