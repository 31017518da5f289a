# SPDX-License-Identifier: Apache-2.0
"""The expected result of each test: a text file per machine, one line a test.

    pass  api/Copy.Rectangles
    fail  cts.basic/vload_half      # rounds ties away from zero
    avoid cts.math_brute_force/*    # hours on an emulator

`avoid` keeps tests from being started, the others are results. A name may hold the wildcards of a
shell; a line with the name itself counts before one with wildcards, and later ones before earlier.
"""
import bisect
import pathlib
import re

import files
from errors import UsageError
from manifest import matches
from verdict import SEVERITY

WORDS = ("pass", "skip", "flaky", "fail", "crash", "hang", "avoid")
LINE = re.compile(r"(\w+)\s+(\S+)\s*(?:#\s*(.*))?")
HEAD = "# Expected results; `rivulet conformance run --help` tells the format."


def is_pattern(name):
    return any(letter in name for letter in "*?[")


def entry_of(line):
    """(name, status, reason) of a line; None if it is not one of an expectation."""
    match = LINE.fullmatch(line.strip())
    return (match[2], match[1], match[3] or "") if match and match[1] in WORDS else None


class Expectations:
    """The expectations for one machine."""

    def __init__(self, path):
        self.path = pathlib.Path(path) if path else None  # None: nothing is expected
        self.entries = {}  # (status, reason) of names, some of which are patterns
        self.patterns = {}  # their keys; those that count more are further back
        self.lines = []  # (name, text) as read; the name is None for comments and blank lines
        if self.path is None:
            return
        try:
            text = self.path.read_text(encoding="utf-8")
        except (FileNotFoundError, NotADirectoryError):
            return
        except UnicodeDecodeError:
            raise UsageError(f"{self.path} is not UTF-8; convert it, with iconv for example"
                             ) from None
        for number, line in enumerate(text.splitlines(), 1):
            self.add_line(number, line)

    def add_line(self, number, line):
        text = line.strip()
        if not text or text.startswith("#"):
            self.lines.append((None, line))
            return
        entry = entry_of(line)
        if not entry:
            raise UsageError(f"{self.path}:{number}: not STATUS SUITE/TEST # REASON with a status "
                             "out of " + ", ".join(WORDS))
        self.set(*entry)
        self.lines.append((entry[0], line))

    def set(self, name, status, reason):
        self.entries[name] = (status, reason)
        self.patterns.pop(name, None)
        if is_pattern(name):
            self.patterns[name] = None

    def find(self, name):
        """(status, reason) of a test; (None, "") if nothing is known of it."""
        if name in self.entries:
            return self.entries[name]
        for pattern in reversed(self.patterns):
            if matches(name, pattern):
                return self.entries[pattern]
        return None, ""

    def gone(self, names):
        """Expected tests that are not among `names`, and patterns that match none of them."""
        names = set(names)
        return sorted(name for name, (status, _) in self.entries.items()
                      if status != "avoid" and name not in names
                      and not (is_pattern(name) and any(matches(one, name) for one in names)))

    def update(self, statuses, gone):
        """Takes over results, and forgets the tests that are gone."""
        for name in gone:
            del self.entries[name]
            self.patterns.pop(name, None)
        for name, status in statuses.items():
            before, reason = self.find(name)
            if before in (status, "avoid") or status in ("error", "missing"):
                continue
            if status == "pass" and before == "flaky":
                continue  # it may be one of its good runs
            self.set(name, status, reason if status != "pass" and before != "pass" else "")

    def text(self):
        """The file as it was read, but for what an update has changed.

        The line of a new test stands behind that of the name which comes before its own.
        """
        last = {name: number for number, (name, _) in enumerate(self.lines)}
        known = sorted(name for name in last if name and not is_pattern(name))
        behind = {}
        for name in sorted(self.entries.keys() - last.keys()):
            at = bisect.bisect(known, name)
            behind.setdefault(known[at - 1] if at else None, []).append(self.line_of(name))
        first = behind.pop(None, [])
        lines = []
        for number, (name, text) in enumerate(self.lines):
            if name is None:
                lines.append(text)
            elif last[name] == number:  # else a later line counts
                if known and name == known[0]:
                    lines += first
                if name in self.entries:
                    same = entry_of(text) == (name, *self.entries[name])
                    lines.append(text if same else self.line_of(name))
                lines += behind.get(name, [])
        return "\n".join((lines or [HEAD]) + (first if not known else [])) + "\n"

    def line_of(self, name):
        status, reason = self.entries[name]
        return f"{status:<5} {name}" + (f"  # {reason}" if reason else "")

    def save(self):
        files.write(self.path, self.text())


def judge(status, expected):
    """"ok", "worse", "better" or "new" (a test without an expectation that did not fail)."""
    if expected == "avoid":
        return "ok"  # it ran before that was written
    if expected is None:
        return "new" if SEVERITY[status] < SEVERITY["flaky"] else "worse"
    if expected == "flaky" and SEVERITY[status] <= SEVERITY["flaky"]:
        return "ok"
    difference = SEVERITY[status] - SEVERITY[expected]
    return "worse" if difference > 0 else "better" if difference < 0 else "ok"
