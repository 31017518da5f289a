#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/applications.md, docs/firmware.md and docs/instructions.md as they stand: the blocks of shell commands, one after the
other, in one folder. The walks of the other guides are followed by sdk.porting, programs.products,
programs.troubleshooting, programs.performance and conformance.documents."""
import os
import pathlib
import re
import tempfile
import unittest

from programs import BUILD, SOURCE, ProgramTest, run

BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Walks(ProgramTest):
    def walk(self, page, least, files):
        """Runs the blocks of a page, at least so many; the files that they leave are not empty."""
        blocks = BLOCK.findall((SOURCE / "docs" / page).read_text())
        self.assertGreaterEqual(len(blocks), least)
        with tempfile.TemporaryDirectory() as folder:
            for block in blocks:
                done = run("bash", "-euo", "pipefail", "-c", f"cd {folder}\n{block}", seconds=300,
                           PATH=f"{BUILD}/bin:{os.environ['PATH']}", RIVULET_MACHINE=None)
                self.assertEqual(done.returncode, 0, block + done.stdout + done.stderr)
            for name in files:
                self.assertTrue((pathlib.Path(folder) / name).stat().st_size, name)

    def test_applications(self):
        self.walk("applications.md", 5, ["sums.npy", "saxpy.trace", "series.html"])

    def test_firmware(self):
        self.walk("firmware.md", 4, ["monitor.json", "debug.txt"])

    def test_instructions(self):
        self.walk("instructions.md", 4, ["zvbb.s", "acme.s", "aes.rvk", "rv32.npy"])

    def test_submission(self):
        self.walk("submission.md", 1, [])


if __name__ == "__main__":
    unittest.main()
