#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The messages of the gdb driver when there is no stub, or one that makes no sense.

    bad_stubs.py RIVULET PROFILE.cfg
"""
import os
import socket
import subprocess
import sys
import tempfile
import threading

import qemu_stubs

RIVULET, PROFILE = sys.argv[1:3]
FOLDER = tempfile.TemporaryDirectory()
PATIENT = "board=virt,timeout=60" # for stubs that answer, even on a busy machine
failures = []


def said(settings):
    """The answer of `rivulet info --start` for a device with these settings, which must be refused. The
    last setting of a key is the one that is meant."""
    print(settings, flush=True)
    run = subprocess.run([RIVULET, "info", "--start"], capture_output=True, text=True,
                         timeout=120, env={**os.environ, "RIVULET_MACHINE": f"gdb,timeout=1,{settings}"})
    return run.stderr if run.returncode == 1 else f"status {run.returncode}: {run.stderr}"


def expect(what, text, *words):
    missing = [word for word in words if word not in text]
    if missing:
        failures.append(f"{what}: {missing} not in:\n{text}")


def listening(answer):
    """The path of a socket where `answer` is called with each connection."""
    listener = socket.socket(socket.AF_UNIX)
    path = os.path.join(FOLDER.name, f"{len(os.listdir(FOLDER.name))}")
    listener.bind(path)
    listener.listen()

    def serve():
        while True:
            connection = listener.accept()[0]
            try:
                answer(connection)
            except OSError:
                pass
            connection.close()

    threading.Thread(target=serve, daemon=True).start()
    return path


def silent(connection):
    while connection.recv(4096):
        pass


def packet(text):
    return b"+$%s#%02x" % (text, sum(text) & 255)


def answers(text):
    """A stub that answers the same to everything."""
    def answer(connection):
        while connection.recv(4096):
            connection.sendall(text)
    return answer


def damaged(connection):
    while connection.recv(4096):
        connection.sendall(b"+$T05#00")


def real(connection):
    """A real machine, until the debugger disconnects."""
    machine = qemu_stubs.start_machine(PROFILE, "1", connection)
    qemu_stubs.wait_for_hang_up(connection)
    machine.kill()
    machine.wait()


expect("no board", said("target=localhost:1"), "board=NAME")
expect("other board", said("target=localhost:1,board=nowhere"), "no board nowhere")
expect("no port", said("target=localhost,board=virt"), "has no port")
expect("nobody there", said("target=localhost:1,board=virt"), "no gdb stub can be reached")
expect("no socket", said(f"target=unix:{FOLDER.name}/none,board=virt"), "ENOENT")
expect("unknown setting", said("board=virt,taget=x"), 'did you mean "target"')
# No stub listens at the target: settings are rejected individually, before a connection is made.
for setting, *words in (("start=now", "neither entry", "nor reset"),
                        ("access=runing", "neither halted nor running"),
                        ("verify=maybe", "neither no nor yes"),
                        ("close=stop", "neither reset nor run"), ("vlen=100", "power of two"),
                        ("vlen=x", "from 32 to 65536"), ("vlen=4294967424", "from 32 to 65536"),
                        ("isa=arm64", "neither rv32 nor rv64"),
                        ("isa=rv64gc_zve64dd", "did you mean 'zve64d'?"), ("harts=many", "harts"),
                        ("harts=0", "harts"), ("harts=4294967297", "harts"),
                        ("memory=lots", "memory")):
    expect(setting, said(f"target=localhost:1,board=virt,{setting}"), setting, *words)
for limit in "0", "soon", "3601":
    expect(limit, said(f"target=localhost:1,board=virt,timeout={limit}"), "seconds from 1 to 3600")
expect("silence", said(f"target=unix:{listening(silent)},board=virt"), "did not answer for 1000 ms")
expect("hang up", said(f"target=unix:{listening(lambda c: c.recv(1))},{PATIENT}"), "hung up")
expect("no protocol", said(f"target=unix:{listening(answers(b'HTTP/1.1 400 Bad'))},board=virt"),
       "did not answer")
expect("nonsense", said(f"target=unix:{listening(answers(packet(b'OK')))},{PATIENT}"),
       "which is invalid")
expect("damage", said(f"target=unix:{listening(damaged)},{PATIENT}"), "arrive damaged")
expect("ended", said(f"target=unix:{listening(answers(packet(b'W00')))},{PATIENT}"),
       "harts are gone")
expect("other harts", said(f"target=unix:{listening(real)},harts=7,{PATIENT}"),
       "harts=7")

if failures:
    sys.exit("\n".join(failures))
