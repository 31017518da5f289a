#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""C and C++ files look as clang-format leaves them: `./dev format` formats them.

    format.py CLANG-FORMAT [SOURCE-DIRECTORY]
"""
import pathlib
import subprocess
import sys

from sources import source_files

FORMATTED = (".c", ".h", ".cpp", ".hpp")


def main():
    clang_format = sys.argv[1]
    top = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ".")
    files = [name for name in source_files(top) if name.endswith(FORMATTED)]
    run = subprocess.run([clang_format, "--dry-run", "--Werror", *files], cwd=top)
    print(f"{len(files)} files" + ("; ./dev format mends it" if run.returncode else ""))
    return 1 if run.returncode or not files else 0


if __name__ == "__main__":
    sys.exit(main())
