#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Versions of kernels for how they are launched: traces show which launches use one."""
import pathlib
import subprocess
import tempfile
import unittest

from programs import BUILD, ProgramTest, run
from trace_test import HERE, Slices, packets

RIVULET = BUILD / "bin/rivulet"
SOURCE = """kernel void sums(global const int *in, global int *out, local int *all) {
    all[get_local_id(0)] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int i = 0; i < (int)get_local_size(0); ++i)
        sum += all[i];
    out[get_global_id(0)] = sum;
}
kernel void flat(global const int *in, global int *out) {
    out[get_global_id(0)] = in[get_global_id(0)];
}
"""
LABEL = "local size 64,1,1"


class KernelVersions(ProgramTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "sums.cl"
        self.file.write_text(SOURCE)
        self.traces = 0

    def versions(self, kernel="sums", runs=3, **environment):
        """The version that each launch used; None is the general one."""
        self.traces += 1
        trace = self.folder / f"trace{self.traces}"
        local = ["local:64"] if kernel == "sums" else []
        process = run(RIVULET, "run", self.file, kernel, "iota:4096", "zeros:4096", *local,
                      "--global", 4096, "--local", 64, "--repeat", runs, "--print", 1, RIVULET_TRACE=trace,
                      RIVULET_MACHINE="rv64-v128,harts=1", **environment)
        self.assertEqual(process.returncode, 0, process)
        text = subprocess.run(["protoc", "--decode=Trace", f"-I{HERE}", "trace.proto"], check=True,
                              stdin=trace.open("rb"), capture_output=True, text=True).stdout
        slices = Slices(packets(text), self)
        found = []
        for _, _, name, event in sorted(slices.rows["hart 0"], key=lambda slice: slice[0]):
            notes = {note["name"][0]: note for note in event["debug_annotations"]}
            self.assertEqual(name, kernel)
            found.append(notes["version"]["string_value"][0] if "version" in notes else None)
        self.assertEqual(len(found), runs)
        return found, process.stdout[process.stdout.index("out (int*)"):]

    def test_are_used_from_the_first_launch_on_if_it_waits(self):
        found, printed = self.versions(RIVULET_KERNEL_VERSIONS="wait")
        self.assertEqual(found, [LABEL] * 3)
        without, printed_without = self.versions(RIVULET_KERNEL_VERSIONS="off")
        self.assertEqual(without, [None] * 3)
        self.assertEqual(printed, printed_without)

    def test_are_not_for_kernels_that_do_not_depend_on_the_local_size(self):
        self.assertEqual(self.versions("flat", RIVULET_KERNEL_VERSIONS="wait")[0], [None] * 3)

    def test_short_programs_have_none(self):
        self.assertEqual(self.versions(runs=20)[0], [None] * 20)

    def test_earlier_processes_leave_them_in_the_cache(self):
        cache = self.folder / "cache"
        self.versions(RIVULET_KERNEL_VERSIONS="wait", RIVULET_CACHE=cache)
        found = self.versions(runs=2000, RIVULET_CACHE=cache)[0]
        self.assertEqual(found[:4], [None] * 4)
        self.assertEqual(found[-1], LABEL)
        taken = found.index(LABEL)
        self.assertEqual(found[taken:], [LABEL] * len(found[taken:]), "later launches use it")


if __name__ == "__main__":
    unittest.main()
