#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`rivulet profile`: samples show where the time goes, and taking them costs almost nothing."""
import html.parser
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from programs import ABSENT, BUILD, VECADD, ProgramTest, run

RIVULET = BUILD / "bin/rivulet"
COUNTED = "rv64-v512-icount"
# Line 4 has nearly all of the work: a division per iteration; `light` has a hundredth of it.
SOURCE = """kernel void heavy(global float *x) {
    float sum = x[get_global_id(0)];
    for (int i = 1; i < 2000; ++i)
        sum = sum / (float)i + 1.0f;
    x[get_global_id(0)] = sum;
}
kernel void light(global float *x) {
    x[get_global_id(0)] += 1.0f;
}
"""


class Tags(html.parser.HTMLParser):
    """All elements that are opened are closed, and nothing is loaded from elsewhere."""
    VOID = {"meta", "br", "img", "link"}
    OPTIONAL = {"th", "tr", "td", "p"}

    def __init__(self, test):
        super().__init__()
        self.open, self.test = [], test

    def handle_starttag(self, tag, attrs):
        self.test.assertNotIn(tag, ("script", "link", "img"))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        while self.open and self.open[-1] != tag and self.open[-1] in self.OPTIONAL:
            self.open.pop()
        self.test.assertEqual(self.open.pop(), tag)


class Profile(ProgramTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "work.cl"
        self.file.write_text(SOURCE)

    def kernel(self, name, count, *words):
        return [RIVULET, "run", self.file, name, f"iota:{count}", *words]

    def profile(self, *words, **environment):
        process = run(RIVULET, "profile", *words, **environment)
        self.assertEqual(process.returncode, 0, process)
        return process

    def test_the_hot_line_has_the_samples(self):
        page = self.folder / "page.html"
        process = self.profile("--json", "--rate", "10000", "--html", page, "--",
                               *self.kernel("heavy", 65536, "--json"), RIVULET_MACHINE=COUNTED)
        told = json.loads(process.stdout) # what the program prints goes to standard error
        told_by_run, _ = json.JSONDecoder().raw_decode(process.stderr[process.stderr.index("{"):])
        kernel = told["kernels"][0]
        self.assertEqual(kernel["kernel"], "heavy")
        self.assertEqual(kernel["launches"], 1)
        self.assertEqual(kernel["instructions"], told_by_run["runs"][0]["instructions"])
        self.assertGreater(kernel["samples"], 40)  # one for each 100 us of the device's time
        self.assertEqual(kernel["harts"], {"0": kernel["samples"]})
        hot = sum(line["percent"] for line in kernel["lines"] if line["line"] in (3, 4))
        self.assertGreater(hot, 80)
        self.assertEqual(kernel["lines"][0]["text"], SOURCE.splitlines()[3].strip())
        block = kernel["blocks"][0]
        self.assertTrue(block["loops"])
        for model in "SpacemiT X60", "SiFive X280":
            self.assertGreater(block["stalls"][model]["cycles"], 10)  # division is not pipelined
        text = page.read_text()
        Tags(self).feed(text)
        self.assertIn("sum = sum / (float)i + 1.0f;", text)
        self.assertIn("vfdiv", text)
        self.assertIn("prefers-color-scheme: dark", text)

    def test_samples_cost_next_to_nothing(self):
        """On this machine, device time counts instructions; the kernel's own are unchanged."""
        def measured(**environment):
            process = run(*self.kernel("heavy", 32768, "--json"), RIVULET_MACHINE=COUNTED, **environment)
            self.assertEqual(process.returncode, 0, process)
            return json.loads(process.stdout)["runs"][0]
        plain = measured()
        trace = {"RIVULET_TRACE": self.folder / "trace"}
        for what, observed in (("trace", measured(**trace)),
                               ("trace and samples", measured(**trace, RIVULET_SAMPLE="1000"))):
            self.assertEqual(observed["instructions"], plain["instructions"])
            self.assertLess(observed["microseconds"], 1.05 * plain["microseconds"])
            print(f"{what}: {100 * (observed['microseconds'] / plain['microseconds'] - 1):.3f} % of time")

    def test_harts_share_the_samples(self):
        process = self.profile("--json", "--rate", "5000", "-o", self.folder / "out.json", "--",
                               *self.kernel("heavy", 262144), RIVULET_MACHINE="rv64-v128,harts=2")
        kernel = json.loads((self.folder / "out.json").read_text())["kernels"][0]
        self.assertEqual(kernel["used_harts"], [0, 1])
        self.assertEqual(sum(kernel["harts"].values()), kernel["samples"])
        self.assertEqual(set(kernel["harts"]), {"0", "1"}, process)

    def test_text(self):
        shown = self.profile(*self.kernel("heavy", 65536), RIVULET_MACHINE="rv64-v128").stdout
        self.assertRegex(shown, r"(?m)^heavy +1 ")
        self.assertIn("sum = sum / (float)i + 1.0f;", shown)

    def test_remarks_stand_beside_the_lines(self):
        remarks, page = self.folder / "remarks.yaml", self.folder / "page.html"
        remarks.write_text("--- !Missed\nPass: rivulet-spmd\nName: Gather\n"
                           "DebugLoc: { File: 'work.cl', Line: 4, Column: 9 }\nFunction: heavy\nArgs:\n"
                           "  - String: 'a division by a variable'\n...\n")
        self.profile("--html", page, "--remarks", remarks, "--", *self.kernel("heavy", 65536),
                     RIVULET_MACHINE="rv64-v128")
        self.assertIn("missed: a division by a variable [Gather]", page.read_text())

    def test_without_a_file_remarks_are_the_compilers(self):
        """The remarks refer to the kernel as it was built, with its options."""
        self.file.write_text("kernel void work(global float *x) {\n"
                             "    for (int i = 0; i < 200; ++i)\n"
                             "        x[OFFSET get_global_id(0)] += sin(x[get_global_id(0)]);\n}\n")
        page, out = self.folder / "page.html", self.folder / "out.json"
        self.profile("--json", "--html", page, "-o", out, "--rate", "10000", "--", RIVULET, "run",
                     self.file, "work", "iota:65536", "-g", "16384", "-O", "-D 'OFFSET=3 *' -DNAME=\\\"a\\ b\\\"",
                     RIVULET_MACHINE=COUNTED)
        kernel = json.loads(out.read_text())["kernels"][0]
        lines = {line["line"]: line["remarks"] for line in kernel["lines"]}
        self.assertTrue(any("12 bytes apart" in remark and "Instead: " in remark
                            and "[StridedLoad]" in remark for remark in lines[3]), lines)
        self.assertIn("12 bytes apart", page.read_text())

    def test_programs_end_as_they_would(self):
        self.assertEqual(run(RIVULET, "profile", "sh", "-c", "exit 7").returncode, 7)
        self.assert_fails(run(RIVULET, "profile", ABSENT + "/program"), "can't be run")
        self.assert_fails(run(RIVULET, "profile", "true"), "no OpenCL call")
        self.assertEqual(run(RIVULET, "profile").returncode, 2)
        self.assertEqual(run(RIVULET, "profile", "--rate", "0", "true").returncode, 2)

    def test_files_that_cant_be_written_are_found_before_the_program_runs(self):
        ran = self.folder / "ran"
        for words in (["--output", ABSENT + "/x"], ["--html", self.folder],
                      ["--remarks", ABSENT + "/x"]):
            process = run(RIVULET, "profile", *words, "touch", ran)
            self.assertEqual(process.returncode, 2, process)
            self.assertIn(str(words[1]), process.stderr)
        self.assertFalse(ran.exists())

    def test_a_signal_ends_the_program_as_well(self):
        started, ended = self.folder / "started", self.folder / "ended"
        process = subprocess.Popen(
            [RIVULET, "profile", "sh", "-c", f"trap 'touch {ended}; exit 3' TERM; touch {started}; "
             "while :; do sleep 0.1; done"], env={**os.environ, "TMPDIR": str(self.folder)},
            stderr=subprocess.DEVNULL)
        self.addCleanup(process.kill)
        deadline = time.monotonic() + 60
        while not started.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(60), 3)
        self.assertTrue(ended.exists())
        self.assertEqual(list(self.folder.glob("rivulet-profile-*")), [])

    def test_a_signal_at_the_very_start_reaches_the_program(self):
        """The program sends it itself, often before the command knows that it runs."""
        for _ in range(20):
            self.assertEqual(run(RIVULET, "profile", "sh", "-c", "trap 'exit 3' TERM; kill $PPID; "
                                 "while :; do sleep 0.1; done").returncode, 3)

    def test_a_program_that_is_killed_has_a_profile(self):
        """Everything written so far; it runs kernel after kernel, with a trace of each second."""
        row = re.compile(r"(?m)^heavy +[0-9]+ ")
        for seconds in 5, 90:  # a busy machine may take all of the first to start and compile
            process = run(RIVULET, "profile", "timeout", "-s", "KILL", seconds, *self.kernel(
                "heavy", 4096, "--repeat", "100000"), RIVULET_MACHINE="rv64-v128", seconds=200)
            self.assertEqual(process.returncode, 128 + 9, process)
            if row.search(process.stdout):
                break
        self.assertRegex(process.stdout, row)

    def test_without_llvm_the_figures_remain(self):
        tools = self.folder / "bin"
        tools.mkdir()
        for name in "sh", "qemu-system-riscv64":
            (tools / name).symlink_to(shutil.which(name))
        shown = self.profile("--", *self.kernel("heavy", 65536), PATH=tools,
                             RIVULET_MACHINE="rv64-v128").stdout
        self.assertRegex(shown, r"(?m)^heavy +1 ")

    def test_devices_that_cant_be_sampled_say_so(self):
        process = self.profile(VECADD, RIVULET_MACHINE="loopback-unmapped")
        self.assertIn("kernel sampling is off", process.stderr)


if __name__ == "__main__":
    unittest.main()
