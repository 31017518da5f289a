#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The runner with real processes: verdicts, time limits, leftovers, stops, resumption, shards."""
import collections
import io
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import unittest
import unittest.mock

from farm import COMMAND, FAKE, HERE, FarmTest, wait_until


def marked(folder):
    """Processes of tests of the run in `folder`, by the mark in their environment."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"RIVULET_CONFORMANCE_PROCESS={os.path.realpath(folder)}//".encode() \
                    in path.read_bytes():
                found.append(path.parent.name)
        except OSError:
            continue
    return found


class Runner(FarmTest):
    def tearDown(self):
        self.assertEqual(marked(self.out), [], "processes left over")

    def test_every_end_has_its_status(self):
        results = self.run_suites({"a": {
            "pass": ["pass"], "fail": ["fail"], "skip": ["skip"], "crash": ["crash"],
            "flaky": ["flaky", str(self.folder / "flag")]}}, "--jobs", 3, code=1)
        self.assertEqual({name: r["status"] for name, r in results.items()},
                         {"a/pass": "pass", "a/fail": "fail", "a/skip": "skip",
                          "a/crash": "crash", "a/flaky": "flaky"})
        self.assertEqual([a["status"] for a in results["a/flaky"]["attempts"]], ["fail", "pass"])
        self.assertEqual(len(results["a/fail"]["attempts"]), 2)
        self.assertIn("SIGSEGV", results["a/crash"]["attempts"][0]["note"])

    def test_a_hang_is_one_and_its_processes_are_ended(self):
        """On a busy machine it may take longer than a short limit until its processes are there."""
        for scale in (0.02, 0.2, 2):
            self.out = self.folder / f"out-{scale}"
            results = self.run_suites({"a": {"hangs": ["hangs"]}}, "--retries", 0,
                                      "--timeout-scale", scale, code=1, timeout=50)
            self.assertEqual(results["a/hangs"]["status"], "hang")
            self.assertEqual(marked(self.out), [])
            note = results["a/hangs"]["attempts"][0]["note"]
            if "sleep" in note:
                break
        self.assertIn("sleep", note)

    def test_children_and_daemons_end_with_their_test(self):
        results = self.run_suites({"a": {"forks": ["forks"], "pass": ["pass"]}})
        self.assertEqual(results["a/forks"]["status"], "pass")
        self.assertIn("left 1 processes behind", results["a/forks"]["attempts"][0]["note"])

    def test_of_much_output_the_ends_are_kept(self):
        self.run_suites({"a": {"prints": ["prints"]}}, "--retries", 0, code=1)
        log = next(self.out.glob("logs/*/a/prints.1.log")).read_text()
        self.assertTrue(log.startswith("first line") and log.endswith("last line\n"))
        self.assertIn("bytes left out", log)
        self.assertLess(len(log), 263000)

    def test_logs_keep_bytes_that_are_no_text(self):
        self.run_suites({"a": {"binary": ["binary"]}}, "--retries", 0, code=1)
        log = next(self.out.glob("logs/*/a/binary.1.log")).read_bytes()
        self.assertEqual(log, b"\xff" * 200000)

    def test_names_that_are_alike_have_logs_of_their_own(self):
        """Characters that no file name may have, names as long as a file's, and wildcards."""
        names = ["a/b", "a+b", "x" * 200 + "1", "x" * 200 + "2", "\u00e9" * 140]
        tests = "".join(f'"{name}" = ["sh", "-c", "echo {number}; exit 1"]\n'
                        for number, name in enumerate(names))
        manifest = self.write("m.toml", f'[suite.s]\nkind = "plain"\n[suite.s.tests]\n{tests}')
        self.conformance("run", "--suites", manifest, "--output", self.out, "--retries", 0, code=1)
        logs = [path.read_text() for path in self.out.glob("logs/*/s/*.log")]
        self.assertEqual(sorted(logs), [f"{number}\n" for number in range(len(names))])

    def test_processes_that_are_ending_are_not_left_behind(self):
        """A device or a compiler outlives its program by a moment."""
        results = self.run_suites({"a": {"ending": ["ending"]}})
        self.assertEqual(results["a/ending"]["attempts"][0]["note"], "")

    def test_paths_count_from_where_the_command_is_run(self):
        """Though tests run in folders of their own."""
        self.write("here/mytest", "#!/bin/sh\n[ -f \"$RIVULET_CONFIG\" ] && [ -d \"$OCL_ICD_VENDORS\" ]\n")
        os.chmod(self.folder / "here/mytest", 0o755)
        self.write("here/dev.toml", "")
        self.write("here/vendors/x.icd", "")
        self.write("here/debug/x", "")
        self.write("here/m.toml", '[suite.a]\nkind = "plain"\ntests.b = ["./mytest"]\n'
                                  'tests.c = ["[", "{mode}", "=", "debug", "]"]\n')
        done = self.conformance("run", "--suites", "m.toml", "--set", "mode=debug", "--output", self.out,
                                cwd=self.folder / "here", RIVULET_CONFIG="dev.toml",
                                OCL_ICD_VENDORS="vendors")
        repeat = self.results()["a/b"]["repeat"]
        self.assertIn(f"RIVULET_CONFIG={os.path.realpath(self.folder)}/here/dev.toml", repeat, done)

    def test_each_variable_of_a_path_is_known(self):
        definitions = (HERE.parents[2] / "base/environment.def").read_text()
        paths = re.findall(r'"(RIVULET_\w+)", path,', definitions)
        sys.path.insert(0, str(HERE.parent))
        import settings
        self.assertEqual(sorted(paths), sorted(settings.PATHS))

    def test_tests_of_installed_packages_see_this_device_only(self):
        sys.path.insert(0, str(HERE.parent))
        import settings
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("OCL_ICD_VENDORS", "RIVULET_DRIVER")}
        with unittest.mock.patch.dict(os.environ, environment, clear=True), \
                unittest.mock.patch("os.path.exists", return_value=True):
            found = settings.common(pathlib.Path("/usr"))["OCL_ICD_VENDORS"]
            self.assertEqual(found, "/etc/OpenCL/vendors/rivulet.icd")
            found = settings.common(self.folder)["OCL_ICD_VENDORS"]
            self.assertEqual(found, str(self.folder / "etc/OpenCL/vendors"))

    def test_a_run_beside_it_is_left_alone(self):
        """Even if the name of its folder begins like that of this one."""
        gate = self.folder / "gate"
        process = self.start("run", *self.suites({"a": {"b": ["waits", str(gate)]}}), "--output",
                             self.folder / "out:2")
        wait_until(lambda: (self.folder / "gate.started").exists())
        self.conformance("run", "--suites", self.write("m.toml", '[suite.a]\nkind = "plain"\n'
                         'tests.x = ["true"]\n'), "--output", self.out)
        gate.touch()
        self.assertEqual(process.wait(60), 0)
        self.assertEqual(len(self.results(self.folder / "out:2")["a/b"]["attempts"]), 1)

    def test_a_listing_that_hangs_is_ended_with_its_children(self):
        program = self.write("gtest", f"#!/bin/sh\nsleep 1000 &\necho $! >{self.folder}/pid\nwait\n")
        os.chmod(program, 0o755)
        sys.path.insert(0, str(HERE.parent))
        import kinds
        with unittest.mock.patch.object(kinds, "LIST_SECONDS", 5), \
                self.assertRaisesRegex(kinds.UsageError, "did not end within"):
            kinds.output_of([program], self.environment())
        child = pathlib.Path("/proc", (self.folder / "pid").read_text().strip(), "cmdline")
        wait_until(lambda: not child.exists() or not child.read_bytes())

    def test_a_program_that_is_not_there_is_an_error(self):
        manifest = self.write("m.toml", '[suite.a]\nkind = "plain"\ntests.b = ["./absent"]\n')
        self.conformance("run", "--suites", manifest, "--output", self.out, code=1)
        self.assertEqual(self.statuses(), {"a/b": "error"})

    def test_googletest_programs_are_run_by_test(self):
        program = self.write("gtest", f"#!/bin/sh\nexec {sys.executable} -B {FAKE} gtest \"$@\"\n")
        os.chmod(program, 0o755)
        manifest = self.write("m.toml", '[suite.g]\nkind = "gtest"\nprogram = "{program}"\n')
        self.conformance("run", "--suites", manifest, "--set", f"program={program}", "--output",
                         self.out, code=1)
        self.assertEqual(self.statuses(), {"g/Copy.Breaks": "fail", "g/Copy.Works": "pass",
                                           "g/Wide/Typed.IsSkipped/0": "skip"})

    def test_more_than_the_memory_allows_does_not_run_at_once(self):
        """Each test fails if another one runs at the same time."""
        lock = self.write("alone.sh", "mkdir $1 || exit 1\nsleep 0.2\nrmdir $1\n")
        tests = "\n".join(f'tests.t{n} = ["sh", "{lock}", "{self.folder}/lock"]' for n in range(4))
        manifest = self.write("m.toml", '[suite.a]\nkind = "plain"\n' + tests)
        run = ["run", "--suites", manifest, "--jobs", 4, "--retries", 0, "--machine",
               "rv64-v128,memory=1G"]
        self.conformance(*run, "--memory", "2G", "--output", self.out)
        self.conformance(*run, "--memory", "20G", "--output", self.folder / "many", code=1)

    def start(self, *words):
        return subprocess.Popen([*COMMAND, *map(str, words)], stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, env=self.environment())

    def stopped_by(self, number):
        """A run of two tests that is stopped while the second one runs; the words of the run."""
        count, gate = self.folder / "count", self.folder / "gate"
        words = ["run", *self.suites({"a": {"a": ["counts", str(count)],
                                            "b": ["waits", str(gate)]}}), "--output", self.out]
        process = self.start(*words)
        wait_until(lambda: (self.folder / "gate.started").exists())
        process.send_signal(number)
        code = process.wait(30)
        wait_until(lambda: not marked(self.out))
        gate.touch()
        self.conformance(*words, code=2) # without --resume
        self.conformance(*words, "--resume")
        self.assertEqual(self.statuses(), {"a/a": "pass", "a/b": "pass"})
        self.assertEqual(count.read_text(), "ran\n")
        return code

    def test_signals_end_it_and_it_resumes(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                self.setUp()
                self.assertEqual(self.stopped_by(number), 128 + number)

    def test_it_resumes_when_it_was_killed(self):
        self.assertEqual(self.stopped_by(signal.SIGKILL), -signal.SIGKILL)

    def test_a_resumed_run_counts_what_it_had(self):
        gate = self.folder / "gate"
        words = ["run", *self.suites({"a": {"a": ["pass"], "b": ["waits", str(gate)]}}),
                 "--jobs", "2", "--output", str(self.out)]
        process = self.start(*words)
        journal = self.out / "journal.jsonl"
        wait_until(lambda: journal.exists() and journal.read_text().endswith("\n"))
        process.kill()
        process.wait(30)
        terminal, other_end = os.openpty()
        self.addCleanup(os.close, terminal)
        with subprocess.Popen([*COMMAND, *words, "--resume"], stderr=other_end,
                              env=self.environment()) as resumed:
            os.close(other_end)
            said = b""
            while b"/2]" not in said:
                said += os.read(terminal, 4096)
            gate.touch()
            self.assertEqual(resumed.wait(60), 0)
        self.assertIn(b"[1/2] 1 pass", said)

    def test_nothing_is_left_when_it_was_killed(self):
        """Even processes that made themselves daemons are gone, without another run."""
        process = self.start("run", *self.suites({"a": {"a": ["hangs"]}}), "--output", self.out)
        wait_until(lambda: len(marked(self.out)) == 3)
        process.kill()
        process.wait(30)
        wait_until(lambda: not marked(self.out))
        wait_until(lambda: not list(self.folder.glob("rivulet-test-*")))

    def test_a_torn_last_line_is_run_again(self):
        count = self.folder / "count"
        suites = {"a": {"a": ["counts", str(count)], "b": ["counts", str(count)]}}
        self.run_suites(suites)
        journal = self.out / "journal.jsonl"
        journal.write_bytes(journal.read_bytes()[:-20])
        self.run_suites(suites, "--resume")
        self.assertEqual(count.read_text(), "ran\n" * 3)
        self.assertEqual(len(journal.read_text().splitlines()), 2)

    def normalized(self, folder):
        """Reports without times."""
        texts = []
        for name in ("report.json", "junit.xml", "report.html"):
            text = (folder / name).read_text()
            text = re.sub(r'("seconds": |\btime=")[\d.]+', r"\1T", text)
            text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", "D", text)
            text = re.sub(r"<svg .*?</svg>", "PLOT", text, flags=re.DOTALL)
            texts.append(re.sub(r"\d+(\.\d+)?(e-\d+)? s\b", "T s", text))
        return texts

    many = {suite: {f"t{n}": [what] for n, what in enumerate(["pass", "fail", "skip"] * 2)}
            for suite in ("a", "b")}

    def test_merged_shards_give_the_report_of_one_run(self):
        self.run_suites(self.many, "--retries", 0, "--jobs", 2, code=1)
        suites = self.suites(self.many)
        shards = [self.folder / f"shard{n}" for n in (1, 2, 3)]
        for number, folder in enumerate(shards, 1):
            self.conformance("run", *suites, "--retries", 0, "--shard", f"{number}/3",
                             "--output", folder, code=None)
        merged = self.folder / "merged"
        self.conformance("merge", *shards, "--output", merged, code=1)
        self.assertEqual(self.normalized(self.out), self.normalized(merged))
        keys = [key for folder in shards for key in self.results(folder)]
        self.assertEqual(max(collections.Counter(keys).values()), 1)

    def test_a_shard_that_ran_twice_counts_once(self):
        suites = self.suites(self.many)
        folders = {}
        for name, shard in (("one", "1/2"), ("two", "2/2"), ("again", "2/2")):
            folders[name] = self.folder / name
            self.conformance("run", *suites, "--retries", 0, "--shard", shard, "--output",
                             folders[name], code=None)
        journal = folders["two"] / "journal.jsonl" # its node died
        journal.write_bytes(b"".join(journal.read_bytes().splitlines(True)[:2])[:-5])
        merged = self.folder / "merged"
        self.conformance("merge", folders["one"], folders["two"], code=1, *["--output", merged])
        self.assertIn("missing", {r["status"] for r in self.results(merged).values()})
        merged = self.folder / "merged2"
        self.conformance("merge", *folders.values(), "--output", merged, code=1)
        statuses = [r["status"] for r in self.results(merged).values()]
        self.assertEqual(collections.Counter(statuses), {"pass": 4, "fail": 4, "skip": 4})

    def test_a_shard_that_is_not_there_is_missing(self):
        """Merged without it the run is red, and stays so when it is reported again."""
        suites = self.suites({"a": {f"t{n}": ["pass"] for n in range(4)}})
        one, merged = self.folder / "one", self.folder / "merged"
        self.conformance("run", *suites, "--shard", "1/2", "--output", one)
        done = self.conformance("merge", one, self.folder / "two", "--output", merged, code=1)
        self.assertIn("two holds no run", done.stderr)
        self.assertTrue((merged / "junit.xml").is_file())
        for words in ([], ["--expectations", self.folder / "expected", "--update"]):
            self.conformance("report", merged, *words, code=1)
            statuses = [r["status"] for r in self.results(merged).values()]
            self.assertEqual(collections.Counter(statuses), {"pass": 2, "missing": 2})
        self.conformance("merge", self.folder / "two", "--output", self.folder / "none", code=2)

    def test_many_shards_of_many_tests_are_quick(self):
        """36,000 tests on 10,000 nodes take seconds; when each looked at all others it was minutes."""
        sys.path.insert(0, str(HERE.parent))
        from schedule import Times
        item = collections.namedtuple("Item", "key")
        items = [item(f"m a/{n}") for n in range(36000)]
        before = time.process_time()
        self.assertEqual(len(Times().shard_of(items, 1, 10000)), 4)
        self.assertLess(time.process_time() - before, 10)
        few = items[:7]
        shards = [Times().shard_of(few, n, 100) for n in range(1, 101)]
        self.assertEqual(sorted(one.key for shard in shards for one in shard),
                         sorted(one.key for one in few))
        self.assertEqual(Times().shard_of(few, 10**9 - 1, 10**9), [])

    def test_shards_of_different_runs_are_not_merged(self):
        self.run_suites({"a": {"x": ["pass"]}})
        self.conformance("run", *self.suites({"b": {"x": ["pass"]}}), "--output",
                         self.folder / "other")
        done = self.conformance("merge", self.out, self.folder / "other", "--output",
                                self.folder / "merged", code=2)
        self.assertIn("not shards of the same run", done.stderr)

    def test_recorded_times_balance_shards(self):
        tests = {"long": ["pass"], **{f"s{n}": ["pass"] for n in range(6)}}
        self.run_suites({"a": tests})
        report = self.out / "report.json"
        report.write_text(re.sub(r'"seconds": [\d.]+', '"seconds": 1', report.read_text()).replace(
            '"test": "a/long"', '"test": "a/other"').replace('"test": "a/s0"', '"test": "a/long"')
            .replace('"seconds": 1', '"seconds": 5', 2))
        listed = [self.conformance("run", *self.suites({"a": tests}), "--dry-run", "--baseline",
                                   report, "--shard", f"{n}/2").stdout.split("\n")[:-1]
                  for n in (1, 2)]
        self.assertEqual(len(listed[0]) + len(listed[1]), 7)
        self.assertEqual(set(listed[0]) & set(listed[1]), set())
        self.assertLess(min(map(len, listed)), 3)

    def test_a_running_test_counts_with_what_it_has_taken(self):
        sys.path.insert(0, str(HERE.parent))
        from progress import Progress
        Item = collections.namedtuple("Item", "key name")
        Slot = collections.namedtuple("Slot", "item process")
        Process = collections.namedtuple("Process", "seconds")

        def running(seconds):
            return [Slot(Item("b", "suite/b"), Process(seconds))]

        progress = Progress(3, {"a": 10, "b": 10, "c": 10}, 1, io.StringIO())
        self.assertEqual(progress.eta(running(4)), 26)
        progress.done(Item("a", "suite/a"), "pass", None, 20, "")  # twice what was estimated
        self.assertEqual(progress.eta(running(4)), 36)
        # At four times b's estimate c is expected to take (20 + 40) / 2.
        self.assertEqual(progress.eta(running(40)), 30)
        self.assertIn("about 30 s left  suite/b", progress.line(running(40)))
        progress.done(Item("c", "suite/c"), "pass", None, 20, "")
        self.assertIn("longer than estimated  suite/b", progress.line(running(40)))
        progress = Progress(3, {"a": 0.1, "b": 0.2, "c": 0.3}, 1, io.StringIO())
        for name in "ac":  # 0.1 + 0.2 + 0.3 less the three is not 0 in binary
            progress.count(Item(name, name), "pass")
        self.assertEqual(progress.eta(running(40)), 0)


if __name__ == "__main__":
    unittest.main()
