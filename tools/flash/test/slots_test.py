#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two slots for firmware in NOR flash: what starts, what falls back, and power cuts.

    slots_test.py RIVULET DATA XLEN [CUTS]    CUTS: of each kind
"""
import hashlib
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

from machine import HUNG, UP, Tools, boot, check, data_with, failures, start

RIVULET, DATA, XLEN = sys.argv[1], sys.argv[2], int(sys.argv[3])
CUTS = int(sys.argv[4]) if len(sys.argv) > 4 else 0
FIRMWARE = os.path.join(DATA, "firmware", f"virt-rv{XLEN}.elf")
BLOCK, SLOTS, FLOOR = 0x40000, {"A": 0x40000, "B": 0x200000}, 0x1c0000
BYTES, SEQUENCE, SECURITY, DIGEST, TRIED, HEALTHY = 48, 56, 64, 144, 448, 512
MOST_VERSIONS = 1024
UPDATE_AT = 0x80210000
tools = Tools(RIVULET, DATA)


def flash(*arguments):
    return ("flash", "--board", "virt", "--firmware", FIRMWARE, *arguments)


def segment(elf):
    """File offset of the first loaded segment, and the entry's offset in it."""
    wide = elf[4] == 2
    entry, table = struct.unpack_from("<QQ" if wide else "<II", elf, 24)
    size, count = struct.unpack_from("<HH", elf, 54 if wide else 42)
    for i in range(count):
        at = table + i * size
        if struct.unpack_from("<I", elf, at)[0] == 1: # PT_LOAD
            offset, = struct.unpack_from("<Q" if wide else "<I", elf, at + (8 if wide else 4))
            address, = struct.unpack_from("<Q" if wide else "<I", elf, at + (24 if wide else 12))
            return offset, entry - address
    raise ValueError


def hanging(path):
    """Firmware that does nothing, for ever."""
    elf = bytearray(open(FIRMWARE, "rb").read())
    offset, entry = segment(elf)
    struct.pack_into("<I", elf, offset + entry, 0x0000006f) # j .
    with open(path, "wb") as file:
        file.write(elf)
    return path


def word(chip, at):
    with open(chip, "rb") as file:
        file.seek(at)
        return struct.unpack("<I", file.read(4))[0]


def damage(chip, at, byte=0x55):
    with open(chip, "r+b") as file:
        file.seek(at)
        old = file.read(1)[0]
        file.seek(at)
        file.write(bytes([old ^ byte]))


def starts(what, chip, letter, number, *more):
    said = boot(XLEN, chip, [UP, "no slot"], *more)
    check(what, any(f"slot {letter}, number {number}" in line for line in said) and UP in said[-1],
          "\n".join(said))


def large_chip(folder):
    """A chip that is larger than other files may be is updated like any other."""
    recipe = open(os.path.join(DATA, "boards", "virt", "flash.toml")).read()
    large = re.sub(r"(?m)^bytes = \S+", "bytes = 0x6000000", recipe)
    check("recipe", large != recipe)
    path = os.path.join(folder, "flash.toml")
    with open(path, "w") as file:
        file.write(large)
    there = Tools(RIVULET, data_with(os.path.join(folder, "data"), DATA, "virt",
                                     {"boards/virt/flash.toml": path}))
    chip = os.path.join(folder, "large.img")
    there.expect("large chip", 0, ["image"], *flash("--image", chip))
    there.expect("large update", 0, ["slot       B, number 2"], *flash("--to", chip))
    there.expect("no chip", 1, ["cannot open"], *flash("--to", os.path.join(folder, "none")))
    os.remove(chip)


def life(folder):
    """A chip from its first image through updates, good ones and bad ones."""
    chip = os.path.join(folder, "chip.img")
    tools.expect("new chip", 0, ["method     pflash", "image"], *flash("--image", chip))
    check("not healthy yet", word(chip, SLOTS["A"] + HEALTHY) == 0xffffffff)
    starts("first start", chip, "A", 1)
    check("one try", [word(chip, SLOTS["A"] + TRIED + 4 * i) for i in range(2)] == [0, 0xffffffff])
    check("healthy", word(chip, SLOTS["A"] + HEALTHY) == 0)
    tools.expect("update", 0, ["slot       B, number 2"], *flash("--to", chip))
    starts("after the update", chip, "B", 2)
    said = boot(XLEN, chip, ["waits for a host"])
    check("no trial any more", "boot: slot B, number 2" in said, "\n".join(said))

    other = 96 - XLEN
    tools.expect("firmware of the other XLEN", 1,
                 [f"its harts have {XLEN} bits, the firmware is for {other}"],
                 "flash", "--board", "virt", "--firmware",
                 os.path.join(DATA, "firmware", f"virt-rv{other}.elf"), "--to", chip)

    bad = hanging(os.path.join(folder, "bad.elf"))
    tools.expect("bad update", 0, ["slot       A, number 3"], "flash", "--board", "virt",
                 "--firmware", bad, "--to", chip)
    for number in range(3):
        said = boot(XLEN, chip, [HUNG, UP])
        check(f"try {number}", "boot: slot A, number 3, on trial" in said, "\n".join(said))
        check("counted", word(chip, SLOTS["A"] + TRIED + 4 * number) == 0)
    said = boot(XLEN, chip, ["waits for a host", "no slot"])
    check("falls back", "boot: slot B, number 2" in said and "waits" in said[-1], "\n".join(said))
    tools.expect("over the bad one", 0, ["slot       A, number 3"], *flash("--to", chip))
    starts("mended", chip, "A", 3)

    whole = os.path.join(folder, "whole.img")
    shutil.copy(chip, whole)
    damage(chip, SLOTS["A"] + BLOCK + 1000)
    said = boot(XLEN, chip, ["waits for a host", "no slot"])
    check("damaged firmware", "boot: slot A is damaged" in said and "waits" in said[-1],
          "\n".join(said))
    damage(chip, SLOTS["B"] + 60) # its statement
    said = boot(XLEN, chip, ["waits for a host", "no slot"])
    check("both damaged", "no slot holds firmware" in said[-1], "\n".join(said))
    for at in (0, 4, 9, 17, 36, 44, 60, 70, 130, 190):
        shutil.copy(whole, chip)
        damage(chip, SLOTS["A"] + at)
        if at in (0, 44, 130): # the rest is the same code
            said = boot(XLEN, chip, ["waits for a host", "no slot"])
            check(f"damaged block at {at}", "waits" in said[-1] and "boot: slot B, number 2" in said,
                  "\n".join(said))
    shutil.copy(whole, chip)
    return chip


def through_the_chip(folder, chip):
    """An update from memory, which the boot stage writes through the chip's commands."""
    update = os.path.join(folder, "update.bin")
    tools.expect("staged update", 0, ["method     update"], *flash("--via", "update", "--image", update))
    load = ["-device", f"loader,file={update},addr={UPDATE_AT:#x},force-raw=on"]
    before = open(chip, "rb").read()
    starts("staged", chip, "B", 4, *load)
    after = open(chip, "rb").read()
    a, b = SLOTS["A"], SLOTS["B"]
    check("slot A untouched", before[:b] == after[:b])
    check("slot B", after[b + BLOCK:][:40000] == before[a + BLOCK:][:40000])
    damage(update, 5000)
    said = boot(XLEN, chip, [UP, "waits for a host"], *load)
    check("damaged in memory", "boot: the update is damaged" in said, "\n".join(said))
    damage(update, 5000)
    return load


def forge(chip, at, number, size="Q"):
    """Another number in slot A's statement, and the digest for it."""
    with open(chip, "r+b") as file:
        file.seek(SLOTS["A"] + at)
        file.write(struct.pack("<" + size, number))
        file.seek(SLOTS["A"])
        head = file.read(DIGEST)
        file.seek(SLOTS["A"] + BLOCK)
        firmware = file.read(struct.unpack_from("<Q", head, BYTES)[0])
        file.seek(SLOTS["A"] + DIGEST)
        file.write(hashlib.sha512(head[4:] + firmware).digest())


def floor(chip):
    return next((i for i in range(MOST_VERSIONS) if word(chip, FLOOR + 4 * i) == 0xffffffff),
                MOST_VERSIONS)


def numbers_never_end(folder, whole):
    """Whatever the current firmware's number, two updates, by tool and by boot stage, start."""
    chip, update = os.path.join(folder, "numbers.img"), os.path.join(folder, "update.bin")
    tools.expect("staged update", 0, [], *flash("--via", "update", "--image", update))
    load = ["-device", f"loader,file={update},addr={UPDATE_AT:#x},force-raw=on"]
    for number in (2**64 - 1, 2**64 - 2, 2**63 - 1, 2**63, 2**63 + 2):
        shutil.copy(whole, chip)
        forge(chip, SEQUENCE, number)
        with open(chip, "r+b") as file: # the other slot says nothing about it
            file.seek(SLOTS["B"])
            file.write(b"\xff" * BLOCK)
        after, then = (number + 1) % 2**64, (number + 2) % 2**64
        told = f"slot       B, number {after},"
        tools.expect(f"after {number}", 0, [told], *flash("--to", chip))
        starts(f"update after {number}", chip, "B", after % 2**XLEN)
        starts(f"next update after {number}", chip, "A", then % 2**XLEN, *load)


def security_versions(folder):
    chip, update = os.path.join(folder, "floor.img"), os.path.join(folder, "update.bin")

    def waits(what, slot):
        said = boot(XLEN, chip, ["waits for a host", "no slot"])
        check(what, f"boot: slot {slot}" in said and "waits" in said[-1], "\n".join(said))
        return said

    def versioned(version, *more):
        return flash("--security-version", str(version), *more)

    tools.expect("new chip", 0, [], *versioned(1, "--image", chip))
    starts("version 1", chip, "A", 1)
    check("not confirmed before the next start", floor(chip) == 0)
    tools.expect("but the tool knows", 1, ["starts none below 1"], *versioned(0, "--to", chip))
    said = waits("confirmed", "A, number 1")
    check("floor 1", floor(chip) == 1 and "boot: security floor 1" in said)
    tools.expect("version 3", 0, ["B, number 2, security version 3 of 1 at least"],
                 *versioned(3, "--to", chip))
    trial = os.path.join(folder, "trial.img")
    shutil.copy(chip, trial)
    damage(trial, SLOTS["B"] + BLOCK + 1000)
    said = boot(XLEN, trial, ["waits for a host", "no slot"])
    check("while on trial the old one would start", "boot: slot A, number 1" in said, "\n".join(said))
    starts("on trial", chip, "B", 2)
    check("a trial raises nothing", floor(chip) == 1)
    shutil.copy(chip, trial)
    tools.expect("forced downgrade of what has just come up", 1, ["starts none below 3"],
                 *versioned(2, "--to", trial, "--force"))
    tools.expect("forced, the same", 0, ["image"], *versioned(3, "--to", trial, "--force"))
    check("whose floor is written at once", floor(trial) == 3)
    recipe = os.path.join(folder, "moved.toml")
    with open(os.path.join(DATA, "boards", "virt", "flash.toml")) as old, open(recipe, "w") as new:
        new.write(old.read().replace(f"floor = {FLOOR:#x}", "floor = 0x3c0000"))
    moved = Tools(RIVULET, data_with(os.path.join(folder, "moved"), DATA, "virt",
                                     {"boards/virt/flash.toml": recipe}))
    shutil.copy(chip, trial)
    moved.expect("forced downgrade by a recipe with the floor elsewhere", 1, ["starts none below 3"],
                 *versioned(2, "--to", trial, "--force"))
    waits("newer", "B, number 2")
    check("floor 3", floor(chip) == 3)
    for version in 0, 1, 2:
        tools.expect(f"downgrade to {version}", 1, ["starts none below 3"],
                     *versioned(version, "--to", chip))
        tools.expect(f"forced downgrade to {version}", 1, ["starts none below 3"],
                     *versioned(version, "--to", chip, "--force"))
        tools.expect("staged", 0, [], *versioned(version, "--via", "update", "--image", update))
        said = boot(XLEN, chip, ["waits for a host", "no slot"], "-device",
                    f"loader,file={update},addr={UPDATE_AT:#x},force-raw=on")
        check(f"staged downgrade to {version}",
              "boot: the update has a security version below this board's floor" in said and
              "boot: slot B, number 2" in said, "\n".join(said))
    damage(chip, SLOTS["B"] + BLOCK + 1000)
    said = boot(XLEN, chip, ["waits for a host", "no slot"])
    check("not even as the last one", "boot: slot A has a security version below this board's floor"
          in said and "no slot" in said[-1], "\n".join(said))
    tools.expect("another of the same", 0, ["B, number 1, security version 3 of 3 at least"],
                 *versioned(3, "--to", chip))
    starts("saved", chip, "B", 1)
    tools.expect("the whole chip", 0, ["image"], *versioned(4, "--to", chip, "--force"))
    check("which keeps its floor", floor(chip) == 3)
    starts("anew", chip, "A", 1)
    for wrong in "1025", "-1", "x":
        tools.expect(f"version {wrong}", 2, ["--security-version"], *versioned(wrong, "--to", chip))


def what_would_start_stays(folder):
    """Of two slots that have never come up the one whose tries are used up is overwritten."""
    chip, update = os.path.join(folder, "tried.img"), os.path.join(folder, "update.bin")
    tools.expect("staged update", 0, [], *flash("--via", "update", "--image", update))
    for used_up, kept, number in (("B", "A", 2), ("A", "B", 3)):
        tools.expect("new chip", 0, [], *flash("--image", chip))
        tools.expect("second", 0, ["slot       B, number 2"], *flash("--to", chip))
        with open(chip, "r+b") as file:
            file.seek(SLOTS[used_up] + TRIED)
            file.write(bytes(12))
        both = os.path.join(folder, "both.img")
        shutil.copy(chip, both)
        tools.expect(f"keeps {kept}", 0, [f"slot       {used_up}, number {number}"],
                     *flash("--to", both))
        starts(f"boot stage keeps {kept}", chip, used_up, number, "-device",
               f"loader,file={update},addr={UPDATE_AT:#x},force-raw=on")


def damaged_floor(folder):
    """Board and tool say what to do about a floor's block that holds anything."""
    chip = os.path.join(folder, "floor.img")
    tools.expect("new chip", 0, [], *flash("--image", chip))
    with open(chip, "r+b") as file:
        file.seek(FLOOR)
        file.write(b"\x5a" * BLOCK)
    said = boot(XLEN, chip, ["waits for a host", "no slot"])
    check("damaged floor", any("security floor 1024, the highest" in line and
                               "erase the chip" in line for line in said) and "no slot" in said[-1],
          "\n".join(said))
    for force in (), ("--force",):
        tools.expect("tool and damaged floor", 1, ["erase the chip"], *flash("--to", chip, *force))
    with open(chip, "r+b") as file:
        file.write(b"\xff" * os.path.getsize(chip))
    tools.expect("erased", 0, ["image"], *flash("--to", chip, "--force"))
    starts("the way out", chip, "A", 1)


def cuts_of_the_floor(folder, whole, seed):
    """QEMU killed while the boot stage raises the floor."""
    ready, chip = os.path.join(folder, "ready.img"), os.path.join(folder, "cut.img")
    shutil.copy(whole, ready)
    tools.expect("highest version", 0, [], *flash("--security-version", str(MOST_VERSIONS), "--to", ready))
    starts("highest version", ready, "B", 4)
    between = 0
    for i in range(CUTS):
        shutil.copy(ready, chip)
        with start(XLEN, chip) as machine:
            time.sleep(0.1 + seed.random() * 0.4)
            machine.kill()
        between += 0 < floor(chip) < MOST_VERSIONS
        said = boot(XLEN, chip, ["waits for a host", "no slot"])
        if not check(f"cut {i} of the floor", "boot: slot B, number 4" in said and "waits" in said[-1] and
                     floor(chip) == MOST_VERSIONS, "\n".join(said)):
            return
    print(f"cuts of the floor: {CUTS}, in the middle of it: {between}")


def cut_of_tool(folder, whole, seed):
    """The tool killed while it writes the chip's file."""
    chip = os.path.join(folder, "cut.img")
    shutil.copy(whole, chip)
    tool = subprocess.Popen([RIVULET, *flash("--to", chip)], stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, env={**os.environ, "RIVULET_DATA": DATA})
    time.sleep(seed.random() ** 2 * 0.4)
    tool.send_signal(signal.SIGKILL)
    tool.wait()
    return chip


def cut_of_power(folder, whole, seed, load):
    """QEMU killed while the boot stage writes."""
    chip = os.path.join(folder, "cut.img")
    shutil.copy(whole, chip)
    with start(XLEN, chip, *load) as machine:
        for line in machine.stdout:
            if "writing an update" in line:
                break
        time.sleep(seed.random() ** 2 * 2)
        machine.kill()
    return chip


def power_cuts(folder, whole, load):
    number = random.randrange(1 << 30)
    print(f"seed {number}")
    seed, ended = random.Random(number), {}
    for kind, cut in (("tool", cut_of_tool), ("QEMU", lambda *a: cut_of_power(*a, load))):
        for i in range(CUTS):
            chip = cut(folder, whole, seed)
            said = boot(XLEN, chip, ["waits for a host", "no slot"])
            slot = next((line for line in said if line.startswith("boot: slot") and "number" in line), "")
            good = "waits" in said[-1] and (slot.startswith("boot: slot A, number 3") or
                                            slot.startswith("boot: slot B, number 4"))
            if not check(f"cut {i} of {kind}, seed {number}", good, "\n".join(said)):
                return
            key = kind, slot.split(",")[0][-1]
            ended[key] = ended.get(key, 0) + 1
    cuts_of_the_floor(folder, whole, seed)
    print("started after cuts:", ", ".join(f"{kind}: {count} times slot {letter}"
                                           for (kind, letter), count in sorted(ended.items())))


with tempfile.TemporaryDirectory() as folder:
    large_chip(folder)
    chip = life(folder)
    whole = os.path.join(folder, "before.img")
    shutil.copy(chip, whole)
    load = through_the_chip(folder, chip)
    numbers_never_end(folder, whole)
    security_versions(folder)
    what_would_start_stays(folder)
    damaged_floor(folder)
    if CUTS:
        power_cuts(folder, whole, load)
if failures:
    sys.exit(f"{len(failures)} failures")
