#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Binary compatibility with the last release: librivulet, and the driver interface of hal.h.

    abi_test.py LIBRARY SOURCE CLANG [--update]

The interfaces of the last release stand beside this file as abidw wrote them. Functions may be added
to the library; the types of hal.h stay as they are until a new version of HAL. --update writes the
interfaces of today, which is for releases.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

library, source, clang = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
here = pathlib.Path(__file__).resolve().parent
WITHOUT_PLACES = ("--exported-interfaces-only", "--no-corpus-path", "--no-comp-dir-path",
                  "--no-show-locs", "--type-id-style", "hash")


def run(*command):
    done = subprocess.run([str(word) for word in command], text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def dump(file, output, *options):
    status, said = run("abidw", *WITHOUT_PLACES, *options, "--out-file", output, file)
    if status != 0 or not output.exists():
        sys.exit(f"abidw cannot read {file}:\n{said}")
    return output


def dump_of_library(output):
    headers = [word for folder in ("/usr/include/CL", source / "host-runtime/include/CL")
               for word in ("--headers-dir", folder)]
    return dump(library, output, "--debug-info-dir", library.parent, "--drop-private-types", *headers)


def dump_of_hal(include, output):
    table = output.with_suffix(".so")
    status, said = run(clang, "-shared", "-fPIC", "-g", "-O1", f"-ffile-prefix-map={here}/=",
                       "-I", include, "-o", table, here / "hal_table.c")
    if status != 0:
        sys.exit(said)
    return dump(table, output)


def differences(released, now):
    """The change of abidiff's that isn't allowed; None: there is none."""
    status, said = run("abidiff", "--no-added-syms", released, now)
    if status & 3:
        sys.exit(f"abidiff failed:\n{said}")
    return said if status else None


def hold(released, now, what):
    said = differences(released, now)
    if said:
        sys.exit(f"{said}\nnot so: programs built with the last release work with this {what}.\n"
                 "Undo the change, or make it part of a new version: a major one, with another SONAME or "
                 "RVL_HAL_VERSION, or, for members at the end of structures of hal.h that say their size, "
                 f"a minor one of HAL. Then `{' '.join(sys.argv)} --update` writes what is held.")
    print(f"so it is: this {what} does for programs built with the last release")


def notice(released, now, what):
    if not differences(released, now):
        sys.exit(f"not so: {what} is noticed")
    print(f"so it is: {what} is noticed")


def altered(text, old, new):
    if len(re.findall(old, text, re.S)) != 1:
        sys.exit(f"{old!r} is not there once: this test has to follow")
    return re.sub(old, new, text, flags=re.S)


def hal_with(scratch, name, old, new):
    """The dump of a hal.h in which something is changed."""
    include = scratch / name
    (include / "hal/protocol").mkdir(parents=True)
    for file in (source / "hal/protocol").glob("*.h"):
        (include / "hal/protocol" / file.name).write_text(file.read_text())
    text = (source / "hal/hal.h").read_text()
    (include / "hal/hal.h").write_text(altered(text, old, new))
    return dump_of_hal(include, scratch / f"{name}.abi")


def main():
    if sys.argv[4:] == ["--update"]:
        dump_of_library(here / "librivulet.abi")
        dump_of_hal(source, here / "hal.abi")
        (here / "hal.so").unlink()
        return
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        ours = dump_of_library(scratch / "librivulet.abi")
        hal = dump_of_hal(source, scratch / "hal.abi")
        hold(here / "librivulet.abi", ours, "library")
        hold(here / "hal.abi", hal, "driver interface")

        # The check can fail.
        text = ours.read_text()
        damaged = scratch / "damaged.abi"
        damaged.write_text(altered(text, r"    <elf-symbol name='clFlush'[^\n]*\n", ""))
        notice(ours, damaged, "a function that is gone")
        damaged.write_text(altered(text, r"soname='librivulet\.so\.1'", "soname='librivulet.so.2'"))
        notice(ours, damaged, "another SONAME")
        notice(hal, hal_with(scratch, "order", r"(    uint32_t harts;[^\n]*\n)(    uint32_t xlen;[^\n]*\n)",
                             r"\2\1"), "members that changed places")
        notice(hal, hal_with(scratch, "type", r"uint64_t hart_mask", "uint32_t hart_mask"),
               "another type of a parameter")
        notice(hal, hal_with(scratch, "more", r"\n} rvl_driver;",
                             "\n    rvl_status (*newer)(rvl_device *);\n} rvl_driver;"),
               "a member more")


main()
