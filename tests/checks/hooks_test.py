#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests `./dev hooks` in a separate repository: which commits are rejected, and that other hooks
are preserved."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
BODY = "\n\nSince the test asks for it."


class Hooks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = pathlib.Path(folder.name)
        for name in ("dev", ".clang-format", ".clang-format-ignore"):
            shutil.copy(TOP / name, self.top)
        shutil.copytree(TOP / ".ci/hooks", self.top / ".ci/hooks")
        self.run_here("git", "init", "-q")
        self.run_here("./dev", "hooks")

    def run_here(self, *words, code=0):
        who = {f"GIT_{role}_{what}": f"somebody@{what}.example"
               for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        done = subprocess.run(words, cwd=self.top, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env={**os.environ, **who, "GIT_CONFIG_GLOBAL": os.devnull})
        self.assertEqual(done.returncode, code, done.stdout)
        return done.stdout

    def commit(self, message, says=None, *words):
        said = self.run_here("git", "commit", "-q", "--allow-empty", *words, "-m", message,
                             code=0 if says is None else 1)
        self.assertIn(says or "", said)

    def test_messages(self):
        self.commit("part: what changes" + BODY)
        self.commit("part, other: " + "x" * 59 + BODY)
        self.commit("fixup! part: what changes")
        self.commit("what changes" + BODY, "part: what changes")
        self.commit("part: " + "x" * 67 + BODY, "73 characters")
        self.commit("part: what changes." + BODY, "full stop")
        self.commit("part: what changes", "no body")
        self.commit("part: what changes\nBecause.", "no body")
        self.commit("what changes", None, "--no-verify")

    def test_format_of_what_is_staged(self):
        file = self.top / "a.cpp"
        file.write_text("int  a;\n")
        self.run_here("git", "add", "a.cpp")
        file.write_text("int a;\n") # mended, but not staged
        self.commit("part: a" + BODY, "run ./dev format")
        self.run_here("git", "add", "a.cpp")
        file.write_text("int  a;\n")
        self.commit("part: a" + BODY)
        ignored = self.top / "hal/tests/frozen/a.h"
        ignored.parent.mkdir(parents=True)
        ignored.write_text("int  a;\n")
        self.run_here("git", "add", "hal")
        self.commit("part: a" + BODY)

    def test_removed_and_others(self):
        self.run_here("./dev", "hooks", "--remove")
        self.commit("what changes")
        other = self.top / ".git/hooks/commit-msg"
        other.write_text("#!/bin/sh\nexit 0\n")
        for words in ((), ("--remove",)):
            self.assertIn("another hook", self.run_here("./dev", "hooks", *words, code=1))
        self.assertEqual(other.read_text(), "#!/bin/sh\nexit 0\n")

    def test_revisions_without_hooks(self):
        shutil.rmtree(self.top / ".ci")
        self.commit("what changes")


if __name__ == "__main__":
    unittest.main()
