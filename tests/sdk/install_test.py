#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs this build, and moves the tree: the other tests of this folder use it.

    install_test.py CMAKE BUILD FIRST MOVED
"""
import pathlib
import shutil
import subprocess
import sys

cmake, build = sys.argv[1:3]
first, moved = map(pathlib.Path, sys.argv[3:])
for folder in (first, moved):
    shutil.rmtree(folder, ignore_errors=True)
subprocess.run([cmake, "--install", build, "--prefix", first, "--strip"], check=True,
               stdout=subprocess.DEVNULL)
first.rename(moved)
