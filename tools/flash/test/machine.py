# SPDX-License-Identifier: Apache-2.0
"""QEMU's virt with firmware in flash, and rivulet flash, for the tests of this folder."""
import os
import shutil
import signal
import subprocess
import sys
import threading

LONGEST_WAIT = 200 # seconds; it takes about one
failures = []


def check(what, good, *more):
    if not good:
        failures.append(" ".join(map(str, [what, *more])))
        print(failures[-1], file=sys.stderr, flush=True)
    return good


class Tools:
    """`rivulet` with some data."""

    def __init__(self, rivulet, data):
        self.rivulet, self.data = rivulet, data

    def run(self, *arguments, env=None):
        command = [self.rivulet, *map(str, arguments)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env={**os.environ, "RIVULET_DATA": str(self.data), **(env or {})},
                              start_new_session=True) as process:
            try:
                output, errors = process.communicate(timeout=LONGEST_WAIT)
            finally: # what it has started ends, too
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        return subprocess.CompletedProcess(command, process.returncode, output, errors)

    def flash(self, *arguments, env=None):
        return self.run("flash", *arguments, env=env)

    def expect(self, what, status, words, *arguments, env=None):
        done = self.run(*arguments, env=env)
        said = done.stdout + done.stderr
        check(what, done.returncode == status and all(word in said for word in words),
              done.returncode, said)
        return said


def qemu(xlen, chip, *more):
    name = os.environ.get("RIVULET_QEMU") if xlen == 64 else None
    return [name or f"qemu-system-riscv{xlen}", "-M", "virt,pflash0=flash", "-cpu", f"rv{xlen},v=on",
            "-smp", "2", "-m", "256M", "-display", "none", "-monitor", "none", "-serial", "stdio",
            "-bios", "none", "-blockdev", f"node-name=flash,driver=file,filename={chip}", *more]


def start(xlen, chip, *more):
    return subprocess.Popen(qemu(xlen, chip, *more), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, errors="replace")


def boot(xlen, chip, until, *more):
    """The console's output up to a line with one of the words; QEMU is killed then. The last line
    says TIME when none came."""
    said = []
    with start(xlen, chip, *more) as machine:
        limit = threading.Timer(LONGEST_WAIT, machine.kill)
        limit.start()
        for line in machine.stdout:
            said.append(line.rstrip())
            if any(word in line for word in until):
                break
        else:
            said.append("TIME")
        limit.cancel()
        machine.kill()
    return said


UP = "has come up" # the firmware's, once its slot is marked
HUNG = "on trial"  # the boot stage's last word before firmware that hangs


def data_with(folder, data, board, files):
    """A data folder of its own, in which some files of a board are others."""
    for part in ("firmware", "machines", "drivers"):
        if os.path.exists(os.path.join(data, part)):
            shutil.copytree(os.path.join(data, part), os.path.join(folder, part), symlinks=True)
    shutil.copytree(os.path.join(data, "boards"), os.path.join(folder, "boards"))
    shutil.copy(os.path.join(data, "keeper"), folder)  # which the driver of QEMU starts
    for to, source in files.items():
        shutil.copy(source, os.path.join(folder, to))
    return folder
