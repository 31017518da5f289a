# SPDX-License-Identifier: Apache-2.0
"""The expected result of each test: a text file per machine, one line a test.

    pass  api/Copy.Rectangles
    fail  cts.basic/vload_half      # rounds ties away from zero
    avoid cts.math_brute_force/*    # hours on an emulator

`avoid` keeps tests from being started, the others are results. A name may hold the wildcards of a
shell; a line with the name itself counts before one with wildcards, and later ones before earlier.
"""
import fnmatch
import pathlib
import re

from errors import UsageError
from verdict import SEVERITY

WORDS = ("pass", "skip", "flaky", "fail", "crash", "hang", "avoid")
LINE = re.compile(r"(\w+)\s+(\S+)\s*(?:#\s*(.*))?")


def is_pattern(name):
    return any(letter in name for letter in "*?[")


class Expectations:
    """The expectations for one machine."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.head = []  # comment lines at the top
        self.exact, self.patterns = {}, {}
        if self.path.is_file():
            for number, line in enumerate(self.path.read_text().splitlines(), 1):
                self.add_line(number, line.strip())

    def add_line(self, number, line):
        if not line or line.startswith("#"):
            if line and not self.exact and not self.patterns:
                self.head.append(line)
            return
        match = LINE.fullmatch(line)
        if not match or match[1] not in WORDS:
            raise UsageError(f"{self.path}:{number}: not STATUS SUITE/TEST # REASON with a status "
                             "out of " + ", ".join(WORDS))
        table = self.patterns if is_pattern(match[2]) else self.exact
        table.pop(match[2], None)
        table[match[2]] = (match[1], match[3] or "")

    def find(self, name):
        """(status, reason) of a test; (None, "") if nothing is known of it."""
        if name in self.exact:
            return self.exact[name]
        for pattern in reversed(self.patterns):
            if fnmatch.fnmatchcase(name, pattern):
                return self.patterns[pattern]
        return None, ""

    def missing(self, names, suites):
        """Tests of these suites that are expected and that the suites no longer have."""
        return sorted(set(name for name in self.exact if name.split("/")[0] in suites)
                      - set(names))

    def update(self, statuses, suites, whole):
        """Takes over results; if `whole` suites were run, tests that they lost are forgotten."""
        if whole:
            for name in self.missing(statuses, suites):
                if self.exact[name][0] != "avoid":
                    del self.exact[name]
        for name, status in statuses.items():
            before, reason = self.find(name)
            if before == status or status in ("error", "missing"):
                continue
            if status == "pass" and before == "flaky":
                continue  # it may be one of its good runs
            self.exact[name] = (status, reason if status != "pass" and before != "pass" else "")

    def save(self):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lines = list(self.head) or ["# Expected results; `rivulet conformance run --help` tells "
                                    "the format."]
        for name, (status, reason) in [*self.patterns.items(), *sorted(self.exact.items())]:
            lines.append(f"{status:<5} {name}" + (f"  # {reason}" if reason else ""))
        self.path.write_text("\n".join(lines) + "\n")


def judge(status, expected):
    """"ok", "worse", "better" or "new" (a test without an expectation that did not fail)."""
    if expected is None:
        return "new" if SEVERITY[status] < SEVERITY["flaky"] else "worse"
    if expected == "flaky" and SEVERITY[status] <= SEVERITY["flaky"]:
        return "ok"
    difference = SEVERITY[status] - SEVERITY[expected]
    return "worse" if difference > 0 else "better" if difference < 0 else "ok"
