#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests docs/products.md: its commands, its configuration files, and its list of what is
shipped."""
import os
import re
import shutil
import tempfile
import unittest

from programs import BUILD, SOURCE, ProgramTest, run

TEXT = (SOURCE / "docs/products.md").read_text()
PATH = f"{BUILD}/bin:{os.environ['PATH']}"
TEST = f"{BUILD}/tests/api/rivulet_api_test --gtest_filter=Arguments.*:Copy.*"
CLEAN = {"RIVULET_MACHINE": None, "RIVULET_DRIVER": None, "RIVULET_CONFIG": None}


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


class Products(ProgramTest):
    def test_commands_work_as_written(self):
        self.assertEqual(len(blocks("sh")), 1)
        with tempfile.TemporaryDirectory() as folder:
            done = run("bash", "-euc", f"cd {folder}\n{blocks('sh')[0]}wait", seconds=300, PATH=PATH,
                       **CLEAN)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stdout, r"Number of devices +1\n")
            self.assertRegex(done.stdout, r"Device Name +.*card")

    # None of these devices exists; that must be the error, not their configuration.
    def test_configuration_files_are_understood(self):
        found = "".join(blocks("toml")).count("[[device]]")
        self.assertEqual(found, 5)
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "devices.toml")
            with open(file, "w", encoding="utf-8") as output:
                output.writelines(blocks("toml"))
            done = run("rivulet", "info", PATH=PATH, **{**CLEAN, "RIVULET_CONFIG": file})
            said = done.stdout + done.stderr
            self.assertEqual(done.returncode, 1, said)
            self.assertEqual(len(set(re.findall(r"devices\.toml:(\d+)", said))), found, said)
            for word in ("did you mean", "no setting", "unknown", "is not a"):
                self.assertNotIn(word, said)
            with open(file, "a", encoding="utf-8") as output:
                output.write("scrachpad = { base = 0, bytes = 1 }\n")
            done = run("rivulet", "info", PATH=PATH, **{**CLEAN, "RIVULET_CONFIG": file})
            self.assertEqual(done.returncode, 1)
            self.assertIn("scrachpad", done.stderr)
            self.assertIn('did you mean "scratchpad', done.stderr)

    # Kernels come from images created by a run with a compiler.
    def test_what_is_shipped_is_enough(self):
        section = TEXT.split("## What is shipped")[1]
        names = {name.removeprefix("drivers/") for name in re.findall(r"`(?:lib/)?([\w/.]+\.so)`", section)}
        self.assertLessEqual({"librivulet.so", "linux.so", "config.so"}, names)
        with tempfile.TemporaryDirectory() as folder:
            place = os.path.join(folder, "product/lib/rivulet/drivers")
            os.makedirs(place)
            shutil.copy(BUILD / "lib/librivulet.so", os.path.join(folder, "product/lib"))
            shutil.copy(BUILD / "lib/rivulet/config.so", os.path.dirname(place))
            shutil.copy(BUILD / "lib/rivulet/drivers/linux.so", place)
            script = f"""cd {folder}
rivulet card --socket card.sock --machine rv64-v128,harts=1,memory=128M >card.toml &
trap "kill $!; wait" EXIT
until grep -q ready card.toml; do sleep 0.1; done
export RIVULET_CONFIG=$PWD/card.toml RIVULET_TEST_IMAGES=$PWD
{TEST}
mkdir vendors && echo $PWD/product/lib/librivulet.so >vendors/rivulet.icd
OCL_ICD_VENDORS=$PWD/vendors RIVULET_CC=/none {TEST}"""
            done = run("bash", "-eu", "-c", script, seconds=300, PATH=PATH, **CLEAN)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            passed = re.findall(r"PASSED  \] ([1-9]\d*) tests", done.stdout)
            self.assertEqual(len(passed), 2, done.stdout + done.stderr)
            self.assertEqual(*passed)


if __name__ == "__main__":
    unittest.main()
