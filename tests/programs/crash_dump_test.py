#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A firmware that fails leaves a core file, and gdb shows the backtrace of the hart that died."""
import os
import pathlib
import subprocess
import tempfile
import time
import unittest

from programs import ABSENT, BUILD, ProgramTest, run

FAIL = BUILD / "tests/programs/rivulet_fail_firmware"
RIVULET = BUILD / "bin/rivulet"


def firmware(bits=64):
    return BUILD / f"lib/rivulet/firmware/virt-rv{bits}.elf"


def gdb(core, *commands, bits=64):
    words = [word for command in commands for word in ("-ex", command)]
    return subprocess.run(["gdb-multiarch", "-nx", "-batch", *words, firmware(bits), core],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)


class CrashDump(ProgramTest):
    def fail_firmware(self, how, folder, machine="rv64-v128,harts=2", **environment):
        """The core file that the failure leaves."""
        process = run(FAIL, how, RIVULET_MACHINE=machine, RIVULET_CRASH_DUMP=folder, **environment)
        self.assertEqual(process.returncode, 0, process)
        self.assertIn("died: ", process.stdout)
        cores = list(pathlib.Path(folder).iterdir())
        self.assertEqual([core.suffix for core in cores], [".core"], process.stdout)
        self.assertIn(str(cores[0]), process.stdout)
        return cores[0]

    def test_backtrace_of_the_hart_that_died(self):
        for bits, machine in ((64, "rv64-v128,harts=2"), (32, "rv32,harts=2")):
            with self.subTest(machine), tempfile.TemporaryDirectory() as folder:
                core = self.fail_firmware("trap", folder, machine)
                shown = gdb(core, "backtrace", "info threads", "print the_firmware.harts",
                            "x/1sb the_firmware.shared.crash.reason", bits=bits).stdout
                self.assertIn("SIGILL", shown)
                self.assertRegex(shown, r"#0 .*arch_inject")
                self.assertRegex(shown, r"#\d+ .*service_commands")
                self.assertIn("$1 = 2", shown)
                self.assertIn("firmware trap: mcause 0x2", shown)
                # The other hart was stopped, if it came to look before the host did.
                self.assertRegex(shown, r"2 +LWP \d+ +(.*record_stop|0x0+ in)")

    def test_assertion_and_stack(self):
        for how, signal, function in (("assert", "SIGABRT", "arch_panic"),
                                      ("overflow", "SIGSEGV", "overflow_stack")):
            with self.subTest(how), tempfile.TemporaryDirectory() as folder:
                shown = gdb(self.fail_firmware(how, folder), "backtrace 5").stdout
                self.assertIn(signal, shown)
                self.assertIn(function, shown)

    def test_limit_of_files(self):
        """It holds for the dump of a device that others run: for our own QEMU's memory, too."""
        environment = {**os.environ, "RIVULET_MACHINE": "rv64-v128,harts=1", "RIVULET_DEADLINE": "0"}
        with tempfile.TemporaryDirectory() as folder, \
                subprocess.Popen([FAIL, "hang"], env=environment, stdout=subprocess.DEVNULL) as device:
            self.addCleanup(device.kill)
            deadline = time.monotonic() + 60
            while "File too large" not in (dump := run("bash", "-c", f'ulimit -f 1; exec {RIVULET} dump '
                                                       f"--pid {device.pid} -o {folder}/core")).stderr:
                self.assertEqual(dump.returncode, 1, dump) # it has not started yet
                self.assertLess(time.monotonic(), deadline, dump)
                time.sleep(0.1)
            device.kill()
            self.assertEqual(dump.returncode, 1)
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [])

    def test_silent_firmware(self):
        with tempfile.TemporaryDirectory() as folder:
            core = self.fail_firmware("hang", folder, RIVULET_DEADLINE="2")
            self.assertIn("$1 = 2", gdb(core, "print the_firmware.harts").stdout)

    def test_what_others_left_under_its_name_is_not_written_into(self):
        """The number of the process is that of the shell which makes the files before it."""
        for make in 'mkfifo "$part"', 'touch "$part"; chmod 666 "$part"':
            with self.subTest(make), tempfile.TemporaryDirectory() as folder:
                process = run("bash", "-c", f'part={folder}/rivulet-$$-1.core.part; {make}; '
                              f"exec {FAIL} trap", RIVULET_MACHINE="rv64-v128,harts=1",
                              RIVULET_CRASH_DUMP=folder)
                core, = pathlib.Path(folder).iterdir()
                self.assertEqual((core.suffix, core.stat().st_mode & 0o777), (".core", 0o600), process)

    def test_folder_that_is_not_there(self):
        process = run(FAIL, "trap", RIVULET_MACHINE="rv64-v128,harts=1",
                      RIVULET_CRASH_DUMP=ABSENT + "/folder")
        self.assertIn(f"no crash dump: cannot create {ABSENT}/folder", process.stdout)
        self.assertIn("died: the firmware failed", process.stdout)

    def test_full_disk(self):
        """Nothing is left that looks whole."""
        with tempfile.TemporaryDirectory() as folder:
            process = run("prlimit", "--fsize=65536", "sh", "-c",
                          f"trap '' XFSZ; exec {FAIL} trap", RIVULET_CRASH_DUMP=folder,
                          RIVULET_MACHINE="rv64-v128,harts=1,memory=64M")
            if "died: " in process.stdout:  # a limit for files holds for QEMU's memory, too
                self.assertIn("no crash dump: cannot write", process.stdout)
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [])


if __name__ == "__main__":
    unittest.main()
