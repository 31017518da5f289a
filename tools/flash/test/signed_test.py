#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A board that demands signatures: of its firmware, by the boot stage, and of kernels, by the firmware.

    signed_test.py RIVULET DATA XLEN KEYS
"""
import base64
import hashlib
import os
import shutil
import stat
import struct
import subprocess
import sys
import tempfile

from machine import UP, Tools, boot, check, data_with, failures

RIVULET, DATA, XLEN, KEYS = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
KEY, PUBLIC = os.path.join(KEYS, "key"), os.path.join(KEYS, "key.pub")
TRAILER = 128
SOURCE = "kernel void triple(global int *a) { a[get_global_id(0)] *= 3; }\n"
# Its code depends on the local size, so that it may be built again for the one of its launches.
GROUPS = "kernel void triple(global int *a) { barrier(CLK_GLOBAL_MEM_FENCE); a[get_global_id(0)] *= 3; }\n"
UPDATE_AT = 0x80210000
SLOT_A, BLOCK = 0x40000, 0x40000
PRIME = 2**255 - 19
# Public keys that the device refuses, though OpenSSL takes them: device-firmware/tests/signature_test.cpp.
ORDER_8 = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826
REFUSED_KEYS = [("neutral element", 1), ("order 2", PRIME - 1), ("order 4", 0), ("order 8", ORDER_8),
                ("order 8, other half", PRIME - ORDER_8), ("not reduced", PRIME), ("not reduced", PRIME + 3),
                ("no point", 2)]


def altered(path, to, at, bit=1):
    contents = bytearray(open(path, "rb").read())
    contents[at] ^= bit
    with open(to, "wb") as file:
        file.write(contents)
    return to


def public_key(path, number):
    der = bytes.fromhex("302a300506032b6570032100") + number.to_bytes(32, "little") # RFC 8410
    with open(path, "w") as file:
        file.write("-----BEGIN PUBLIC KEY-----\n" + base64.b64encode(der).decode() +
                   "\n-----END PUBLIC KEY-----\n")
    return path


def keys(folder, tools):
    other = os.path.join(folder, "other")
    tools.expect("new key", 0, ["other.pub"], "sign", "--new-key", other)
    check("secret", stat.S_IMODE(os.stat(other).st_mode) == 0o600)
    before = open(other).read()
    tools.expect("no key is overwritten", 1, ["never overwritten"], "sign", "--new-key", other)
    check("same key", open(other).read() == before)
    return other


def signing(folder, tools, firmware, other):
    """The tool's own view."""
    signed = os.path.join(folder, "signed.elf")
    tools.expect("unsigned", 1, ["is not signed"], "sign", "--check", PUBLIC, firmware)
    tools.expect("sign", 0, ["signed firmware"], "sign", "--key", KEY, firmware, "-o", signed,
                 "--sequence", "1000")
    tools.expect("check", 0, ["signed firmware"], "sign", "--check", PUBLIC, signed)
    fifo, own = os.path.join(folder, "fifo"), os.path.join(folder, "own.elf")
    os.mkfifo(fifo)
    # The reader waits for ever for a tool that does not open the FIFO.
    with open(os.path.join(folder, "read"), "w+b") as read, \
            subprocess.Popen(["timeout", "60", "cat", fifo], stdout=read) as reader:
        tools.expect("into a FIFO", 0, [], "sign", "--key", KEY, firmware, "-o", fifo,
                     "--sequence", "1000")
        check("FIFO stays", stat.S_ISFIFO(os.stat(fifo).st_mode))
        check("the reader of the FIFO ends", reader.wait() == 0)
        read.seek(0)
        check("all comes out of the FIFO", read.read() == open(signed, "rb").read())
    shutil.copy(firmware, own)
    os.chmod(own, 0o600)
    link = os.path.join(folder, "link.elf")
    os.symlink(own, link)
    tools.expect("in place", 0, [], "sign", "--key", KEY, link)
    check("link and mode stay", os.path.islink(link) and stat.S_IMODE(os.stat(own).st_mode) == 0o600)
    tools.expect("other key", 1, ["not signed with this key"], "sign", "--check", other + ".pub", signed)
    tools.expect("numbers", 0, ["number 7, security version 2"], "sign", "--key", KEY, firmware, "-o", own,
                 "--sequence", "7", "--security-version", "2")
    tools.expect("numbers stay", 0, ["number 7, security version 3"], "sign", "--key", KEY, own,
                 "--security-version", "3")
    tools.expect("numbers are told", 0, ["number 7, security version 3"], "sign", "--check", PUBLIC, own)
    for option, wrong in (("--sequence", "0"), ("--sequence", str(2**63)), ("--sequence", str(2**64 - 1)),
                          ("--security-version", "1025")):
        tools.expect(f"{option} {wrong}", 2, [option], "sign", "--key", KEY, own, option, wrong)
    for number, at in (("sequence", -32), ("security version", -24)):
        tools.expect(f"altered {number}", 1, ["modified after signing"], "sign", "--check", PUBLIC,
                     altered(own, os.path.join(folder, "x.elf"), at))
    tools.expect("no numbers", 1, ["older release", "sign it again"], "sign", "--check", PUBLIC,
                 altered(own, os.path.join(folder, "x.elf"), -20, 2))
    once = open(signed, "rb").read()
    check("only a trailer", once[:-TRAILER] == open(firmware, "rb").read())
    tools.expect("again", 0, [], "sign", "--key", KEY, signed)
    check("one trailer", open(signed, "rb").read() == once)
    tools.expect("key that is none", 1, ["no private Ed25519 key"], "sign", "--key", PUBLIC, signed)
    for what, y in REFUSED_KEYS:
        for sign_of_x in 0, 1 << 255:
            weak = public_key(os.path.join(folder, "weak.pub"), y | sign_of_x)
            tools.expect(what, 1, ["devices refuse"], "sign", "--check", weak, signed)
    tools.expect("not there", 1, ["ENOENT"], "sign", "--key", KEY, signed + "x")
    tools.expect("no firmware", 1, ["neither"], "sign", "--key", KEY, KEY)
    tools.expect("no key", 2, ["--new-key"], "sign", signed)
    return signed


def firmware_is_demanded(folder, tools, plain, signed, other):
    """Tool and boot stage refuse each by itself."""
    def flash(*more):
        return ("flash", "--board", "virt", *more)
    chip = os.path.join(folder, "chip.img")
    tools.expect("unsigned firmware", 1, ["is not signed", "--key"],
                 *flash("--firmware", plain, "--image", chip))
    tools.expect("other's firmware", 1, ["not signed with the key"],
                 *flash("--firmware", plain, "--key", other, "--image", chip))
    tools.expect("altered firmware", 1, ["modified after signing"],
                 *flash("--firmware", altered(signed, os.path.join(folder, "x.elf"), 0x1200),
                        "--image", chip))
    tools.expect("signed firmware", 0, ["signature  yes"], *flash("--firmware", signed, "--image", chip))
    said = boot(XLEN, chip, [UP, "no slot"])
    check("signed starts", UP in said[-1], "\n".join(said))

    # A board whose boot stage verifies nothing gets no update that seems to be verified.
    keyless = os.path.join(folder, "keyless.img")
    Tools(RIVULET, DATA).expect(
        "chip of a board without a key", 0, ["image"],
        *flash("--firmware", os.path.join(DATA, "firmware", f"virt-rv{XLEN}.elf"), "--image", keyless))
    tools.expect("boot stage without the key", 1, ["does not verify signatures", "--force"],
                 *flash("--firmware", signed, "--to", keyless))
    tools.expect("a new boot stage", 0, ["image"],
                 *flash("--firmware", signed, "--to", keyless, "--force"))
    tools.expect("which has the key", 0, ["slot       B"],
                 *flash("--firmware", plain, "--key", KEY, "--to", keyless))

    # Neither number is anybody's but the signer's.
    forged = os.path.join(folder, "forged.img")
    for number, at, size, value in (("sequence", 56, "<Q", 2**64 - 1), ("sequence", 56, "<Q", 2**62),
                                    ("security version", 64, "<I", 9)):
        contents = bytearray(open(chip, "rb").read())
        struct.pack_into(size, contents, SLOT_A + at, value)
        bytes_there, = struct.unpack_from("<Q", contents, SLOT_A + 48)
        firmware = contents[SLOT_A + BLOCK:][:bytes_there]
        contents[SLOT_A + 144:SLOT_A + 208] = hashlib.sha512(
            contents[SLOT_A + 4:SLOT_A + 144] + firmware).digest()
        with open(forged, "wb") as file:
            file.write(contents)
        said = boot(XLEN, forged, [UP, "no slot", "waits for a host"])
        check(f"forged {number}", "boot: slot A is not signed with this board's key" in said and
              "no slot" in said[-1], "\n".join(said))

    # An update has to be newer, however it is installed.
    def update(what, number):
        path, to = os.path.join(folder, "numbered.elf"), os.path.join(folder, "update.bin")
        tools.expect(what, 0, [f"number {number}"], "sign", "--key", KEY, plain, "-o", path,
                     "--sequence", number)
        tools.expect(what, 0, [], *flash("--firmware", path, "--via", "update", "--image", to))
        return path, ["-device", f"loader,file={to},addr={UPDATE_AT:#x},force-raw=on"]
    old, load = update("an old update", "5")
    tools.expect("the tool refuses it", 1, ["sequence number is 5", "would not start"],
                 *flash("--firmware", old, "--to", chip))
    tools.expect("numbers of its own", 1, ["need --key"],
                 *flash("--firmware", old, "--sequence", "9", "--to", chip))
    said = boot(XLEN, chip, ["waits for a host", "no slot"], *load)
    check("the board refuses it", any("update is not newer than the current firmware" in line for line in said),
          "\n".join(said))
    tools.expect("of the first format", 1, ["older release", "sign it again"],
                 *flash("--firmware", altered(signed, os.path.join(folder, "x.elf"), -20, 2), "--to", chip))
    two = os.path.join(folder, "two.img")
    shutil.copy(chip, two)
    new, load = update("a new update", "4000000000")
    said = boot(XLEN, two, [UP, "no slot"], *load)
    check("a new one", "boot: slot B, number 4000000000, on trial" in said, "\n".join(said))
    shutil.copy(chip, two)
    tools.expect("by the tool", 0, ["slot       B, number 4000000000,"], *flash("--firmware", new, "--to", two))
    tools.expect("signed on the way", 0, ["slot       B, number"],
                 *flash("--firmware", plain, "--key", KEY, "--to", two))
    said = boot(XLEN, two, [UP, "no slot"])
    check("which starts", UP in said[-1] and any("boot: slot B, number" in line for line in said),
          "\n".join(said))

    # The same tool without the board's key would write anything.
    careless = Tools(RIVULET, data_with(os.path.join(folder, "careless"), tools.data, "virt", {}))
    os.remove(os.path.join(careless.data, "boards", "virt", "key.pub"))
    for what, more in (("unsigned", ()), ("other key", ("--key", other))):
        bad = os.path.join(folder, "bad.img")
        careless.expect(f"written {what}", 0, [], *flash("--firmware", plain, *more, "--image", bad))
        said = boot(XLEN, bad, [UP, "no slot", "waits for a host"])
        check(f"{what} does not start", "boot: slot A is not signed with this board's key" in said and
              "no slot" in said[-1], "\n".join(said))
        update = os.path.join(folder, "update.bin")
        careless.expect(f"update {what}", 0, [],
                        *flash("--firmware", plain, *more, "--via", "update", "--image", update))
        said = boot(XLEN, chip, [UP, "no slot", "waits for a host"], "-device",
                    f"loader,file={update},addr={UPDATE_AT:#x},force-raw=on")
        check(f"update {what} is refused",
              "boot: the update is not signed with this board's key" in said and "waits" in said[-1],
              "\n".join(said))
        copy = os.path.join(folder, "two.img")
        shutil.copy(chip, copy)
        careless.expect(f"slot B {what}", 0, ["slot       B"],
                        *flash("--firmware", plain, *more, "--to", copy))
        said = boot(XLEN, copy, ["no slot", "waits for a host"])
        check(f"slot B {what} falls back",
              "boot: slot B is not signed with this board's key" in said and
              any(line.startswith("boot: slot A, number") for line in said) and "waits" in said[-1],
              "\n".join(said))
        fresh = os.path.join(folder, "fresh.img") # slot A has never come up either
        tools.expect("new chip", 0, [], *flash("--firmware", signed, "--image", fresh))
        careless.expect(f"slot B {what}", 0, ["slot       B"],
                        *flash("--firmware", plain, *more, "--to", fresh))
        tools.expect(f"{what} one is overwritten", 0, ["slot       B, number"],
                     *flash("--firmware", plain, "--key", KEY, "--to", fresh))


def kernels_are_demanded(folder, tools, other):
    """Through OpenCL, with firmware that has the key."""
    machine = {"RIVULET_MACHINE": "rv64-v128,harts=1" if XLEN == 64 else "rv32,harts=1",
               "RIVULET_FIRMWARE": os.path.join(DATA, "firmware", f"signed-rv{XLEN}.elf"),
               "RIVULET_CACHE": os.path.join(folder, "cache"), "RIVULET_LOG": "3"}
    source = os.path.join(folder, "triple.cl")
    with open(source, "w") as file:
        file.write(SOURCE)
    run = ["triple", "iota:4", "-g", "4", "--print", "0"]

    def expect(what, status, words, file, env=None):
        said = tools.expect(what, status, words, "run", file, *run, env={**machine, **(env or {})})
        check(what + " ran", ("0 3 6 9" in said) == (status == 0), said)

    expect("no key", 1, ["signed kernels only", "RIVULET_SIGN_KEY"], source)
    expect("other key", 1, ["not signed with its board's key", "its signature is invalid"], source,
           {"RIVULET_SIGN_KEY": other})
    expect("no key file", 1, ["no private Ed25519 key"], source, {"RIVULET_SIGN_KEY": KEYS + ".absent"})
    expect("right key", 0, [], source, {"RIVULET_SIGN_KEY": KEY})

    image = os.path.join(folder, "triple.rvk")
    tools.expect("compile", 0, [], "cc", *target(), source, "-o", image)
    expect("unsigned image", 1, ["signed kernels only"], image)
    signed = os.path.join(folder, "signed.rvk")
    tools.expect("sign image", 0, ["signed kernel image"], "sign", "--key", KEY, image, "-o", signed)
    tools.expect("check image", 0, [], "sign", "--check", PUBLIC, signed)
    expect("signed image", 0, [], signed)
    tools.expect("sign image by other", 0, [], "sign", "--key", other, image, "-o", image)
    expect("image of other key", 1, ["not signed with its board's key"], image)
    # The last byte of the first segment's code that isn't 0 is some instruction's.
    for what, at in (("signature", -TRAILER + 3), ("code", 0x400)):
        bad = altered(signed, os.path.join(folder, "bad.rvk"), at, 0x10)
        expect(f"altered {what}", 1, ["not signed with its board's key"], bad)

    # Versions of kernels need the key, too: without it none is built, even if the source is known.
    with open(source, "w") as file:
        file.write(GROUPS)
    tools.expect("compile again", 0, [], "cc", *target(), source, "-o", image)
    tools.expect("sign again", 0, [], "sign", "--key", KEY, image, "-o", signed)
    with open(signed, "ab") as file: # as in host-runtime/program/binary.cpp
        file.write(GROUPS.encode() + struct.pack("<3Q8s", 0, len(GROUPS), 0, b"RVLFROM\1"))
    for what, key, versions in (("no version", {}, 0), ("a version", {"RIVULET_SIGN_KEY": KEY}, 1)):
        said = tools.expect(what, 0, ["0 3 6 9"], "run", signed, *run,
                            env={**machine, **key, "RIVULET_KERNEL_VERSIONS": "wait"})
        check(what, said.count("the version for local size") == versions and
              said.count("no version for") == 0, said)


def target():
    return ["-cl-kernel-arg-info", "--target", *(["rv64imafdcv", "--vlen", "128"] if XLEN == 64 else
                                                ["rv32imaf"])]


with tempfile.TemporaryDirectory() as folder:
    plain = os.path.join(DATA, "firmware", f"signed-rv{XLEN}.elf")
    stage = f"boot-rv{XLEN}.bin"
    board = os.path.join(DATA, "boards", "signed")
    tools = Tools(RIVULET, data_with(os.path.join(folder, "data"), DATA, "virt",
                                     {f"boards/virt/{stage}": os.path.join(board, stage),
                                      "boards/virt/key.pub": PUBLIC}))
    other = keys(folder, tools)
    signed = signing(folder, tools, plain, other)
    firmware_is_demanded(folder, tools, plain, signed, other)
    kernels_are_demanded(folder, tools, other)
if failures:
    sys.exit(f"{len(failures)} failures")
