#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Something that the device needs is missing or makes no sense: a message that says what to do,
no crash, no hang, nothing left running."""
import os
import pathlib
import socket
import subprocess
import tempfile
import unittest

from programs import ABSENT, BUILD, VECADD, ProgramTest, run


class BadEnvironment(ProgramTest):
    def assert_vecadd_fails(self, *words, **environment):
        self.assert_fails(run(VECADD, **environment), *words)

    def test_missing_qemu(self):
        self.assert_vecadd_fails(ABSENT + "/qemu", RIVULET_QEMU=ABSENT + "/qemu")

    def test_qemu_not_in_path(self):
        self.assert_vecadd_fails("qemu-system-riscv64", "install", PATH=ABSENT)

    def test_qemu_that_is_something_else(self):
        self.assert_vecadd_fails("/bin/false", RIVULET_QEMU="/bin/false")

    def test_missing_firmware(self):
        self.assert_vecadd_fails(ABSENT + "/firmware.elf",
                                 RIVULET_FIRMWARE=ABSENT + "/firmware.elf")

    def test_firmware_that_is_none(self):
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"\x7fELF and then nothing of use")
            file.flush()
            self.assert_vecadd_fails(file.name, RIVULET_FIRMWARE=file.name)

    def test_missing_compiler(self):
        process = run(VECADD, RIVULET_CC=ABSENT + "/rivulet-cc", RIVULET_CACHE="off")
        self.assert_fails(process, f"No compiler: {ABSENT}/rivulet-cc", "set RIVULET_CC")

    def test_unknown_machine(self):
        self.assert_vecadd_fails("rv65-v512", RIVULET_MACHINE="rv65-v512")

    def test_machine_profile_that_cant_be_read(self):
        with tempfile.TemporaryDirectory() as folder:
            machines = pathlib.Path(folder) / "machines"
            machines.mkdir()
            (machines / "broken.cfg").write_text("[machine\n nonsense")
            self.assert_vecadd_fails("broken", RIVULET_DATA=folder, RIVULET_MACHINE="broken")

    def test_too_little_memory(self):
        self.assert_vecadd_fails("memory", RIVULET_MACHINE="rv64-v512,memory=1M")

    def test_least_memory_that_is_named(self):
        self.assertEqual(
            run(VECADD, RIVULET_MACHINE="rv64-v256,harts=4,memory=64M").returncode, 0)

    def test_settings_that_are_misspelt(self):
        self.assert_vecadd_fails('"vlen"', '"hart" (did you mean "harts"?)',
                                 RIVULET_MACHINE="rv64-v128,vlen=256,hart=1")

    def test_values_that_are_not_permitted(self):
        for name, value in (("RIVULET_TIME_LIMIT", "soon"), ("RIVULET_TIME_LIMIT", "1e300"),
                            ("RIVULET_TIME_LIMIT", "nan"), ("RIVULET_TIME_LIMIT", "-1"),
                            ("RIVULET_LOG", "loud"), ("RIVULET_LOG", "4"),
                            ("RIVULET_DEVICE_TYPE", "gpu"),
                            ("RIVULET_CC_SECONDS", "soon"), ("RIVULET_CC_MEMORY", "-1"),
                            ("RIVULET_CC_MEMORY", "0")):
            process = run(VECADD, RIVULET_MACHINE="loopback", **{name: value})
            self.assertEqual(process.returncode, 0, process)
            self.assertIn(f"{name}={value}: permitted are ", process.stderr)
            self.assertEqual(process.stderr.count(name), 1, "it is said once")

    def test_the_table_is_printed_with_what_is_set(self):
        process = run(BUILD / "bin/rivulet", "info", "--environment", RIVULET_TIME_LIMIT=17)
        self.assertEqual(process.returncode, 0, process)
        for line in "RIVULET_TIME_LIMIT=17\n", "RIVULET_CC_MEMORY\n", "default: 4096":
            self.assertIn(line, process.stdout)

    def test_memory_that_is_no_number(self):
        self.assert_vecadd_fails("memory", RIVULET_MACHINE="rv64-v512,memory=plenty")

    def test_harts_out_of_range(self):
        for harts in "0", "1000", "many":
            self.assert_vecadd_fails("harts", RIVULET_MACHINE=f"rv64-v512,harts={harts}")

    def assert_fails_under(self, limit, *words):
        self.assert_fails(run("bash", "-c", f'ulimit {limit}; exec "$0"', VECADD), *words)

    def test_too_few_descriptors(self):
        for files in 12, 16:
            self.assert_fails_under(f"-n {files}", "ulimit -n")
        self.assertEqual(run("bash", "-c", 'ulimit -n 64; exec "$0"', VECADD).returncode, 0)

    def test_files_that_must_stay_small(self):
        for blocks in 1, 100, 100000:
            self.assert_fails_under(f"-f {blocks}", "ulimit -f")

    def test_unknown_driver(self):
        self.assert_vecadd_fails("telegraph", RIVULET_DRIVER="telegraph")

    def test_a_debugger_path_that_another_device_has(self):
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/gdb.sock"
            with socket.socket(socket.AF_UNIX) as other:
                other.bind(path)
                other.listen()
                self.assert_vecadd_fails("another device has its debugger at", path, "RIVULET_GDB",
                                         RIVULET_GDB=path)

    def test_something_called_like_the_program_in_the_current_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "rivulet").mkdir()
            path = "{}:{}".format(BUILD / "bin", os.environ["PATH"])
            process = subprocess.run(["rivulet", "machines"], cwd=folder, capture_output=True,
                                     text=True, timeout=60, stdin=subprocess.DEVNULL,
                                     env={"PATH": path})
            self.assertEqual(process.returncode, 0, process.stderr)
            self.assertIn("rv64-v128", process.stdout)

    def test_missing_data_folder(self):
        self.assert_vecadd_fails(ABSENT, RIVULET_DATA=ABSENT)


if __name__ == "__main__":
    unittest.main()
