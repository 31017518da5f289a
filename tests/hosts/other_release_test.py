#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The other Debian release that this tree is built and tested on, from nothing.

    other_release_test.py SOURCE CACHE [--suite SUITE] [--compiler-cache FOLDER] [COMMAND...]

Makes a root like an ordinary container image, without package lists, backports and anything that isn't
essential, copies the working copy SOURCE into it, and runs each COMMAND of ./dev: `demo`, then `test`.
Downloaded packages are kept in CACHE. SUITE is another release than this system's, if not given. With a
FOLDER the root has ccache, which keeps objects there, so that a second run takes less time.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from clean_root import Root, missing
from debian import RELEASES, release

CCACHE = {"CCACHE_DIR": "/ccache", "CCACHE_NOHASHDIR": "1", "CCACHE_SLOPPINESS": "pch_defines,time_macros",
          "CMAKE_C_COMPILER_LAUNCHER": "ccache", "CMAKE_CXX_COMPILER_LAUNCHER": "ccache"}


def copy(source, folder):
    """What git knows of the working copy, with its changes, as a repository with one commit."""
    subprocess.run(["git", "clone", "--quiet", "--depth=1", f"file://{source}", folder], check=True)
    changes = subprocess.run(["git", "diff", "--binary", "HEAD"], cwd=source, check=True,
                             stdout=subprocess.PIPE).stdout
    if changes:
        subprocess.run(["git", "apply", "-"], cwd=folder, input=changes, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("cache", type=lambda word: pathlib.Path(word).resolve())
    parser.add_argument("--suite", default=next(name for name in RELEASES if name != release()))
    parser.add_argument("--compiler-cache", type=lambda word: pathlib.Path(word).resolve())
    parser.add_argument("command", nargs="*", default=["demo", "test"])
    options = parser.parse_intermixed_args()
    why = missing()
    if why:
        print("skipped:", why)
        return 77
    options.cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="other-release-", dir=options.cache) as scratch:
        variables, include, folders = {}, (), {}
        if options.compiler_cache:
            options.compiler_cache.mkdir(parents=True, exist_ok=True)
            variables, include, folders = CCACHE, ("ccache",), {"ccache": options.compiler_cache}
        root = Root(pathlib.Path(scratch) / "root", options.cache / "archives", options.suite,
                    include=include, folders=folders)
        lists = [path for path in (root.top / "var/lib/apt/lists").rglob("*") if path.is_file()]
        if any(path.name != "lock" for path in lists):
            sys.exit(f"the root has package lists: {lists}")
        copy(options.source, root.top / "src")
        for command in options.command:
            print(f"+ ./dev {command}", flush=True)
            words, environment = root.entered("sh", "-c", f"cd /src && exec ./dev {command}", **variables)
            if subprocess.run(words, env=environment, stdin=subprocess.DEVNULL).returncode != 0:
                sys.exit(f"failed on {options.suite}: ./dev {command}")
    print(f"all works on {options.suite}: {', '.join(options.command)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
