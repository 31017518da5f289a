#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs dirty_entry.S or, on machines with an SBI, dirty_entry_smode.S before the firmware, which leaves
arbitrary values in control registers, PMP entries, interrupts and registers: the HAL suite's tests of starts,
launches and faults must pass nevertheless.

    dirty_entry_test.py HAL-TEST MACHINE.cfg FIRMWARE.elf STUB.bin SEEDS

Without an SBI, every other machine has S mode and paging, whose registers are dirtied, too."""
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

SUITE, PROFILE, FIRMWARE, STUB = sys.argv[1:5]
SEEDS = int(sys.argv[5])
SUPERVISOR = "smode" in pathlib.Path(PROFILE).name
STUB_AT, PAGE = 0x84000000, 4096
HARTS = 2
TESTS = "Start.HelloAgrees*:Launch.RunsEveryGroupOnce:Fault.StoreToNull*:Fault.LoadOutside*:Read.SeesWhatHarts*"
# By class of ELF file: a program header is of that form, with offset, address and sizes at those places.
SEGMENT = {1: ("<IIIIIIII", 1, 3, 4, 5), 2: ("<IIQQQQQQ", 2, 4, 5, 6)}
HEADER = {1: (24, 28, "<I", 44), 2: (24, 32, "<Q", 56)} # e_entry, e_phoff, their form, e_phnum


def dirty(seed):
    """The firmware's file with another segment, where its first instructions jump to."""
    elf, stub = bytearray(pathlib.Path(FIRMWARE).read_bytes()), bytearray(pathlib.Path(STUB).read_bytes())
    kind = elf[4]
    form, offset_at, address_at, file_at, memory_at = SEGMENT[kind]
    entry_at, where, word, count_at = HEADER[kind]
    entry, = struct.unpack_from(word, elf, entry_at)
    jump = struct.pack("<II", STUB_AT - entry | 0x297, 0x00028067) # auipc t0, …; jr t0
    table, = struct.unpack_from(word, elf, where)
    count, = struct.unpack_from("<H", elf, count_at)
    size = struct.calcsize(form)
    segments = [list(struct.unpack_from(form, elf, table + i * size)) for i in range(count)]
    start = next(s for s in segments if s[0] == 1 and s[address_at] == entry)
    first = bytes(elf[start[offset_at]:start[offset_at] + len(jump)])
    elf[start[offset_at]:start[offset_at] + len(jump)] = jump
    struct.pack_into("<QQ8s", stub, 8, seed, HARTS, first)
    if SUPERVISOR:
        struct.pack_into("<Q", stub, 32, entry)
    elf += bytes(-len(elf) % PAGE)
    added = list(start)
    added[offset_at], added[address_at - 1], added[address_at] = len(elf), STUB_AT, STUB_AT
    added[file_at] = added[memory_at] = len(stub)
    elf += stub + bytes(-len(stub) % 8)
    struct.pack_into(word, elf, where, len(elf))
    struct.pack_into("<H", elf, count_at, count + 1)
    for segment in [*segments, added]:
        # Readable, writable, executable; the flags are the second word of 64 bits, the last but one of 32.
        segment[1 if kind == 2 else 6] = 7 if segment is added else segment[1 if kind == 2 else 6]
        elf += struct.pack(form, *segment)
    return elf


def with_s_mode():
    text = pathlib.Path(PROFILE).read_text()
    for name in "s", "mmu":
        before = f'property = "{name}"\n  value = "false"'
        if before not in text:
            sys.exit(f"{PROFILE} has no {name}=false")
        text = text.replace(before, before.replace("false", "true"))
    return text


def main():
    with tempfile.TemporaryDirectory() as folder:
        firmware, machine = pathlib.Path(folder, "dirty.elf"), pathlib.Path(folder, "machine.cfg")
        machine.write_text(pathlib.Path(PROFILE).read_text() if SUPERVISOR else with_s_mode())
        for seed in range(1, SEEDS + 1):
            firmware.write_bytes(dirty(seed))
            run = subprocess.run([SUITE, f"--gtest_filter={TESTS}", "--gtest_brief=1"], check=False,
                                 env={**os.environ, "RIVULET_FIRMWARE": str(firmware),
                                      "RIVULET_MACHINE": f"{machine if seed % 2 else PROFILE},harts={HARTS}"},
                                 capture_output=True, text=True, timeout=600)
            if run.returncode or "[  PASSED  ] 5 tests." not in run.stdout:
                sys.exit(f"seed {seed}: {run.stdout}{run.stderr}")
    print(f"{SEEDS} seeds")


if __name__ == "__main__":
    main()
