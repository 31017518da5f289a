#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stubs that are slow, as those behind a JTAG adapter, that hang up while the firmware is checked, and
that serve one debugger at a time, as OpenOCD: a stock QEMU behind a proxy that computes CRCs of the
machine's memory.

    slow_stubs.py RIVULET PROFILE.cfg
"""
import os
import select
import socket
import subprocess
import sys
import tempfile
import threading
import time

import qemu_stubs

RIVULET, PROFILE = sys.argv[1:3]
LIMIT = 10 # seconds that a stub may be silent
BYTES_PER_SECOND = 3500 # of a CRC: that of the firmware's text takes longer than LIMIT
failures = []


def expect(what, good, said):
    if not good:
        failures.append(f"{what}:\n{said}")


def crc(contents):
    value = 0xffffffff
    for byte in contents:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ (0x04c11db7 if value >> 31 else 0)) & 0xffffffff
    return value


def framed(text):
    return b"$%s#%02x" % (text, sum(text) & 255)


class HungUp(Exception):
    pass


class Packets:
    """The packets that come from one side, with their frames, and the single bytes between them."""

    def __init__(self, connection):
        self.connection, self.bytes = connection, b""

    def those_that_came(self):
        more = self.connection.recv(65536)
        if not more:
            raise HungUp
        self.bytes += more
        whole = []
        while self.bytes:
            length = self.bytes.find(b"#") + 3 if self.bytes[:1] == b"$" else 1
            if length == 2 or length > len(self.bytes):
                break
            whole.append(self.bytes[:length])
            self.bytes = self.bytes[length:]
        return whole


class Proxy:
    """One debugger at a time; `answer_crc` is called with what is in memory for each qCRC."""

    def __init__(self, path, answer_crc):
        self.path, self.answer_crc = path, answer_crc
        self.segment_end = self.segment = self.largest_segment = 0
        self.served = self.refused = 0
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen()
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            connection = self.listener.accept()[0]
            self.served += 1
            ours, of_qemu = socket.socketpair()
            machine = qemu_stubs.start_machine(PROFILE, "1", of_qemu)
            of_qemu.close()
            try:
                self.pass_on(connection, ours)
            except (HungUp, OSError):
                pass
            machine.kill()
            machine.wait()
            ours.close()
            connection.close()

    def pass_on(self, connection, qemu):
        packets = Packets(connection)
        while True:
            readable = select.select([connection, qemu], [], [])[0]
            if qemu in readable:
                answer = qemu.recv(65536)
                if not answer:
                    return
                connection.sendall(answer)
            if connection in readable:
                for one in packets.those_that_came():
                    self.take(one, connection, qemu)

    def take(self, one, connection, qemu):
        if not one.startswith(b"$qCRC:"):
            qemu.sendall(one)
            return
        address, size = (int(word, 16) for word in one[6:-3].split(b","))
        self.segment = size + (self.segment if address == self.segment_end else 0)
        self.segment_end = address + size
        self.largest_segment = max(self.largest_segment, self.segment)
        self.answer_crc(self, connection, self.read(qemu, address, size))

    @staticmethod
    def read(qemu, address, size):
        contents, packets = b"", Packets(qemu)
        while len(contents) < size:
            qemu.sendall(framed(b"m%x,%x" % (address + len(contents), min(1024, size - len(contents)))))
            while not (answer := [one for one in packets.those_that_came() if one[:1] == b"$"]):
                pass
            contents += bytes.fromhex(answer[0][1:-3].decode())
            qemu.sendall(b"+")
        return contents


def as_slow_as_jtag(_, connection, contents):
    time.sleep(len(contents) / BYTES_PER_SECOND)
    connection.sendall(b"+" + framed(b"C%08x" % crc(contents)))


def damaged(_, connection, contents):
    connection.sendall(b"+" + framed(b"C%08x" % (crc(contents) ^ 1)))


def too_busy(proxy, connection, contents):
    """Answers once the next debugger is there, who is not served, and only then sees that this one has
    gone: so does OpenOCD."""
    select.select([proxy.listener], [], [])
    proxy.listener.accept()[0].close()
    proxy.refused += 1
    as_slow_as_jtag(proxy, connection, contents)


def gone(*_):
    raise HungUp


def start(answer_crc):
    with tempfile.TemporaryDirectory() as folder:
        proxy = Proxy(os.path.join(folder, "stub"), answer_crc)
        run = subprocess.run([RIVULET, "info", "--start"], capture_output=True, text=True, timeout=300,
                             env={**os.environ, "RIVULET_MACHINE":
                                  f"gdb,board=virt,timeout={LIMIT},target=unix:{proxy.path}"})
        return run.returncode, run.stdout + run.stderr, proxy


status, said, proxy = start(as_slow_as_jtag)
expect("slow", status == 0 and proxy.largest_segment / BYTES_PER_SECOND > LIMIT,
       f"{proxy.largest_segment} bytes\n{said}")
status, said, proxy = start(damaged)
expect("damaged", status == 1 and "was not written correctly" in said, said)
status, said, proxy = start(gone)
expect("gone", status == 1 and "failed: the gdb stub at" in said and "hung up" in said, said)
status, said, proxy = start(too_busy)
expect("busy", status == 1 and f"did not answer for {LIMIT}000 ms; timeout=SECONDS" in said, said)
expect("comes again", proxy.refused == 1 and proxy.served == 2,
       f"{proxy.refused} refused, {proxy.served} served\n{said}")
if failures:
    sys.exit("\n".join(failures))
