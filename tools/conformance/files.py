# SPDX-License-Identifier: Apache-2.0
"""Atomic replacement of files."""
import os
import pathlib
import shutil


def write(path, text):
    """Replaces a file's content; if that fails, on a full disk for example, the file is unchanged."""
    path = pathlib.Path(path).resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, beside)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
