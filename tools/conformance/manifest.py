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

{manifest} is the manifest's own folder; `--set NAME=VALUE` gives other {NAME}s.
"""
import dataclasses
import fnmatch
import pathlib
import re
import tomllib

from errors import UsageError

KINDS = ("plain", "gtest", "cts", "piglit")
DEFAULT_TIMEOUT = 300
FIELDS = {"kind": str, "program": str, "arguments": list, "only": list, "exclude": list,
          "machines": list, "timeout": (int, float), "environment": dict, "timeouts": dict,
          "tests": dict, "section": dict, "summary": str}


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
        return ((not self.only or any(fnmatch.fnmatchcase(test, p) for p in self.only))
                and not any(fnmatch.fnmatchcase(test, p) for p in self.exclude))

    def runs_on(self, machine):
        return not self.machines or any(fnmatch.fnmatchcase(machine, p) for p in self.machines)

    def timeout_of(self, test):
        for pattern, seconds in self.timeouts.items():
            if fnmatch.fnmatchcase(test, pattern):
                return seconds
        return self.timeout


def expand(value, variables, where):
    """{NAME} in all strings of a value replaced."""
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


def check(name, table, where):
    if not isinstance(table, dict):
        raise UsageError(f"{where}: [suite.{name}] is no table")
    if not re.fullmatch(r"[\w.-]+", name):
        raise UsageError(f'{where}: the suite "{name}" may have letters, digits, . - and _ only')
    if any(not isinstance(patterns, list) for patterns in dict(table.get("section") or {}).values()):
        raise UsageError(f"{where}: section of [suite.{name}] needs lists of patterns")
    for key, value in table.items():
        if key not in FIELDS:
            raise UsageError(f'{where}: [suite.{name}] has no setting "{key}"; there are '
                             + ", ".join(FIELDS))
        if not isinstance(value, FIELDS[key]) or isinstance(value, bool):
            raise UsageError(f'{where}: "{key}" of [suite.{name}] has another type')
    if table.get("kind") not in KINDS:
        raise UsageError(f'{where}: [suite.{name}] needs a kind out of ' + ", ".join(KINDS))
    if table.get("timeout", 1) <= 0 or any(not isinstance(s, (int, float)) or s <= 0
                                           for s in table.get("timeouts", {}).values()):
        raise UsageError(f"{where}: [suite.{name}] needs a timeout above 0")
    if table["kind"] == "plain":
        if not table.get("tests"):
            raise UsageError(f"{where}: [suite.{name}] needs tests = {{ NAME = [COMMAND…] }}")
        for test, command in table["tests"].items():
            if not isinstance(command, list) or not command or re.search(r"\s|^$", test):
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
        suites.append(Suite(name, **table))
    return suites
