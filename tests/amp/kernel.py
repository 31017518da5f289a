# SPDX-License-Identifier: Apache-2.0
"""Downloads Debian's kernel and busybox for riscv64, which Debian 12 does not have, from a newer
suite of the mirror that this machine uses. apt checks signatures; its configuration here is
separate, and the system's is not changed."""
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from debian import sources

SUITES = ("trixie", "sid")
CONFIGURATION = """
Dir::Etc::sourcelist "FOLDER/sources.list";
Dir::Etc::sourceparts "-";
Dir::State::lists "FOLDER/lists";
Dir::State::status "FOLDER/status";
Dir::Cache "FOLDER/cache";
APT::Architecture "riscv64";
APT::Architectures { "riscv64"; };
APT::Sandbox::User "root";
Acquire::Languages "none";
"""


def apt(folder, *command):
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder,
                          env={**os.environ, "APT_CONFIG": str(folder / "apt.conf")}).stdout


def fetch_from(suite, folder):
    (folder / "sources.list").write_text("\n".join(sources(suite)) + "\n")
    apt(folder, "apt-get", "-q", "update", "--error-on=any")
    package = re.search(r"linux-image-[0-9]\S*-riscv64",
                        apt(folder, "apt-cache", "show", "linux-image-riscv64")).group()
    needs = apt(folder, "apt-cache", "show", package)
    binary = re.search(r"linux-binary-[0-9]\S*-riscv64", needs)  # if the image has a package
    apt(folder, "apt-get", "-q", "download", binary.group() if binary else package,
        "busybox-static")


def fetch_kernel(folder):
    """The folder with the packages; fetched on the first call."""
    folder.mkdir(parents=True, exist_ok=True)
    if list(folder.glob("linux-*_riscv64.deb")) and list(folder.glob("busybox-*_riscv64.deb")):
        return folder
    for name in ("lists/partial", "cache/archives/partial"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "status").write_text("")
    (folder / "apt.conf").write_text(CONFIGURATION.replace("FOLDER", str(folder)))
    for suite in SUITES:
        try:
            fetch_from(suite, folder)
            return folder
        except subprocess.CalledProcessError as error:
            failure = error  # a mirror's index may be newer than its files
    raise failure
