# SPDX-License-Identifier: Apache-2.0
"""The command line of `rivulet conformance` and its subcommands."""
import argparse
import functools
import math
import os
import pathlib

from errors import UsageError
from machines import parse_bytes


def available_memory():
    """Usable memory in bytes: the machine's, or the control group's if that is less."""
    with open("/proc/meminfo", encoding="ascii") as file:
        lines = dict(line.split(":") for line in file)
    free = int(lines["MemAvailable"].split()[0]) << 10
    try:
        limit = pathlib.Path("/sys/fs/cgroup/memory.max").read_text().strip()
        used = pathlib.Path("/sys/fs/cgroup/memory.current").read_text().strip()
        if limit != "max":
            free = min(free, int(limit) - int(used))
    except (OSError, ValueError):
        pass
    return max(free, 0)


def positive(kind):
    def parse(text):
        value = kind(text)
        if not 0 < value < math.inf:
            raise ValueError
        return value
    parse.__name__ = "number above 0"
    return parse


def count(text):
    value = int(text)
    if value < 0:
        raise ValueError
    return value


def size(text):
    value = parse_bytes(text)
    if not value:
        raise argparse.ArgumentTypeError(f"{text} is no size; write 8G or 512M")
    return value


def setting(text):
    name, separator, value = text.partition("=")
    if not separator or not name.isidentifier():
        raise argparse.ArgumentTypeError(f"{text} is not NAME=VALUE")
    # Tests run in folders of their own. A word without a slash may be no folder, even if one is there.
    is_folder = os.path.isdir(value) and ("/" in value or value in (".", ".."))
    return name, os.path.abspath(value) if is_folder else value


def add_selection(parser):
    group = parser.add_argument_group("what is run")
    group.add_argument("--suites", "-s", metavar="MANIFEST", action="append", default=[],
                       help="a TOML file of suites, or `rivulet` for the project's own")
    group.add_argument("--set", metavar="NAME=VALUE", type=setting, action="append", default=[],
                       help="value of {NAME} in manifests, such as --set build=./DIR (folders need a slash)")
    group.add_argument("--cts", metavar="DIR", help="a build of the OpenCL-CTS")
    group.add_argument("--cts-list", metavar="NAME", default="quick",
                       help="opencl_conformance_tests_NAME.csv (default: %(default)s)")
    group.add_argument("--full", action="store_true",
                       help="run the CTS's tests in full length instead of its wimpy mode")
    group.add_argument("--compilation-mode", choices=("online", "binary", "spir-v"),
                       default="online", help="compilation mode of the CTS; binary compiles with rivulet-cc")
    group.add_argument("--machine", "-m", metavar="MACHINE", action="append", default=[],
                       help="a value of RIVULET_MACHINE; may be repeated (default: rv64-v128)")
    group.add_argument("--only", metavar="PATTERN", action="append", default=[],
                       help="SUITE/TEST with wildcards; may be repeated")
    group.add_argument("--exclude", metavar="PATTERN", action="append", default=[],
                       help="SUITE/TEST with wildcards to skip; may be repeated")
    group.add_argument("--expectations", metavar="DIR",
                       help="folder with a file of expected results per machine")
    group.add_argument("--part", action="store_true",
                       help="run only a part of the expected tests: suites and machines that are not "
                            "named don't count as missing")
    group.add_argument("--unknown", action="store_true",
                       help="run only tests without an expectation, to spread a run over several days")


def add_run(parser):
    add_selection(parser)
    group = parser.add_argument_group("how it is run")
    group.add_argument("--output", "-o", metavar="DIR", default="conformance",
                       help="folder for journal, logs and reports (default: %(default)s)")
    group.add_argument("--resume", action="store_true",
                       help="continue the stopped or killed run in --output")
    processors = len(os.sched_getaffinity(0))
    group.add_argument("--jobs", "-j", metavar="N", type=positive(int),
                       default=max(1, processors // 2),
                       help="tests to run in parallel (default: half the processors, %(default)s)")
    group.add_argument("--memory", metavar="SIZE", type=size,
                       help="memory for all of them, such as 8G (default: 4/5 of the free memory)")
    group.add_argument("--retries", metavar="N", type=count, default=1,
                       help="number of retries of tests that fail unexpectedly (default: 1)")
    group.add_argument("--timeout-scale", metavar="X", type=positive(float), default=1.0,
                       help="factor for all time limits, for slow machines")
    group.add_argument("--shard", metavar="I/N", default="1/1",
                       help="run part I of N; parts are balanced by times of --baseline")
    group.add_argument("--baseline", metavar="RUN",
                       help="an earlier run, to balance shards and compare results")
    group.add_argument("--update", action="store_true",
                       help="record the results as expectations")
    group.add_argument("--keep-logs", action="store_true", help="also keep logs of tests that pass")
    group.add_argument("--dry-run", action="store_true", help="print what would run, and exit")
    group.add_argument("--engine", choices=("local", "slurm"), default="local",
                       help="where it runs (default: %(default)s)")
    group.add_argument("--shards", metavar="N", type=positive(int), default=4,
                       help="slurm: tasks of the job array (default: %(default)s)")
    group.add_argument("--resubmit", metavar="N", type=count, default=2,
                       help="slurm: how often to resubmit killed shards")
    group.add_argument("--sbatch", metavar="OPTION", action="append", default=[],
                       help="slurm: an option for sbatch, such as --sbatch=--partition=ci")


FORMATS = """
Manifests, which list suites:
{manifest}
Expectations:
{expectations}
Ends with 0 if nothing is worse than expected, 1 if something is, 2 if it can't run, and 128 + the
signal's number if it was stopped.
"""


def parser():
    import expectations
    import manifest
    # Abbreviations would reach the tasks of job arrays unseen.
    top = argparse.ArgumentParser(
        prog="rivulet conformance", allow_abbrev=False,
        description="Runs conformance suites on any set of machines, compares results with "
                    "expectations, and writes reports.",
        epilog="`rivulet conformance COMMAND --help` describes each.")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND",
                                  parser_class=functools.partial(argparse.ArgumentParser,
                                                                 allow_abbrev=False))
    run = commands.add_parser(
        "run", help="runs tests", formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=FORMATS.format(manifest=manifest.__doc__, expectations=expectations.__doc__))
    add_run(run)
    listing = commands.add_parser("list", help="lists tests without running them")
    add_selection(listing)
    reports = []
    for name, text in (("report", "rewrites the reports of a run"),
                       ("merge", "merges the folders of shards into one run")):
        command = commands.add_parser(name, help=text)
        reports.append(command)
        command.add_argument("run", metavar="RUN", nargs="+" if name == "merge" else None,
                             help="--output folder of a run")
        if name == "merge":
            command.add_argument("--output", "-o", metavar="DIR", required=True)
        command.add_argument("--expectations", metavar="DIR")
        command.add_argument("--baseline", metavar="RUN", help="another run to compare with")
        command.add_argument("--update", action="store_true",
                             help="record the results as expectations")
        command.add_argument("--lava", action="store_true",
                             help="prints each result as a LAVA test case")
    history = commands.add_parser("history", help="shows results and times over the runs in a folder")
    history.add_argument("folder", metavar="DIR", help="folder with the --output folders of runs")
    history.add_argument("--output", "-o", metavar="FILE", default="history.html",
                         help="page to write (default: %(default)s)")
    export = commands.add_parser("ctest", help="writes a CTestTestfile.cmake of the tests")
    for command in (run, listing, *reports, history, export):
        command.add_argument("--json", action="store_true",
                             help="prints JSON; for results the contents of report.json")
    add_selection(export)
    export.add_argument("--output", "-o", metavar="DIR", required=True)
    return top


def check(arguments):
    if getattr(arguments, "update", False) and not arguments.expectations:
        raise UsageError("--update needs --expectations DIR, the folder to write to")
    if getattr(arguments, "lava", False) and arguments.json:
        raise UsageError("--lava and --json both print to standard output; give one of them")
    if getattr(arguments, "unknown", False) and not arguments.expectations:
        raise UsageError("--unknown needs --expectations DIR, which says what is known")
    if getattr(arguments, "engine", "local") == "slurm" and arguments.shard != "1/1":
        raise UsageError("--engine slurm makes shards itself: give --shards N, not --shard")
