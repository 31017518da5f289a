#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a command whose device is a card (rivulet card), and ends with its status.

    with_card.py RIVULET [OPTION-OF-RIVULET-CARD…] [--setting LINE]… -- COMMAND…

--setting: one more line of the card's [[device]].
"""
import os
import pathlib
import subprocess
import sys
import tempfile


class Card:
    """`rivulet card` while the `with` lasts; .socket, and .configuration: a file for RIVULET_CONFIG."""

    def __init__(self, rivulet, *options):
        self.rivulet, self.options = rivulet, options

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="rivulet-card-")
        self.socket = os.path.join(self.folder.name, "card.sock")
        self.configuration = os.path.join(self.folder.name, "card.toml")
        # The environment of the tests may have selected a device: the card is a separate QEMU.
        own = {key: value for key, value in os.environ.items()
               if key not in ("RIVULET_MACHINE", "RIVULET_DRIVER", "RIVULET_CONFIG")}
        self.process = subprocess.Popen([self.rivulet, "card", "--socket", self.socket, *self.options],
                                        stdout=subprocess.PIPE, text=True, env=own)
        text = ""
        for line in self.process.stdout:
            text += line
            if line == "# The card is ready.\n":
                pathlib.Path(self.configuration).write_text(text)
                return self
        self.__exit__()
        raise SystemExit(f"the card did not start: {text}")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()
        self.folder.cleanup()

    def environment(self, **more):
        """That of a host of this card."""
        environment = {**os.environ, "RIVULET_CONFIG": self.configuration, **more}
        environment.pop("RIVULET_MACHINE", None)
        environment.pop("RIVULET_DRIVER", None)
        return environment


def main():
    split = sys.argv.index("--")
    options, settings = sys.argv[2:split], []
    while "--setting" in options:
        at = options.index("--setting")
        settings.append(options[at + 1] + "\n")
        del options[at:at + 2]
    with Card(sys.argv[1], *options) as card:
        with open(card.configuration, "a", encoding="utf-8") as configuration:
            configuration.writelines(settings)
        status = subprocess.run(sys.argv[split + 1:], env=card.environment(), check=False).returncode
        alive = card.process.poll() is None
    if not alive:
        print("the card ended before its host did", file=sys.stderr)
    return status if alive else 1


if __name__ == "__main__":
    sys.exit(main())
