#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a command with a socket behind which OpenOCDs are: each connection to it is the gdb port of an
OpenOCD of its own, which reaches a stock QEMU through the model of a debug module. All three end when
the connection does.

    openocd_stubs.py MODULE DATA XLEN HARTS SETTINGS COMMAND...

MODULE is rivulet-debug-module. RIVULET_MACHINE becomes gdb,target=unix:SOCKET,SETTINGS.
"""
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../hal/drivers/gdb"))
import qemu_stubs  # pylint: disable=wrong-import-position

BASE, BYTES = 0x80000000, 1 << 30
CONFIG = os.path.join(os.path.dirname(os.path.abspath(__file__)), "openocd.cfg")
LONGEST_WAIT = 60 # seconds until a socket exists; normally some milliseconds


def wait_for(path, process):
    deadline = time.monotonic() + LONGEST_WAIT
    while not os.path.exists(path):
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"{process.args[0]} did not open {path}")
        time.sleep(0.01)


class Processes:
    """Those of a chip, which end with it."""

    def __init__(self):
        self.processes = []

    def run(self, command, **options):
        self.processes.append(subprocess.Popen(command, preexec_fn=qemu_stubs.end_with_parent,
                                               stdin=options.pop("stdin", subprocess.DEVNULL), **options))
        return self.processes[-1]

    def end(self):
        for process in reversed(self.processes):
            process.kill()
            process.wait()


class Chip(Processes):
    """A QEMU behind a debug module, to be reached at `bitbang`."""
    config = CONFIG

    def __init__(self, module, xlen, harts, folder, *more):
        super().__init__()
        self.stub, self.bitbang, self.memory = (os.path.join(folder, name)
                                                for name in ("stub", "bitbang", "memory"))
        self.environment = {**os.environ, "RIVULET_DEBUG_MODULE": self.bitbang,
                            "RIVULET_DEBUG_HARTS": harts}
        qemu = os.environ.get("RIVULET_QEMU") if xlen == "64" else None
        listener = socket.socket(socket.AF_UNIX) # that listens before anybody connects
        listener.bind(self.stub)
        listener.listen()
        self.run([qemu or f"qemu-system-riscv{xlen}", "-nodefaults", "-display", "none", "-machine",
                  "virt,aia=none,acpi=off,memory-backend=ram", "-bios", "none", "-cpu",
                  f"rv{xlen},v=on", "-smp", harts, "-m", str(BYTES >> 20), "-object",
                  f"memory-backend-file,id=ram,size={BYTES},mem-path={self.memory},share=on", "-S",
                  "-chardev", f"socket,id=gdb,fd={listener.fileno()},server=on,wait=off", "-gdb",
                  "chardev:gdb", *(more or ("-serial", "null"))], pass_fds=[listener.fileno()])
        listener.close()
        self.run([module, self.stub, self.memory, hex(BASE), self.bitbang])
        wait_for(self.bitbang, self.processes[1])


def serve(listener, start_chip):
    """Starts chips and OpenOCDs on one thread, which lives as long as the program."""
    while True:
        connection = listener.accept()[0]
        folder = tempfile.TemporaryDirectory() # pylint: disable=consider-using-with
        chip = start_chip(folder.name)
        with open(os.path.join(folder.name, "log"), "wb") as log:
            openocd = chip.run(["openocd", "-f", chip.config, "-c", "gdb_port pipe; tcl_port disabled; "
                                "telnet_port disabled; log_output /dev/stderr"],
                               stdin=connection, stdout=connection,
                               stderr=log if "RIVULET_OPENOCD_LOG" not in os.environ else None,
                               env=chip.environment)

        def end_with_connection(connection=connection, chip=chip, folder=folder, openocd=openocd):
            qemu_stubs.wait_for_hang_up(connection)
            chip.end()
            connection.close()
            folder.cleanup()

        threading.Thread(target=end_with_connection, daemon=True).start()


def run_with_stubs(start_chip, settings, command):
    """The command's status, with stubs of the chips that start_chip(FOLDER) makes behind
    RIVULET_MACHINE."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "stub")
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(path)
            listener.listen()
            threading.Thread(target=serve, args=(listener, start_chip), daemon=True).start()
            machine = f"gdb,target=unix:{path}" + (f",{settings}" if settings else "")
            return subprocess.run(command, env={**os.environ, "RIVULET_MACHINE": machine},
                                  check=False).returncode


def main():
    module, xlen, harts, settings, *command = sys.argv[1:]
    return run_with_stubs(lambda folder: Chip(module, xlen, harts, folder), settings, command)


if __name__ == "__main__":
    sys.exit(main())
