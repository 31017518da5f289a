#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every file says who wrote it and under which licence, by the rules of reuse.software.

    reuse_test.py REUSE SOURCE-DIRECTORY
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

REUSE, TOP = sys.argv[1], pathlib.Path(sys.argv[2])
sys.path.insert(0, str(TOP / "tests/checks"))
from sources import source_files


class Reuse(unittest.TestCase):
    def setUp(self):
        """A copy of the sources, without build artefacts and git."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = pathlib.Path(folder.name)
        for name in [*source_files(TOP), ".reuse/dep5"]:
            target = self.top / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(TOP / name, target, follow_symlinks=False)

    def lint(self):
        done = subprocess.run([REUSE, "--root", self.top, "lint"], text=True, cwd=self.top,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def test_every_file_has_author_and_licence(self):
        code, said = self.lint()
        self.assertEqual(code, 0, said)
        self.assertNotIn("ERROR", said)

    def test_another_licence_is_noticed(self):
        """A file of others, under a licence whose text is not in LICENSES."""
        (self.top / "hal/others.c").write_text("/* SPDX-" "License-Identifier: MIT */\n")
        code, said = self.lint()
        self.assertNotEqual(code, 0)
        self.assertIn("Missing licenses: MIT", said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
