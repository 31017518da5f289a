#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a command whose device is shared by a rivuletd of its own, and ends with its status.

    with_daemon.py RIVULETD [OPTION-OF-RIVULETD…] [--of-environment [SETTINGS]] [--processes N]
                   -- COMMAND…

--of-environment: the daemon's device is the one that RIVULET_MACHINE (with further settings) or
RIVULET_CONFIG selects. --processes: runs the command so many times at once.
"""
import os
import subprocess
import sys
import tempfile


class Daemon:
    """rivuletd while the `with` lasts; .socket, and the .environment() of a client."""

    def __init__(self, program, *options, stderr=None):
        self.program, self.options, self.stderr = program, options, stderr

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="rivuletd-")
        self.socket = os.path.join(self.folder.name, "socket")
        # The environment of the tests may have selected a device, which is not the daemon's.
        own = {key: value for key, value in os.environ.items()
               if key not in ("RIVULET_MACHINE", "RIVULET_DRIVER", "RIVULET_CONFIG")}
        self.process = subprocess.Popen([self.program, "--socket", self.socket, *self.options],
                                        stdout=subprocess.PIPE, stderr=self.stderr, text=True, env=own)
        if self.process.stdout.readline() != "rivuletd is ready\n":
            self.__exit__()
            raise SystemExit("rivuletd did not start")
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()
        self.folder.cleanup()

    def environment(self):
        environment = {**os.environ, "RIVULET_CONFIG": "off",
                       "RIVULET_MACHINE": f"daemon,socket={self.socket}"}
        environment.pop("RIVULET_DRIVER", None)
        return environment


def of_environment(settings):
    """Options for the device that the environment selects."""
    machine = os.environ.get("RIVULET_MACHINE")
    if machine:
        return ["--machine", ",".join([machine, *settings])]
    return ["--config", os.environ["RIVULET_CONFIG"]]


def taken(options, name):
    """What follows an option up to the next one, which both leave the list; None without it."""
    if name not in options:
        return None
    at = options.index(name)
    end = next((i for i in range(at + 1, len(options)) if options[i].startswith("--")), len(options))
    values = options[at + 1:end]
    del options[at:end]
    return values


def main():
    split = sys.argv.index("--")
    options, command = sys.argv[2:split], sys.argv[split + 1:]
    settings, processes = taken(options, "--of-environment"), taken(options, "--processes")
    if settings is not None:
        options += of_environment(settings)
    with Daemon(sys.argv[1], *options) as daemon:
        clients = [subprocess.Popen(command, env=daemon.environment())
                   for _ in range(int(processes[0]) if processes else 1)]
        status = max(abs(client.wait()) for client in clients)
        alive = daemon.process.poll() is None
    if not alive:
        print("rivuletd ended before its client did", file=sys.stderr)
    return status if alive else 1


if __name__ == "__main__":
    sys.exit(main())
