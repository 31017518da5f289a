#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cost of a launch over a debug port is the same in each run and over each stub, and not more than
it was."""
import os
import pathlib
import shutil
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE))
import runtime # pylint: disable=wrong-import-position

BUILD = pathlib.Path(os.environ["RIVULET_BUILD"])
# The two rewritten buffers, the record, a slot, words of both rings, the doorbell, the completion.
PACKETS, MEMORY_BYTES = 9, 1128


class DebugPort(unittest.TestCase):
    def test_launches_cost_what_they_did(self):
        ports = runtime.debug_ports(BUILD)
        self.assertEqual("OpenOCD, harts running" in ports, shutil.which("openocd") is not None)
        ports.pop("OpenOCD, harts halted", None) # which takes longest
        for name, port in [*ports.items(), *ports.items()]:
            with self.subTest(name):
                cost = runtime.launches_over(port, BUILD)
                self.assertEqual((cost["packets"], cost["memory_bytes"]), (PACKETS, MEMORY_BYTES), cost)
                self.assertGreater(2 * cost["alike"], cost["launches"], cost)
                self.assertLessEqual(cost["launches"], 29, cost) # from each of 30 to the next


if __name__ == "__main__":
    unittest.main()
