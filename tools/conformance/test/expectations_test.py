#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Expectations as data, and bad input of every kind."""
import json
import math
import os
import subprocess
import sys
import unittest

from farm import COMMAND, HERE, FarmTest, wait_until

FILE = "rv64-v128.txt" # the machine by default


class Committed(unittest.TestCase):
    def test_what_does_not_pass_has_a_reason(self):
        sys.path.insert(0, str(HERE.parent))
        from expectations import Expectations as Read
        files = list((HERE.parent / "expectations").glob("*.txt"))
        self.assertTrue(files)
        for file in files:
            bare = [name for name, (status, reason) in Read(file).entries.items()
                    if status != "pass" and not reason]
            self.assertEqual(bare, [], file.name)


class Expectations(FarmTest):
    suite = {"a": {"pass": ["pass"], "fail": ["fail"], "skip": ["skip"]}}

    def expect(self, text):
        self.write("expected/" + FILE, text)
        return ["--expectations", self.folder / "expected"]

    def expected(self):
        return (self.folder / "expected" / FILE).read_text()

    def test_what_is_expected_is_green_and_not_tried_again(self):
        results = self.run_suites(self.suite, *self.expect(
            "pass a/pass\nfail a/fail # rounds wrongly\nskip a/skip\n"))
        self.assertEqual({r["outcome"] for r in results.values()}, {"ok"})
        self.assertEqual(len(results["a/fail"]["attempts"]), 1)
        self.assertEqual(results["a/fail"]["reason"], "rounds wrongly")

    def test_worse_is_red(self):
        for text in ("pass a/fail\nskip a/skip\n", "fail a/fail\npass a/skip\n",
                     "skip a/fail\nskip a/skip\n"):
            with self.subTest(text):
                self.setUp()
                self.run_suites(self.suite, *self.expect("pass a/pass\n" + text), code=1)

    def test_better_is_shown_and_green(self):
        results = self.run_suites(self.suite, *self.expect("fail a/*\nskip a/skip\n"))
        self.assertEqual(results["a/pass"]["outcome"], "better")
        self.assertIn("Better than expected (1)", (self.out / "report.html").read_text())

    def test_flaky_may_pass_but_not_fail(self):
        self.run_suites({"a": {"x": ["pass"]}}, *self.expect("flaky a/x\n"))
        self.setUp()
        self.run_suites({"a": {"x": ["fail"]}}, *self.expect("flaky a/x\n"), code=1)
        self.setUp()
        self.run_suites({"a": {"x": ["flaky", str(self.folder / "flag")]}},
                        *self.expect("pass a/x\n"), code=1)

    def test_avoided_tests_are_not_started(self):
        count = self.folder / "count"
        results = self.run_suites({"a": {"x": ["counts", str(count)], "y": ["pass"]}},
                                  *self.expect("avoid a/x # hours\npass a/y\n"))
        self.assertEqual(list(results), ["a/y"])
        self.assertFalse(count.exists())
        self.assertIn("hours", (self.out / "report.html").read_text())

    def test_a_test_that_is_gone_is_red(self):
        words = self.expect("pass a/pass\nfail a/fail\nskip a/skip\npass a/gone\n")
        self.conformance("run", *self.suites(self.suite), "--output", self.out, *words, code=1)
        self.assertIn("gone: rv64-v128 a/gone", self.conformance(
            "report", self.out, *words, code=1).stdout)
        self.run_suites(self.suite, *words, "--only", "a/p*", "--output", self.folder / "part")
        self.conformance("run", *self.suites(self.suite), *words, "--only", "a/g*", "--only", "a/p*",
                         "--output", self.folder / "narrow", code=1)

    def gone(self, *words):
        """Lines of the terminal that say what is gone; the run with these words is red."""
        done = self.conformance("report", self.out, *words, code=1)
        return [line.strip() for line in done.stdout.splitlines() if line.strip().startswith("gone")]

    def test_a_suite_that_is_gone_is_red(self):
        words = self.expect("pass a/pass\nfail a/fail\nskip a/skip\npass b/x\nfail b/y # z\n"
                            "avoid b/z # hours\npass c/*\n")
        self.run_suites(self.suite, *words, code=1)
        self.assertEqual(self.gone(*words), ["gone: rv64-v128 b: 2 expected tests",
                                             "gone: rv64-v128 c: 1 expected test"])
        report = json.loads((self.out / "report.json").read_text())
        self.assertEqual(report["lost"], ["rv64-v128 b/x", "rv64-v128 b/y", "rv64-v128 c/*"])
        self.assertIn("3 expected tests are gone", (self.out / "report.html").read_text())
        self.assertIn('name="rv64-v128 b/x"', (self.out / "junit.xml").read_text())
        for number, more in enumerate((["--part"], ["--only", "a/*"], ["--exclude", "[bc]/*"])):
            self.run_suites(self.suite, *words, *more, "--output", self.folder / f"part{number}")
        self.run_suites(self.suite, *words, "--part", "--shard", "1/2",
                        "--output", self.folder / "shard")

    def test_a_test_that_is_gone_is_red_in_a_part_too(self):
        words = self.expect("pass a/pass\nfail a/fail\nskip a/skip\npass a/gone\n")
        self.run_suites(self.suite, *words, "--part", code=1)
        self.assertEqual(self.gone(*words), ["gone: rv64-v128 a/gone"])

    def test_update_keeps_suites_that_are_gone(self):
        words = self.expect("pass b/x\npass b/y\n")
        self.run_suites(self.suite, *words, "--update", code=1)
        self.assertIn("pass b/x\npass b/y\n", self.expected())

    def test_a_machine_that_is_gone_is_red(self):
        words = self.expect("pass a/pass\nfail a/fail\nskip a/skip\n")
        self.write("expected/rv32,harts=2.txt", "pass a/pass\n")
        self.run_suites(self.suite, *words, code=1)
        self.assertEqual(self.gone(*words),
                         ["gone: machine rv32,harts=2, of which there are expectations"])
        self.assertIn("1 expected machine is gone", (self.out / "report.html").read_text())
        self.run_suites(self.suite, *words, "--part", "--output", self.folder / "part")
        self.run_suites(self.suite, *words, "--machine", "rv64-v128", "--machine", "rv32,harts=2",
                        "--output", self.folder / "other", code=1)  # rv32's a/fail is worse

    def test_update_writes_what_came_and_keeps_reasons(self):
        words = self.expect("# ours\nfail a/fail # rounds wrongly\nfail a/pass # gone\n"
                            "pass a/gone\npass b/other\navoid a/z*  # hours\n")
        self.run_suites(self.suite, *words, "--part", "--update")
        self.assertEqual(self.expected(), "# ours\nfail a/fail # rounds wrongly\nskip  a/skip\n"
                         "pass b/other\navoid a/z*  # hours\npass  a/ pass\n")
        self.run_suites(self.suite, *words, "--part", "--output", self.folder / "again")

    def test_update_keeps_comments_and_blank_lines_where_they_are(self):
        text = "# ours\n\n# rounding\nfail a/fail\n\n# the others\npass b/other # why\n"
        words = self.expect(text)
        self.run_suites(self.suite, *words, "--part", "--update")
        self.assertEqual(self.expected(), text.replace("fail a/fail\n", "fail a/fail\nskip  a/skip\n")
                         + "pass  a/ pass\n")
        self.expect("# ours\nskip a/skip\n")
        self.conformance("report", self.out, *words, "--update")
        self.assertEqual(self.expected(), "# ours\nfail  a/fail\nskip a/skip\npass  a/ pass\n")

    def test_lines_of_several_tests(self):
        """They are read, judged, missed by name and rewritten as lines of their own are."""
        text = ("fail  a/ # rounds wrongly\n      fail\n      gone\n\n"
                "pass  a/ pass\n  skip other\n")

        words = self.expect(text)
        results = self.run_suites(self.suite, *words, code=1)
        self.assertEqual({n: (r["expected"], r["outcome"]) for n, r in results.items()},
                         {"a/fail": ("fail", "ok"), "a/pass": ("pass", "ok"),
                          "a/skip": ("pass", "worse")})
        self.assertEqual(results["a/fail"]["reason"], "rounds wrongly")
        self.assertEqual(self.gone(*words), ["gone: rv64-v128 a/gone", "gone: rv64-v128 a/other"])
        self.conformance("report", self.out, *words, "--update")
        self.assertEqual(self.expected(), "skip  a/skip\nfail  a/ fail  # rounds wrongly\n\n"
                         "pass  a/ pass\n")
        self.conformance("report", self.out, *words)
        words = self.expect("pass a/pass\n      skip\n")
        self.assertIn("txt:2: not STATUS", self.conformance("report", self.out, *words, code=2).stderr)

    def test_many_tests_that_pass_take_few_lines(self):
        """The line of a suite is wrapped; a test that fails later leaves it, one that is new comes."""
        suite = {"a": {f"test_{i:03}": ["pass"] for i in range(100)}, "b": {"x": ["pass"]}}
        words = self.expect("")
        self.run_suites(suite, *words, "--update")
        lines = self.expected().splitlines()
        self.assertEqual((lines[1], lines[2].split()[0], lines[-1]), ("pass  a/", "test_000",
                                                                      "pass  b/ x"))
        self.assertLess(len(lines), 15)
        self.assertLessEqual(max(map(len, lines)), 100)
        suite["a"]["test_050"] = ["fail"]
        suite["a"]["test_0505"] = ["pass"]
        results = self.run_suites(suite, *words, "--output", self.folder / "next", code=1)
        self.conformance("report", self.folder / "next", *words, "--update")
        before = set(" ".join(lines).split())
        after = self.expected()
        self.assertIn("\nfail  a/test_050\npass  a/\n", after)
        self.assertEqual(set(after.split()) - before, {"fail", "a/test_050", "test_0505"})
        self.assertEqual(before - set(after.split()), {"test_050"})
        del suite["a"]["test_007"]
        self.run_suites(suite, *words, "--output", self.folder / "last", code=1)
        self.out = self.folder / "last"
        self.assertEqual(self.gone(*words), ["gone: rv64-v128 a/test_007"])

    def test_exceptions_alone(self):
        """Where a pattern says that a suite passes, --update records nothing but exceptions."""
        text = "pass a/*\nfail a/fail # rounds wrongly\nskip a/skip\n"
        words = self.expect(text)
        self.run_suites({"a": {**self.suite["a"], "new": ["pass"]}}, *words, "--update")
        self.assertEqual(self.expected(), text)
        more = {"a": {"pass": ["fail"], "fail": ["pass"], "skip": ["skip"]}}
        self.run_suites(more, *words, "--output", self.folder / "more", code=1)
        self.conformance("report", self.folder / "more", *words, "--update")
        self.assertEqual(self.expected(), "fail  a/pass\npass a/*\nskip a/skip\n")
        self.out = self.folder / "other"
        self.run_suites({"b": {"x": ["skip"]}}, *words, "--output", self.out, code=1)
        self.assertEqual(self.gone(*words), ["gone: rv64-v128 a: 3 expected tests"])

    def test_update_on_a_full_disk_leaves_the_file_alone(self):
        """The limit on files' sizes ends writing as a full disk does."""
        text = "pass a/pass # " + "reason " * 2000 + "\n"
        words = self.expect(text)
        self.run_suites(self.suite, "--only", "a/[ps]*")
        done = self.conformance("report", self.out, *words, "--update", code=2, command=[
            "sh", "-c", 'ulimit -f 8; exec "$@"', "sh", *COMMAND])
        self.assertIn("File too large", done.stderr)
        self.assertEqual(self.expected(), text)
        self.assertEqual(len(list((self.folder / "expected").iterdir())), 1)

    def test_names_with_wildcards_mean_themselves(self):
        manifest = self.write("m.toml", '[suite.a]\nkind = "plain"\n[suite.a.tests]\n'
                                        '"br[1]" = ["true"]\n"br1" = ["true"]\n')
        words = ["run", "--suites", manifest, *self.expect("pass a/br1\n"), "--only", "a/br[1]"]
        self.conformance(*words, "--output", self.out, "--update", "--exclude", "a/br1")
        self.assertEqual(self.expected(), "pass a/br1\npass  a/br[1]\n")
        self.conformance(*words, "--output", self.folder / "again")
        self.assertEqual(self.results(self.folder / "again")["a/br[1]"]["outcome"], "ok")

    def test_a_test_that_is_avoided_from_now_on_does_not_count(self):
        self.run_suites(self.suite, code=1)
        words = self.expect("avoid a/fail # hours\n")
        done = self.conformance("report", self.out, *words, "--update")
        self.assertEqual(self.expected(), "avoid a/fail # hours\nskip  a/skip\npass  a/ pass\n", done)

    def test_runs_add_up(self):
        """A run is killed, recorded, resumed and recorded; another one has what is still unknown."""
        count, gate = self.folder / "count", self.folder / "gate"
        suite = {"a": {"a": ["counts", str(count)], "b": ["waits", str(gate)], "c": ["fail"]}}
        words = ["run", *self.suites(suite), *self.expect(""), "--unknown", "--exclude", "a/c",
                 "--jobs", 1, "--output", self.out]
        record = ["report", self.out, "--expectations", self.folder / "expected", "--update"]
        process = subprocess.Popen([*COMMAND, *map(str, words)], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, env=self.environment())
        wait_until((self.folder / "gate.started").exists)
        process.kill()
        process.wait()
        self.assertIn("missing", self.conformance(*record, code=1).stdout)
        self.assertEqual(self.expected().splitlines()[1:], ["pass  a/ a"])
        gate.touch()
        self.conformance(*words, "--resume")
        self.conformance(*record)
        self.assertEqual(self.expected().splitlines()[1:], ["pass  a/ a b"])
        self.run_suites(suite, *words[3:5], "--unknown", "--update", "--output",
                        self.folder / "next")
        self.assertEqual(self.expected().splitlines()[1:],
                         ["fail  a/c", "pass  a/ a b"])
        self.assertEqual(count.read_text(), "ran\n")


class BadInput(FarmTest):
    def refused(self, *words, says):
        done = self.conformance("run", "--output", self.out, *words, code=2)
        self.assertIn(says, done.stderr)

    def test_manifests(self):
        for text, says in (
                ("", "a manifest has tables"), ("[suite", "m.toml"),
                ("[suite.a]\n", "needs a kind"), ("[suite.a]\nkind = 'x'\n", "needs a kind"),
                ("[suite.a]\nkind = 'gtest'\n", "needs a program"),
                ("[suite.a]\nkind = 'plain'\nprogramm = 'x'\n", 'no setting "programm"'),
                ("[suite.a]\nkind = 'plain'\ntests = 1\n", "another type"),
                ("[suite.a]\nkind = 'plain'\ntests.x = []\n", "list of words"),
                ("[suite.a]\nkind = 'plain'\ntimeout = 0\ntests.x = ['a']\n", "above 0"),
                ("[suite.a]\nkind = 'plain'\ntimeout = nan\ntests.x = ['a']\n", "above 0"),
                ("[suite.a]\nkind = 'plain'\ntests.x = ['a']\ntimeouts.x = nan\n", "above 0"),
                ("[suite.a]\nkind = 'plain'\ntests.x = [1]\n", "list of words"),
                ("[suite.a]\nkind = 'plain'\ntests.x = ['a', \"\\u0000\"]\n", "list of words"),
                ("[suite.a]\nkind = 'plain'\ntests.x = ['a']\nmachines = [1]\n", "strings"),
                ("[suite.a]\nkind = 'plain'\ntests.x = ['a']\nsection = 3\n", "another type"),
                ("[suite.a]\nkind = 'plain'\ntests.x = ['a']\nenvironment.A = 1\n", "VALUE"),
                ("[suite.a]\nkind = 'plain'\ntests.x = ['a']\nenvironment.'A=B' = 'x'\n", "VALUE"),
                ("[suite.a]\nkind = 'gtest'\nprogram = '{build}/x'\n", "--set build="),
                ("[suite.a]\nkind = 'gtest'\nprogram = './absent'\n", "is it built?"),
                ("[suite.a]\nkind = 'gtest'\nprogram = '/bin/false'\n", "ended with 1"),
                ("[suite.a]\nkind = 'gtest'\nprogram = '/bin/true'\n", "has no test")):
            with self.subTest(text):
                self.refused("--suites", self.write("m.toml", text), says=says)

    def test_options(self):
        some = self.suites({"a": {"x": ["pass"]}})
        broken = self.write("expected/" + FILE, "passes a/x\n")
        nowhere = self.folder / "nowhere"
        for words, says in (
                ([], "no suites"), (["--suites", nowhere], "No such file"),
                ([*some, "--only", "b/*"], "no test is selected"),
                ([*some, "--machine", ""], "needs a name"),
                ([*some, "--machine", "rv32,harts"], "not KEY=VALUE"),
                ([*some, "--machine", "rv32,memory=much"], "is no size"),
                ([*some, "--shard", "3/2"], "write I/N"), ([*some, "--jobs", "0"], "--jobs"),
                ([*some, "--memory", "lots"], "is no size"),
                ([*some, "--baseline", nowhere], "name the folder"),
                ([*some, "--baseline", broken], "is no report.json"),
                ([*some, "--expectations", nowhere], "no such folder"),
                ([*some, "--expectations", self.folder / "expected"], "not STATUS"),
                ([*some, "--machine", "rv32;,harts=2"], "begins with no name"),
                ([*some, "--shard", "1/9999999999"], "write I/N"),
                ([*some, "--timeout-scale", "nan"], "number above 0"),
                ([*some, "--engin", "slurm"], "unrecognized"),
                ([*some, "--update"], "needs --expectations"),
                ([*some, "--unknown"], "needs --expectations"),
                (["--cts", self.folder], "opencl_conformance_tests")):
            with self.subTest(words):
                self.refused(*words, says=says)

    def test_a_driver_for_all_would_belie_the_machines(self):
        words = ["run", *self.suites({"a": {"x": ["pass"]}}), "--output", self.out]
        done = self.conformance(*words, code=2, RIVULET_DRIVER="loopback")
        self.assertIn("driver=DRIVER", done.stderr)
        self.conformance(*words, RIVULET_FIRMWARE="/my/firmware")
        self.assertIn("RIVULET_FIRMWARE=/my/firmware", self.results()["a/x"]["repeat"])

    def test_machines_that_the_library_does_not_know(self):
        """An installed runner asks `rivulet info`."""
        installed = self.folder / "lib/rivulet/conformance"
        installed.parent.mkdir(parents=True)
        installed.symlink_to(HERE.parent)
        rivulet = self.write("bin/rivulet", "#!/bin/sh\n[ $RIVULET_MACHINE = rv64-v128 ] && exit\n"
                                            "echo no such thing >&2; exit 1\n")
        os.chmod(rivulet, 0o755)
        words = ["run", *self.suites({"a": {"x": ["pass"]}}), "--expectations",
                 self.folder / "expected", "--update", "--output", self.out]
        command = [*COMMAND[:-1], str(installed)]
        done = self.conformance(*words, "--machine", "rv64-v128;rv65,harts=2", code=2, command=command)
        self.assertIn('machine "rv65,harts=2": no such thing', done.stderr)
        self.assertFalse((self.folder / "expected").exists())
        self.conformance(*words, command=command)

    def test_files_that_others_wrote(self):
        self.run_suites({"a": {"x": ["pass"]}})
        report = ["report", self.out, "--expectations", self.folder / "expected"]
        (self.folder / "expected").mkdir()
        (self.folder / "expected" / FILE).write_bytes(b"fail a/x # r\xe9sultat\n")
        self.assertIn("not UTF-8", self.conformance(*report, code=2).stderr)
        (self.folder / "expected" / FILE).unlink()
        self.conformance(*report)
        journal, plan = self.out / "journal.jsonl", self.out / "plan.json"
        entry = json.loads(journal.read_text())
        for line in ({}, 17, {**entry, "status": "good"}, {**entry, "seconds": math.nan},
                     {**entry, "log": "/etc/hostname"}, {**entry, "log": "../pwned.log"},
                     {**entry, "log": "logs/../../pwned.log"}, {**entry, "accuracy": [1]}):
            with self.subTest(line):
                journal.write_text(json.dumps(line) + "\n")
                self.write("pwned.log", "of somebody else's")
                for words in (report, ["merge", self.out, "--output", self.folder / "merged"]):
                    self.assertIn("not a line of a journal", self.conformance(*words, code=2).stderr)
        journal.write_text(json.dumps(entry) + "\n")
        content = json.loads(plan.read_text())
        for text in ("x", {}, {**content, "machines": [{"name": "rv64-v128", "file_name": "../x"}]},
                     {**content, "keys": ["elsewhere a/x"]}, {**content, "mine": 1}):
            with self.subTest(text):
                plan.write_text(json.dumps(text))
                self.assertIn("is damaged", self.conformance(*report, code=2).stderr)

    def test_links_are_no_logs(self):
        self.run_suites({"a": {"x": ["fail"]}}, "--retries", 0, code=1)
        log = next(self.out.glob("logs/*/a/x.1.log"))
        log.unlink()
        log.symlink_to(self.write("secret", "the words of another"))
        merged = self.folder / "merged"
        self.conformance("merge", self.out, "--output", merged, code=1)
        self.conformance("report", self.out, code=1)
        for run in (self.out, merged):
            self.assertNotIn("the words of another", (run / "report.html").read_text())

    def test_a_closed_standard_output_changes_no_result(self):
        self.conformance("run", *self.suites({"a": {"x": ["pass"]}}), "--output", self.out,
                         command=["sh", "-c", 'exec "$@" >&-', "sh", *COMMAND])

    def test_a_second_run_in_the_same_folder(self):
        self.run_suites({"a": {"x": ["pass"]}})
        some = self.suites({"a": {"x": ["pass"]}})
        self.refused(*some, says="--resume")
        self.refused(*self.suites({"a": {"y": ["pass"]}}), "--resume", says="other tests")


if __name__ == "__main__":
    unittest.main()
