#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Linux on harts 0 and 1 of QEMU's virt machine, the firmware on harts 2 and 3.

    machine.py WAY BUILD KERNEL-FOLDER OPENSBI [RISCV64-BUILD]

WAY says who brings the firmware to its harts: `before`, code that runs before OpenSBI, in M mode;
`domain`, OpenSBI with a domain for it, in S mode; `hsm`, a boot loader that asks OpenSBI for a hart.
The kernel is Debian's for riscv64, whose packages KERNEL-FOLDER holds or gets. Prints the console;
exits with 0 if Linux attached to the firmware, was answered, ran a kernel, and left it again. With a
build for riscv64, whose programs go along, the HAL suite has to pass there through the driver linux,
too."""
import dataclasses
import gzip
import lzma
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

from kernel import fetch_kernel
from llvm import tool

ADDRESSES = {"OPENSBI": 0xa0000000, "LINUX": 0xa0200000, "OPENSBI_TREE": 0xa8000000,
             "LINUX_TREE": 0xa8100000, "INITRD": 0xb0000000}
FLASH_BYTES = 32 << 20


@dataclasses.dataclass(frozen=True)
class Way:
    """How harts 2 and 3 come to the firmware."""
    board: str
    firmware: int  # where harts enter it
    tree: str      # OpenSBI's; Linux's too, unless `starter`
    define: str = ""  # for parting.S
    closed: str = ""  # an address of the firmware that Linux can't reach


WAYS = {
    "before": Way("virt-amp", 0x80000000, "linux.dts", "FIRMWARE_IN_M_MODE"),
    "domain": Way("virt-amp-smode", 0x80200000, "domains.dts", closed="0x80200000"),
    "hsm": Way("virt-amp-smode", 0x80200000, "four-harts.dts", "STARTER"),
}


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, **options)


def image_of(vmlinuz):
    """The Image in a kernel that EFI starts (zboot): magic, offset, size, kind of compression."""
    data = vmlinuz.read_bytes()
    if data[4:8] != b"zimg":
        return data
    offset, size = struct.unpack_from("<II", data, 8)
    kind = data[24:32].split(b"\0")[0]
    packed = data[offset:offset + size]
    if kind == b"gzip":
        return gzip.decompress(packed)
    if kind in (b"xz", b"xzkern", b"lzma"):
        return lzma.decompress(packed)
    return run("zstd", "-dc", input=packed, stdout=subprocess.PIPE).stdout


def unpack(folder, pattern, into):
    for package in pathlib.Path(folder).glob(pattern):
        run("dpkg-deb", "-x", package, into)


def make_flash(way, source, scratch):
    """The boot stage, as the chip's content."""
    defines = [f"-D{name}={offset:#x}" for name, offset in ADDRESSES.items()]
    defines.append(f"-DFIRMWARE={way.firmware:#x}")
    if way.define:
        defines.append(f"-D{way.define}")
    run(tool("clang"), "--target=riscv64-unknown-elf", "-march=rv64imac_zicsr", "-mabi=lp64", "-nostdlib",
        "-static", "-fuse-ld=lld", "-Wl,-Ttext=0x20000000", *defines,
        source / "tests/amp/parting.S", "-o", scratch / "parting.elf")
    run(tool("llvm-objcopy"), "-O", "binary", "-j", ".text", scratch / "parting.elf",
        scratch / "flash.bin")
    with open(scratch / "flash.bin", "r+b") as flash:
        flash.truncate(FLASH_BYTES)


def add_programs(build, root):
    """This build's tool, suite and drivers, and the libraries of the cross compiler."""
    (root / "lib/rivulet/drivers").mkdir(parents=True)
    for name in ("ld-linux-riscv64-lp64d.so.1", "libc.so.6", "libm.so.6", "libgcc_s.so.1",
                 "libstdc++.so.6"):
        found = run("riscv64-linux-gnu-gcc", f"-print-file-name={name}", stdout=subprocess.PIPE, text=True).stdout
        shutil.copy(found.strip(), root / "lib" / name)
    for name in ("bin/rivulet", "bin/rivulet-hal-test", "lib/rivulet/config.so",
                 "lib/rivulet/drivers/linux.so"):
        run(tool("llvm-strip"), build / name, "-o", root / name)


def make_initrd(way, source, scratch, build):
    root = scratch / "root"
    for folder in ("bin", "dev", "proc", "sys"):
        (root / folder).mkdir(parents=True)
    shutil.copy(scratch / "busybox/usr/bin/busybox", root / "bin/busybox")
    (root / "bin/sh").symlink_to("busybox")
    run("riscv64-linux-gnu-gcc", "-O2", "-static", "-I", source, source / "tests/amp/window.c",
        "-o", root / "bin/window")
    init = (source / "tests/amp/init").read_text().replace("CLOSED", way.closed)
    (root / "init").write_text(init)
    (root / "init").chmod(0o755)
    if build:
        add_programs(build, root)
    names = sorted(str(path.relative_to(root)) for path in root.rglob("*"))
    packed = run("cpio", "--quiet", "-o", "-H", "newc", cwd=root, stdout=subprocess.PIPE,
                 input="\n".join(names).encode()).stdout
    (scratch / "initrd").write_bytes(packed)


def main():
    way = WAYS[sys.argv[1]]
    native, cache, opensbi = (pathlib.Path(word).resolve() for word in sys.argv[2:5])
    build = pathlib.Path(sys.argv[5]).resolve() if sys.argv[5:] else None
    if not opensbi.exists():
        sys.exit(f"{opensbi} is missing: `./dev test -R amp` installs OpenSBI; RIVULET_OPENSBI is another path")
    source = pathlib.Path(__file__).resolve().parents[2]
    firmware = native / f"lib/rivulet/firmware/{way.board}-rv64.elf"
    if build and not (build / "bin/rivulet-hal-test").exists():
        sys.exit(f"{build} has no rivulet-hal-test, which hosts.riscv64.hal builds")
    kernel = fetch_kernel(cache)
    with tempfile.TemporaryDirectory(prefix="rivulet-amp-") as folder:
        scratch = pathlib.Path(folder)
        unpack(kernel, "linux-*_riscv64.deb", scratch / "kernel")
        unpack(kernel, "busybox-static_*_riscv64.deb", scratch / "busybox")
        vmlinuz = next((scratch / "kernel").rglob("vmlinu*"))
        (scratch / "Image").write_bytes(image_of(vmlinuz))
        make_flash(way, source, scratch)
        make_initrd(way, source, scratch, build)
        for name in (way.tree, "linux.dts"):
            run("dtc", "-q", "-I", "dts", "-O", "dtb", source / "tests/amp" / name, "-o",
                scratch / (name + ".dtb"))
        loads = [f"loader,file={firmware}"]
        for name, file in (("OPENSBI", opensbi), ("LINUX", scratch / "Image"),
                           ("OPENSBI_TREE", scratch / (way.tree + ".dtb")),
                           ("LINUX_TREE", scratch / "linux.dts.dtb"), ("INITRD", scratch / "initrd")):
            loads.append(f"loader,file={file},addr={ADDRESSES[name]:#x},force-raw=on")
        command = ["qemu-system-riscv64", "-nodefaults", "-display", "none", "-serial", "stdio",
                   "-machine", "virt,acpi=off,pflash0=boot", "-cpu", "rv64,v=true,vlen=256",
                   "-smp", "4", "-m", "1G", "-bios", "none", "-no-reboot",
                   "-blockdev", f"driver=file,filename={scratch}/flash.bin,node-name=boot"]
        for load in loads:
            command += ["-device", load]
        console = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True,
                                 text=True, errors="replace", timeout=1200, check=False)
        print(console.stdout[-20000:], console.stderr)
        steps = ["amp: attached", "pings, ", "amp: kernel ran", "amp: left"]
        if way.closed:
            steps += ["amp: the firmware is out of reach"]
        if build:
            steps += ["amp: driver attached", "amp: HAL suite passed"]
        missing = [step for step in steps if step not in console.stdout]
        if missing:
            print("missing:", missing)
        return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
