# SPDX-License-Identifier: Apache-2.0
"""The expected result of each test: a text file per machine.

    fail  cts.basic/vload_half      # rounds ties away from zero
    avoid cts.math_brute_force/*    # hours on an emulator
    skip  cts.pipes/                # pipes are not supported
          pipe_info pipe_max_args
    pass  api/ Copy.Rectangles Copy.Buffers
          Map.Regions

`avoid` keeps tests from being started, the others are results. A line is of one test, or of several
of a suite: their names follow `SUITE/` and go on in lines that begin with a blank. So --update writes
the tests that pass, which are listed for the day when one is gone. A name may hold the wildcards of a
shell; the name itself counts before one with wildcards, and later lines before earlier.
"""
import bisect
import dataclasses
import pathlib
import re
import textwrap

import files
from errors import UsageError
from manifest import matches
from verdict import SEVERITY

WORDS = ("pass", "skip", "flaky", "fail", "crash", "hang", "avoid")
LINE = re.compile(r"(\w+)\s+([^\s/]+/)(\S+|(?:\s+[^\s#]\S*)*)\s*(?:#\s*(.*))?")
WIDTH = 100 # of the lines that an update writes
INDENT = " " * 6
HEAD = "# Expected results; `rivulet conformance run --help` tells the format."


def is_pattern(name):
    return any(letter in name for letter in "*?[")


@dataclasses.dataclass
class Line:
    """A line, including continuation lines with names; a comment has no status."""
    text: str = ""     # as read
    status: str = ""
    reason: str = ""
    suite: str = ""    # with its slash, if the line may be of several tests
    names: list = dataclasses.field(default_factory=list)
    names_as_read: list = None

    @staticmethod
    def read(text):
        """Returns None if it is not a valid line."""
        match = LINE.fullmatch(text.strip())
        if not match or match[1] not in WORDS:
            return None
        status, suite, tests, reason = match.groups()
        names = [suite + test for test in tests.split()]
        several = not tests or tests[0].isspace()
        return Line(text, status, reason or "", suite if several else "", names, names)

    def go_on(self, text):
        names = [self.suite + test for test in text.split()]
        self.text += "\n" + text
        self.names += names # which is names_as_read, too
        return names

    def takes(self, name, entry):
        """True if a test with this entry can be added to this line."""
        return (bool(self.suite) and entry == (self.status, self.reason)
                and name.startswith(self.suite) and not is_pattern(name)
                and not name.startswith(self.suite + "#")) # which would begin a comment

    def write(self):
        if not self.status or self.names == self.names_as_read:
            return self.text
        reason = f"  # {self.reason}" if self.reason else ""
        head = f"{self.status:<5} {self.suite}"
        if not self.suite:
            return head + self.names[0] + reason
        names = " ".join(name.removeprefix(self.suite) for name in self.names)
        if len(line := f"{head} {names}{reason}") <= WIDTH:
            return line
        return f"{head}{reason}\n" + textwrap.fill(
            names, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT,
            break_long_words=False, break_on_hyphens=False)


def place(lines, name, entry):
    """Finds a place for a test: a line of its suite, status and reason, or a new one.

    New lines of tests that pass are of a suite and stand at the end, in the order of suites. Others are
    of one test and stand behind that of the name which comes before its own.
    """
    for line in lines:
        if line.takes(name, entry):
            bisect.insort(line.names, name)
            return
    new = Line("", *entry, name.partition("/")[0] + "/", [name])
    if new.takes(name, ("pass", "")):
        at = next((number for number, line in enumerate(lines)
                   if (line.status, line.reason) == entry and line.suite > new.suite), len(lines))
    else:
        new.suite = ""
        before = [(line.names[0], number) for number, line in enumerate(lines)
                  if line.names and not line.suite and line.names[0] < name
                  and not is_pattern(line.names[0])]
        first = next((number for number, line in enumerate(lines) if line.status), len(lines))
        at = max(before)[1] + 1 if before else first
    lines.insert(at, new)


class Expectations:
    """The expectations for one machine."""

    def __init__(self, path):
        self.path = pathlib.Path(path) if path else None  # None: nothing is expected
        self.entries = {}  # (status, reason) of names, some of which are patterns
        self.patterns = {}  # their keys; those that count more are further back
        self.lines = []  # as read
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

    def add_line(self, number, text):
        if not text.strip() or text.strip().startswith("#"):
            self.lines.append(Line(text))
            return
        goes_on = text[0].isspace() and self.lines and self.lines[-1].suite
        line = self.lines[-1] if goes_on else Line.read(text)
        if not line:
            raise UsageError(f"{self.path}:{number}: not STATUS SUITE/TEST # REASON with a status "
                             "out of " + ", ".join(WORDS))
        names = line.go_on(text) if goes_on else line.names
        if not goes_on:
            self.lines.append(line)
        for name in names:
            self.set(name, line.status, line.reason)

    def set(self, name, status, reason):
        self.entries[name] = (status, reason)
        self.patterns.pop(name, None)
        if is_pattern(name):
            self.patterns[name] = None

    def find(self, name):
        """(status, reason) of a test; (None, "") if it is unknown."""
        if name in self.entries:
            return self.entries[name]
        for pattern in reversed(self.patterns):
            if matches(name, pattern):
                return self.entries[pattern]
        return None, ""

    def gone(self, names):
        """Expected tests that are not in `names`, and patterns that match none of them."""
        names = set(names)
        return sorted(name for name, (status, _) in self.entries.items()
                      if status != "avoid" and name not in names
                      and not (is_pattern(name) and any(matches(one, name) for one in names)))

    def update(self, statuses, gone):
        """Adopts results, and removes tests that no longer exist."""
        for name in gone:
            del self.entries[name]
            self.patterns.pop(name, None)
        for name, status in statuses.items():
            before, reason = self.find(name)
            if before in (status, "avoid") or status in ("error", "missing"):
                continue
            if status == "pass" and before == "flaky":
                continue  # it may have passed by chance
            if name in self.entries and not is_pattern(name):
                del self.entries[name]
                if self.find(name)[0] == status:
                    continue  # it is no exception any more
            self.set(name, status, reason if status != "pass" and before != "pass" else "")

    def text(self):
        """The file as it was read, except for what an update has changed."""
        last = {name: number for number, line in enumerate(self.lines) for name in line.names}
        lines = [] if self.lines else [Line(HEAD)]
        homeless = dict(self.entries)
        for number, line in enumerate(self.lines):
            names = [name for name in dict.fromkeys(line.names)
                     if last[name] == number # else a later line counts
                     and self.entries.get(name) == (line.status, line.reason)]
            for name in names:
                del homeless[name]
            if names or not line.status:
                lines.append(dataclasses.replace(line, names=names))
        for name, entry in sorted(homeless.items()):
            place(lines, name, entry)
        return "\n".join(line.write() for line in lines) + "\n"

    def save(self):
        files.write(self.path, self.text())


def judge(status, expected):
    """"ok", "worse", "better" or "new" (a test without an expectation that did not fail)."""
    if expected == "avoid":
        return "ok"  # it ran before that was recorded
    if expected is None:
        return "new" if SEVERITY[status] < SEVERITY["flaky"] else "worse"
    if expected == "flaky" and SEVERITY[status] <= SEVERITY["flaky"]:
        return "ok"
    difference = SEVERITY[status] - SEVERITY[expected]
    return "worse" if difference > 0 else "better" if difference < 0 else "ok"
