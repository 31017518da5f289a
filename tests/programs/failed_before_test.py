#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Firmware that failed before a host came, and didn't come to tell its state: whatever opens the device
shows the report, before the firmware is loaded again."""
import contextlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

from doctor_board_test import FIRMWARE, RIVULET, doctor, spoilt_firmware
from programs import SOURCE, ProgramTest, run

sys.path.insert(0, str(SOURCE / "tests"))
from llvm import tool


def failing_firmware(folder):
    """It traps once its hello is there, and again when it wants to say so."""
    symbols = subprocess.run([tool("llvm-nm"), FIRMWARE / "virt-rv64.elf"], check=True, capture_output=True,
                             text=True).stdout
    places = {name: int(address, 16) for address, name in re.findall(r"^([0-9a-f]+) [tT] (\w+)$", symbols, re.M)}
    path = FIRMWARE / "virt-rv64.elf"
    for function in "riscv_report_health", "firmware_publish_crash":
        path = spoilt_firmware(folder, places[function] - places["_start"], bytes(4), path)
    return path


class FailedBefore(ProgramTest):
    @contextlib.contextmanager
    def failed_device(self):
        with tempfile.TemporaryDirectory() as folder:
            stub = pathlib.Path(folder, "stub")
            command = ["qemu-system-riscv64", "-nodefaults", "-M", "virt", "-cpu", "rv64,v=on", "-smp", "2", "-m",
                       "256M", "-display", "none", "-bios", failing_firmware(folder), "-chardev",
                       f"socket,id=gdb,path={stub},server=on,wait=off", "-gdb", "chardev:gdb"]
            with subprocess.Popen(command, stdin=subprocess.DEVNULL) as machine:
                try:
                    yield {"RIVULET_MACHINE": f"gdb,target=unix:{stub},board=virt"}
                finally:
                    machine.kill()

    def seen(self, environment):
        """The monitor's picture, once it has the report."""
        deadline = time.monotonic() + 60
        while True:
            process = run(RIVULET, "monitor", "--once", "--json", **environment)
            if process.returncode == 0 and "crash" in (device := json.loads(process.stdout)[0]):
                return device
            self.assertLess(time.monotonic(), deadline, process)

    def test_monitor_and_library(self):
        with self.failed_device() as environment:
            device = self.seen(environment)
            self.assertEqual(device["state"], "detached")
            self.assertRegex(device["crash"]["reason"], "firmware trap: mcause 0x2,")
            process = run(RIVULET, "info", "--start", "-v", **environment)
            self.assertEqual(process.returncode, 0, process)
            told = process.stdout + process.stderr
            self.assertEqual(told.count("the firmware failed on hart "), 1, told)
            self.assertIn("firmware trap: mcause 0x2,", told)

    def test_doctor(self):
        with self.failed_device() as environment:
            self.seen(environment)
            process = doctor("--quick", **environment)
            self.assertEqual(process.returncode, 0, process)
            self.assertRegex(process.stdout, "ok +open .*had failed before: firmware trap: mcause 0x2,.*, pc 0x80")


if __name__ == "__main__":
    unittest.main()
