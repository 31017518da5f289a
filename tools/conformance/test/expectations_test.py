#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Expectations as data, and bad input of every kind."""
import subprocess
import unittest

from farm import COMMAND, FarmTest, wait_until

FILE = "rv64-v128.txt" # the machine by default


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

    def test_update_writes_what_came_and_keeps_reasons(self):
        words = self.expect("# ours\nfail a/fail # rounds wrongly\nfail a/pass # gone\n"
                            "pass a/gone\npass b/other\navoid a/z*  # hours\n")
        self.run_suites(self.suite, *words, "--update")
        self.assertEqual(self.expected(), "# ours\navoid a/z*  # hours\n"
                         "fail  a/fail  # rounds wrongly\npass  a/pass\nskip  a/skip\n"
                         "pass  b/other\n")
        self.run_suites(self.suite, *words, "--output", self.folder / "again")

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
        self.assertEqual(self.expected().splitlines()[1:], ["pass  a/a"])
        gate.touch()
        self.conformance(*words, "--resume")
        self.conformance(*record)
        self.assertEqual(self.expected().splitlines()[1:], ["pass  a/a", "pass  a/b"])
        self.run_suites(suite, *words[3:5], "--unknown", "--update", "--output",
                        self.folder / "next")
        self.assertEqual(self.expected().splitlines()[1:],
                         ["pass  a/a", "pass  a/b", "fail  a/c"])
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
                ("[suite.a]\nkind = 'gtest'\nprogram = '{build}/x'\n", "--set build="),
                ("[suite.a]\nkind = 'gtest'\nprogram = '/nonexistent'\n", "is it built?"),
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
                ([*some, "--update"], "needs --expectations"),
                ([*some, "--unknown"], "needs --expectations"),
                (["--cts", self.folder], "opencl_conformance_tests")):
            with self.subTest(words):
                self.refused(*words, says=says)

    def test_a_second_run_in_the_same_folder(self):
        self.run_suites({"a": {"x": ["pass"]}})
        some = self.suites({"a": {"x": ["pass"]}})
        self.refused(*some, says="--resume")
        self.refused(*self.suites({"a": {"y": ["pass"]}}), "--resume", says="other tests")


if __name__ == "__main__":
    unittest.main()
