#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Buildroot takes the external tree: a configuration with its packages has no unmet dependency, is
saved as it was written, and knows the packages. Skipped without Buildroot.

    buildroot_test.py SOURCE BUILDROOT
"""
import json
import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77
# riscv64's LLVM has the device's backend anyway; aarch64's has it by the external tree.
TOOLCHAIN = """\
BR2_aarch64=y
BR2_TOOLCHAIN_EXTERNAL=y
BR2_TOOLCHAIN_EXTERNAL_CUSTOM=y
BR2_TOOLCHAIN_EXTERNAL_PREINSTALLED=y
BR2_TOOLCHAIN_EXTERNAL_CUSTOM_GLIBC=y
BR2_TOOLCHAIN_EXTERNAL_GCC_14=y
BR2_TOOLCHAIN_EXTERNAL_CXX=y
"""
PACKAGES = "BR2_PACKAGE_RIVULET=y\nBR2_PACKAGE_RIVULET_FIRMWARE=y\n"
BUILT_LLVM = {"host-clang", "host-lld", "host-llvm"}

source = pathlib.Path(sys.argv[1]).resolve()
if len(sys.argv) < 3 or not sys.argv[2]:
    print("skipped: RIVULET_BUILDROOT names no Buildroot")
    sys.exit(SKIPPED)
buildroot = pathlib.Path(sys.argv[2]).resolve()
tree = source / "tools/products/buildroot"


def run(*command, folder=buildroot):
    done = subprocess.run(command, cwd=folder, text=True, check=False, timeout=900,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout[-6000:]}")
    return done.stdout


def expect(condition, text):
    if not condition:
        sys.exit(text)


def configured(output, lines):
    """Configures with `lines`; returns what is set, and {variable: value} of rivulet.mk."""
    written = output / "written"
    written.write_text(TOOLCHAIN + PACKAGES + lines, encoding="utf-8")
    said = run("make", "-s", f"O={output}", f"BR2_EXTERNAL={tree}", f"BR2_DEFCONFIG={written}", "defconfig")
    expect("WARNING" not in said, said)
    config = (output / ".config").read_text(encoding="utf-8").splitlines()
    for line in (PACKAGES + lines).splitlines():
        expect(line in config, f"{line} was not taken")
    saved = output / "saved"
    run("make", "-s", f"O={output}", f"BR2_DEFCONFIG={saved}", "savedefconfig")
    missing = set((PACKAGES + lines).splitlines()) - set(saved.read_text(encoding="utf-8").splitlines())
    expect(not missing, f"savedefconfig drops {missing}")
    printed = run("make", "-s", f"O={output}", "printvars",
                  "VARS=RIVULET_DEPENDENCIES RIVULET_FIRMWARE_DEPENDENCIES RIVULET_CONF_OPTS "
                  "LLVM_TARGETS_TO_BUILD")
    return config, dict(line.split("=", 1) for line in printed.splitlines() if "=" in line)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    config, values = configured(folder, "")
    expect('BR2_PACKAGE_PROVIDES_LIBOPENCL="rivulet"' in config, "rivulet is not the OpenCL library")
    expect("RISCV" in values["LLVM_TARGETS_TO_BUILD"], "host-llvm can't compile for the device")
    for package in ("RIVULET", "RIVULET_FIRMWARE"):
        expect(BUILT_LLVM <= set(values[f"{package}_DEPENDENCIES"].split()),
               f"{package} does not depend on LLVM")
    config, values = configured(folder, 'BR2_PACKAGE_DTC=y\nBR2_PACKAGE_RIVULET_LLVM="/llvm/bin"\n'
                                'BR2_PACKAGE_RIVULET_FIRMWARE_BOARD_NAMES="virt"\n')
    expect("RIVULET_CLANG=/llvm/bin/clang" in values["RIVULET_CONF_OPTS"], "another clang was taken")
    needed = set(values["RIVULET_DEPENDENCIES"].split())
    expect("dtc" in needed and not needed & BUILT_LLVM, f"rivulet depends on {sorted(needed)}")
    for package in ("rivulet", "rivulet-firmware", "rivulet-tomlplusplus"):
        info = json.loads(run("make", "-s", f"O={folder}", f"{package}-show-info"))
        expect(info[package]["licenses"], f"{package} has no licence")
files = [path for path in tree.rglob("*") if path.is_file()]
print(run(sys.executable, buildroot / "utils/check-package", "-b", *files))
