# SPDX-License-Identifier: Apache-2.0
"""Helpers that tests of the runner share: a folder, manifests of fake programs, and the command
itself."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
COMMAND = [sys.executable, "-B", str(HERE.parent)]
FAKE = str(HERE / "fake_test.py")


def manifest(suites, **settings):
    """A manifest of plain suites: {suite: {test: [words for fake_test.py]}}."""
    lines = []
    for suite, tests in suites.items():
        lines += [f"[suite.{suite}]", 'kind = "plain"', f"timeout = {settings.get('timeout', 60)}"]
        lines += [f"tests.{name} = {json.dumps([sys.executable, '-B', FAKE, *words])}"
                  for name, words in tests.items()]
    return "\n".join(lines) + "\n"


def wait_until(condition, seconds=120):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError("waited in vain")
        time.sleep(0.01)


class FarmTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = pathlib.Path(self.scratch.name)
        self.out = self.folder / "out"

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    def suites(self, suites, **settings):
        return ["--suites", self.write("suites.toml", manifest(suites, **settings))]

    def environment(self):
        """Without settings of the caller's; no test program here looks for OpenCL devices."""
        kept = {name: value for name, value in os.environ.items()
                if name not in ("RIVULET_MACHINE", "RIVULET_DRIVER")}
        return {**kept, "TMPDIR": str(self.folder), "OCL_ICD_VENDORS": str(self.folder)}

    def conformance(self, *words, code=0, command=COMMAND, cwd=None, **variables):
        """The finished process of `rivulet conformance WORDS`; it must end with `code` if not None."""
        done = subprocess.run([*command, *map(str, words)], capture_output=True, text=True, cwd=cwd,
                              stdin=subprocess.DEVNULL, timeout=120, check=False,
                              env={**self.environment(), **variables})
        if code is not None:
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        return done

    def run_suites(self, suites, *words, code=0, **settings):
        self.conformance("run", *self.suites(suites, **settings), "--output", self.out, *words,
                         code=code)
        return self.results()

    def results(self, folder=None):
        """{test: result} of the report."""
        report = json.loads(((folder or self.out) / "report.json").read_text())
        return {result["test"]: result for result in report["results"]}

    def statuses(self):
        return {name: result["status"] for name, result in self.results().items()}
