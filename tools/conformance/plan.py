# SPDX-License-Identifier: Apache-2.0
"""The plan of a run: every test of every suite on every machine."""
import dataclasses
import fnmatch
import json
import pathlib
import shlex

import cts
import files
import kinds
from errors import UsageError
from machines import Machine
from expectations import is_pattern
from manifest import Suite, matches

NAME = "plan.json"
FORMAT = 3


@dataclasses.dataclass(frozen=True)
class Item:
    machine: Machine
    suite: Suite
    test: str

    @property
    def name(self):
        return f"{self.suite.name}/{self.test}"

    @property
    def key(self):
        return f"{self.machine.name} {self.name}"

    @property
    def settings(self):
        """Variables that the test needs in addition to the caller's environment."""
        return {**self.suite.environment, **self.machine.environment()}

    @property
    def command(self):
        return kinds.KINDS[self.suite.kind].command(self.suite, self.test, "")

    def repeat(self, common):
        """A shell command that reruns the test."""
        settings = {**common, **self.settings}
        folder = kinds.KINDS[self.suite.kind].folder(self.suite)
        line = " ".join([*(f"{name}={shlex.quote(value)}" for name, value in settings.items()),
                         shlex.join(self.command)])
        return f"(cd {shlex.quote(folder)} && {line})" if folder else line


def is_selected(name, only, exclude):
    """True if --only and --exclude select SUITE/TEST."""
    return ((not only or any(matches(name, pattern) for pattern in only))
            and not any(matches(name, pattern) for pattern in exclude))


def items_of(suites, machines, environment, only, exclude):
    """All items in the order machine, suite, test; patterns are of SUITE/TEST.

    Also the keys of sub-tests that a program of the CTS has and its row in the list does not select.
    """
    items, unselected = [], []
    for suite in suites:
        fitting = [machine for machine in machines if suite.runs_on(machine.name)]
        if not fitting or (only and not any(may_match(suite.name, p) for p in only)):
            continue
        first = {**environment, **suite.environment, **fitting[0].environment()}
        listed = kinds.KINDS[suite.kind].list(suite, first)
        if suite.kind == "cts":
            everything, listed = listed, cts.select(suite, listed)
            unselected += [f"{machine.name} {suite.name}/{test}" for machine in fitting
                           for test in sorted(set(everything) - set(listed))]
        tests = sorted(test for test in dict.fromkeys(listed) if suite.selects(test))
        if not tests:
            raise UsageError(f"the suite {suite.name} has no test that its manifest selects")
        for machine in fitting:
            for test in tests:
                item = Item(machine, suite, test)
                if is_selected(item.name, only, exclude):
                    items.append(item)
    if not items:
        raise UsageError("no test is selected; `rivulet conformance list` shows what there is")
    order = {machine.name: index for index, machine in enumerate(machines)}
    return (sorted(items, key=lambda item: (order[item.machine.name], item.suite.name, item.test)),
            unselected)


def may_match(suite, pattern):
    """False if no test of the suite can match the pattern, so that it need not be listed."""
    return fnmatch.fnmatchcase(suite, pattern.partition("/")[0]) or "/" not in pattern


@dataclasses.dataclass
class Plan:
    """The facts of a run that merge and report need; the same for all its shards but for `shard`."""
    machines: list
    suites: list
    keys: list
    repeats: dict
    absent: list    # suites in a list that have not been built
    avoided: list   # [key, reason] of tests that expectations say not to start
    known: list     # keys that --unknown left out
    unselected: list  # keys of sub-tests that a row of the CTS's list does not select
    only: list      # patterns of --only and --exclude
    exclude: list
    part: bool      # --part: other suites and machines may have expectations
    named: list     # suites that manifests and lists name, built or not
    facts: dict     # facts.gather(): builds, date, host
    shard: str = "1/1"
    mine: list = dataclasses.field(default_factory=list)

    def save(self, folder):
        files.write(pathlib.Path(folder) / NAME,
                    json.dumps({"format": FORMAT, **dataclasses.asdict(self)}) + "\n")

    @staticmethod
    def load(folder):
        path = pathlib.Path(folder) / NAME
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            if content.pop("format") != FORMAT:
                raise UsageError(f"{path} is of another version of this command")
            plan = Plan(**content)
            plan.check()
            return plan
        except OSError as error:
            raise UsageError(f"{path}: {error.strerror}; name the --output folder of a run"
                             ) from None
        except (ValueError, TypeError, KeyError, AttributeError):
            raise UsageError(f"{path} is damaged; run again with another --output") from None

    def check(self):
        """Raises a Python exception if the file is not a valid plan."""
        names = {machine["name"] for machine in self.machines}
        if any(not isinstance(text, str) for text in self.facts.values()):
            raise ValueError
        for machine in self.machines:
            if machine["file_name"] != Machine(machine["name"], 0).file_name:
                raise ValueError
        if any(key.rpartition(" ")[0] not in names or "/" not in key for key in self.keys):
            raise ValueError
        texts = [*self.suites, *self.mine, *self.repeats.values(), *self.absent, self.shard,
                 *self.known, *self.unselected, *self.only, *self.exclude, *self.named]
        for key, reason in self.avoided:
            texts += [key, reason]
        if not all(isinstance(text, str) for text in texts):
            raise TypeError

    @property
    def whole(self):
        """True if no test was left out by --only, --exclude or --unknown."""
        return not self.only and not self.exclude and not self.known

    def present_keys(self):
        """Keys of all existing tests, run or not."""
        return [*self.keys, *(key for key, _ in self.avoided), *self.known,
                *(self.unselected if self.part else [])]

    def should_have(self, name):
        """True if this run should include a test with that name or pattern."""
        if is_pattern(name) and (self.only or self.exclude):
            return False  # it is unknown which of its tests they select
        return (is_selected(name, self.only, self.exclude)
                and (not self.part or name.split("/")[0] in self.named))

    def same_tests(self, other):
        return (self.keys, self.machines) == (other.keys, other.machines)

    def check_same_build(self, other, where):
        """Results of different builds in one report would be results of none."""
        for name in "rivulet", "cts":
            one, two = (plan.facts.get(name) for plan in (other, self))
            if one and two and one != two:  # a node may be unable to tell
                raise UsageError(f"{where} are of different builds: {name} {one} and {two}; run "
                                 "the tests of one of them again, with another --output")
