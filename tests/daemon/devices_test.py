#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rivuletd with windows, which are cards of their own (rivulet card).

    devices_test.py BUILD
"""
import contextlib
import os
import pathlib
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "card"))
from with_card import Card
from with_daemon import Daemon

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
RIVULET, RIVULETD = BUILD / "bin/rivulet", BUILD / "bin/rivuletd"
SUITE = BUILD / "bin/rivulet-hal-test"
MACHINE = ("--machine", "rv64-v128,harts=2,memory=128M")
LIMITS = 'limits = { memory = "48M" }\n'


def shared(card, *options, more=LIMITS):
    """A daemon with the card's device."""
    with open(card.configuration, "a", encoding="utf-8") as configuration:
        configuration.write(more)
    return Daemon(RIVULETD, "--config", card.configuration, *options)


def refusal(card, *options, more=""):
    with open(card.configuration, "a", encoding="utf-8") as configuration:
        configuration.write(more)
    done = subprocess.run([RIVULETD, "--socket", card.socket + ".daemon", "--config", card.configuration,
                           *options], text=True, capture_output=True, timeout=60, check=False)
    return done.returncode, done.stderr


def environment_for(daemon, device):
    environment = daemon.environment()
    environment["RIVULET_MACHINE"] += f",device={device}"
    return environment


def info(daemon, device=0):
    return subprocess.run([RIVULET, "info", "--start"], env=environment_for(daemon, device), text=True,
                          capture_output=True, timeout=100, check=False)


class EndlessCard:
    """Listens at a card's socket, and names other hosts of the card until it hangs up."""

    def __init__(self, path):
        os.unlink(path)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen()
        self.over = threading.Event()

    def take_host(self):
        self.host = self.listener.accept()[0]
        self.listener.close()
        self.host.sendall(struct.pack("<qq", 0, 1000)) # the protocol's version; the host's number
        self.thread = threading.Thread(target=self.go_on)
        self.thread.start()

    def go_on(self):
        other = 1
        with contextlib.suppress(OSError): # the other side has gone first
            while not self.over.wait(5):
                self.host.sendall(struct.pack("<q", other := other + 1))

    def hang_up(self):
        self.over.set()
        self.thread.join()
        self.host.close()


class Newcomer:
    """Asks for device 0, whose reply comes when it likes; see hal/drivers/daemon/wire.h."""

    def __init__(self, daemon):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.settimeout(100)
        self.socket.connect(daemon.socket)
        self.socket.send(struct.pack("<IIIIQQ", 0x444c5652, 1 << 16, 2, 0, 0, 0))

    def has_reply(self):
        return select.select([self.socket], [], [], 0)[0] != []

    def status(self):
        return struct.unpack_from("<I", self.socket.recv(8192), 8)[0]


class Windows(unittest.TestCase):
    def assert_serves(self, daemon, processes=2):
        # Not with kernels that wait for others to have harts, too.
        suite = [SUITE, "--gtest_brief=1", "--gtest_filter=Launch.*:Copy.*:Fault.*-Launch.RunsBeside*"]
        clients = [subprocess.Popen(suite, env=daemon.environment(), text=True, stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT) for _ in range(processes)]
        for said, client in [(client.communicate()[0], client) for client in clients]:
            self.assertEqual(client.returncode, 0, said)

    def test_card(self):
        for isolation in "full", "kernels":
            with self.subTest(isolation), Card(RIVULET, *MACHINE) as card, \
                    shared(card, "--isolation", isolation) as daemon:
                self.assert_serves(daemon)

    def test_file_without_interrupt_and_bell(self):
        with tempfile.TemporaryDirectory() as folder:
            window = os.path.join(folder, "window")
            with Card(RIVULET, *MACHINE, "--window", window) as card:
                text = pathlib.Path(card.configuration).read_text()
                pathlib.Path(card.configuration).write_text(
                    text.replace(f'{{ ivshmem = "{card.socket}" }}', f'{{ file = "{window}" }}') +
                    'doorbell = { poll = "1ms" }\n' + LIMITS)
                for isolation in "full", "kernels":
                    with self.subTest(isolation), \
                            shared(card, "--isolation", isolation, more="") as daemon:
                        self.assert_serves(daemon)

    def test_processes_share_a_small_device(self):
        """Without a limit, each gets an eighth of it at most."""
        with Card(RIVULET, *MACHINE) as card, shared(card, more="") as daemon:
            done = info(daemon)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stdout, r"heap_mib +16\n")

    def test_card_that_comes_back_is_served_again(self):
        for isolation in "full", "kernels":
            with self.subTest(isolation), Card(RIVULET, *MACHINE) as card, \
                    shared(card, "--isolation", isolation) as daemon:
                self.assertEqual(info(daemon).returncode, 0)
                card.process.kill()
                card.process.wait()
                done = info(daemon)
                self.assertNotEqual(done.returncode, 0, done.stdout)
                self.assertIn("no card at", done.stdout + done.stderr)
                with subprocess.Popen([RIVULET, "card", "--socket", card.socket, *MACHINE], text=True,
                                      stdout=subprocess.PIPE) as successor:
                    try:
                        self.assertTrue(any("is ready" in line for line in successor.stdout))
                        self.assert_serves(daemon)
                    finally:
                        successor.terminate()
                        successor.communicate()
                self.assertIsNone(daemon.process.poll())

    def test_others_are_served_while_a_card_is_opened_again(self):
        for end in "it hangs up", "signals":
            with self.subTest(end), Card(RIVULET, *MACHINE) as card, Card(RIVULET, *MACHINE) as other:
                more = LIMITS + pathlib.Path(other.configuration).read_text() + LIMITS
                with shared(card, "--isolation", "kernels", more=more) as daemon, \
                        contextlib.ExitStack() as ends:
                    card.process.kill()
                    card.process.wait()
                    endless = EndlessCard(card.socket)
                    first = ends.enter_context(subprocess.Popen(
                        [RIVULET, "info", "--start"], env=environment_for(daemon, 0),
                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
                    endless.take_host()
                    ends.callback(endless.hang_up)
                    Newcomer(daemon).socket.close() # it doesn't wait for its reply
                    newcomer = Newcomer(daemon)
                    ends.enter_context(newcomer.socket)
                    done = info(daemon, 1)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertFalse(newcomer.has_reply())
                    if end == "signals":
                        daemon.process.send_signal(signal.SIGTERM)
                        self.assertEqual(newcomer.socket.recv(8192), b"") # the daemon has hung up
                        daemon.process.send_signal(signal.SIGTERM)
                        self.assertIn(daemon.process.wait(100), (0, -signal.SIGTERM))
                    else:
                        endless.hang_up()
                        self.assertNotEqual(newcomer.status(), 0)
                        first.wait(100)
                        self.assertIsNone(daemon.process.poll())

    def test_what_does_not_isolate_is_refused(self):
        for more, words in (("isolates = false\n", "does not keep kernels from the memory of others"),
                            ("clear = false\n", "clear=no can't be shared")):
            with self.subTest(more), Card(RIVULET, *MACHINE) as card:
                status, said = refusal(card, more=more)
                self.assertEqual(status, 1, said)
                self.assertIn(words, said)

    def test_second_daemon_hears_who_has_the_device(self):
        with Card(RIVULET, *MACHINE) as card, shared(card):
            status, said = refusal(card)
            self.assertEqual(status, 1, said)
            self.assertIn("serves another host", said)


if __name__ == "__main__":
    unittest.main()
