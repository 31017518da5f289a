#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""translators_test.py CACHE API_TEST SUITE:VERSION…: the tests of SPIR-V with translators of other Debian
releases, on the driver loopback.

Each llvm-spirv-VERSION is unpacked from SUITE with the libraries that it needs, and runs with that suite's
own loader: nothing is installed. Downloaded packages are kept in CACHE.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from debian import Archive

TESTS = "Intermediate.*:*Instructions*"
WITHOUT_TRANSLATOR = "llvm-spirv is not installed"  # why these tests skip, which is no failure to gtest


class Unreachable(Exception):
    pass


def unpacked(cache, suite, program):
    """A folder with the files of a program's package and of all packages that it depends on."""
    root = cache / suite / program
    if (root / "usr/bin" / program).exists():
        return root
    architecture = subprocess.run(["dpkg", "--print-architecture"], text=True, capture_output=True,
                                  check=True).stdout.strip()
    try:
        archive = Archive(cache / suite, architecture, suite)
    except LookupError as reason:
        raise Unreachable(reason) from reason
    get = ["apt-get", "-q", *archive.options, "-oAPT::Update::Error-Mode=any"]
    if subprocess.run([*get, "update"], check=False).returncode != 0:
        raise Unreachable(f"no package lists of {suite}")
    subprocess.run([*get, "--yes", "--download-only", "--no-install-recommends", "install", program],
                   check=True)
    for package in (archive.cache / "archives").glob("*.deb"):
        subprocess.run(["dpkg-deb", "-x", package, root], check=True)
    return root


def wrapper(root, program):
    """A script that runs a program of a root with the root's loader and libraries."""
    loaders = [path for folder in ("lib64", "usr/lib64", "lib", "usr/lib")
               for path in sorted((root / folder).rglob("ld-linux*.so.*"))]
    if not loaders:
        sys.exit(f"{root} has no loader")
    libraries = ":".join(str(folder) for folder in sorted(root.glob("**/lib/*-linux-gnu")))
    script = root / program
    words = [str(loaders[0]), "--library-path", libraries, str(root / "usr/bin" / program)]
    script.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
    script.chmod(0o755)
    return script


def passes(api_test, suite, version, cache):
    program = f"llvm-spirv-{version}"
    translator = wrapper(unpacked(cache, suite, program), program)
    told = subprocess.run([translator, "--version"], text=True, capture_output=True, check=True).stdout
    if not re.search(rf"LLVM version {version}\.", told):
        sys.exit(f"{translator} is another version: {told}")
    run = subprocess.run([api_test, f"--gtest_filter={TESTS}", "--gtest_brief=1"], text=True, check=False,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         env={**os.environ, "RIVULET_LLVM_SPIRV": str(translator)})
    print(f"{program} of {suite}:\n{run.stdout}", flush=True)
    return run.returncode == 0 and WITHOUT_TRANSLATOR not in run.stdout


def main():
    cache, api_test = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    versions = [word.split(":") for word in sys.argv[3:]]
    try:
        failed = [version for suite, version in versions if not passes(api_test, suite, version, cache)]
    except Unreachable as reason:
        print("skipped:", reason)
        return 77
    return f"failed with llvm-spirv {', '.join(failed)}" if failed else 0


if __name__ == "__main__":
    sys.exit(main())
