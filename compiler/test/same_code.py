#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows that two compilers make the same code of every .cl file in the tree, byte for byte.

    same_code.py [--sample N] [--jobs N] [--save FILE] REFERENCE COMPILER

REFERENCE is another rivulet-cc, or what --save wrote of one. Each file is compiled for each machine,
with the default language version and, if that fails, as OpenCL C 3.0; files that don't compile at
all have to fail with both compilers. Whole images are compared, but for the compiler's version.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
MACHINES = {
    "rv64-v128": ["--vlen=128"],
    "rv64-v512": ["--vlen=512"],
    "rv64-v1024": ["--vlen=1024"],
    "rv32-v128": ["--target=rv32imafdc_zve32f_zba", "--vlen=128"],
}
# Padded by kernel_image_note.cpp, so that its length moves nothing.
VERSION = re.compile(rb"rivulet-cc [0-9][^\0()]* \(LLVM [^\0()]*\)\0*")
SECONDS = 600 # of one compilation: only an endless one takes as long


def sources(sample):
    listed = subprocess.run(["git", "-C", TOP, "ls-files", "*.cl"], check=True, capture_output=True,
                            text=True).stdout.split()
    return [name for name in sorted(listed)[::sample] if (TOP / name).exists()]


def blank(match):
    return bytes(len(match[0]))


def code_of(compiler, name, machine):
    """A hash of the kernel image, or "" if there is none."""
    source = TOP / name
    if not source.exists():
        raise FileNotFoundError(source) # it was renamed meanwhile
    for language in [], ["-cl-std=CL3.0"]:
        # The file comes by a relative path: its name is part of the code where a kernel asserts.
        run = subprocess.run([compiler, source.name, "-I.", "-o", "-", *MACHINES[machine], *language],
                             cwd=source.parent, capture_output=True, timeout=SECONDS)
        if run.returncode == 0:
            return hashlib.sha256(VERSION.sub(blank, run.stdout)).hexdigest()
    return ""


def compile_all(compilers, names, jobs):
    """{compiler: {"file machine": hash}}, with progress on a terminal."""
    work = [(compiler, name, machine) for name in names for machine in MACHINES
            for compiler in compilers]
    results = {compiler: {} for compiler in compilers}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        codes = pool.map(lambda job: code_of(*job), work)
        for done, ((compiler, name, machine), code) in enumerate(zip(work, codes), 1):
            results[compiler][f"{name} {machine}"] = code
            if sys.stderr.isatty():
                print(f"\r{done}/{len(work)} {name}\033[K", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    return results


def program(text):
    path = pathlib.Path(text).resolve()
    if not os.access(path, os.X_OK):
        sys.exit(f"same_code: {text} is no program; name a rivulet-cc, beside its ../lib/rivulet")
    return str(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reference", help="a rivulet-cc, or a file that --save wrote (.json)")
    parser.add_argument("compiler", help="the rivulet-cc to be compared")
    parser.add_argument("--sample", type=int, default=1, help="only each N-th file")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilations at a time")
    parser.add_argument("--save", help="writes the reference's hashes there, of all files compared")
    arguments = parser.parse_args()

    compiler = program(arguments.compiler)
    names = sources(arguments.sample)
    if arguments.reference.endswith(".json"):
        expected = json.loads(pathlib.Path(arguments.reference).read_text())
        found = compile_all([compiler], names, arguments.jobs)[compiler]
    else:
        reference = program(arguments.reference)
        results = compile_all(list({reference, compiler}), names, arguments.jobs)
        expected, found = results[reference], results[compiler]
        if arguments.save:
            pathlib.Path(arguments.save).write_text(json.dumps(expected, indent=1) + "\n")

    different = [key for key in found if key in expected and found[key] != expected[key]]
    unknown = [key for key in found if key not in expected]
    for key in different:
        name, machine = key.split()
        what = "differs" if found[key] and expected[key] else \
            "compiles" if found[key] else "doesn't compile any more"
        print(f"{what}: {name} for {machine} ({' '.join(MACHINES[machine])})")
    made = sum(1 for code in found.values() if code)
    print(f"{len(found)} compilations of {len(names)} files, {made} with code: "
          f"{len(different)} differ" +
          (f", {len(unknown)} are unknown to the reference" if unknown else ""))
    return 1 if different or not made else 0


if __name__ == "__main__":
    sys.exit(main())
