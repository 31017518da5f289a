#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rivulet doctor --board climbs the ladder, and stops at the rung that was broken on purpose."""
import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest

from programs import BUILD, SOURCE, ProgramTest, run

RIVULET = BUILD / "bin/rivulet"
STUBS = SOURCE / "hal/drivers/gdb/qemu_stubs.py"
FIRMWARE = BUILD / "lib/rivulet/firmware"
QEMU = {"RIVULET_MACHINE": "rv64-v128,harts=2"}


def doctor(*options, board="virt", **environment):
    return run(RIVULET, "doctor", "--board", board, *options, seconds=200, **environment)


def behind_stub(*options, settings="board=virt", board="virt", **environment):
    return run("python3", STUBS, BUILD / "lib/rivulet/machines/rv64-v128.cfg", "2", settings,
               RIVULET, "doctor", "--board", board, "--quick", *options, seconds=200,
               **environment)


def spoilt_firmware(folder, offset, code, firmware=FIRMWARE / "virt-rv64.elf"):
    """The firmware with other instructions at this offset from its entry."""
    elf = bytearray(firmware.read_bytes())
    entry, segments, = struct.unpack_from("<QQ", elf, 24)
    count = struct.unpack_from("<H", elf, 56)[0]
    for i in range(count):
        kind, _, offset_in_file, address, _, size = struct.unpack_from("<IIQQQQ", elf, segments + 56 * i)
        if kind == 1 and address <= entry < address + size:
            at = offset_in_file + entry - address + offset
            elf[at:at + len(code)] = code
    path = pathlib.Path(folder) / "spoilt.elf"
    path.write_bytes(elf)
    return path


class Doctor(ProgramTest):
    def assert_stops(self, process, rung, *words):
        self.assertEqual(process.returncode, 1, process)
        stops = [line for line in process.stdout.splitlines() if line.startswith("STOP")]
        self.assertEqual([line.split()[1] for line in stops], [rung], process)
        self.assertIn("look at ", process.stdout)
        for word in words:
            self.assertIn(word, process.stdout)

    def test_healthy(self):
        process = doctor("--quick", **QEMU)
        self.assertEqual(process.returncode, 0, process)
        rungs = [line.split()[:2] for line in process.stdout.splitlines()]
        self.assertEqual(rungs, [["ok", name] for name in ("board", "firmware", "open", "memory",
                                                           "hello", "heartbeat", "ping")])

    def test_healthy_behind_a_debug_port(self):
        process = behind_stub()
        self.assertEqual(process.returncode, 0, process)
        self.assertIn("ok   ping", process.stdout)

    def test_each_bell_is_seen_to_work_alone(self):
        process = doctor("--quick", **QEMU)
        self.assertIn("the doorbell woke the device; the device's doorbell arrived", process.stdout)

    def test_dead_bells(self):
        """Heartbeats make up for a broken doorbell, so commands are answered nevertheless."""
        mute = {"RIVULET_DRIVER": BUILD / "hal/mute.so", **QEMU}
        self.assert_stops(doctor("--quick", "--seconds", "3", MUTE_BELL="ring", **mute), "ping",
                          "the doorbell to the device does not arrive")
        self.assert_stops(doctor("--quick", "--seconds", "3", MUTE_BELL="wait", **mute), "ping",
                          "the device's doorbell does not arrive")

    def test_host_that_says_it_cannot_ring(self):
        process = doctor("--quick", RIVULET_DRIVER=BUILD / "hal/mute.so", MUTE_BELL="told", **QEMU)
        self.assertEqual(process.returncode, 0, process)
        self.assertIn("the device polls and needs no doorbell", process.stdout)

    def test_clock_of_another_frequency(self):
        """The tree says 27 MHz, as the K230's does; the machine has 10."""
        with tempfile.TemporaryDirectory() as folder:
            tree, profile = pathlib.Path(folder, "tree.dtb"), pathlib.Path(folder, "wrong.cfg")
            usual = (BUILD / "lib/rivulet/machines/rv64-v128.cfg").read_text()
            profile.write_text(usual)
            subprocess.run(["qemu-system-riscv64", "-nodefaults", "-readconfig", profile, "-cpu", "rv64,v=on",
                            "-object", "memory-backend-ram,id=ram,size=2G", "-smp", "2", "-M",
                            f"virt,dumpdtb={tree}"], check=True, capture_output=True)
            subprocess.run(["fdtput", "-t", "u", tree, "/cpus", "timebase-frequency", "27000000"], check=True)
            profile.write_text(usual.replace("[machine]\n", f'[machine]\n  dtb = "{tree}"\n'))
            process = doctor("--quick", RIVULET_MACHINE=f"{profile},harts=2")
        self.assert_stops(process, "heartbeat", "the firmware takes it for 27000 kHz", "timebase-frequency")

    def test_no_such_board(self):
        self.assert_stops(doctor(board="nonesuch", **QEMU), "board", "nonesuch")

    def test_board_of_a_project(self):
        """The first folder of RIVULET_BOARD_PATH that has the board is taken, before RIVULET_DATA."""
        with tempfile.TemporaryDirectory() as folder:
            for name in ("boards/virt", "firmware"):
                shutil.copytree(BUILD / "lib/rivulet" / name, pathlib.Path(folder, name))
            process = doctor("--quick", RIVULET_BOARD_PATH=f"{folder}/none:{folder}", **QEMU)
            self.assertEqual(process.returncode, 0, process)
            self.assertIn(f"{folder}/boards/virt/board.dtb", process.stdout)
            self.assertIn(f"{folder}/firmware/virt-rv64.elf", process.stdout)
            shutil.rmtree(pathlib.Path(folder, "firmware"))
            self.assert_stops(doctor("--quick", RIVULET_BOARD_PATH=folder, **QEMU), "firmware",
                              "rivulet_add_board")
            info = run(RIVULET, "info", "--start", RIVULET_BOARD_PATH=folder, **QEMU)
            self.assertIn(f"{folder}/firmware/virt-rv64.elf", info.stdout + info.stderr)

    def test_firmware_of_another_board(self):
        self.assert_stops(doctor(RIVULET_FIRMWARE=FIRMWARE / "template-rv64.elf", **QEMU),
                          "firmware", "is for board template")

    def test_nobody_listens(self):
        with tempfile.TemporaryDirectory() as folder:
            machine = f"gdb,board=virt,target=unix:{folder}/none"
            self.assert_stops(doctor(RIVULET_MACHINE=machine), "open", f"{folder}/none")

    def test_another_boards_memory(self):
        """The K230's memory is not where virt's is."""
        self.assert_stops(behind_stub(settings="board=k230", board="k230"), "memory")

    def test_hart_that_never_arrives(self):
        with tempfile.TemporaryDirectory() as folder:
            loop = spoilt_firmware(folder, 0, bytes.fromhex("6f000000"))  # j .
            self.assert_stops(doctor("--seconds", "2", RIVULET_FIRMWARE=loop, **QEMU), "hello",
                              "no hart wrote to the mailbox")


if __name__ == "__main__":
    unittest.main()
