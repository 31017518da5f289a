#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Inputs of the fuzz targets: corpus/TARGET_seed_corpus.zip, and files with names in corpus/TARGET/.

    corpus.py add TARGET PATH…       puts inputs (files, or all files in folders) into the archive
    corpus.py unpack TARGET FOLDER   writes all inputs of the target into a folder
    corpus.py replay TARGET PROGRAM  runs PROGRAM with all inputs of the target
    corpus.py check                  fails if an archive is not what `add` would write

An archive holds each input under the SHA-1 of its contents, as libFuzzer names them. It has no
times and is not compressed (git does that), so the same inputs are the same bytes everywhere.
"""
import argparse
import hashlib
import io
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

FOLDER = pathlib.Path(__file__).resolve().parent / "corpus"
SUFFIX = "_seed_corpus.zip" # as OSS-Fuzz and ClusterFuzz look for it


def archive_of(target):
    return FOLDER / (target + SUFFIX)


def archived(path):
    """The inputs in an archive, by name."""
    if not path.exists():
        return {}
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def named(target):
    return {path.name: path.read_bytes() for path in sorted((FOLDER / target).glob("*"))}


def bytes_of(inputs):
    """The archive of these inputs, whatever they were called."""
    contents = {hashlib.sha1(data).hexdigest(): data for data in inputs}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(contents):
            entry = zipfile.ZipInfo(name) # of 1980, the first time that the format knows
            entry.create_system = 3
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, contents[name])
    return buffer.getvalue()


def add(target, paths):
    files = [file for path in paths for file in (sorted(path.iterdir()) if path.is_dir() else [path])]
    before = archived(archive_of(target))
    known = set(named(target).values())
    new = [data for file in files if (data := file.read_bytes()) not in known]
    archive_of(target).write_bytes(bytes_of([*before.values(), *new]))
    print(f"{archive_of(target)}: {len(before)} inputs before, "
          f"{len(archived(archive_of(target)))} now")


def unpack(target, folder):
    """Writes all inputs of a target and returns their paths."""
    inputs = {**archived(archive_of(target)), **named(target)}
    if not inputs:
        sys.exit(f"{FOLDER} has no input for {target}")
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in inputs.items():
        (folder / name).write_bytes(data)
    return [folder / name for name in inputs]


def replay(target, program):
    with tempfile.TemporaryDirectory() as folder:
        inputs = unpack(target, pathlib.Path(folder))
        done = subprocess.run([*program, *inputs], stderr=subprocess.PIPE, errors="replace")
        print(done.stderr, end="")
        # An input that was not run would go unnoticed.
        ran = done.stderr.count("\nRunning: ")
        print(f"{ran} of {len(inputs)} inputs were run")
        if done.returncode or ran != len(inputs):
            sys.exit(1)


def check():
    found = []
    for path in sorted(FOLDER.glob("*.zip")):
        if path.read_bytes() != bytes_of(archived(path).values()):
            found.append(f"{path} is not as corpus.py writes it; unpack it, delete it, add the inputs")
    for path in sorted(FOLDER.glob("*/*")):
        if re.fullmatch("[0-9a-f]{40}", path.name):
            found.append(f"{path} has no name that says what it is: corpus.py add it")
    print(*found, f"{len(found)} complaints", sep="\n")
    sys.exit(1 if found else 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for command in ("add", "unpack", "replay"):
        commands.add_parser(command).add_argument("target")
    commands.choices["add"].add_argument("paths", nargs="+", type=pathlib.Path)
    commands.choices["unpack"].add_argument("folder", type=pathlib.Path)
    commands.choices["replay"].add_argument("program", nargs=argparse.REMAINDER)
    commands.add_parser("check")
    options = vars(parser.parse_args())
    globals()[options.pop("command")](**options)


if __name__ == "__main__":
    main()
