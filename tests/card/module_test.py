#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The card in a guest of x86-64, through the kernel module rivulet_window.

    module_test.py BUILD CACHE IMAGES
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from guest import AMD64, Archive, Guest, Root, guest_configuration
from kernel_module import build, with_needed
from with_card import Card

BUILD, CACHE, IMAGES = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(3))
MACHINE = ("--machine", "rv64-v128,harts=2,memory=128M")
API = "Arguments.*:Copy.*:Events.*:Map.*:NDRange.*"
LOAD = ("echo ${CARD##*/} >$CARD/driver/unbind", "echo rivulet_window >$CARD/driver_override",
        "busybox insmod /lib/modules/rivulet_window.ko", "[ -c /dev/rivulet0 ]")


@unittest.skipUnless(shutil.which(AMD64.options[0]), f"{AMD64.options[0]} is not installed")
class Module(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        archive = Archive(CACHE, AMD64.architecture)
        with tempfile.TemporaryDirectory(prefix="rivulet-module-") as folder:
            module = build(archive, pathlib.Path(folder))
            cls.root = Root(BUILD, AMD64, archive, IMAGES if IMAGES.is_dir() else None)
            shutil.copy(module, cls.root.top / "lib/modules")
            cls.add_camera(archive, pathlib.Path(folder))
        cls.kernel = archive.kernel()

    @classmethod
    def add_camera(cls, archive, folder):
        """The program camera, its kernel, and the modules of a virtual camera and a virtual display."""
        here = pathlib.Path(__file__).resolve().parent
        library = next(found / "libOpenCL.so.1" for found in cls.root.libraries
                       if (found / "libOpenCL.so.1").exists())
        subprocess.run(["gcc", "-O2", "-Wall", "-Werror", "-I", here.parents[1] / "host-runtime/include",
                        here / "camera.c", library, "-o", folder / "camera"], check=True)
        cls.root.add(folder / "camera", "usr/bin")
        subprocess.run([BUILD / "bin/rivulet-cc", here / "negative.cl", "-o",
                        cls.root.top / "negative.rvk"], check=True)
        cls.video = []
        for module in with_needed(archive.kernel(), "vivid", "vgem"):
            shutil.copy(module, cls.root.top / "lib/modules")
            options = "n_devs=1 node_types=0x101" if module.stem == "vivid" else ""
            (cls.root.top / f"lib/modules/{module.name}.options").write_text(options)
            cls.video.append(module.name)

    @classmethod
    def tearDownClass(cls):
        cls.root.close()

    def run_in_guest(self, *commands):
        commands = [*LOAD, *commands]
        with Card(BUILD / "bin/rivulet", *MACHINE) as card:
            text = guest_configuration(pathlib.Path(card.configuration).read_text())
            text = re.sub(r"^(doorbell|reset|start) = .*\n", "", text, flags=re.M)
            text = re.sub(r"^window = .*$", 'window = { module = "rivulet0" }', text, flags=re.M)
            initrd = self.root.archive(text, commands)
            guest = Guest(AMD64, self.kernel, initrd, card.socket)
            statuses = guest.results()
        self.assertEqual(dict(zip(commands, statuses)), dict.fromkeys(commands, 0))

    def test_programs_run(self):
        self.run_in_guest(
            "rivulet info --start", "rivulet-doorbell --count 200",
            "rivulet-hal-test --gtest_filter=-Attach.*",
            f"RIVULET_TEST_IMAGES=/images RIVULET_CC=/none rivulet_api_test --gtest_filter={API}",
            "vecadd",
            "[ $(busybox stat -c %a /dev/rivulet0) = 660 ]",
            "busybox rmmod rivulet_window && [ ! -e /dev/rivulet0 ]")

    def test_pictures_stay_where_they_are(self):
        """From a camera's driver through a kernel to a video output's driver, all in the card's memory."""
        self.run_in_guest(
            *(f"busybox insmod /lib/modules/{name} $(busybox cat /lib/modules/{name}.options)"
              for name in self.video),
            "camera /dev/video0 /dev/video1 /negative.rvk /dev/dri/card0")

    def test_one_process_at_a_time_and_none_without_the_device(self):
        self.run_in_guest(
            "rivulet-doorbell --count 1000000 >/tmp/busy 2>&1 & busybox sleep 3; "
            "rivulet info --start >/tmp/said 2>&1; busybox cat /tmp/said; "
            "busybox grep 'in use by another process' /tmp/said",
            "echo ${CARD##*/} >$CARD/driver/unbind; n=0; "
            "until busybox grep 'hung up\\|gone' /tmp/busy || [ $n = 60 ]; do busybox sleep 1; n=$((n + 1)); "
            "done; [ $n -lt 60 ]",
            "! rivulet info --start >/tmp/said 2>&1; busybox grep 'load the module' /tmp/said")


if __name__ == "__main__":
    unittest.main()
