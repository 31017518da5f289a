#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rivulet flash: images that QEMU boots, images that other programs read, and what is refused.

    flash_test.py RIVULET DATA MKIMAGE UBOOT.bin
"""
import hashlib
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time

RIVULET, DATA, MKIMAGE, UBOOT = sys.argv[1:]
FIRMWARE = os.path.join(DATA, "firmware", "virt-rv64.elf")
QEMU = os.environ.get("RIVULET_QEMU", "qemu-system-riscv64")
MAGIC, BOOT_BLOCK = 0x544C5652, 0x80100000 + 1024 # RVL_MAILBOX_MAGIC, rvl_mailbox.boot
LONGEST_WAIT = 200 # seconds; it takes about one
failures = []
EMPTY = tempfile.TemporaryDirectory()


def check(what, good, *more):
    if not good:
        failures.append(" ".join(map(str, [what, *more])))


def flash(*arguments, data=DATA):
    return subprocess.run([RIVULET, "flash", *arguments], capture_output=True, text=True,
                          env={**os.environ, "RIVULET_DATA": data}, timeout=LONGEST_WAIT)


def expect(what, run, status, *words):
    said = run.stdout + run.stderr
    check(what, run.returncode == status and all(word in said for word in words), run.returncode,
          said)


def boots(what, arguments, typed="", tell_of_host=True, meanwhile=None, harts=3):
    """Runs QEMU until the firmware has found its host, for which a boot block is put into memory.
    `typed` goes to U-Boot once it asks; `meanwhile` is called once QEMU runs."""
    command = [QEMU, "-cpu", "rv64,v=on", "-smp", str(harts), "-m", "512M", "-display", "none", "-monitor",
               "none", "-serial", "stdio", *arguments]
    if tell_of_host:
        for offset, word in {0: MAGIC, 4: 1 << 16}.items():
            command += ["-device", f"loader,addr={BOOT_BLOCK + offset},data={word},data-len=4"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as machine:
        limit = threading.Timer(LONGEST_WAIT, machine.kill)
        limit.start()
        if meanwhile:
            meanwhile()
        said, lines = b"", typed.encode().splitlines(True)
        while f"board virt, {harts} harts, VLEN 128".encode() not in said:
            piece = os.read(machine.stdout.fileno(), 4096)
            if not piece:
                failures.append(f"{what}: did not come up:\n{said.decode(errors='replace')}")
                break
            said += piece
            if typed and said.endswith(b"autoboot:  2 "):
                machine.stdin.write(b"\n")
                machine.stdin.flush()
            if lines and said.endswith(b"=> "):
                machine.stdin.write(lines.pop(0))
                machine.stdin.flush()
        limit.cancel()
        machine.kill()


def pflash(folder):
    path = os.path.join(folder, "pflash.img")
    expect("pflash", flash("--board", "virt", "--image", path), 0, "method     pflash", "image")
    check("pflash's size", os.path.getsize(path) == 32 << 20)
    boots("pflash", ["-M", "virt,pflash0=flash", "-bios", "none", "-blockdev",
                     f"node-name=flash,driver=file,read-only=on,filename={path}"])


def sd_card(folder):
    """The card as a boot ROM reads it, by the board's README."""
    card, raw = os.path.join(folder, "card.img"), os.path.join(folder, "raw.bin")
    open(card, "wb").close()
    expect("raw", flash("--board", "k230", "--via", "raw", "--image", raw), 0)
    stand_in = os.path.join(folder, "rivulet.bin") # in OpenSBI's place: boards/sg2044/README.md
    expect("sg2044", flash("--board", "sg2044", "--via", "raw", "--image", stand_in), 0, "0x90000000")
    check("sg2044", 0 < os.path.getsize(stand_in) <= 0x150000, os.path.getsize(stand_in))
    expect("card", flash("--board", "k230", "--to", card), 0, "method     sdcard")
    payload, image = open(raw, "rb").read(), open(card, "rb").read()
    start, sectors = struct.unpack_from("<II", image, 446 + 8)
    magic, length, encryption, digest = struct.unpack_from("<4sII32s", image, 512 * start)
    check("partition", image[510:512] == b"\x55\xaa" and (start, image[450]) == (2048, 0xda))
    check("partition's end", len(image) == 512 * (start + sectors))
    check("header", (magic, length, encryption) == (b"K230", len(payload), 0))
    check("digest", digest == hashlib.sha256(payload).digest())
    check("payload", image[512 * start + 0x210:][:length] == payload)


TELL = f"mw.l {BOOT_BLOCK:x} {MAGIC:x}\nmw.l {BOOT_BLOCK + 4:x} 10000\n" # that there is a host
AT = 0x84000000
TREE = 0x83000000 # bootm changes a tree in its place, and newer U-Boots need theirs until the end


def by_u_boot(what, path, command, harts=3):
    boots(what, ["-M", "virt", "-bios", UBOOT, "-device", f"loader,file={path},addr={AT:#x},force-raw=on"],
          TELL + command + "\n", False, harts=harts)


def u_boot(folder):
    legacy, fit = os.path.join(folder, "u-boot.img"), os.path.join(folder, "fit.itb")
    elf, raw = os.path.join(folder, "boot.elf"), os.path.join(folder, "go.bin")
    for method, path in (("uboot", legacy), ("fit", fit), ("uboot-elf", elf), ("raw", raw)):
        expect(method, flash("--board", "virt", "--via", method, "--image", path), 0)
    read = subprocess.run([MKIMAGE, "-l", legacy], capture_output=True, text=True)
    check("mkimage", read.returncode == 0 and "RISC-V Linux Kernel Image" in read.stdout and
          "Entry Point:  80000000" in read.stdout, read.stdout, read.stderr)
    read = subprocess.run([MKIMAGE, "-l", fit], capture_output=True, text=True)
    digest = hashlib.sha256(open(raw, "rb").read()).hexdigest()
    check("mkimage of FIT", read.returncode == 0 and "FIT description: rivulet virt" in read.stdout and
          "Load Address: 0x80000000" in read.stdout and digest in read.stdout, read.stdout)
    tree = "${fdtcontroladdr}"
    bootm = f"fdt addr {tree}; fdt move {tree} {TREE:x} 10000; bootm {AT:x} - {TREE:x}"
    by_u_boot("legacy image", legacy, bootm)
    by_u_boot("FIT image", fit, bootm)
    by_u_boot("bootelf", elf, f"setenv autostart yes; bootelf -p {AT:x}", harts=1)
    by_u_boot("go", raw, f"cp.b {AT:x} 80000000 {os.path.getsize(raw):x}; go 80000000", harts=1)


def on_qemu():
    expect("qemu", subprocess.run([RIVULET, "flash", "--board", "virt", "--via", "qemu"],
                                  capture_output=True, text=True, timeout=LONGEST_WAIT,
                                  env={**os.environ, "RIVULET_DATA": DATA,
                                       "RIVULET_MACHINE": "rv64-v256,harts=2"}), 0,
           "running    2 harts of VLEN 256")


def debug_port(folder):
    """Firmware that a debugger has loaded goes on without it."""
    stub = os.path.join(folder, "stub")

    def load():
        for _ in range(LONGEST_WAIT * 10):
            if os.path.exists(stub):
                break
            time.sleep(0.1)
        expect("gdb", flash("--board", "virt", "--via", "gdb", "--target", f"unix:{stub}"), 0,
               "running    3 harts of VLEN 128")

    boots("gdb", ["-M", "virt", "-bios", "none", "-S", "-chardev",
                  f"socket,id=gdb,path={stub},server=on,wait=off", "-gdb", "chardev:gdb"], "", False,
          load)


def interrupted(folder):
    """A card whose writing fails half way has no header; the next try is whole."""
    card = os.path.join(folder, "interrupted.img")
    open(card, "wb").close()
    expect("whole", flash("--board", "k230", "--to", card), 0)
    before = open(card, "rb").read()
    script = f'ulimit -f 1030; trap "" XFSZ; exec "$0" flash --board k230 --to {card}'
    half = subprocess.run(["bash", "-c", script, RIVULET], capture_output=True, text=True,
                          env={**os.environ, "RIVULET_DATA": DATA}, timeout=LONGEST_WAIT)
    check("half is an error", half.returncode == 1 and "EFBIG" in half.stderr, half.stderr)
    check("half has no header", open(card, "rb").read()[1 << 20:][:4] == bytes(4))
    expect("again", flash("--board", "k230", "--to", card), 0)
    check("again is whole", open(card, "rb").read() == before)


def refusals(folder):
    expect("no board", flash("--board", "nowhere"), 1, "has no recipe")
    expect("other board", flash("--board", "k230", "--firmware", FIRMWARE, "--dry-run"), 1,
           "is for board virt, not k230", "--force")
    expect("forced", flash("--board", "k230", "--firmware", FIRMWARE, "--dry-run", "--force"), 0)
    expect("no method", flash("--board", "virt", "--via", "pigeon"), 1, "is not a method")
    expect("nowhere to", flash("--board", "virt"), 1, "--image FILE")
    expect("no NOR flash", flash("--board", "k230", "--via", "pflash", "--dry-run"), 1, "[pflash]")
    path = os.path.join(folder, "dry.img")
    expect("dry", flash("--board", "virt", "--image", path, "--dry-run"), 0)
    check("dry run", not os.path.exists(path))
    half = os.path.join(folder, "half.elf")
    with open(half, "wb") as file:
        file.write(open(FIRMWARE, "rb").read(9000))
    expect("half a firmware", flash("--board", "virt", "--firmware", half, "--dry-run"), 1, "damaged")
    expect("folder that is not there", flash("--board", "virt", "--image", EMPTY.name + "/absent/x"), 1,
           "ENOENT")
    full = flash("--board", "virt", "--to", "/dev/full")
    expect("full", full, 1, "/dev/full")

    other = os.path.join(folder, "data")
    os.makedirs(os.path.join(other, "boards"))
    os.symlink(os.path.join(DATA, "firmware"), os.path.join(other, "firmware"))
    shutil.copytree(os.path.join(DATA, "boards", "virt"), os.path.join(other, "boards", "virt"))
    for text, word in (('[flash]\nmethod = "raw"\nslot_bytes = 4096\n', "its slot only 4 KiB"),
                       ("[flash]\nmethod = 7\n", "flash.method has to be a text"),
                       ('[flash]\nslot_bytse = 7\n',
                        ":2: unknown key flash.slot_bytse (did you mean flash.slot_bytes?)"),
                       ("[flash\n", "flash.toml:")):
        with open(os.path.join(other, "boards", "virt", "flash.toml"), "w") as file:
            file.write(text)
        expect(text, flash("--board", "virt", "--dry-run", data=other), 1, word)


with tempfile.TemporaryDirectory() as folder:
    refusals(folder)
    pflash(folder)
    sd_card(folder)
    u_boot(folder)
    on_qemu()
    debug_port(folder)
    interrupted(folder)
if failures:
    sys.exit("\n".join(failures))
