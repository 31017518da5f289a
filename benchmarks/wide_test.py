#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""./dev bench wide over two kernels; the table of kernels; when the two halves have drifted apart."""
import contextlib
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "wide")]
import hands
import measure
import plot
import wide
from cases import KINDS, Out, Picture, all_cases

BUILD = os.environ["RIVULET_BUILD"]
KERNELS = ["half_axpy", "half_depthwise_3x3"]  # one of each half


def costs_of(change):
    """Costs of all kernels, and a baseline relative to which they are what `change` says of a half."""
    costs = {(name, "v512", variant): 10.0 for name in all_cases() for variant in wide.VARIANTS}
    return costs, {key: cost / change[wide.half_of(key[0])] for key, cost in costs.items()}


class Wide(unittest.TestCase):
    def test_contents_before_a_launch_are_wrong(self):
        for case in all_cases().values():
            found = [(of.out, of.pixels) if isinstance(of, Picture) else (of, of.initial)
                     for of in case.arguments().values()
                     if isinstance(of, Out) or isinstance(of, Picture) and of.out is not None]
            for out, before in found:
                self.assertGreater(out.error(before, case.tolerance), case.tolerance, case.name)

    def test_a_device_that_starts_at_the_third_attempt_is_measured(self):
        failures = iter([SystemExit("too late"), SystemExit("too late"), None])

        def start(value):
            if failure := next(failures):
                raise failure
            return value

        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(measure.insist(start, 7), 7)
        self.assertEqual(said.getvalue(), "too late\ntoo late\n")

    def test_two_kernels_are_counted_and_priced(self):
        done = subprocess.run(
            [sys.executable, "-B", HERE / "wide.py", "--build", BUILD, "--stage", BUILD, "--vlens", "512",
             "-k", ",".join(KERNELS)],
            capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
        rows = {words[0]: words[1:] for words in map(str.split, done.stdout.splitlines()) if words}
        for kernel, half in zip(KERNELS, wide.HALVES):
            self.assertEqual(rows[kernel][0], half, done.stdout + done.stderr)
            self.assertTrue(all(float(factor) > 0 for factor in rows[kernel][1:4]), rows[kernel])

    def test_hand_written_versions_are_right(self):
        with tempfile.TemporaryDirectory() as folder:
            hands.make(pathlib.Path(BUILD, "bin/rivulet-cc"), pathlib.Path(folder))
            done = subprocess.run(
                [sys.executable, "-B", HERE / "wide/device.py", "--check", f"--images={folder}", "-k",
                 ",".join(hands.HANDS)], env={**os.environ, "RIVULET_MACHINE": "rv64-v128,harts=1"},
                capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_each_kernel_has_a_file_and_each_file_a_kernel(self):
        files = {path.stem for path in (HERE / "wide/kernels").glob("*.cl")}
        self.assertEqual(files, set(all_cases()))
        self.assertGreaterEqual(len(files), 100)

    def test_halves_have_the_same_size_in_each_kind(self):
        for kind in KINDS:
            halves = [case.look for case in all_cases().values() if case.kind == kind]
            self.assertIn(halves.count(True) - halves.count(False), (0, 1), kind)

    def test_baseline_has_all_kernels(self):
        kernels = {kernel for kernel, _, _ in wide.read_baseline()}
        self.assertEqual(kernels, set(all_cases()))

    def test_both_halves_may_change_alike(self):
        self.assertAlmostEqual(wide.drift(*costs_of({"look": 0.5, "measure": 0.5}), "v512"), 1)

    def test_more_than_ten_percent_between_the_halves_is_a_complaint(self):
        for change, allowed in (({"look": 0.92, "measure": 1.0}, True),
                                ({"look": 0.88, "measure": 1.0}, False),
                                ({"look": 1.0, "measure": 0.88}, False),
                                ({"look": 0.8, "measure": 0.8}, True)):
            with contextlib.redirect_stdout(io.StringIO()):
                complaints = wide.print_table(*costs_of(change), list(all_cases()))
            self.assertEqual(complaints == [], allowed, change)

    def test_wrong_elements_are_seen(self):
        out = Out([1.0, 2.0, 3.0, 4.0])
        self.assertEqual(out.error(out.right, 0), 0)
        self.assertAlmostEqual(out.error([1, 2, 3.5, 4], 0.01), 0.5 / 3)
        self.assertEqual(out.error([1, 2, 3, float("nan")], 0.01), float("inf"))
        self.assertEqual(Out([1, 2, 3, 4], share=0.25).error([1, 2, 3, 9], 0), 0)
        self.assertGreater(Out([1, 2, 3, 4], share=0.25).error([1, 2, 9, 9], 0), 0)

    def test_plot_is_the_one_of_the_committed_results(self):
        with tempfile.TemporaryDirectory() as folder:
            drawn = pathlib.Path(folder, "plot.svg")
            plot.draw(wide.RESULTS, drawn)
            self.assertEqual(drawn.read_text(), wide.PLOT.read_text())


if __name__ == "__main__":
    unittest.main()
