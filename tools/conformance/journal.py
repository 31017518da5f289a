# SPDX-License-Identifier: Apache-2.0
"""The journal of a run: one JSON object a line, only ever appended to.

A run that is killed leaves whole lines and at most one torn line at the end, which is dropped. Each
line is one attempt at one test; a test whose attempts are not there, or not enough, runs again.
"""
import fcntl
import json
import os
import pathlib

from errors import UsageError
from verdict import SEVERITY

NAME = "journal.jsonl"


def checked(attempt):
    """Parses an attempt; raises a Python exception if the file is invalid."""
    key, log = attempt["key"], attempt["log"]
    if attempt["status"] not in SEVERITY or not all(
            isinstance(text, str) for text in (key, log, attempt["note"])):
        raise ValueError
    if not (0 < attempt["attempt"] < 1e6 and 0 <= attempt["seconds"] < 1e9):
        raise ValueError
    # Reports show logs, and a merge copies them: they are files of the run.
    if log and (not log.startswith("logs/") or ".." in log.split("/") or "\0" in log):
        raise ValueError
    attempt["exit"]
    for function, kind, error, limit in attempt["accuracy"]:
        error + (limit or 0.0), function + kind
    return attempt


def read(path):
    """The attempts in a journal, in order, without an incomplete last line."""
    try:
        data = pathlib.Path(path).read_bytes()
    except FileNotFoundError:
        return []
    attempts = []
    for number, line in enumerate(data[:data.rfind(b"\n") + 1].splitlines(), 1):
        try:
            attempts.append(checked(json.loads(line)))
        except (ValueError, TypeError, KeyError, AttributeError):
            raise UsageError(f"{path}:{number}: not a line of a journal; delete the line, and "
                             "--resume repeats its test") from None
    return attempts


def line_of(attempt):
    return json.dumps(attempt, sort_keys=True) + "\n"


class Journal:
    """The journal of this process, locked against other processes."""

    def __init__(self, folder):
        path = pathlib.Path(folder) / NAME
        self.file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self.file)
            raise UsageError(f"another run is writing {path}; choose another --output") from None
        whole = path.read_bytes()
        os.ftruncate(self.file, whole.rfind(b"\n") + 1)
        os.lseek(self.file, 0, os.SEEK_END)

    def append(self, attempt):
        line = line_of(attempt).encode()
        while line:
            line = line[os.write(self.file, line):]
        os.fsync(self.file)

    def close(self):
        os.close(self.file)
