# SPDX-License-Identifier: Apache-2.0
"""Makes one run out of the folders of its shards."""
import dataclasses
import pathlib
import shutil

import journal
from errors import UsageError
from results import load_attempts, load_plan


def store_log(entry, output):
    """Copies an attempt's log; its path, which is another one if two attempts have the same."""
    source = pathlib.Path(entry["folder"]) / entry["log"]
    if not entry["log"] or not source.is_file():
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
    plan, mine = load_plan(folders)
    attempts = load_attempts(folders)
    output.mkdir(parents=True, exist_ok=True)
    dataclasses.replace(plan, shard="1/1", mine=mine).save(output)
    merged = journal.Journal(output)
    for key in plan.keys:
        for number, entry in enumerate(attempts.get(key, []), 1):
            entry = {**entry, "attempt": number, "log": store_log(entry, output)}
            del entry["folder"]
            merged.append(entry)
    merged.close()
