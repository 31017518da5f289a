#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The photograph demo: valid pictures give correct results, invalid ones a clear message."""
import pathlib
import tempfile
import unittest

from programs import PHOTO, SOURCE, ProgramTest, run

CAT = SOURCE / "examples/photo/chelsea.png"
EYE = SOURCE / "tests/programs/eye.jpg"
CANT_READ, WRONG_CALL = 3, 2


class Pictures(ProgramTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.output = self.folder / "out.png"

    def file(self, contents):
        path = self.folder / "in"
        path.write_bytes(contents)
        return path

    def assert_right(self, picture, **environment):
        process = run(PHOTO, picture, "--output", self.output, **environment)
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        self.assertIn("Every kernel agrees", process.stdout)
        self.assertEqual(self.output.read_bytes()[:4], b"\x89PNG")
        return process.stdout

    def assert_refused(self, picture, *words):
        process = run(PHOTO, picture, "--output", self.output)
        self.assert_fails(process, str(picture), *words)
        self.assertEqual(process.returncode, CANT_READ)
        self.assertFalse(self.output.exists())

    def test_png(self):
        """Prints what README shows of the demo: docs/readme.py reads the tables."""
        for machine in "rv64-v512,harts=2", "rv64-v512-icount":
            print(self.assert_right(CAT, RIVULET_MACHINE=machine))

    def test_jpeg(self):
        self.assert_right(EYE)

    def test_no_such_file(self):
        self.assert_refused(self.folder / "none.png", "can't be opened")

    def test_folder(self):
        self.assert_refused(self.folder, "PNG or JPEG")

    def test_text(self):
        self.assert_refused(self.file(b"a thousand words"), "neither a PNG nor a JPEG")

    def test_empty_file(self):
        self.assert_refused(self.file(b""), "PNG or JPEG")

    def test_truncated_png(self):
        self.assert_refused(self.file(CAT.read_bytes()[:5000]), "not a sound PNG")

    def test_truncated_jpeg(self):
        self.assert_refused(self.file(EYE.read_bytes()[:600]), "not a sound JPEG")

    def test_output_that_cant_be_written(self):
        process = run(PHOTO, EYE, "--output", self.folder / "no/such/folder/out.png")
        self.assert_fails(process, "can't be written")
        self.assertEqual(process.returncode, CANT_READ)

    def test_wrong_calls(self):
        for arguments in [], ["--nonsense"], [EYE, EYE]:
            process = run(PHOTO, *arguments)
            self.assert_fails(process, "usage")
            self.assertEqual(process.returncode, WRONG_CALL)


if __name__ == "__main__":
    unittest.main()
