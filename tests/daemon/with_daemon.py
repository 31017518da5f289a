#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a command whose device is shared by a rivuletd of its own, and ends with its status.

    with_daemon.py RIVULETD [OPTION-OF-RIVULETD…] -- COMMAND…
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


def main():
    split = sys.argv.index("--")
    with Daemon(*sys.argv[1:split]) as daemon:
        status = subprocess.run(sys.argv[split + 1:], env=daemon.environment(), check=False).returncode
        alive = daemon.process.poll() is None
    if not alive:
        print("rivuletd ended before its client did", file=sys.stderr)
    return status if alive else 1


if __name__ == "__main__":
    sys.exit(main())
