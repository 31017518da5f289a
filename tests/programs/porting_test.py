#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The commands of docs/porting.md, as they are written, in one shell. Where a reader writes the
driver, a finished one takes the skeleton's place."""
import re
import subprocess
import unittest

from programs import BUILD, SOURCE, ProgramTest

PAGE = SOURCE / "docs/porting.md"
WORK = SOURCE / "build/acme"


class Porting(ProgramTest):
    def test_commands_work_as_written(self):
        text = PAGE.read_text()
        blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        self.assertGreater(len(blocks), 8)
        self.assertTrue((BUILD / "hal/engine.so").exists())
        finished = ("ln -sf {0}/hal/engine.so build/acme/acme.so\n"
                    "ln -sf {0}/hal/loopback.so build/acme/\n".format(BUILD))
        written = next(i for i, block in enumerate(blocks) if block.startswith("export"))
        blocks = [block.replace("build/release/", "{}/".format(BUILD)) for block in blocks]
        # The first command builds, which the tests' build has done.
        script = "set -ex\n" + "".join(blocks[1:written]) + finished + "".join(blocks[written:])
        process = subprocess.run(["bash", "-c", script], cwd=SOURCE, capture_output=True, text=True,
                                 timeout=300, stdin=subprocess.DEVNULL)
        self.assertEqual(process.returncode, 0, process.stdout[-4000:] + process.stderr[-4000:])
        self.assertEqual(process.stdout.count("[  PASSED  ]"), len(blocks) - 3)

    def tearDown(self):
        super().tearDown()
        for file in ("acme.c", "acme.so", "loopback.so"):
            (WORK / file).unlink(missing_ok=True)


if __name__ == "__main__":
    unittest.main()
