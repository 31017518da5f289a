#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/troubleshooting.md, as written: its commands meet the messages below which they stand, and
headings without a command are words of a message in the sources."""
import os
import pathlib
import re
import tempfile
import unittest

from programs import BUILD, SOURCE, ProgramTest, run

SECTION = re.compile(r"^### `([^`\n]+)`\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^```\n\$ (.+)\n((?:(?!```).+\n)+)```$", re.MULTILINE)
FOLDERS = [BUILD / folder for folder in ("bin", "examples/vecadd", "tests/programs")]
# Strings that the compiler joins, and parts of a message between which a value goes.
JOIN = re.compile(r'"\s*"')


def sections():
    text = (SOURCE / "docs/troubleshooting.md").read_text()
    return [(message, COMMAND.findall(body)) for message, body in SECTION.findall(text)]


def pattern(line):
    return ".*".join(re.escape(part) for part in line.split("…"))


def sources():
    for folder in "hal", "host-runtime", "compiler":
        for path in (SOURCE / folder).rglob("*.cpp"):
            yield JOIN.sub("", path.read_text())


class Troubleshooting(ProgramTest):
    def test_commands_meet_their_messages(self):
        commands = [(message, *command) for message, found in sections() for command in found]
        self.assertGreater(len(commands), 15)
        path = ":".join([*map(str, FOLDERS), os.environ["PATH"]])
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "kernel.cl").write_text("kernel void k() {}\n")
            for message, command, expected in commands:
                with self.subTest(command):
                    process = run("bash", "-c", f"cd {folder}; {command}", PATH=path,
                                  DATA=BUILD / "lib/rivulet", RIVULET_MACHINE=None)
                    output = process.stderr + process.stdout
                    self.assertIn(message, output)
                    for line in expected.splitlines():
                        self.assertRegex(output, pattern(line))

    def test_other_headings_are_messages(self):
        texts = list(sources())
        for message, found in sections():
            if not found:
                self.assertTrue(any(message in text for text in texts), message)


if __name__ == "__main__":
    unittest.main()
