#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Binary compatibility with the last release: librivulet, and the driver interface of hal.h.

    abi_test.py LIBRARY SOURCE CLANG [--update]

debian/librivulet1.symbols names the functions of the library and the versions they came with, which
dpkg-gensymbols holds here and in packages; their types are those of Khronos' headers, which the library
is compiled against. hal.abi is the driver interface of the last release as abidw wrote it: its types
stay as they are until a new version of HAL. --update rewrites the latter, for releases.
"""
import pathlib
import re
import shutil
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


def dump(file, output):
    status, said = run("abidw", *WITHOUT_PLACES, "--out-file", output, file)
    if status != 0 or not output.exists():
        sys.exit(f"abidw cannot read {file}:\n{said}")
    return output


def difference_of_symbols(symbols):
    """Differences between the library and this file according to dpkg-gensymbols; None if there
    are none."""
    # dpkg-gensymbols reads debian/control.
    done = subprocess.run(["dpkg-gensymbols", "-c4", "-plibrivulet1", "-v0", f"-e{library.resolve()}",
                           f"-I{symbols}", "-O/dev/null"], cwd=source, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout or "dpkg-gensymbols failed" if done.returncode else None


def dump_of_hal(include, output):
    table = output.with_suffix(".so")
    status, said = run(clang, "-shared", "-fPIC", "-g", "-O1", f"-ffile-prefix-map={here}/=",
                       "-I", include, "-o", table, here / "hal_table.c")
    if status != 0:
        sys.exit(said)
    return dump(table, output)


def difference_of_types(released, now):
    """The disallowed change reported by abidiff; None if there is none."""
    status, said = run("abidiff", "--no-added-syms", released, now)
    if status & 3:
        sys.exit(f"abidiff failed:\n{said}")
    return said if status else None


def hold(difference, what, remedy):
    if difference:
        sys.exit(f"{difference}\nnot so: programs built with the last release work with this {what}.\n"
                 f"Undo the change, or {remedy}")
    print(f"so it is: this {what} does for programs built with the last release")


def notice(difference, what):
    if not difference:
        sys.exit(f"not so: {what} is noticed")
    print(f"so it is: {what} is noticed")


def altered(text, old, new):
    if len(re.findall(old, text, re.S)) != 1:
        sys.exit(f"{old!r} is not there once: this test has to follow")
    return re.sub(old, new, text, flags=re.S)


def hal_with(scratch, name, old, new):
    """The dump of a hal.h in which something is changed."""
    include = scratch / name
    for folder in ("hal/protocol", "base"):
        shutil.copytree(source / folder, include / folder)
    text = (source / "hal/hal.h").read_text()
    (include / "hal/hal.h").write_text(altered(text, old, new))
    return dump_of_hal(include, scratch / f"{name}.abi")


def main():
    if sys.argv[4:] == ["--update"]:
        dump_of_hal(source, here / "hal.abi")
        (here / "hal.so").unlink()
        return
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        symbols = source / "debian/librivulet1.symbols"
        hold(difference_of_symbols(symbols), "library",
             f"write what is new into {symbols}, with the version that brings it. What is gone needs "
             "another SONAME.")
        hal = dump_of_hal(source, scratch / "hal.abi")
        hold(difference_of_types(here / "hal.abi", hal), "driver interface",
             "make it part of a new version: a major one, with another RVL_HAL_VERSION, or, for members "
             "at the end of structures of hal.h that say their size, a minor one. Then "
             f"`{' '.join(sys.argv)} --update` writes what is held.")

        # The check can fail.
        text = symbols.read_text()
        damaged = scratch / "symbols"
        for old, new, what in (
                (r" clFlush@.*?\n", "", "a function that is not listed"),
                (r" clFlush@Base", " clFlushed@Base", "a function that is gone"),
                (r"librivulet\.so\.1 ", "librivulet.so.2 ", "another SONAME")):
            damaged.write_text(altered(text, old, new))
            notice(difference_of_symbols(damaged), what)
        for number, (old, new, what) in enumerate((
                (r"(    uint32_t harts;[^\n]*\n)(    uint32_t xlen;[^\n]*\n)", r"\2\1",
                 "members that changed places"),
                (r"uint64_t hart_mask", "uint32_t hart_mask", "another type of a parameter"),
                (r"\n} rvl_driver;", "\n    rvl_status (*newer)(rvl_device *);\n} rvl_driver;",
                 "a member more"))):
            notice(difference_of_types(hal, hal_with(scratch, f"hal{number}", old, new)), what)


main()
