#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reports, other kinds of suites, and what is exported."""
import json
import os
import signal
import subprocess
import sys
import unittest
import xml.etree.ElementTree as tree
from html.parser import HTMLParser

from farm import COMMAND, FAKE, FarmTest

VOID = {"meta", "br", "input"}


class Balance(HTMLParser):
    """Complains about tags that are not closed."""

    def __init__(self, test):
        super().__init__()
        self.test, self.open = test, []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        self.test.assertEqual(self.open.pop(), tag)


class Reports(FarmTest):
    suite = {"a": {"pass": ["pass"], "fail": ["fail"], "skip": ["skip"], "ulp": ["measures"]}}

    def test_html_has_log_command_plots_and_is_well_formed(self):
        self.run_suites(self.suite, "--machine", "rv64-v128,harts=1", "--machine", "loopback",
                        code=1)
        text = (self.out / "report.html").read_text()
        balance = Balance(self)
        balance.feed(text)
        self.assertEqual(balance.open, [])
        for words in ("this is fail", "RIVULET_MACHINE=rv64-v128,harts=1", "fake_test.py fail",
                      "Worse than expected (2)", "float on loopback", "lgamma"):
            self.assertIn(words, text)
        # Scripts may be blocked: the only one reveals the field that needs it.
        self.assertEqual(text.count("<script"), 1)
        self.assertIn('id="filter" type="search"', text)
        for words in ("</b>missing</div>", "All results (8)", "Linux", "UTC"):
            self.assertIn(words, text)
        self.assertNotIn("http", text.replace("http://www.w3.org", ""))

    def test_the_command_that_repeats_a_test_does(self):
        results = self.run_suites(self.suite, code=1)
        for name, code in (("a/fail", 1), ("a/pass", 0), ("a/skip", 77)):
            done = subprocess.run(results[name]["repeat"], shell=True, check=False,
                                  capture_output=True)
            self.assertEqual(done.returncode, code)

    def test_junit_counts_what_is_worse(self):
        self.write("expected/rv64-v128.txt", "fail a/fail # known\n")
        suite = {"a": {**self.suite["a"], "new": ["fail"]}}
        self.run_suites(suite, "--expectations", self.folder / "expected", code=1)
        suites = tree.parse(self.out / "junit.xml").getroot()
        element = suites.find("testsuite")
        self.assertEqual((element.get("tests"), element.get("failures"), element.get("skipped")),
                         ("5", "1", "2"))
        failure = element.find("testcase[@name='new']/failure")
        self.assertIn("this is fail", failure.text)
        self.assertIn("known", element.find("testcase[@name='fail']/skipped").get("message"))

    def test_junit_is_xml_whatever_tests_are_called(self):
        manifest = self.write("m.toml", '[suite.a]\nkind = "plain"\n[suite.a.tests]\n'
                                        '"bell\\u0007" = ["sh", "-c", "printf \\"\\\\033[1m\\"; exit 1"]\n')
        self.conformance("run", "--suites", manifest, "--output", self.out, code=1)
        case = tree.parse(self.out / "junit.xml").getroot().find("testsuite/testcase")
        self.assertEqual(case.get("name"), "bell\ufffd")

    def test_json_is_all_that_is_printed(self):
        listed = json.loads(self.conformance("list", "--json", *self.suites(self.suite)).stdout)
        self.assertEqual([test["test"] for test in listed["tests"]],
                         ["a/fail", "a/pass", "a/skip", "a/ulp"])
        done = self.conformance("run", "--json", *self.suites(self.suite), "--output", self.out,
                                code=1)
        self.assertEqual(json.loads(done.stdout),
                         json.loads((self.out / "report.json").read_text()))

    def test_runs_are_compared(self):
        flag = str(self.folder / "flag")
        suite = {"a": {"x": ["flaky", flag], "y": ["pass"]}}
        self.run_suites(suite, "--retries", 0, code=1)
        first = self.out
        self.out = self.folder / "second"
        self.run_suites({"a": {"x": ["flaky", flag]}}, "--baseline", first)
        text = (self.out / "report.html").read_text()
        self.assertIn("1 results differ, 0 tests are new, 1 are no longer there", text)


    def edit(self, run, **facts):
        """Pretends that a run had other facts."""
        for name in "plan.json", "report.json":
            path = run / name
            content = json.loads(path.read_text())
            content["facts"] = {**content["facts"], **facts}
            path.write_text(json.dumps(content))

    def test_history_shows_runs_in_their_order_and_what_changed(self):
        runs = self.folder / "runs"
        for name, words, started in (("b", ["pass"], "2026-01-01"), ("a", ["fail"], "2026-02-01"),
                                     ("c", ["pass"], "2026-03-01")):
            self.out = runs / name
            self.run_suites({"s": {"x": words, "y": ["pass"], **({name: ["skip"]})}}, code=None)
            self.edit(self.out, started=started, rivulet=f"0.1.0+{name}")
        page = self.folder / "history.html"
        done = self.conformance("history", runs, "--output", page, "--json")
        self.assertEqual([run["run"] for run in json.loads(done.stdout)], ["b", "a", "c"])
        self.assertEqual(json.loads(done.stdout)[1]["counts"], {"pass": 1, "skip": 1, "fail": 1})
        text = page.read_text()
        balance = Balance(self)
        balance.feed(text)
        self.assertEqual(balance.open, [])
        for words in ("0.1.0+a", "c: 1 results changed, 1 tests are new, 1 are gone",
                      "Tests that passed", 'class="line neutral"'):
            self.assertIn(words, text)
        self.assertIn("no folders with a report.json",
                      self.conformance("history", self.folder / "runs/a", code=2).stderr)

    def test_builds_are_not_mixed(self):
        manifest = self.suites(self.suite)
        for shard in 1, 2:
            self.conformance("run", *manifest, "--shard", f"{shard}/2", "--output",
                             self.folder / f"s{shard}", code=None)
        shards = [self.folder / "s1", self.folder / "s2"]
        self.edit(shards[0], rivulet="0.1.0+one")
        self.conformance("merge", *shards, "--output", self.folder / "unknown", code=None)
        self.assertTrue((self.folder / "unknown").exists())
        self.edit(shards[1], rivulet="0.1.0+other")
        done = self.conformance("merge", *shards, "--output", self.folder / "all", code=2)
        self.assertIn("are of different builds: rivulet", done.stderr)
        self.assertFalse((self.folder / "all").exists())

    def test_lava_gets_each_result(self):
        self.write("expected/rv64-v128.txt", "fail a/fail # known\n")
        self.run_suites({"a": {**self.suite["a"], "new": ["fail"]}},
                        "--expectations", self.folder / "expected", code=1)
        lines = self.conformance("report", self.out, "--expectations", self.folder / "expected",
                                 "--lava", code=1).stdout.splitlines()
        found = {line.split()[1]: line.split()[2] for line in lines
                 if line.startswith("<LAVA_SIGNAL_TESTCASE ")}
        self.assertEqual(found, {f"TEST_CASE_ID=a.{test}.on.rv64-v128": f"RESULT={result}"
                                 for test, result in (("pass", "pass"), ("fail", "pass"),
                                                      ("new", "fail"), ("skip", "skip"),
                                                      ("ulp", "pass"))})
        self.assertIn("give one of them",
                      self.conformance("report", self.out, "--lava", "--json", code=2).stderr)

    def test_a_run_tells_before_it_starts_how_long_it_will_take(self):
        done = self.conformance("run", *self.suites(self.suite), "--output", self.out, code=1)
        self.assertRegex(done.stderr, "^4 tests on 1 machine, .* if each takes its whole time limit; "
                                      "--baseline RUN")
        more = {"a": {**self.suite["a"], "new": ["pass"]}}
        done = self.conformance("run", *self.suites(more), "--baseline", self.out, "--dry-run")
        self.assertRegex(done.stderr, "5 tests on 1 machine, about .* s by the times of .*, which has "
                                      "not 1 of them")


class Kinds(FarmTest):
    def program(self, path, text):
        path = self.write(path, text)
        os.chmod(path, 0o755)
        return path

    def cts(self):
        """A build like that of the OpenCL-CTS, whose programs are scripts."""
        body = """#!/bin/sh
if [ "$1" = --list ]; then printf '\\tgood\\n\\tbad\\n\\tabsent\\n\\tquick_one\\n'; exit; fi
echo "$*"
for test; do :; done
case $test in good|quick_one) result=pass;; bad) result=fail;; *) result=skip;; esac
printf '{"cmd":"x","results":{"%s":"%s"}}' $test $result > "$CL_CONFORMANCE_RESULTS_FILENAME"
[ $result != fail ]
"""
        self.program("cts/test_conformance/basic/test_basic", body)
        self.program("cts/test_conformance/images/test_image_streams", body)
        self.write("cts/test_conformance/opencl_conformance_tests_quick.csv",
                   "# comment\nBasic,basic/test_basic\n\nQuick,basic/test_basic quick_*\n"
                   "Images (read),images/test_image_streams read all -w\nAPI,api/test_api\n")
        return ["--cts", self.folder / "cts"]

    def cts_of(self, program, text, *rows):
        """A build of one program, which is a script, and a list of these rows."""
        self.program("cts/test_conformance/" + program, text)
        self.write("cts/test_conformance/opencl_conformance_tests_quick.csv", "\n".join(rows) + "\n")
        return ["--cts", self.folder / "cts"]

    def test_the_cts_is_read_from_its_list_and_its_results(self):
        self.conformance("run", *self.cts(), "--output", self.out, "--keep-logs", code=1)
        self.assertEqual(self.statuses(), {
            "cts.basic/absent": "skip", "cts.basic/bad": "fail", "cts.basic/good": "pass",
            "cts.basic/quick_one": "pass", "cts.quick/quick_one": "pass",
            **{"cts.image_streams/" + name: status for name, status in (
                ("absent", "skip"), ("bad", "fail"), ("good", "pass"), ("quick_one", "pass"))}})
        self.assertIn("cts.api", (self.out / "report.html").read_text())
        log = next(self.out.glob("logs/*/cts.image_streams/good.1.log")).read_text()
        self.assertEqual(log, "-w read good\n")

    def test_a_program_that_is_lost_is_red(self):
        """A suite in the list that has not been built, and one that is no longer in the list."""
        words = [*self.cts(), "--only", "cts.basic/good", "--only", "cts.api/*"]
        self.write("expected/rv64-v128.txt", "pass cts.basic/good\n")
        words += ["--expectations", self.folder / "expected"]
        done = self.conformance("run", *words, "--output", self.out)
        self.assertIn("not built: 1 of 4 suites: cts.api", done.stdout)
        self.write("expected/rv64-v128.txt", "pass cts.basic/good\npass cts.api/x\npass cts.api/y\n")
        for more in ([], ["--part"]):
            done = self.conformance("run", *words, *more, "--output", self.folder / f"lost{len(more)}",
                                    code=1)
            self.assertIn("gone: rv64-v128 cts.api: 2 expected tests", done.stdout)
        self.write("expected/rv64-v128.txt", "pass cts.basic/good\npass cts.api_2/x\n")
        words = [*words[:4], *words[6:]]
        self.conformance("run", *words, "--output", self.folder / "narrow")
        words[3] = "cts.*"
        words += ["--exclude", "*/bad"]
        self.assertIn("gone: rv64-v128 cts.api_2: 1 expected test", self.conformance(
            "run", *words, "--output", self.folder / "wide", code=1).stdout)
        self.conformance("run", *words, "--part", "--output", self.folder / "part")
        self.write("expected/rv64-v128.txt", "pass cts.api/x\n")
        self.conformance("run", *words, "--unknown", "--output", self.folder / "unknown")

    def test_programs_that_write_no_results_may_skip_but_not_pass(self):
        words = self.cts_of("spir/test_spir", """#!/bin/sh
if [ "$1" = --list ]; then printf '\\tapi\\n\\tfailed\\n\\tsilent\\n'; exit; fi
for test; do :; done
[ $test = silent ] || echo "cl_khr_spir is not supported on this device. Skipping test."
[ $test != failed ]
""", "SPIR,spir/test_spir")
        self.conformance("run", *words, "--output", self.out, code=1)
        self.assertEqual(self.statuses(), {"cts.spir/api": "skip", "cts.spir/failed": "fail",
                                           "cts.spir/silent": "error"})

    def test_the_only_test_of_a_program_is_run_without_a_name(self):
        words = self.cts_of("conversions/test_conversions", """#!/bin/sh
[ "$1" = --list ] && printf '\\tconversions\\n' && exit
echo "$*"
echo '{"results":{"conversions":"pass"}}' > "$CL_CONFORMANCE_RESULTS_FILENAME"
""", "Conversions,conversions/test_conversions",
                            "Characters,conversions/test_conversions uchar_char")
        self.conformance("run", *words, "--output", self.out, "--keep-logs")
        self.assertEqual(self.statuses(), {"cts.conversions/conversions": "pass",
                                           "cts.characters/conversions": "pass"})
        for suite, given in (("conversions", "-w"), ("characters", "-w uchar_char")):
            log = next(self.out.glob(f"logs/*/cts.{suite}/conversions.1.log")).read_text()
            self.assertEqual(log, given + "\n")

    def test_results_of_another_device_are_errors(self):
        words = self.cts_of("basic/test_basic", """#!/bin/sh
[ "$1" = --list ] && printf '\\tgood\\n' && exit
echo "Compute Device Name = another, Compute Device Vendor = Somebody, Compute Device Version = 1"
echo '{"results":{"good":"pass"}}' > "$CL_CONFORMANCE_RESULTS_FILENAME"
""", "Basic,basic/test_basic")
        self.conformance("run", *words, "--output", self.out, code=1)
        self.assertEqual(self.statuses(), {"cts.basic/good": "error"})
        self.assertIn("ran on another", (self.out / "report.html").read_text())

    def test_offline_compilation_is_asked_for_in_the_ctss_words(self):
        self.conformance("run", *self.cts(), "--output", self.out, "--keep-logs", "--only",
                         "cts.basic/good", "--compilation-mode", "binary", "--full")
        log = next(self.out.glob("logs/*/cts.basic/good.1.log")).read_text()
        self.assertRegex(log, "^--compilation-mode binary --compilation-cache-path .*/compiled "
                              "--compilation-program .*/cl_offline_compiler good\n$")
        self.assertTrue((self.out / "compiled").is_dir())

    def test_lists_that_name_the_mode_are_compiled_offline(self):
        words = self.cts()
        self.write("cts/test_conformance/opencl_conformance_tests_full_binary.csv",
                   "Basic,basic/test_basic good --compilation-mode binary "
                   "--compilation-cache-path .\n")
        self.conformance("run", *words, "--cts-list", "full_binary", "--output", self.out,
                         "--keep-logs")
        log = next(self.out.glob("logs/*/cts.basic/good.1.log")).read_text()
        self.assertRegex(log, "^-w --compilation-mode binary --compilation-cache-path .*/compiled "
                              "--compilation-program .*/cl_offline_compiler good\n$")

    def test_piglit(self):
        program = self.program("piglit", """#!/bin/sh
cat <<'END'
program@good ::: echo 'PIGLIT: {"result": "pass" }'
program@bad ::: echo 'PIGLIT: {"result": "fail" }'
program@none ::: echo 'PIGLIT: {"result": "skip" }'
program@beside ::: tests/one
END
""")
        self.program("tests/one", """#!/bin/sh
echo 'PIGLIT: {"result": "pass" }'
""")
        self.conformance("run", "--suites", self.write("m.toml", f"""[suite.p]
kind = "piglit"
program = "{program}"
arguments = ["cl"]
"""), "--output", self.out, code=1)
        self.assertEqual(self.statuses(), {"p/program@good": "pass", "p/program@bad": "fail",
                                           "p/program@none": "skip", "p/program@beside": "pass"})

    def test_ctest_runs_what_is_exported(self):
        self.conformance("ctest", *self.suites({"a": {
            "pass": ["pass"], "fail": ["fail"], "skip": ["skip"]}}), "--machine",
            "rv64-v128;rv64-v512", "--output", self.out)
        done = subprocess.run(["ctest", "--test-dir", self.out], capture_output=True, text=True,
                              check=False)
        self.assertRegex(done.stdout, r"\.a/pass \.+ +Passed")
        self.assertRegex(done.stdout, r"\.a/fail \.+\*\*\*Failed")
        self.assertRegex(done.stdout, r"\.a/skip \.+\*\*\*Skipped")

    def test_a_reader_that_had_enough_is_no_error(self):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([*COMMAND, "list", *map(str, self.suites({"a": {"pass": ["pass"]}}))],
                              stdout=writer, stderr=subprocess.PIPE, env=self.environment(),
                              check=False)
        os.close(writer)
        self.assertEqual((done.returncode, done.stderr), (128 + signal.SIGPIPE, b""))

    def test_help_at_each_level(self):
        for words in ([], ["run"], ["list"], ["report"], ["merge"], ["ctest"]):
            self.assertIn("usage: rivulet conformance", self.conformance(*words, "--help").stdout)


if __name__ == "__main__":
    unittest.main()
