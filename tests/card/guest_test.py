#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The card in guests of x86-64 or aarch64, through VFIO behind an IOMMU, with MSI-X.

    guest_test.py BUILD CACHE IMAGES [BUILD-FOR-AARCH64]
"""
import pathlib
import shutil
import sys
import unittest

from guest import AMD64, ARM64, Archive, Guest, Root, guest_configuration
from with_card import Card

BUILD, CACHE, IMAGES = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(3))
CROSS = None
if len(sys.argv) > 1 and "/" in sys.argv[1]:
    CROSS = pathlib.Path(sys.argv.pop(1)).resolve()
    if not CROSS.is_dir():
        sys.exit(f"there is no {CROSS}: hosts.arm64.programs builds it")
GUEST = ARM64 if CROSS else AMD64
MACHINE = ("--machine", "rv64-v128,harts=2,memory=128M")
API = "Arguments.*:Copy.*:Events.*:LocalMemory.*:Map.*:NDRange.*:WorkGroups.*"
BUSY = "rivulet-doorbell --count 1000000 --verbose"


@unittest.skipUnless(shutil.which(GUEST.options[0]), f"{GUEST.options[0]} is not installed")
class Guests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        archive = Archive(CACHE, GUEST.architecture)
        cls.kernel = archive.kernel()
        cls.root = Root(CROSS or BUILD, GUEST, archive, IMAGES if IMAGES.is_dir() else None,
                        native=BUILD if CROSS else None)

    @classmethod
    def tearDownClass(cls):
        cls.root.close()

    def boot(self, card, *commands, more=""):
        text = pathlib.Path(card.configuration).read_text()
        initrd = self.root.archive(guest_configuration(text) + more, commands)
        return Guest(GUEST, self.kernel, initrd, card.socket)

    def test_programs_run(self):
        commands = ["rivulet info --start", "rivulet-doorbell --count 200",
                    "rivulet-hal-test --gtest_filter=-Attach.*",
                    "clinfo -l",
                    f"RIVULET_TEST_IMAGES=/images RIVULET_CC=/none rivulet_api_test --gtest_filter={API}",
                    "RIVULET_TEST_PCI=${CARD##*/} rivulet_api_test --gtest_filter=Queries.Pci*"]
        # There is a compiler only for x86-64; elsewhere the kernels were compiled before.
        vecadd, program = ("vecadd /vecadd.rvk", "--program /photo.rvk") if CROSS else ("vecadd", "")
        commands += [vecadd, f"photo /chelsea.png --output /tmp/photo.png {program}"]
        with Card(BUILD / "bin/rivulet", *MACHINE) as card:
            statuses = self.boot(card, *commands).results()
        self.assertEqual(dict(zip(commands, statuses)), dict.fromkeys(commands, 0))

    def test_processes_share_the_card(self):
        """rivuletd has it through VFIO; two processes at a time are its clients."""
        client = "RIVULET_CONFIG=off RIVULET_MACHINE=daemon,socket=/tmp/rivuletd"
        api = (f"{client} RIVULET_TEST_IMAGES=/images RIVULET_CC=/none rivulet_api_test "
               f"--gtest_filter={API}")
        suite = f"{client} rivulet-hal-test --gtest_filter=Launch.*:Fault.*-Launch.RunsBeside*"
        both = "{} >/tmp/first 2>&1 & first=$!; {}; second=$?; wait $first && [ $second = 0 ]"
        commands = [
            "(busybox cat /etc/rivulet/card.toml; echo 'limits = { memory = \"48M\" }') >/tmp/rivuletd.toml",
            "rivuletd --socket /tmp/rivuletd --config /tmp/rivuletd.toml >/tmp/said 2>&1 & "
            "until busybox grep ready /tmp/said; do busybox sleep 0.1; done",
            f"{client} rivulet info --start",
            both.format(suite, suite), both.format(api, api),
            f"{client} RIVULET_TEST_PCI=${{CARD##*/}} rivulet_api_test --gtest_filter=Queries.Pci*",
            "! rivulet info --start"]
        with Card(BUILD / "bin/rivulet", *MACHINE) as card:
            statuses = self.boot(card, *commands).results()
        self.assertEqual(dict(zip(commands, statuses)), dict.fromkeys(commands, 0))

    def test_window_of_resource_files(self):
        """The function without a driver, its BARs as files, and no interrupt."""
        with_pci = "RIVULET_CONFIG=/tmp/pci.toml"
        commands = [
            "echo ${CARD##*/} >$CARD/driver/unbind",
            # Some machines leave such a function switched on.
            r"printf '\000\000' | busybox dd of=$CARD/config bs=1 seek=4 conv=notrunc",
            "busybox sed -e 's/vfio =/pci =/; s/vfio-msix = 0/poll = \"50us\"/' /etc/rivulet/card.toml >/tmp/pci.toml",
            f"! {with_pci} rivulet info --start >/tmp/said 2>&1",
            'busybox grep "echo 1 >$CARD/enable" /tmp/said',
            "echo 1 >$CARD/enable",
            f"{with_pci} rivulet info --start",
            f"{with_pci} rivulet-hal-test --gtest_filter=Start.*:Ring.*:Launch.*:Copy.*:Wait.*"]
        with Card(BUILD / "bin/rivulet", *MACHINE) as card:
            statuses = self.boot(card, *commands).results()
        self.assertEqual(dict(zip(commands, statuses)), dict.fromkeys(commands, 0))

    def test_second_guest_after_a_killed_one(self):
        with Card(BUILD / "bin/rivulet", *MACHINE) as card:
            first = self.boot(card, BUSY)
            self.assertTrue(any("has started" in line for line in first.lines()))
            first.kill()
            self.assertEqual(self.boot(card, "rivulet info --start").results(), [0])

    def test_killed_card_is_an_error_in_the_guest(self):
        with Card(BUILD / "bin/rivulet", *MACHINE) as card:
            guest = self.boot(card, BUSY, more="deadline = 3\n")
            said = []
            for line in guest.lines():
                said.append(line)
                if "has started" in line:
                    card.process.kill()
            guest.wait()
        self.assertIn("== 1 ends with 1", said)
        self.assertTrue(any("no sign of life for 3 s" in line for line in said))


if __name__ == "__main__":
    unittest.main()
