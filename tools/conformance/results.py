# SPDX-License-Identifier: Apache-2.0
"""The results of a run: its plan and journal, compared with what is expected.

Folders of several shards, or of one shard that ran twice, give the same results as one run: a test
counts once, with the attempts of all journals; an attempt that two journals have counts once, too.
"""
import collections
import dataclasses
import pathlib

import journal
import verdict
from expectations import Expectations, judge
from plan import Plan

COUNTED = ("pass", "skip", "flaky", "fail", "crash", "hang", "error", "missing")


@dataclasses.dataclass
class Result:
    machine: str
    name: str
    status: str
    expected: str
    reason: str
    outcome: str  # ok, new, better, worse
    attempts: list
    repeat: str

    @property
    def key(self):
        return f"{self.machine} {self.name}"

    @property
    def suite(self):
        return self.name.split("/")[0]

    @property
    def seconds(self):
        return sum(attempt["seconds"] for attempt in self.attempts)

    @property
    def last(self):
        """The most informative attempt: the last bad one, or the last."""
        bad = [a for a in self.attempts if a["status"] not in verdict.GOOD]
        return (bad or self.attempts or [{}])[-1]


def load_attempts(folders):
    """Attempts by key; each has "folder", which contains its log."""
    attempts, known = collections.defaultdict(list), set()
    for folder in folders:
        for entry in journal.read(pathlib.Path(folder) / journal.NAME):
            identity = (entry["key"], entry["attempt"], entry["status"], entry["seconds"])
            if identity not in known:
                known.add(identity)
                attempts[entry["key"]].append({**entry, "folder": str(folder)})
    for entries in attempts.values():
        entries.sort(key=lambda entry: (entry["attempt"], entry["status"]))
    return attempts


def log_path(attempt):
    """The file of an attempt's log, or None; links may point outside the run's folder."""
    path = pathlib.Path(attempt["folder"]) / attempt["log"]
    return path if attempt["log"] and path.is_file() and not path.is_symlink() else None


class Results:
    """All results of a run, or of one of its shards."""

    def __init__(self, folder, expectations_folder):
        self.plan = Plan.load(folder)
        self.attempts = load_attempts([folder])
        self.folder = pathlib.Path(expectations_folder) if expectations_folder else None
        self.expectations = {m["name"]: self.expectations_of(m) for m in self.plan.machines}
        chosen = set(self.plan.mine)
        self.results = [self.result(key) for key in self.plan.keys if key in chosen]
        self.lost = self.lost_tests()
        self.lost_machines = self.lost_expectation_files()

    def expectations_of(self, machine):
        if self.folder is None:
            return Expectations(None)
        return Expectations(self.folder / (machine["file_name"] + ".txt"))

    def result(self, key):
        machine, name = key.rsplit(" ", 1)
        attempts = self.attempts.get(key, [])
        status = verdict.of_attempts([attempt["status"] for attempt in attempts])
        expected, reason = self.expectations[machine].find(name)
        return Result(machine, name, status, expected or "", reason, judge(status, expected),
                      attempts, self.plan.repeats.get(key, ""))

    def lost_tests(self):
        """Keys of tests that are expected, and that the run should have had and does not.

        --only and --exclude narrow what it should have had. A run of a part need have no suite that
        its manifests and lists do not name, and no sub-test that a list's row does not select.
        """
        plan, lost = self.plan, []
        for machine, expectations in self.expectations.items():
            names = {name for key in plan.present_keys()
                     for of, _, name in [key.rpartition(" ")] if of == machine}
            lost += [f"{machine} {name}" for name in expectations.gone(names)
                     if plan.should_have(name)]
        return lost

    def lost_expectation_files(self):
        """Names of expectation files for machines that are not in the run."""
        if self.folder is None or self.plan.part:
            return []
        ours = {machine["file_name"] for machine in self.plan.machines}
        return sorted({path.stem for path in self.folder.glob("*.txt")} - ours)

    def lost_by_suite(self):
        """{(machine, suite): tests} of suites that have no result, and the other lost keys."""
        suites, tests = collections.Counter(), []
        have = {(key.rpartition(" ")[0], key.rpartition(" ")[2].split("/")[0])
                for key in self.plan.present_keys()}
        for key in self.lost:
            machine, _, name = key.rpartition(" ")
            if (machine, name.split("/")[0]) in have:
                tests.append(key)
            else:
                suites[machine, name.split("/")[0]] += 1
        return suites, tests

    def of_outcome(self, *outcomes):
        return [result for result in self.results if result.outcome in outcomes]

    @property
    def green(self):
        return not self.lost and not self.lost_machines and not self.of_outcome("worse")

    def counts(self, results=None):
        counted = collections.Counter(r.status for r in (self.results if results is None
                                                         else results))
        return {status: counted[status] for status in COUNTED if counted[status]}

    def update_expectations(self):
        """Rewrites the expectations; returns the paths."""
        paths = []
        for machine, expectations in self.expectations.items():
            statuses = {r.name: r.status for r in self.results if r.machine == machine}
            # A suite that is lost as a whole stays expected: otherwise its absence would go unnoticed.
            suites = {name.split("/")[0] for name in statuses}
            lost = [key.rpartition(" ")[2] for key in self.lost
                    if key.rpartition(" ")[0] == machine]
            whole = self.plan.whole and len(self.results) == len(self.plan.keys)
            expectations.update(statuses, [name for name in lost if name.split("/")[0] in suites]
                                if whole else [])
            expectations.save()
            paths.append(expectations.path)
        return paths

    def accuracy(self):
        """[machine, function, type, error, limit], the worst of each."""
        worst = {}
        for result in self.results:
            for attempt in result.attempts:
                for function, kind, error, limit in attempt.get("accuracy", []):
                    key = (result.machine, function, kind)
                    if key not in worst or error > worst[key][0]:
                        worst[key] = (error, limit)
        return [[*key, *value] for key, value in sorted(worst.items())]

    def log_of(self, attempt):
        if not attempt.get("log"):
            return ""
        path = log_path(attempt)
        return path.read_text("utf-8", "replace") if path else "(the log is gone)"

    def as_data(self):
        """The contents of report.json. Times are in "seconds" and in "facts"."""
        return {
            "format": 1,
            "green": self.green,
            "facts": self.plan.facts,
            "counts": self.counts(),
            "outcomes": dict(sorted(collections.Counter(
                r.outcome for r in self.results).items())),
            "machines": self.plan.machines,
            "suites": self.plan.suites,
            "absent": self.plan.absent,
            "avoided": self.plan.avoided,
            "lost": self.lost,
            "lost_machines": self.lost_machines,
            "accuracy": self.accuracy(),
            "results": [{
                "machine": r.machine, "test": r.name, "status": r.status, "expected": r.expected,
                "reason": r.reason, "outcome": r.outcome, "seconds": round(r.seconds, 3),
                "attempts": [{"status": a["status"], "exit": a["exit"], "note": a["note"]}
                             for a in r.attempts],
                "repeat": r.repeat} for r in self.results],
        }
