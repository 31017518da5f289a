#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts what launches cost over a debug port: runs a command whose device is behind a gdb stub, with a
relay between driver and stub that reads along, and prints JSON.

    qemu_stubs.py PROFILE HARTS SETTINGS debug_port.py COMMAND...    (or openocd_stubs.py)

A launch reaches from its ring of the doorbell to that of the next one, so the command has to wait for
each of its launches. Other commands come between: eight pings when the device starts, the load of code,
and a ping in each second. What moves pings and their completions is left out, since on a busy machine
there may be one in every launch; launches with other commands in them are left out whole. Packets that
move the command, its arguments and its completion are the same for each launch of a kernel. How often the
driver looks whether it is done, and stops and continues harts, follows time: `waiting`, words that are
read, and addresses that a launch accesses more than once."""
import collections
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading

BELL = re.compile(rb"[MX]2000000,4:") # CLINT's msip of hart 0, of QEMU's virt
ACCESS = re.compile(rb"(?P<kind>[mxMX])(?P<address>[0-9a-f]+),(?P<length>[0-9a-f]+)(?:$|:)")
# Group and service in the slot of a launch. A packet contains them as hexadecimal digits or, after
# X, as binary data.
LAUNCH = bytes.fromhex("030001")
SLOT = 64
# Group and service, and RVL_PING_TOKEN, of pings and of their completions.
PING, PING_TOKEN = bytes.fromhex("010001"), bytes.fromhex("ffff")
# In front of each packet there may be acknowledgements, and the byte that stops the harts.
PACKET = re.compile(rb"\$((?:[^#}]|\}.)*)#..", re.DOTALL)
WORD = 4
HEAD = 4 # bytes around a packet: $, #, checksum


def command_of(request):
    """Distinguishes launches from other commands: "launch", "other", or None if it does not
    write a slot's length."""
    access = ACCESS.match(request)
    if not access or access["kind"] not in b"MX" or int(access["length"], 16) != SLOT:
        return None
    return "launch" if request[access.end():].startswith((LAUNCH, LAUNCH.hex().encode())) else "other"


def memory_of(kind, data):
    """The memory contents of a packet, in hexadecimal digits or, for X and x, escaped."""
    if kind in b"mM":
        return bytes.fromhex(data.decode()) if re.fullmatch(rb"(?:[0-9a-f]{2})*", data) else b""
    return re.sub(rb"\}(.)", lambda escaped: bytes([escaped[1][0] ^ 0x20]), data.removeprefix(b"b"), flags=re.DOTALL)


def without_pings(exchanges):
    """Commands and completions of pings are taken out, with the index of the ring that is written after
    them; completions of launches that are read in one packet with a ping's stay."""
    kept, is_ping_index = [], False
    for request, octets, answer in exchanges:
        access = ACCESS.match(request)
        length = int(access["length"], 16) if access else 0
        if is_ping_index and length == WORD and access["kind"] in b"MX":
            is_ping_index = False
            continue
        slots = []
        if length and length % SLOT == 0:
            memory = memory_of(access["kind"], answer if access["kind"].islower() else request[access.end():])
            slots = [memory[at:at + SLOT] for at in range(0, len(memory), SLOT)]
        pings = sum(slot.startswith(PING) and slot[6:8] == PING_TOKEN for slot in slots)
        if pings and pings == len(slots):
            is_ping_index = True
            continue
        if pings:
            octets -= octets * pings // len(slots)
            request = b"%c%s,%x" % (access["kind"], access["address"], length - pings * SLOT)
        kept.append((request, octets))
    return kept


class Reader:
    """Puts together the packets of one direction."""

    def __init__(self, take):
        self.take, self.rest = take, b""

    def add(self, data):
        self.rest += data
        end = 0
        for packet in PACKET.finditer(self.rest):
            self.take(packet[1])
            end = packet.end()
        self.rest = self.rest[end:]


class Traffic:
    """Requests of the driver, each with the bytes of its answer."""

    def __init__(self):
        self.exchanges = [] # [request, bytes of the answers, the last answer]

    def requested(self, request):
        self.exchanges.append([request, 0, b""])

    def answered(self, answer):
        if self.exchanges:
            self.exchanges[-1][1] += len(answer) + HEAD
            self.exchanges[-1][2] = answer

    def launches(self):
        """The exchanges of each, without those before the bell of the first and after that of the last, and
        of launches with another command in them or in the one before."""
        kept, bells, launched = [], [], False
        for request, octets in without_pings(self.exchanges):
            launched = launched or command_of(request) == "launch"
            if BELL.match(request):
                if not launched:
                    continue # for a ping
                bells.append(len(kept))
                launched = False
            kept.append((request, octets))
        launches = [kept[begin + 1:end + 1] for begin, end in zip(bells, bells[1:])]
        shared = [any(command_of(request) == "other" for request, _ in exchanges) for exchanges in launches]
        return [exchanges for exchanges, before, now in zip(launches, [False, *shared], shared)
                if not before and not now]


def access_of(request):
    """The access of a packet: (reads, address, length); None if it is not a memory access."""
    access = ACCESS.match(request)
    return (access["kind"].islower(), int(access["address"], 16), int(access["length"], 16)) if access else None


def accesses_of_waiting(launches):
    """Words that are read, and what is accessed again and again: reads in any launch, writes in most of
    those that have them. Only launches that are waited for long write the word that asks for a bell."""
    repeated, there, found = collections.Counter(), collections.Counter(), set()
    for exchanges in launches:
        counts = collections.Counter(access_of(request) for request, _ in exchanges)
        there.update(counts.keys())
        repeated.update(access for access, count in counts.items() if count > 1)
        found |= {access for access in counts if access and access[0] and access[2] <= WORD}
    return found | {access for access, count in repeated.items()
                    if access and (access[0] or 2 * count > there[access])}


def cost(exchanges, waiting):
    """(packets, bytes of memory, bytes on the line) of what moves commands and data, and the number of all
    other packets. On the line hexadecimal digits are twice as many, and binary ones may be escaped."""
    moved = [(access_of(request)[2], len(request) + answer + HEAD) for request, answer in exchanges
             if access_of(request) and access_of(request) not in waiting]
    return (len(moved), sum(memory for memory, _ in moved), sum(line for _, line in moved)), \
        len(exchanges) - len(moved)


def relay(listener, target, traffic):
    """One connection after the other; the driver opens one for each start of the device."""
    def pump(source, sink, reader):
        try:
            while data := source.recv(1 << 16):
                reader.add(data)
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass # one side is gone: so is the other
    while True:
        driver = listener.accept()[0]
        stub = socket.socket(socket.AF_UNIX)
        try:
            stub.connect(target)
        except OSError: # as if there were no listener here, either
            driver.close()
            continue
        there = threading.Thread(target=pump, args=(driver, stub, Reader(traffic.requested)), daemon=True)
        there.start()
        pump(stub, driver, Reader(traffic.answered))
        there.join()
        driver.close()
        stub.close()


def main():
    machine = os.environ["RIVULET_MACHINE"]
    target = re.search(r"target=unix:([^,]+)", machine)[1]
    traffic = Traffic()
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
        path = os.path.join(folder, "relay")
        listener.bind(path)
        listener.listen()
        threading.Thread(target=relay, args=(listener, target, traffic), daemon=True).start()
        done = subprocess.run(sys.argv[1:], env={**os.environ, "RIVULET_MACHINE": machine.replace(target, path)},
                              stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)
        if done.returncode:
            return done.returncode
    launches = traffic.launches()
    if len(launches) < 2:
        sys.exit("debug_port: the command made no two launches, each after the end of the one before")
    waiting = accesses_of_waiting(launches)
    costs = [cost(exchanges, waiting) for exchanges in launches]
    (packets, octets), alike = collections.Counter(moved[:2] for moved, _ in costs).most_common(1)[0]
    line = statistics.median_low(moved[2] for moved, _ in costs if moved[:2] == (packets, octets))
    result = {"launches": len(costs), "alike": alike, "packets": packets, "memory_bytes": octets,
              "line_bytes": line, "waiting_packets_median": statistics.median(waited for _, waited in costs)}
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
