#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests docs/continuous-integration.md on the device, and the files in docs/ci."""
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import unittest

import yaml

try: # Debian: lava-common
    from lava_common.schemas import validate as validate_lava
except ImportError:
    validate_lava = None

try: # Debian: labgrid
    from labgrid import Environment as LabgridEnvironment
except ImportError:
    LabgridEnvironment = None

BUILD = pathlib.Path(os.environ["RIVULET_BUILD"])
DOCS = pathlib.Path(__file__).resolve().parents[3] / "docs"
ENVIRONMENT = {**{name: value for name, value in os.environ.items()
                  if name not in ("RIVULET_MACHINE", "RIVULET_DRIVER")},
               "PATH": f"{BUILD}/bin:{os.environ['PATH']}",
               "OCL_ICD_VENDORS": str(BUILD / "etc/OpenCL/vendors")}


def conformance_commands(text):
    """All commands `rivulet conformance …` of a script."""
    joined = re.sub(r"\\\n\s*", " ", text)
    return [match[0] for match in re.finditer(r"rivulet conformance [^\n`#]*", joined)]


class Documents(unittest.TestCase):
    def test_the_walk_runs_as_written(self):
        text = (DOCS / "continuous-integration.md").read_text()
        blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        self.assertGreater(len(blocks), 5)
        with tempfile.TemporaryDirectory() as folder:
            for block in blocks:
                done = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=folder,
                                      env=ENVIRONMENT, capture_output=True, text=True, timeout=300,
                                      stdin=subprocess.DEVNULL, check=False)
                self.assertEqual(done.returncode, 0, block + done.stdout + done.stderr)
            for run in ("first", "second", "merged"):
                self.assertTrue((pathlib.Path(folder) / run / "report.html").is_file())

    def test_the_offline_compiler_keeps_its_contract(self):
        """The CTS calls it through a shell, with options behind --; what it makes runs on the device."""
        program = BUILD / "lib/rivulet/conformance/cl_offline_compiler"
        environment = {**ENVIRONMENT, "RIVULET_MACHINE": "rv64-v512"}
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "add.cl")
            source.write_text("kernel void add(global int *a) { a[get_global_id(0)] += STEP; }\n")
            pathlib.Path(folder, "device.txt").write_text("CL_DEVICE_ADDRESS_BITS=64\n")

            def compiled(mode, options):
                return subprocess.run(
                    f"{program} --mode={mode} --source={source} --output={folder}/{mode} "
                    f"--cl-device-info={folder}/device.txt -- {options}", shell=True,
                    env=environment, cwd=folder, capture_output=True, text=True, check=False)

            for mode in ("binary", "spir-v"):
                done = compiled(mode, "-DSTEP=3 -cl-std=CL1.2")
                self.assertEqual(done.returncode, 0, done)
            self.assertNotEqual(compiled("binary", "-cl-std=CL1.2").returncode, 0)
            compiled("binary", "-DSTEP=3 -cl-kernel-arg-info")
            done = subprocess.run(["rivulet", "run", f"{folder}/binary", "add", "zeros:4", "--print",
                                   "0"], env=environment, capture_output=True, text=True,
                                  timeout=300, check=False)
            self.assertIn("3 3 3 3", re.sub(r"[,\s]+", " ", done.stdout), done)
            self.assertEqual(pathlib.Path(folder, "spir-v").read_bytes()[:4], b"\x03\x02#\x07")

    def assert_is_a_command(self, command):
        """Its options are known: it fails for a file that is not there, if at all."""
        words = shlex.split(re.sub(r"\$\{\{[^}]*\}\}|\$\w+", "1", command))
        done = subprocess.run(words, env=ENVIRONMENT, capture_output=True, text=True, timeout=300,
                              cwd="/", check=False)
        self.assertNotIn("usage:", done.stderr)
        self.assertIn("No such file", done.stderr)

    def load(self, name):
        content = yaml.safe_load((DOCS / "ci" / name).read_text())
        self.assertIsInstance(content, dict)
        return content

    def test_github_actions(self):
        content = self.load("github-actions.yml")
        self.assertIn(True, content) # YAML 1.1 reads the key `on` so
        jobs = content["jobs"]
        shards = jobs["shard"]["strategy"]["matrix"]["shard"]
        commands = []
        for job in jobs.values():
            self.assertLessEqual({"runs-on", "steps"}, set(job))
            self.assertTrue(set([job["needs"]] if "needs" in job else []) <= set(jobs))
            for step in job["steps"]:
                self.assertEqual(len({"uses", "run"} & set(step)), 1, step)
                commands += conformance_commands(step.get("run", ""))
        self.assertIn(f"/{len(shards)} ", commands[0])
        self.assertEqual([int(n) for n in re.findall(r"shard-(\d)", commands[1])], shards)
        for command in commands:
            self.assert_is_a_command(command)

    def test_gitlab(self):
        content = self.load("gitlab-ci.yml")
        jobs = [job for name, job in content.items() if name not in ("stages", "default")]
        self.assertEqual(len(jobs), 2)
        for job in jobs:
            self.assertIn(job["stage"], content["stages"])
            self.assert_is_a_command(job["script"][0])
        self.assertEqual(len(re.findall(r"shard-\d", content["report"]["script"][0])),
                         content["conformance"]["parallel"])

    def test_boards(self):
        lava = self.load("lava.yaml")
        self.assertLessEqual({"device_type", "job_name", "timeouts", "actions"}, set(lava))
        self.assertEqual([next(iter(action)) for action in lava["actions"]],
                         ["deploy", "boot", "test"])
        steps = lava["actions"][2]["test"]["definitions"][0]["repository"]["run"]["steps"]
        self.assert_is_a_command(conformance_commands(steps[0])[0])
        if validate_lava:
            validate_lava(lava, strict=True)
        labgrid = self.load("labgrid.yaml")
        self.assertLessEqual({"resources", "drivers"}, set(labgrid["targets"]["main"]))
        if LabgridEnvironment:
            target = LabgridEnvironment(str(DOCS / "ci/labgrid.yaml")).get_target("main")
            self.assertEqual(len(target.drivers), len(labgrid["targets"]["main"]["drivers"]))
        self.assert_is_a_command(conformance_commands(
            (DOCS / "ci/labgrid.yaml").read_text().replace("# ", "", 1).replace("#", ""))[0])


if __name__ == "__main__":
    unittest.main()
