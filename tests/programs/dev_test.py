#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The ./dev command explains itself and refuses what it doesn't know."""
import unittest

from programs import SOURCE, ProgramTest, run

DEV = SOURCE / "dev"
COMMANDS = ("demo", "test", "build", "run", "shell", "bench", "sanitize", "fuzz", "fuzz-target",
            "same-code", "format", "hooks", "lint", "package", "release", "clean")


class Dev(ProgramTest):
    def test_help_lists_every_command(self):
        process = run(DEV, "--help")
        self.assertEqual(process.returncode, 0)
        for command in COMMANDS:
            self.assertIn(command, process.stdout)

    def test_every_command_has_help(self):
        for command in COMMANDS:
            process = run(DEV, command, "--help")
            self.assertEqual(process.returncode, 0)
            self.assertTrue(process.stdout.startswith(f"./dev {command}"), process.stdout)

    def test_what_it_does_not_know_is_refused_with_usage(self):
        for arguments in ["tset"], ["test", "--lnog"], ["build", "x"], ["demo", "a", "b"], ["run"], \
                ["clean", "--every"], ["sanitize", "memory"], ["fuzz-target", "nothing"], \
                ["fuzz-target", "mailbox", "long"]:
            process = run(DEV, *arguments)
            self.assertEqual(process.returncode, 2, arguments)
            self.assert_fails(process, "./dev COMMAND")


if __name__ == "__main__":
    unittest.main()
