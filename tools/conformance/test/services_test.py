#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The templates of docs/ci, run as their services would: the matrix is expanded, each job runs in a
working copy of its own, artifacts are kept and fetched as the service does it. Each test has to run in
exactly one shard, and the merged report to hold all of them. Words that the services don't know are
found: the schemas here have what the templates may use, and nothing more."""
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import yaml

BUILD = pathlib.Path(os.environ["RIVULET_BUILD"])
DOCS = pathlib.Path(__file__).resolve().parents[3] / "docs/ci"
ENVIRONMENT = {**{name: value for name, value in os.environ.items()
                  if name not in ("RIVULET_MACHINE", "RIVULET_DRIVER")},
               "PATH": f"{BUILD}/bin:{os.environ['PATH']}",
               "OCL_ICD_VENDORS": str(BUILD / "etc/OpenCL/vendors")}
MANIFEST = '[suite.words]\nkind = "plain"\n[suite.words.tests]\n' + "".join(
    f'test{i} = ["/bin/true"]\n' for i in range(9))

# Each key of a mapping has a type, a set of words, a mapping, or a list with what its elements are.
STEP = {"name": str, "uses": str, "run": str, "if": str, "with": dict}
GITHUB_JOB = {"runs-on": str, "container": str, "needs": str, "if": str, "timeout-minutes": int,
              "strategy": {"fail-fast": bool, "matrix": {str: [(int, str)]}}, "steps": [STEP]}
GITHUB = {"name": str, True: {"pull_request": type(None), "schedule": [{"cron": str}]}, # `on`, in YAML 1.1
          "jobs": {str: GITHUB_JOB}}
WHEN = {"always", "on_success", "on_failure", "manual", "never"}
GITLAB_JOB = {"stage": str, "parallel": int, "timeout": str, "when": WHEN, "script": [str],
              "artifacts": {"when": WHEN, "paths": [str], "reports": {"junit": str}}}
GITLAB = {"stages": [str], "default": {"image": str}, str: GITLAB_JOB}


def complaints(value, schema, where="the file"):
    if isinstance(schema, list):
        if not isinstance(value, list):
            return [f"{where} is no list"]
        return [words for i, element in enumerate(value)
                for words in complaints(element, schema[0], f"{where}[{i}]")]
    if isinstance(schema, set):
        return [] if value in schema else [f"{where}: {value}"]
    if not isinstance(schema, dict):
        return [] if isinstance(value, schema) else [f"{where} is a {type(value).__name__}"]
    if not isinstance(value, dict):
        return [f"{where} is no mapping"]
    found = []
    for key, element in value.items():
        if key in schema or str in schema and isinstance(key, str):
            found += complaints(element, schema.get(key, schema.get(str)), f"{where}.{key}")
        else:
            found.append(f"{where} has {key}")
    return found


class Schemas(unittest.TestCase):
    def test_schemas_find_words_that_are_wrong(self):
        content = yaml.safe_load((DOCS / "github-actions.yml").read_text())
        content["jobs"]["shard"]["strategie"] = content["jobs"]["shard"].pop("strategy")
        content["jobs"]["report"]["steps"][0]["use"] = "x"
        self.assertEqual(complaints(content, GITHUB), ["the file.jobs.shard has strategie",
                                                       "the file.jobs.report.steps[0] has use"])
        content = yaml.safe_load((DOCS / "gitlab-ci.yml").read_text())
        content["report"]["when"] = "allways"
        content["conformance"]["parallel"] = "4"
        self.assertEqual(complaints(content, GITLAB), ["the file.conformance.parallel is a str",
                                                       "the file.report.when: allways"])


class Service(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.store = self.folder / "artifacts"

    def working_copy(self, name):
        copy = self.folder / name
        (copy / "ci/expected").mkdir(parents=True)
        (copy / "ci/suites.toml").write_text(MANIFEST)
        return copy

    def shell(self, script, copy, **variables):
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=copy, check=False,
                              env={**ENVIRONMENT, **variables}, capture_output=True, text=True,
                              timeout=300, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 0, script + done.stdout + done.stderr)

    def all_tests(self, script):
        """The tests that the shards share, as `rivulet conformance list` says."""
        options = re.findall(r"--(?:suites|machine) \S+", script)
        self.assertGreater(len(options), 1)
        copy = self.working_copy("list")
        words = ["rivulet", "conformance", "list", "--json", *" ".join(options).split()]
        listed = json.loads(subprocess.run(words, cwd=copy, env=ENVIRONMENT, capture_output=True,
                                           text=True, check=True, timeout=300).stdout)["tests"]
        return sorted(f"{test['machine']} {test['test']}" for test in listed)

    def in_report(self, run):
        report = json.loads((run / "report.json").read_text())
        return sorted(f"{result['machine']} {result['test']}" for result in report["results"])

    def assert_shared_out(self, expected, shards, merged):
        parts = [self.in_report(shard) for shard in shards]
        self.assertTrue(all(parts), "a shard without tests")
        self.assertEqual(sorted(itertools.chain(*parts)), expected)
        self.assertEqual(self.in_report(merged), expected)
        self.assertTrue((merged / "report.html").is_file() and (merged / "junit.xml").is_file())


class GitHub(Service):
    def run_job(self, name, job, matrix):
        copy = self.working_copy("-".join([name, *map(str, matrix.values())]))

        def filled(text):
            return re.sub(r"\$\{\{ matrix\.(\w+) \}\}", lambda match: str(matrix[match[1]]), text)

        for step in job["steps"]:
            settings = {key: filled(str(value)) for key, value in step.get("with", {}).items()}
            action = step.get("uses", "").split("@")[0]
            if "run" in step:
                self.assertNotIn("${{", filled(step["run"]))
                self.shell(filled(step["run"]), copy)
            elif action == "actions/upload-artifact": # a folder's contents, under a name used once
                shutil.copytree(copy / settings["path"], self.store / settings["name"])
            elif action == "actions/download-artifact": # all: a folder for each name
                self.assertNotIn("name", settings)
                shutil.copytree(self.store, copy / settings["path"])
            else:
                self.assertEqual(action, "actions/checkout")
        return copy

    def test_as_the_service_runs_it(self):
        content = yaml.safe_load((DOCS / "github-actions.yml").read_text())
        self.assertEqual(complaints(content, GITHUB), [])
        for job in content["jobs"].values():
            self.assertIn(job.get("needs", "shard"), content["jobs"])
        shard, report = content["jobs"]["shard"], content["jobs"]["report"]
        self.assertEqual(report["needs"], "shard")
        axes = shard["strategy"]["matrix"]
        combinations = [dict(zip(axes, values)) for values in itertools.product(*axes.values())]
        copies = [self.run_job("shard", shard, matrix) for matrix in combinations]
        expected = self.all_tests(shard["steps"][1]["run"])
        shards = [copy / f"shard-{matrix['shard']}" for copy, matrix in zip(copies, combinations)]
        merged = self.run_job("report", report, {}) / "merged"
        self.assert_shared_out(expected, shards, merged)
        self.assertEqual(self.in_report(self.store / "report"), expected)


class GitLab(Service):
    def run_job(self, name, job, node=None):
        """Artifacts of earlier stages lie where they were; paths may have wildcards."""
        copy = self.working_copy(f"{name}-{node}")
        if self.store.exists():
            shutil.copytree(self.store, copy, dirs_exist_ok=True)
        variables = {"CI_NODE_INDEX": str(node), "CI_NODE_TOTAL": str(job["parallel"])} if node else {}
        for line in job["script"]:
            self.shell(line, copy, **variables)
        for pattern in job["artifacts"]["paths"]:
            found = list(copy.glob(pattern))
            self.assertTrue(found, pattern)
            for path in found:
                shutil.copytree(path, self.store / path.name, dirs_exist_ok=bool(node))
        for path in job["artifacts"].get("reports", {}).values():
            self.assertTrue((copy / path).is_file())
        return copy

    def test_as_the_service_runs_it(self):
        content = yaml.safe_load((DOCS / "gitlab-ci.yml").read_text())
        self.assertEqual(complaints(content, GITLAB), [])
        jobs = {name: job for name, job in content.items() if name not in ("stages", "default")}
        self.assertEqual([job["stage"] for job in jobs.values()], content["stages"])
        shards = [self.run_job("conformance", jobs["conformance"], node + 1) / f"shard-{node + 1}"
                  for node in range(jobs["conformance"]["parallel"])]
        expected = self.all_tests(jobs["conformance"]["script"][0])
        merged = self.run_job("report", jobs["report"]) / "merged"
        self.assert_shared_out(expected, shards, merged)


if __name__ == "__main__":
    unittest.main()
