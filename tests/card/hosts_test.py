#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hosts of a card come and go, and so does the card.

    hosts_test.py RIVULET DOORBELL
"""
import itertools
import os
import pathlib
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from with_card import Card

RIVULET, DOORBELL = sys.argv.pop(1), sys.argv.pop(1)
MACHINE = ("--machine", "rv64-v128,harts=2,memory=128M")
EMPTY = tempfile.TemporaryDirectory()
ABSENT = EMPTY.name + "/absent"


def qemu_of(card):
    """The process that the card has started: its parent is a keeper, which has a pidfd of the card."""
    keeps = f"Pid:\t{card.process.pid}\n"
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            name, rest = stat.read_text().rsplit(")", 1)
            infos = pathlib.Path("/proc", rest.split()[1], "fdinfo").iterdir()
            if "(qemu-system" in name and any(keeps in info.read_text() for info in infos):
                return int(stat.parent.name)
        except OSError:
            continue  # it has just ended
    raise AssertionError("the card has no QEMU")


def info(card):
    return subprocess.run([RIVULET, "info", "--start"], env=card.environment(), text=True,
                          capture_output=True, check=False)


def busy_host(card):
    """A host that has the card, as soon as it has said something."""
    host = subprocess.Popen([DOORBELL, "--count", "1000000", "--verbose"], env=card.environment(),
                            text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    for line in host.stdout:
        if "has started" in line:
            return host
    raise AssertionError("the host did not start")


class Hosts(unittest.TestCase):
    def test_one_after_the_other(self):
        for hold in ([], ["--hold"]):
            with self.subTest(hold=hold), Card(RIVULET, *MACHINE, *hold) as card:
                for _ in range(3):
                    done = info(card)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertIn("card.toml:2", done.stdout)

    def test_a_second_card_leaves_the_host_alone(self):
        with Card(RIVULET, *MACHINE, "--takeover") as card:
            host = busy_host(card)
            second = subprocess.run([RIVULET, "card", *MACHINE, "--takeover", "--socket", card.socket],
                                    text=True, capture_output=True, timeout=60, check=False)
            self.assertEqual(second.returncode, 1)
            self.assertIn("another card listens", second.stderr)
            time.sleep(0.5)
            self.assertIsNone(host.poll())
            host.kill()
            host.communicate()

    def test_settings_are_checked_and_the_socket_is_absolute(self):
        with tempfile.TemporaryDirectory() as folder:
            for setting, words in (("harts=0", "no number of harts"), ("harts=abc", "no number of harts"),
                                   ("deadline=x", "no number of seconds")):
                done = subprocess.run([RIVULET, "card", "--socket", "s", "--machine",
                                       f"rv64-v128,memory=128M,{setting}"], cwd=folder, text=True,
                                      capture_output=True, timeout=60, check=False)
                self.assertEqual(done.returncode, 1)
                self.assertIn(words, done.stderr)
            with subprocess.Popen([RIVULET, "card", "--socket", "s", *MACHINE], cwd=folder, text=True,
                                  stdout=subprocess.PIPE) as card:
                line = next(line for line in card.stdout if line.startswith("window"))
                card.terminate()
                self.assertIn(os.path.realpath(folder) + "/s", line)
                card.communicate()

    def test_a_socket_in_too_deep_a_folder_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            deep = os.path.realpath(folder) + "/" + "d" * 100
            os.mkdir(deep)
            done = subprocess.run([RIVULET, "card", "--socket", "card.sock", *MACHINE], cwd=deep, text=True,
                                  capture_output=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 1)
            path = deep + "/card.sock"
            for words in f"has {len(path)} bytes", "1 to 107", path:
                self.assertIn(words, done.stderr)
            done = subprocess.run([RIVULET, "info"], text=True, capture_output=True, timeout=60, check=False,
                                  env={**os.environ, "RIVULET_MACHINE": f"linux,window.ivshmem={path}"})
            self.assertIn(f"has {len(path)} bytes", done.stderr)

    def test_a_server_of_something_else_is_no_card(self):
        def endless(peer):
            for value in itertools.chain((0, 1), itertools.repeat(2)):
                peer.sendall(struct.pack("<q", value))

        def without_lines(peer):
            for value, name in ((0, None), (1, None), (-1, "memory"), (0, None), (0, None), (0, None),
                                (1, "event")):
                files = [os.memfd_create(name)] if name else []
                for file in files:
                    os.truncate(file, 1 << 27)
                socket.send_fds(peer, [struct.pack("<q", value)], files)

        for serve in endless, without_lines:
            with self.subTest(serve.__name__):
                self.assert_is_no_card(serve)

    def assert_is_no_card(self, serve):
        def answer(listener):
            try:
                serve(listener.accept()[0])
            except OSError:
                pass # it hung up
        with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
            listener.bind(f"{folder}/s")
            listener.listen()
            threading.Thread(target=answer, args=(listener,), daemon=True).start()
            done = subprocess.run([RIVULET, "info"], text=True, capture_output=True, timeout=60, check=False,
                                  env={**os.environ, "RIVULET_MACHINE": f"linux,window.ivshmem={folder}/s,"
                                       "isa=rv64imafdcv,board=virt,harts=1"})
            self.assertEqual(done.returncode, 1)
            self.assertIn("not that of a card", done.stderr)

    def test_second_is_sent_away_with_a_message(self):
        with Card(RIVULET, *MACHINE) as card:
            host = busy_host(card)
            done = info(card)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("serves another host", done.stderr)
            host.kill()
            host.communicate()
            done = info(card)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_killed_ones_leave_the_card_well(self):
        for hold in ([], ["--hold"]):
            with self.subTest(hold=hold), Card(RIVULET, *MACHINE, *hold) as card:
                for _ in range(3):
                    host = busy_host(card)
                    host.kill()
                    host.communicate()
                done = info(card)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_killed_card_is_an_error_of_its_host(self):
        with Card(RIVULET, *MACHINE) as card:
            host = busy_host(card)
            qemu = qemu_of(card)
            card.process.kill()
            said = host.communicate()[0]
            self.assertNotEqual(host.returncode, 0)
            self.assertIn("hung up", said)
            card.process.wait()
            with self.assertRaises(ProcessLookupError):
                for _ in range(3000):  # the kernel ends it with its parent
                    os.kill(qemu, 0)
                    subprocess.run(["sleep", "0.01"], check=True)

    def test_a_window_that_becomes_shorter_is_an_error_of_its_host(self):
        with tempfile.TemporaryDirectory() as folder:
            window, configuration = os.path.join(folder, "window"), os.path.join(folder, "window.toml")
            with Card(RIVULET, *MACHINE, "--window", window) as card:
                text = pathlib.Path(card.configuration).read_text()
                pathlib.Path(configuration).write_text(
                    text.replace(f'{{ ivshmem = "{card.socket}" }}', f'{{ file = "{window}" }}') +
                    'doorbell = { poll = "1ms" }\n')
                card.configuration = configuration
                host = busy_host(card)
                os.truncate(window, 4096)
                said = host.communicate()[0]
                self.assertGreater(host.returncode, 0, said) # negative: killed by a signal
                self.assertIn(f"{window} is no longer fully accessible", said)
                self.assertNotEqual(info(card).returncode, 0)
                self.assertIsNone(card.process.poll()) # though its QEMU has died

    def test_killed_device_is_an_error_and_the_next_start_resets_it(self):
        for hold in ([], ["--hold"]):
            with self.subTest(hold=hold), Card(RIVULET, *MACHINE, *hold) as card:
                host = busy_host(card)
                os.kill(qemu_of(card), signal.SIGKILL)
                said = host.communicate()[0]
                self.assertNotEqual(host.returncode, 0, said)
                done = info(card)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_card_without_sense_says_so(self):
        for machine, what in (("rv64-v128,memory=96M", "power of two"),
                              ("rv64-v128,hart=1", "did you mean"),
                              ("nothing", "there is no machine")):
            done = subprocess.run([RIVULET, "card", "--socket", self.id(), "--machine", machine],
                                  text=True, capture_output=True, check=False)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(what, done.stderr)
        done = subprocess.run([RIVULET, "card", "--socket", ABSENT + "/s"],
                              text=True, capture_output=True, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("cannot bind", done.stderr)


if __name__ == "__main__":
    unittest.main()
