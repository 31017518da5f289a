# SPDX-License-Identifier: Apache-2.0
"""Manifests: TOML files that say which suites there are and how their tests are run.

    [suite.api]
    kind = "gtest"                          # gtest, cts, piglit or plain
    program = "{build}/tests/api/rivulet_api_test"
    arguments = ["--gtest_brief=0"]         # in front of what selects a test
    only = ["Copy.*"]                       # patterns of tests; all without it
    section = { "5.2.3" = ["Map.*"] }       # further ones, by what they are the tests of
    exclude = ["Copy.Slow*"]
    machines = ["rv64-*"]                   # patterns of machines; all without it
    timeout = 120                           # seconds per test
    environment = { RIVULET_TIME_LIMIT = "2" }
    timeouts = { "Copy.Large*" = 600 }      # for tests that need longer

    [suite.tools]
    kind = "plain"                          # passed with 0, skipped with 77, else failed
    tests = { info = ["{build}/bin/rivulet", "info"] }

{manifest} is the manifest's own folder; `--set NAME=VALUE` gives other {NAME}s. The path of a program
counts from where the command is run, as in a shell.
"""
import dataclasses
import fnmatch
import math
import os
import pathlib
import re
import tomllib

from errors import UsageError

KINDS = ("plain", "gtest", "cts", "piglit")
DEFAULT_TIMEOUT = 300
FIELDS = {"kind": str, "program": str, "arguments": list, "only": list, "exclude": list,
          "machines": list, "timeout": (int, float), "environment": dict, "timeouts": dict,
          "tests": dict, "section": dict, "summary": str}


def matches(name, pattern):
    """True if a pattern selects the name; names that contain wildcards select themselves."""
    return name == pattern or fnmatch.fnmatchcase(name, pattern)


@dataclasses.dataclass
class Suite:
    name: str
    kind: str
    program: str = ""
    arguments: list = dataclasses.field(default_factory=list)
    only: list = dataclasses.field(default_factory=list)
    exclude: list = dataclasses.field(default_factory=list)
    machines: list = dataclasses.field(default_factory=list)
    timeout: float = DEFAULT_TIMEOUT
    environment: dict = dataclasses.field(default_factory=dict)
    timeouts: dict = dataclasses.field(default_factory=dict)
    tests: dict = dataclasses.field(default_factory=dict)
    section: dict = dataclasses.field(default_factory=dict)
    summary: str = ""

    def selects(self, test):
        return ((not self.only or any(matches(test, p) for p in self.only))
                and not any(matches(test, p) for p in self.exclude))

    def runs_on(self, machine):
        return not self.machines or any(matches(machine, p) for p in self.machines)

    def timeout_of(self, test):
        for pattern, seconds in self.timeouts.items():
            if matches(test, pattern):
                return seconds
        return self.timeout


def expand(value, variables, where):
    """Replaces {NAME} in all strings of a value."""
    def replace(match):
        if match[1] not in variables:
            raise UsageError(f"{where}: {{{match[1]}}} has no value; add --set {match[1]}=…")
        return str(variables[match[1]])

    if isinstance(value, str):
        return re.sub(r"\{(\w+)\}", replace, value)
    if isinstance(value, list):
        return [expand(entry, variables, where) for entry in value]
    if isinstance(value, dict):
        return {key: expand(entry, variables, where) for key, entry in value.items()}
    return value


def is_word(value):
    """True for a string that can be passed to a program."""
    return isinstance(value, str) and "\0" not in value


def is_duration(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < math.inf


def from_here(program):
    """An absolute program path, because tests run in separate directories."""
    return os.path.abspath(program) if "/" in program else program


def check(name, table, where):
    if not isinstance(table, dict):
        raise UsageError(f"{where}: [suite.{name}] is no table")
    if not re.fullmatch(r"[\w.-]+", name):
        raise UsageError(f'{where}: the suite "{name}" may have letters, digits, . - and _ only')
    for key, value in table.items():
        if key not in FIELDS:
            raise UsageError(f'{where}: [suite.{name}] has no setting "{key}"; there are '
                             + ", ".join(FIELDS))
        if not isinstance(value, FIELDS[key]) or isinstance(value, bool):
            raise UsageError(f'{where}: "{key}" of [suite.{name}] has another type')
        if isinstance(value, (str, list)) and not all(map(is_word, [value] if isinstance(value, str)
                                                          else value)):
            raise UsageError(f'{where}: "{key}" of [suite.{name}] needs strings without NUL')
    if any(not isinstance(patterns, list) or not all(map(is_word, patterns))
           for patterns in table.get("section", {}).values()):
        raise UsageError(f"{where}: section of [suite.{name}] needs lists of patterns")
    if any(not is_word(word) for setting in table.get("environment", {}).items()
           for word in setting) or any(re.search("=|^$", key)
                                       for key in table.get("environment", {})):
        raise UsageError(f'{where}: environment of [suite.{name}] needs NAME = "VALUE"')
    if table.get("kind") not in KINDS:
        raise UsageError(f'{where}: [suite.{name}] needs a kind out of ' + ", ".join(KINDS))
    if not all(map(is_duration, [table.get("timeout", 1), *table.get("timeouts", {}).values()])):
        raise UsageError(f"{where}: [suite.{name}] needs a timeout above 0, and a finite one")
    if table["kind"] == "plain":
        if not table.get("tests"):
            raise UsageError(f"{where}: [suite.{name}] needs tests = {{ NAME = [COMMAND…] }}")
        for test, command in table["tests"].items():
            if not isinstance(command, list) or not command or not all(map(is_word, command)) \
                    or re.search(r"\s|^$|\0", test):
                raise UsageError(f'{where}: the test "{test}" of [suite.{name}] needs a name '
                                 "without blanks and a list of words")
    elif not table.get("program"):
        raise UsageError(f"{where}: [suite.{name}] needs a program")


def load(path, variables):
    """The suites of a manifest."""
    path = pathlib.Path(path)
    try:
        with path.open("rb") as file:
            content = tomllib.load(file)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: {error}") from None
    if set(content) != {"suite"} or not isinstance(content["suite"], dict) or not content["suite"]:
        raise UsageError(f"{path}: a manifest has tables [suite.NAME] and nothing else")
    suites = []
    for name, table in content["suite"].items():
        check(name, table, path)
        table = {key: value if key in ("section", "summary") else
                 expand(value, {"manifest": path.resolve().parent, **variables}, path)
                 for key, value in table.items()}
        for patterns in table.get("section", {}).values():
            table.setdefault("only", []).extend(patterns)
        if "program" in table:
            table["program"] = from_here(table["program"])
        for command in table.get("tests", {}).values():
            command[0] = from_here(command[0])
        suites.append(Suite(name, **table))
    return suites
