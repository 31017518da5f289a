#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/applications.md as it stands: the blocks of shell commands, one after the other, in one folder.
The walks of the other guides are followed by programs.porting, programs.debugger and
conformance.documents."""
import os
import pathlib
import re
import tempfile
import unittest

from programs import BUILD, SOURCE, ProgramTest, run

BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Walks(ProgramTest):
    def test_applications(self):
        blocks = BLOCK.findall((SOURCE / "docs/applications.md").read_text())
        self.assertGreater(len(blocks), 4)
        with tempfile.TemporaryDirectory() as folder:
            for block in blocks:
                done = run("bash", "-euo", "pipefail", "-c", f"cd {folder}\n{block}", seconds=300,
                           PATH=f"{BUILD}/bin:{os.environ['PATH']}", RIVULET_MACHINE=None)
                self.assertEqual(done.returncode, 0, block + done.stdout + done.stderr)
            for name in "sums.npy", "saxpy.trace", "series.html":
                self.assertTrue((pathlib.Path(folder) / name).stat().st_size, name)


if __name__ == "__main__":
    unittest.main()
