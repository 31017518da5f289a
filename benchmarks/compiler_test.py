#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""./dev bench compiler over two kernels: tables, rows and a report; also of blocks that run with less
than VLMAX elements, whose vl takes a second run of the kernel."""
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import hand_images
from cycles import price, trace

BUILD = os.environ["RIVULET_BUILD"]
KERNELS = ["conv2d", "reduction"]


class Bench(unittest.TestCase):
    def test_two_kernels_have_instructions_and_cycles(self):
        with tempfile.TemporaryDirectory() as folder:
            rows, page = pathlib.Path(folder, "rows.json"), pathlib.Path(folder, "page.html")
            done = subprocess.run(
                [sys.executable, "-B", HERE / "compiler.py", "--build", BUILD, "--stage", BUILD,
                 "--vlens", "512", "-k", ",".join(KERNELS), "--json", rows, "--html", page],
                capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("geomean of ours / hand_spmd", done.stdout)
            self.assertGreater(page.stat().st_size, 1000)
            rows = json.loads(rows.read_text())
        for kernel in KERNELS:
            found = {row["variant"]: row["instructions_per_work_item"] for row in rows
                     if row["kernel"] == kernel and "model" not in row}
            self.assertEqual(set(found), {"scalar", "loopvec", "ours", *hand_images.VARIANTS})
            self.assertLess(found["ours"], found["scalar"])
            cycles = [row for row in rows if row["kernel"] == kernel and "model" in row]
            self.assertEqual({row["model"] for row in cycles}, set(price.MODELS))
            for row in cycles:
                self.assertTrue(0 < row["cycles_per_work_item"] < math.inf, row)

    def test_what_a_model_lacks_is_priced_like_another_instruction(self):
        amocas, vandn, vcpop = 0x28C5A42F, 0x06008057, 0x4B872C57
        for model in price.MODELS:
            pricer = price.Pricer(model, price.Disassembler())
            for word, name in ((amocas, "amocas"), (vandn, "vandn"), (vcpop, "vcpop.v")):
                log = trace.Trace()
                log.sequence.append(log.number(0x80000000, (word,), 2 << 10 | 1 << 13))
                self.assertGreater(pricer.cycles(log, log.sequence), 0)
                self.assertIn(name, pricer.disassembler.text[word])
            self.assertEqual(pricer.free, set())

    def test_addresses_of_partial_vl_are_looked_up(self):
        """In the second run QEMU dumps the processor where a block may have run with a smaller vl."""
        vsetvli, vadd = 0x0D0572D7, 0x02000057
        log = trace.Trace()
        short = 2 << 10  # SEW 32, LMUL 1, vl below VLMAX
        for pc, words, flags in ((0x80000000, (vsetvli,), 1 << 14), (0x80000004, (vadd,), short)):
            log.sequence.append(log.number(pc, words, flags))
            log.vl.append(-1)
        asked = []

        def second_run(_command, _environment, _items, addresses):
            asked.append(addresses)
            log_of_second = trace.Trace()
            log_of_second.sequence.append(log_of_second.number(0x80000004, (vadd,), short))
            log_of_second.vl.append(3)
            return log_of_second, ""

        before, trace.run = trace.run, second_run
        try:
            trace.look_up_vl(log, [], {})
        finally:
            trace.run = before
        self.assertEqual(asked, ["0x80000004..0x80000004"])
        self.assertEqual(list(log.vl), [-1, 3])


if __name__ == "__main__":
    unittest.main()
