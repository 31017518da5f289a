# SPDX-License-Identifier: Apache-2.0
"""What a run's results depend on besides machines and tests: reports show it, and runs of different
builds are never merged."""
import datetime
import os
import pathlib
import platform
import re
import shutil
import subprocess


def first_line(*command):
    """The first line that a program prints, or "" if it can't be run."""
    try:
        run = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=20,
                             stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return run.stdout.partition("\n")[0].strip() if run.returncode == 0 else ""


def commit_of(build):
    """The commit of the sources that a CMake build tree belongs to, or ""."""
    for folder in (build, *build.parents):
        if (folder / "CMakeCache.txt").is_file():
            text = (folder / "CMakeCache.txt").read_text(encoding="utf-8", errors="replace")
            source = re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", text, re.MULTILINE)
            # A source tree without history may be inside of another working copy.
            if not source or first_line("git", "-C", source[1], "rev-parse", "--show-toplevel") \
                    != os.path.realpath(source[1]):
                return ""
            return first_line("git", "-C", source[1], "describe", "--always", "--dirty")
    return ""


def gather(prefix, cts):
    """{fact: text}; facts that can't be found out are left out."""
    tool = prefix / "bin/rivulet"
    qemu = os.environ.get("RIVULET_QEMU") or shutil.which("qemu-system-riscv64")
    found = {
        "rivulet": first_line(tool, "--version").removeprefix("rivulet "),
        "started": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "host": f"{platform.node()}, {platform.system()} {platform.release()} "
                f"{platform.machine()}, {os.cpu_count()} processors",
        "qemu": first_line(qemu, "--version").removeprefix("QEMU emulator version ") if qemu else "",
        "cts": commit_of(pathlib.Path(cts).absolute()) if cts else "",
    }
    return {name: text for name, text in found.items() if text}
