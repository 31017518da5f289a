# SPDX-License-Identifier: Apache-2.0
"""Merges the folders of a run's shards; tests of absent shards are reported as missing."""
import dataclasses
import pathlib
import shutil
import sys

import files
import journal
from errors import UsageError
from plan import NAME as PLAN, Plan
from results import load_attempts, log_path


def load_plan(folders):
    """The plan of the run to which all shards belong."""
    plan, repeats = None, {}
    for folder in folders:
        one = Plan.load(folder)
        plan = plan or one
        if not one.same_tests(plan):
            raise UsageError(f"{folder} and {folders[0]} are not shards of the same run: their "
                             "machines or tests differ")
        one.check_same_build(plan, f"{folders[0]} and {folder}")
        repeats.update(one.repeats)
    return dataclasses.replace(plan, shard="1/1", mine=plan.keys, repeats=repeats)


def store_log(entry, output):
    """Copies an attempt's log and returns its path, which is changed if it is already taken."""
    source = log_path(entry)
    if not source:
        return entry["log"]
    target, copy = output / entry["log"], 1
    while target.exists() and target.read_bytes() != source.read_bytes():
        copy += 1
        target = (output / entry["log"]).with_suffix(f".{copy}.log")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    return str(target.relative_to(output))


def merge(folders, output):
    """Writes plan, journal and logs of all folders to `output`."""
    output = pathlib.Path(output)
    if output.resolve() in [pathlib.Path(folder).resolve() for folder in folders]:
        raise UsageError(f"--output {output} is one of the folders to merge; name a new one")
    if (output / journal.NAME).exists():
        raise UsageError(f"{output} holds a run already; name a new --output")
    found = [folder for folder in folders if (pathlib.Path(folder) / PLAN).exists()]
    for folder in folders:
        if found and folder not in found:
            print(f"{folder} holds no run: the tests of its shard are missing", file=sys.stderr)
    plan = load_plan(found or folders)
    attempts = load_attempts(found)
    plan.save(output)
    lines = []
    for key in plan.keys:
        for number, entry in enumerate(attempts.get(key, []), 1):
            entry = {**entry, "attempt": number, "log": store_log(entry, output)}
            del entry["folder"]
            lines.append(journal.line_of(entry))
    files.write(output / journal.NAME, "".join(lines))
