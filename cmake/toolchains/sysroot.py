#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Unpacks what a build for another architecture needs of Debian: C and C++ libraries, LLVM and clang,
and the libraries of tools.

    sysroot.py arm64|riscv64 FOLDER

FOLDER becomes the root of a Debian of that architecture in which nothing is installed and nothing can
run: Debian 12, or 13, the first one with riscv64. FOLDER/shlibs says which package a library is of, in
the form that dpkg-shlibdeps reads. A folder that has this list of packages is kept; one that was made
with another list is replaced.
"""
import fcntl
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests"))
from debian import sources  # noqa: E402

# Debian 12's LLVM 22 is a security update, for architectures that do not include riscv64.
SUITES = {"arm64": ("bookworm", "bookworm-security"), "riscv64": ("trixie",)}
GCC = {"bookworm": "12", "trixie": "14"}
PACKAGES = """libc6-dev libstdc++-{gcc}-dev libgcc-{gcc}-dev linux-libc-dev llvm-22-dev libclang-22-dev
    libclang-cpp22-dev clang-22 liblld-22-dev zlib1g-dev libzstd-dev libcli11-dev nlohmann-json3-dev
    libtomlplusplus-dev libxxhash-dev libssl-dev opencl-headers ocl-icd-opencl-dev libfdt-dev
    libpng-dev"""

# Folders that were made before links stayed inside, or without the link `include`, are made again.
CONTENTS = f"links inside, link include\n{PACKAGES}"


def keep_links_inside(root):
    """Makes links to absolute paths lead into the root instead of this machine's own folders. Debian 12's
    libz.so is one: without it, a build finds the static library alone."""
    for folder, folders, files in os.walk(root):
        for name in folders + files:
            path = pathlib.Path(folder, name)
            if path.is_symlink() and path.readlink().is_absolute():
                target = root / path.readlink().relative_to("/")
                path.unlink()
                path.symlink_to(os.path.relpath(target, folder))


def unpack(architecture, folder, scratch):
    suites = SUITES[architecture]
    packages = PACKAGES.format(gcc=GCC[suites[0]]).split()
    root = scratch / "root"
    subprocess.run(["mmdebstrap", "--quiet", "--variant=extract", f"--architectures={architecture}",
                    "--include=" + ",".join(packages), "--skip=essential/unlink,download/empty,cleanup/apt",
                    # Its default would leave files of other users, which only root can change.
                    *([] if os.geteuid() == 0 else ["--mode=chrootless"]),
                    # Mirrors may be outdated.
                    '--aptopt=Acquire::Check-Valid-Until "false"',
                    suites[0], root, *sources(*suites)], check=True)
    with (root / "shlibs").open("w") as shlibs:
        for package in sorted((root / "var/cache/apt/archives").glob("*.deb")):
            control = subprocess.run(["dpkg-deb", "--ctrl-tarfile", package], check=True,
                                     stdout=subprocess.PIPE).stdout
            shlibs.write(subprocess.run(["tar", "-xO", "./shlibs"], input=control, check=False,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                         .stdout.decode())
    for name in ("bin", "lib", "sbin"):
        if not (root / name).exists():  # Debian 13 has links, which a package makes as it is installed
            (root / name).symlink_to(f"usr/{name}")
    # Where lib is a link, clang finds C++'s headers in lib/gcc/TRIPLET/14/../../../../include, which the
    # kernel takes for usr/include, but Ninja for include: without it, each run compiles everything again.
    (root / "include").symlink_to("usr/include")
    shutil.rmtree(root / "var")
    keep_links_inside(root)
    (root / "packages").write_text(CONTENTS)
    shutil.rmtree(folder, ignore_errors=True)
    root.rename(folder)


def make(architecture, folder):
    listed = folder / "packages"
    if listed.exists() and listed.read_text() == CONTENTS:
        return
    if folder.exists() and not (folder / "shlibs").exists():
        sys.exit(f"{folder} exists, and this program did not make it; choose another folder")
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        unpack(architecture, folder, pathlib.Path(scratch))


def main():
    architecture, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (folder.parent / f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX) # several builds may begin at a time
        make(architecture, folder)


if __name__ == "__main__":
    main()
