#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a command with a socket behind which gdb stubs are: each connection to it meets a stock QEMU of
its own, with no doorbell device and no shared memory, that ends when the connection does.

    qemu_stubs.py PROFILE.cfg HARTS SETTINGS COMMAND...

PROFILE is a machine profile of lib/rivulet/machines, of which those of QEMU's virt have names that begin
with rv. RIVULET_MACHINE becomes
gdb,target=unix:SOCKET,SETTINGS; QEMU is RIVULET_QEMU, else qemu-system-riscv64.
"""
import ctypes
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading

PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)


def end_with_parent():
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def arguments(profile, harts, descriptor):
    name = os.path.basename(profile)
    bits = "32" if name.startswith("rv32") else "64"
    memory, kind = "2G", []
    if name.startswith("rv"):
        memory, kind = "1G", ["-cpu", f"rv{bits}", "-machine", "aia=none"]
    return [os.environ.get("RIVULET_QEMU", f"qemu-system-riscv{bits}"), "-nodefaults",
            "-no-user-config", "-display", "none", "-readconfig", profile, *kind, "-smp", harts, "-m", memory,
            "-object", f"memory-backend-ram,id=ram,size={memory}", "-serial", "null", "-S",
            "-chardev", f"socket,id=gdb,fd={descriptor}", "-gdb", "chardev:gdb"]


def start_machine(profile, harts, connection):
    """A machine whose stub has this connection; the kernel ends it with the thread that calls this."""
    return subprocess.Popen(arguments(profile, harts, connection.fileno()),
                            pass_fds=[connection.fileno()], stdin=subprocess.DEVNULL,
                            preexec_fn=end_with_parent)


def wait_for_hang_up(connection):
    poll = select.poll()
    poll.register(connection, select.POLLRDHUP)
    while not any(event & (select.POLLRDHUP | select.POLLHUP | select.POLLERR)
                  for _, event in poll.poll()):
        pass


def serve(listener, profile, harts):
    """Starts machines on one thread, which lives as long as the program: the kernel ends them with
    the thread that started them."""
    while True:
        connection = listener.accept()[0]
        machine = start_machine(profile, harts, connection)

        def end_with_connection(connection=connection, machine=machine):
            wait_for_hang_up(connection)
            machine.kill()
            machine.wait()
            connection.close()

        threading.Thread(target=end_with_connection, daemon=True).start()


def main():
    profile, harts, settings, *command = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "stub")
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(path)
            listener.listen()
            threading.Thread(target=serve, args=(listener, profile, harts), daemon=True).start()
            machine = f"gdb,target=unix:{path}" + (f",{settings}" if settings else "")
            return subprocess.run(command, env={**os.environ, "RIVULET_MACHINE": machine},
                                  check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
