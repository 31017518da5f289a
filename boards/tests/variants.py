#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Boards out of tree: the template and forms of it with less, in a temporary folder with a CMake
project of its own. All of their firmware builds.

    variants.py CMAKE C++-COMPILER SOURCE-DIRECTORY CACHE-DIRECTORY
"""
import pathlib
import re
import subprocess
import sys
import tempfile


def node(label, text):
    """The whole node of that label, to be left out."""
    start = re.search(rf"^ *{label}: ", text, re.M).start()
    end = text.index("\n        };\n", start) + len("\n        };\n")
    return text[start:end]


def without(*labels):
    def change(text):
        for label in labels:
            text = text.replace(node(label, text), "")
        return re.sub(r".*stdout-path.*\n", "", text) if "uart" in labels else text
    return change


def replaced(*pairs):
    def change(text):
        for old, new in pairs:
            assert old in text, old
            text = text.replace(old, new)
        return text
    return change


IMSIC = """        imsic: interrupt-controller@24000000 {
            compatible = "riscv,imsics";
            reg = <0 0x24000000 0 0x1000>;
            interrupts-extended = <&cpu0_intc 11>;
        };
"""
APLIC = """        aplic: interrupt-controller@d000000 {
            compatible = "riscv,aplic";
            reg = <0 0x0d000000 0 0x8000>;
            msi-parent = <&imsic>;
            interrupt-controller;
            #interrupt-cells = <2>;
        };
"""
MAILBOX = """        bell: mailbox@30000000 {
            compatible = "rivulet,mmio-doorbell";
            reg = <0 0x30000000 0 0x1000>;
            interrupt-parent = <&plic>;
            interrupts = <3>;
            rivulet,ring = <0x10 1>;
            rivulet,acknowledge = <0x20 1>;
        };
"""
CLINT = 'compatible = "riscv,clint0";'
MSWI = """        mswi: interrupts@2000000 {
            compatible = "riscv,aclint-mswi";
            reg = <0 0x2000000 0 0x4000>;
            interrupts-extended = <&cpu0_intc 3>;
        };
"""
ISA = 'riscv,isa = "rv64imafdcv_zicsr_zifencei";'
VARIANTS = {
    "whole": replaced(),
    "no-uart": without("uart"),
    "no-uart-no-plic": without("uart", "plic"),
    "no-register-shape": replaced(("            reg-shift = <0>;\n", ""),
                                  ("            reg-io-width = <1>;\n", "")),
    "imsic-without-ivshmem": replaced(("        clint:", IMSIC + "        clint:")),
    "mailbox": replaced(("        clint:", MAILBOX + "        clint:")),
    "no-cache-block": replaced(("            riscv,cbom-block-size = <64>;\n", "")),
    "sstc-for-mtimer": lambda text: without("clint")(replaced(
        (ISA, 'riscv,isa-base = "rv64i"; riscv,isa-extensions = "i", "m", "a", "c", "sstc";'),
        ("        clint:", MSWI + "        clint:"))(text)),
    "only-aia": lambda text: without("clint", "plic")(replaced(
        (ISA, 'riscv,isa-base = "rv64i"; riscv,isa-extensions = "i", "m", "a", "c", "sstc";'),
        ("        clint:", IMSIC + APLIC + "        clint:"),
        ("interrupt-parent = <&plic>;\n            interrupts = <10>;",
         "interrupt-parent = <&aplic>;\n            interrupts = <10 4>;"))(text)),
    "own-interrupts": lambda text: without("clint")(replaced(
        (ISA, 'riscv,isa-base = "rv64i"; riscv,isa-extensions = "i", "m", "a", "c", "sstc";'),
        ("vendor,board", "acme,x1"))(text)),
    "large-hart-id": replaced(("            reg = <0>;", "            reg = <1000>;")),
    "own-driver": replaced(("vendor,board", "acme,x1")),
}
OWN_DRIVER = """#include "device-firmware/drivers/platform.h"
static void hart_init(void) { __asm__ volatile("nop"); }
RIVULET_PLATFORM(acme) = {.compatible = "acme,x1", .hart_init = hart_init};
"""


def main():
    cmake, compiler, source, cache = sys.argv[1:5]
    template = pathlib.Path(source, "boards/template/board.dts").read_text()
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        lines = ["cmake_minimum_required(VERSION 3.25)", "project(my_boards LANGUAGES CXX)",
                 f"include({source}/boards/rivulet_board.cmake)"]
        for variant, change in VARIANTS.items():
            folder = top / "boards" / variant
            folder.mkdir(parents=True)
            (folder / "board.dts").write_text(change(template))
            lines.append(f"rivulet_add_board(boards/{variant})")
        for variant in "own-driver", "own-interrupts":
            (top / "boards" / variant / "platform.c").write_text(OWN_DRIVER)
        (top / "CMakeLists.txt").write_text("\n".join(lines) + "\n")
        for command in (
                [cmake, "-G", "Ninja", "-S", top, "-B", top / "build",
                 f"-DCMAKE_CXX_COMPILER={compiler}", f"-DRIVULET_CACHE_DIR={cache}"],
                [cmake, "--build", top / "build", "--", "-k", "0"]):
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode or "warning:" in done.stdout:
                print(done.stdout[-8000:], done.stderr[-4000:])
                return 1
        missing = [variant for variant in VARIANTS
                   if not (top / f"build/lib/rivulet/firmware/{variant}-rv64.elf").exists()]
        print(f"{len(VARIANTS)} boards, {len(missing)} without firmware: {missing}")
        return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
