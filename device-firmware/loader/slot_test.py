#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The loader stage on QEMU's virt machine: harts enter a slot somewhere in RAM, and the firmware
comes up where it is linked. Damaged ones are not entered.

    slot_test.py LOADER.bin FIRMWARE.elf
"""
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import time
import unittest

SLOT_BYTES = 204 << 10  # the K1's
RAM, RAM_BYTES = 0x80000000, 256 << 20
MAILBOX = 0x80100000
DETACHED = 6
ENTERED, DAMAGED, NO_MEMORY = 1, 2, 3
LOADER, FIRMWARE = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
PACK = pathlib.Path(__file__).with_name("pack.py")


class Slot(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def pack(self, slot_bytes=SLOT_BYTES, firmware=FIRMWARE):
        process = subprocess.run([sys.executable, PACK, LOADER, firmware, str(slot_bytes),
                                  self.folder / "slot.bin"], capture_output=True, text=True)
        return process, self.folder / "slot.bin"

    def header(self, slot):
        """Where the payload's header is."""
        offset = slot.index(b"RVLP")
        self.assertEqual(offset % 64, 0)
        return offset

    @staticmethod
    def read(memory, address, size):
        with open(memory, "rb") as ram:
            ram.seek(address - RAM)
            return ram.read(size).ljust(size, b"\0")

    def enter(self, slot, address, until, harts=2):
        """Lets all harts enter the slot at the address; the memory once `until` holds of it."""
        memory = self.folder / "ram"
        path = self.folder / "entered.bin"
        path.write_bytes(slot)
        # The first code after reset, in flash: jumps to the slot with the a0 and a1 of the reset.
        flash = self.folder / "flash"
        flash.write_bytes(struct.pack("<IIIIQ", 0x00000297, 0x0102b283, 0x00028067, 0x13, address))
        os.truncate(flash, 32 << 20)
        command = ["qemu-system-riscv64", "-nodefaults", "-display", "none", "-serial", "null",
                   "-machine", "virt,acpi=off,memory-backend=ram,pflash0=boot", "-bios", "none", "-cpu",
                   "rv64,v=true", "-smp", str(harts), "-m", "256M", "-object",
                   f"memory-backend-file,id=ram,size=256M,mem-path={memory},share=on",
                   "-blockdev", f"driver=file,filename={flash},node-name=boot,read-only=on",
                   "-device", f"loader,file={path},addr={address:#x},force-raw=on"]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL) as machine:
            try:
                deadline = time.monotonic() + 60
                while not memory.exists() or not until(lambda at, size: self.read(memory, at, size)):
                    self.assertIsNone(machine.poll())
                    self.assertLess(time.monotonic(), deadline)
                    time.sleep(0.02)
            finally:
                machine.kill()

    def state_is(self, slot, address, wanted):
        state = address + self.header(slot) + 4
        return lambda read: struct.unpack("<I", read(state, 4))[0] == wanted

    def test_comes_up_from_any_address(self):
        process, path = self.pack()
        self.assertEqual(process.returncode, 0, process)
        slot = path.read_bytes()
        self.assertLess(self.header(slot), 4096)
        for address, harts in ((0x88000000, 2), (0x89801000, 1), (0x8b7ff040, 3)):
            with self.subTest(hex(address)):
                def up(read):
                    hello = read(MAILBOX, 48)
                    return (hello[:4] == b"RVLT" and struct.unpack_from("<I", hello, 12)[0] == DETACHED
                            and struct.unpack_from("<I", hello, 36)[0] == harts)
                self.enter(slot, address, up, harts)

    def test_damaged_firmware_is_not_entered(self):
        slot = bytearray(self.pack()[1].read_bytes())
        slot[-100] ^= 1
        self.enter(slot, 0x88000000, self.state_is(slot, 0x88000000, DAMAGED))

    def test_memory_that_does_not_hold_it(self):
        slot = bytearray(self.pack()[1].read_bytes())
        struct.pack_into("<Q", slot, self.header(slot) + 8, 0x70000000)  # nothing is there
        self.enter(slot, 0x88000000, self.state_is(slot, 0x88000000, NO_MEMORY))

    def test_too_large_for_the_slot(self):
        process, _ = self.pack(slot_bytes=32 << 10)
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("the slot 32768", process.stderr)

    def test_no_elf(self):
        self.assertIn("not a 64-bit ELF file", self.pack(firmware=PACK)[0].stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
