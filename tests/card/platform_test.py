#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The kernel module rivulet_window on a chip with a device tree: QEMU's virt machine of aarch64, whose
PL031 stands for the registers of harts. Its alarm is an interrupt that is a level until it is
acknowledged.

    platform_test.py CACHE
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from guest import ARM64, Archive
from kernel_module import build

CACHE = pathlib.Path(sys.argv.pop(1)).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[2]
MACHINE = ["qemu-system-aarch64", "-cpu", "cortex-a57", "-m", "512", "-nodefaults", "-display", "none"]
BOARD = "virt,gic-version=3"
TOOLS = ("qemu-system-aarch64", "aarch64-linux-gnu-gcc", "dtc", "cpio")
# RTCLR = 0 is the time of the alarm, RTCIMSC lets its interrupt through, RTCICR ends it.
NODES = """/ {
    reserved-memory {
        #address-cells = <2>;
        #size-cells = <2>;
        ranges;
        window: window@50000000 { reg = <0 0x50000000 0 0x200000>; no-map; };
        mapped: window@50400000 { reg = <0 0x50400000 0 0x200000>; };
    };
    window@9010000 {
        compatible = "rivulet,window";
        memory-region = <&window>;
        reg = <0 0x9010000 0 0x1000>;
        rivulet,address = <0 0x80000000>;
        rivulet,bell = <0x08 0>;
        rivulet,reset = <0x10 0>;
        rivulet,release = <0x10 1>;
        rivulet,acknowledge = <0x1c 1>;
        interrupts = <0 2 4>;
    };
    window-without-no-map { compatible = "rivulet,window"; memory-region = <&mapped>; };
    window-with-a-level { compatible = "rivulet,window"; memory-region = <&window>; interrupts = <0 40 4>; };
};
&{/pl031@9010000} { status = "disabled"; };
"""
INIT = """#!/bin/busybox sh
B=/bin/busybox
$B mount -t proc p /proc; $B mount -t sysfs s /sys; $B mount -t devtmpfs d /dev
$B insmod /rivulet_window.ko; echo "insmod ends with $?"
/window; echo "window ends with $?"
$B ls /dev | $B grep rivulet
$B dmesg | $B grep rivulet_window
$B rmmod rivulet_window; echo "rmmod ends with $?"
$B poweroff -f
"""


@unittest.skipUnless(all(map(shutil.which, TOOLS)), f"not all of {', '.join(TOOLS)} are installed")
class Platform(unittest.TestCase):
    def tree(self, folder):
        """The machine's own tree with windows, where Linux has no driver for the PL031."""
        tree = folder / "virt.dtb"
        subprocess.run([*MACHINE, "-M", f"{BOARD},dumpdtb={tree}"], check=True, capture_output=True)
        text = subprocess.run(["dtc", "-q", "-I", "dtb", "-O", "dts", tree], check=True, text=True,
                              capture_output=True).stdout
        subprocess.run(["dtc", "-q", "-I", "dts", "-O", "dtb", "-o", tree], check=True, text=True,
                       input=text + NODES)
        return tree

    def root(self, archive, folder):
        top = folder / "root"
        for name in ("bin", "dev", "proc", "sys"):
            (top / name).mkdir(parents=True)
        shutil.copy(archive.unpacked("busybox-static") / "bin/busybox", top / "bin")
        native = subprocess.run(["dpkg", "--print-architecture"], check=True, text=True,
                                capture_output=True).stdout.strip()
        module = build(archive, folder, Archive(CACHE, native),
                       ("ARCH=arm64", "CROSS_COMPILE=aarch64-linux-gnu-", "CC=aarch64-linux-gnu-gcc"))
        shutil.copy(module, top)
        subprocess.run(["aarch64-linux-gnu-gcc", "-O2", "-Wall", "-Werror", "-static", "-I", SOURCE,
                        SOURCE / "tests/card/window.c", "-o", top / "window"], check=True)
        (top / "init").write_text(INIT)
        (top / "init").chmod(0o755)
        with (folder / "initrd").open("wb") as output:
            names = subprocess.run(["find", ".", "-print0"], cwd=top, stdout=subprocess.PIPE, check=True).stdout
            subprocess.run(["cpio", "--null", "--create", "--format=newc", "--quiet"], cwd=top, input=names,
                           stdout=output, check=True)
        return folder / "initrd"

    def test_windows_of_a_device_tree(self):
        with tempfile.TemporaryDirectory(prefix="rivulet-platform-") as name:
            folder, archive = pathlib.Path(name), Archive(CACHE, ARM64.architecture)
            initrd, tree = self.root(archive, folder), self.tree(folder)
            kernel = next((archive.kernel() / "boot").glob("vmlinuz-*"))
            said = subprocess.run(
                [*MACHINE, "-M", BOARD, "-dtb", tree, "-kernel", kernel, "-initrd", initrd, "-append",
                 f"{ARM64.arguments} quiet panic=-1", "-no-reboot", "-serial", "stdio"],
                text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, errors="replace", check=False,
                timeout=900).stdout
        print(said)
        for line in ("insmod ends with 0", "the window works", "window ends with 0", "rmmod ends with 0"):
            self.assertIn(line, said)
        self.assertEqual(re.findall(r"^(rivulet\d+)\s*$", said, re.M), ["rivulet0"])
        self.assertRegex(said, "window-without-no-map: .*the window is memory of Linux; .*needs no-map")
        self.assertRegex(said, "window-with-a-level: .*the interrupt is a level, which needs rivulet,acknowledge")


if __name__ == "__main__":
    unittest.main()
