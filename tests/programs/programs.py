# SPDX-License-Identifier: Apache-2.0
"""Runs programs on the device, as a user would, and checks what they leave behind."""
import contextlib
import ctypes
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest

BUILD = pathlib.Path(os.environ["RIVULET_BUILD"])
SOURCE = pathlib.Path(__file__).resolve().parents[2]
VECADD = BUILD / "examples/vecadd/vecadd"
PHOTO = BUILD / "examples/photo/photo"
# The system's Python, which has NumPy and pyopencl.
PYTHON = re.search(r"^RIVULET_SYSTEM_PYTHON:FILEPATH=(.*)$", (BUILD / "CMakeCache.txt").read_text(),
                   re.MULTILINE).group(1)

EMPTY = tempfile.TemporaryDirectory()  # of this process alone
ABSENT = EMPTY.name + "/absent"  # a path that no other user can create

PR_SET_CHILD_SUBREAPER = 36
# Processes left running by a program become children of this one, where they can be found.
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def run(*command, seconds=300, **environment):
    """Returns the finished process; a hang raises an exception. Settings of None are unset."""
    settings = {**os.environ, **environment}
    return subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL,
                          env={name: str(value) for name, value in settings.items()
                               if value is not None},
                          capture_output=True, text=True, timeout=seconds)


def descendants():
    """Ids and names of the processes adopted or started by this one and not yet waited for."""
    parents = {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except OSError:
            continue  # it has just ended
        name, rest = text[text.index("(") + 1:].rsplit(")", 1)
        state, parent = rest.split()[:2]
        if state != "Z":
            parents[int(stat.parent.name)] = (int(parent), name)
    found, new = {}, {os.getpid()}
    while new:
        new = {pid for pid, (parent, _) in parents.items() if parent in new}
        found.update((pid, parents[pid][1]) for pid in new)
    return found


def descendants_after(seconds):
    """The processes that are still there when `seconds` are over; returns early when all have ended."""
    deadline = time.monotonic() + seconds
    while (left := descendants()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return left


class ProgramTest(unittest.TestCase):
    def tearDown(self):
        left = descendants_after(10)
        for pid in left:  # otherwise they hold CTest's pipe, and it waits for them
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.assertEqual(list(left.values()), [], "processes left over")

    def assert_fails(self, process, *words):
        """It ended by itself, with an error message that contains `words`."""
        self.assertGreater(process.returncode, 0, process)  # negative: killed by a signal
        for word in words:
            self.assertIn(word.lower(), (process.stderr + process.stdout).lower())
