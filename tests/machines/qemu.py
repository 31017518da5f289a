# SPDX-License-Identifier: Apache-2.0
"""A QEMU that has a machine: this system's, or Debian 13's backports in a private root."""
import fcntl
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from debian import sources

PROGRAM = "qemu-system-riscv64"
SUITES = ("trixie", "trixie-backports")


class Missing(Exception):
    """QEMU can't be had; the text says why."""


def has_machine(program, machine):
    """True if the program runs, and lists the machine."""
    done = subprocess.run([program, "-M", "help"], capture_output=True, text=True, check=False)
    return any(line.split()[:1] == [machine] for line in done.stdout.splitlines())


def unpack(folder):
    """Debian 13's QEMU and the libraries that it needs, none of which is set up."""
    if not shutil.which("mmdebstrap"):
        raise Missing("mmdebstrap is missing, which `./dev test -R machines` installs")
    done = subprocess.run(
        ["mmdebstrap", "--quiet", "--variant=extract", "--include=qemu-system-riscv",
         f'--aptopt=APT::Default-Release "{SUITES[1]}"', '--aptopt=APT::Install-Recommends "false"',
         SUITES[0], folder, *sources(*SUITES)],
        text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        raise Missing(f"mmdebstrap can't get QEMU of {SUITES[1]}: {done.stdout[-1500:]}")


def write_start(root):
    """A program that starts QEMU with the dynamic linker and the libraries of its root: those of this
    system are older."""
    linker = next(iter(sorted(root.glob("usr/lib*/ld-linux*.so.*")) + sorted(root.glob("lib*/ld-linux*.so.*"))))
    libraries = next(root.glob("usr/lib/*/libc.so.6")).parent
    start = root / PROGRAM
    start.write_text(f'#!/bin/sh\nexec {linker} --argv0 {PROGRAM} --library-path {libraries} '
                     f'{root}/usr/bin/{PROGRAM} -L {root}/usr/share/qemu "$@"\n')
    start.chmod(0o755)
    return start


def private_root(cache):
    """The program in the root, which is made on the first call."""
    cache.mkdir(parents=True, exist_ok=True)
    root = cache / f"qemu-{SUITES[1]}"
    with open(cache / "qemu.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (root / "usr/bin" / PROGRAM).exists():
            with tempfile.TemporaryDirectory(dir=cache) as scratch:
                unpack(pathlib.Path(scratch) / "root")
                (pathlib.Path(scratch) / "root").rename(root)
        return write_start(root)


def find_qemu(machine, cache):
    """The path of a program; raises Missing."""
    for program in os.environ.get("RIVULET_QEMU"), shutil.which(PROGRAM):
        if program and has_machine(program, machine):
            return program
    program = private_root(pathlib.Path(cache).resolve())
    if not has_machine(program, machine):
        raise Missing(f"{program} does not run, or has no machine {machine}")
    return str(program)
