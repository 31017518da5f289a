#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A board that demands signatures: of its firmware, by the boot stage, and of kernels, by the firmware.

    signed_test.py RIVULET DATA XLEN KEYS
"""
import base64
import os
import shutil
import stat
import subprocess
import sys
import tempfile

from machine import UP, Tools, boot, check, data_with, failures

RIVULET, DATA, XLEN, KEYS = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
KEY, PUBLIC = os.path.join(KEYS, "key"), os.path.join(KEYS, "key.pub")
TRAILER = 128
SOURCE = "kernel void triple(global int *a) { a[get_global_id(0)] *= 3; }\n"
UPDATE_AT = 0x80500000
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
    tools.expect("sign", 0, ["signed firmware"], "sign", "--key", KEY, firmware, "-o", signed)
    tools.expect("check", 0, ["signed firmware"], "sign", "--check", PUBLIC, signed)
    fifo, own = os.path.join(folder, "fifo"), os.path.join(folder, "own.elf")
    os.mkfifo(fifo)
    # The reader waits for ever for a tool that does not open the FIFO.
    with open(os.path.join(folder, "read"), "w+b") as read, \
            subprocess.Popen(["timeout", "60", "cat", fifo], stdout=read) as reader:
        tools.expect("into a FIFO", 0, [], "sign", "--key", KEY, firmware, "-o", fifo)
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
    tools.expect("altered firmware", 1, ["altered"],
                 *flash("--firmware", altered(signed, os.path.join(folder, "x.elf"), 0x1200),
                        "--image", chip))
    tools.expect("signed firmware", 0, ["signature  yes"], *flash("--firmware", signed, "--image", chip))
    said = boot(XLEN, chip, [UP, "no slot"])
    check("signed starts", UP in said[-1], "\n".join(said))

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
              "boot: slot A, number 1" in said and "waits" in said[-1], "\n".join(said))


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
    expect("other key", 1, ["not signed with its board's key", "wrong signature is refused"], source,
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
