#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Applications that know nothing of the library's processes, threads and files: bystander.c."""
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

from programs import ProgramTest, run

PROGRAM = pathlib.Path(os.environ["RIVULET_BUILD"]) / "tests/programs/rivulet_bystander"
DEVICES = ("loopback", None)  # None: the default one, which is a QEMU


class Bystander(ProgramTest):
    def part(self, *words, devices=DEVICES):
        for machine in devices:
            with self.subTest(machine=machine):
                process = run(PROGRAM, *words, RIVULET_MACHINE=machine, RIVULET_CACHE="off")
                self.assertEqual((process.returncode, process.stdout), (0, ""), process.stderr)

    def test_waits_for_its_own_children_only(self):
        self.part("waits")

    def test_ignores_children(self):
        self.part("ignores")

    def test_blocked_signals_are_left_to_its_threads(self):
        self.part("blocked")

    def ends_with(self, how, number):
        for machine in DEVICES:
            environment = {**os.environ, "RIVULET_CACHE": "off"}
            environment.pop("RIVULET_MACHINE", None)
            if machine:
                environment["RIVULET_MACHINE"] = machine
            with subprocess.Popen([PROGRAM, "ends", how], env=environment, text=True,
                                  stdout=subprocess.PIPE) as process:
                try:
                    self.assertEqual(process.stdout.readline(), "ready\n")
                    while state_of_first_thread(process.pid) != "Z":
                        pass
                    process.send_signal(number)
                    output, _ = process.communicate(timeout=20)
                finally:
                    process.kill()
            yield process.returncode, output

    def test_signals_end_it_after_its_first_thread(self):
        for number in signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1:
            for ending in self.ends_with("default", number):
                self.assertEqual(ending, (-number, ""))

    def test_its_handler_is_called_after_its_first_thread(self):
        for ending in self.ends_with("handler", signal.SIGTERM):
            self.assertEqual(ending, (5, "handled\n"))

    def test_its_waiting_thread_gets_the_signal(self):
        for ending in self.ends_with("sigwait", signal.SIGTERM):
            self.assertEqual(ending, (6, f"sigwait has {int(signal.SIGTERM)}\n"))

    def test_builds_follow_its_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            self.part("folder", folder, devices=["loopback"])

    @unittest.skipIf(os.getuid(), "root alone can drop rights")
    def test_builds_have_its_rights(self):
        for how in "uid", "euid", "gid", "thread", "chroot":
            with tempfile.TemporaryDirectory() as folder, self.subTest(how=how):
                os.chmod(folder, 0o755)
                self.part("drops", how, folder, devices=["loopback"])

    @unittest.skipIf(os.getuid(), "root alone can drop rights")
    def test_its_device_ends_with_it_whatever_rights_it_has_left(self):
        for machine in DEVICES:
            with tempfile.TemporaryDirectory() as folder:
                os.chmod(folder, 0o755)
                self.part("drops", "uid", folder, devices=[machine])  # tearDown sees what is left


def state_of_first_thread(process):
    return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(") ", 1)[1][0]


if __name__ == "__main__":
    unittest.main()
