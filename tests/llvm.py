# SPDX-License-Identifier: Apache-2.0
"""LLVM's programs, whose names have a version on Debian, and elsewhere only a folder in PATH."""
import shutil

VERSION = 22


def tool(name):
    return shutil.which(f"{name}-{VERSION}") or name
