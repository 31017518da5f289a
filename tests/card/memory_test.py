#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a host leaves in a card's memory the next one doesn't find, however it went.

    memory_test.py RIVULET
"""
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from with_card import Card

RIVULET = sys.argv.pop(1)
MACHINE = ("--machine", "rv64-v128,harts=2,memory=128M")
SECRET = (0x5ec2e75ec2e75ec2).to_bytes(8, "little")
FIRMWARE_BYTES = 1 << 20 # of code and data, which no host writes
SOURCE = """
__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void leave(global ulong *buffer, local ulong *shared, uint rounds) {
    volatile ulong own[20000];
    for (uint round = 0; round != rounds; ++round) {
        for (int i = 0; i < 20000; ++i)
            own[i] = 0x5ec2e75ec2e75ec2;
        for (int i = 0; i < 1000; ++i)
            shared[i] = 0x5ec2e75ec2e75ec2;
        for (int i = 0; i < 1000; ++i)
            buffer[get_group_id(0) * 1000 + i] = 0x5ec2e75ec2e75ec2;
    }
}
"""
ALL = 20000 + 64 * 1000 # of one hart and the buffer


class Memory(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.source = self.folder / "leave.cl"
        self.source.write_text(SOURCE)

    def card(self, *options):
        self.window = self.folder / "window"
        return Card(RIVULET, *MACHINE, "--window", self.window, *options)

    def leave(self, card, rounds):
        return subprocess.Popen([RIVULET, "run", self.source, "leave", "zeros:64000", "local:1000", rounds,
                                 "-g", "64", "-l", "1"], env=card.environment(), text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def left(self):
        return self.window.read_bytes()[FIRMWARE_BYTES:].count(SECRET)

    def next_host(self, card):
        done = subprocess.run([RIVULET, "info", "--start"], env=card.environment(), text=True,
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_after_a_host_that_left(self):
        for hold in ([], ["--hold"]):
            with self.subTest(hold=hold), self.card(*hold) as card:
                host = self.leave(card, "1")
                said = host.communicate()[0]
                self.assertEqual(host.returncode, 0, said)
                if not hold: # otherwise the card clears its memory when a host detaches
                    self.assertGreater(self.left(), ALL - 1000)
                self.next_host(card)
                self.assertEqual(self.left(), 0)

    def test_after_a_host_that_was_killed(self):
        for hold in ([], ["--hold"]):
            with self.subTest(hold=hold), self.card(*hold) as card:
                host = self.leave(card, str(2**32 - 1))
                while self.left() < 20000:
                    self.assertIsNone(host.poll())
                    time.sleep(0.1)
                host.send_signal(signal.SIGKILL)
                host.communicate()
                self.next_host(card)
                self.assertEqual(self.left(), 0)

    def test_unless_it_asks_for_speed(self):
        with self.card() as card:
            with open(card.configuration, "a", encoding="utf-8") as configuration:
                configuration.write("clear = false\n")
            self.leave(card, "1").communicate()
            self.next_host(card)
            self.assertGreater(self.left(), ALL // 2)
        with self.card() as card:
            with open(card.configuration, "a", encoding="utf-8") as configuration:
                configuration.write('clear = "perhaps"\n')
            done = subprocess.run([RIVULET, "info"], env=card.environment(), text=True, capture_output=True,
                                  check=False)
            self.assertIn("clear=perhaps says neither yes nor no", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
