# SPDX-License-Identifier: Apache-2.0
"""Kinds of test programs: how each lists its tests, runs one and reports the result."""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess

from errors import UsageError
from process import end_group, end_with_parent

SKIPPED_EXIT_CODE = 77  # as in Automake
LIST_SECONDS = 60
VENDOR = "Rivulet"  # CL_DEVICE_VENDOR


def output_of(command, environment):
    """The standard output of a program that lists its tests."""
    try:
        program = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, errors="replace",
                                   start_new_session=True, preexec_fn=end_with_parent)
    except OSError as error:
        raise UsageError(f"{command[0]}: {error.strerror}; is it built?") from None
    with program:
        try:
            output, errors = program.communicate(timeout=LIST_SECONDS)
        except subprocess.TimeoutExpired:
            end_group(program.pid)
            raise UsageError(f"{shlex.join(command)} did not end within {LIST_SECONDS} s") from None
        except BaseException:  # such as KeyboardInterrupt, which its session doesn't get
            end_group(program.pid)
            raise
    if program.returncode != 0:
        raise UsageError(f"{shlex.join(command)} ended with {program.returncode}:\n"
                         + (errors or output)[-2000:])
    return output


class Plain:
    """Executables: 0 is a pass, 77 a skip, anything else a failure."""

    @staticmethod
    def list(suite, _environment):
        return list(suite.tests)

    @staticmethod
    def command(suite, test, _scratch):
        return [*suite.tests[test], *suite.arguments]

    @staticmethod
    def environment(_scratch):
        return {}

    @staticmethod
    def folder(_suite):
        return None

    @staticmethod
    def status(exit_code, _output, _scratch):
        return {0: "pass", SKIPPED_EXIT_CODE: "skip"}.get(exit_code, "fail")

    @staticmethod
    def other_device(_output):
        """The name of the device that it ran on, if that is not ours."""
        return None


class GoogleTest(Plain):
    """GoogleTest programs, one process per test."""

    @staticmethod
    def list(suite, environment):
        tests, group = [], ""
        for line in output_of([suite.program, *suite.arguments, "--gtest_list_tests"],
                              environment).splitlines():
            name = line.split("#")[0].strip()
            if line.startswith("  "):
                tests.append(group + name)
            elif name.endswith("."):
                group = name
        return [test for test in tests if "DISABLED_" not in test]

    @staticmethod
    def command(suite, test, _scratch):
        return [suite.program, *suite.arguments, "--gtest_filter=" + test]

    @staticmethod
    def status(exit_code, output, _scratch):
        if exit_code != 0:
            return "fail"
        if re.search(r"^\[  SKIPPED \] ", output, re.MULTILINE):
            return "skip"
        # GoogleTest succeeds if a filter matches nothing.
        return "pass" if re.search(r"^\[  PASSED  \] 1 test", output, re.MULTILINE) else "error"


class Cts(Plain):
    """OpenCL-CTS programs; results are read from the JSON files they write."""

    @staticmethod
    def list(suite, environment):
        text = output_of([suite.program, "--list"], environment)
        listed = [line.strip() for line in text.splitlines() if re.fullmatch(r"\t\S+", line)]
        # test_conversions takes any word for a conversion's name, passes over its only test's own as
        # unknown and reports a pass that converted nothing; without a word it runs all of them.
        suite.tests = {test: [test] if len(listed) > 1 else [] for test in listed}
        return listed

    @staticmethod
    def command(suite, test, _scratch):
        return [suite.program, *suite.arguments, *suite.tests[test]]

    @staticmethod
    def environment(scratch):
        return {"CL_CONFORMANCE_RESULTS_FILENAME": os.path.join(scratch, "results.json")}

    @staticmethod
    def folder(suite):
        return os.path.dirname(suite.program)

    @staticmethod
    def other_device(output):
        match = re.search(r"^Compute Device Name = (.*?), Compute Device Vendor = (.*?),", output,
                          re.MULTILINE)
        return match[1] if match and match[2] != VENDOR else None

    @staticmethod
    def status(exit_code, output, scratch):
        try:
            results = json.loads(pathlib.Path(scratch, "results.json").read_text())["results"]
        except (OSError, ValueError, KeyError, TypeError):
            # test_spir doesn't use the CTS's harness, and ends with a line where it doesn't apply.
            if exit_code == 0 and re.search(r"is not supported on this device\. Skipping", output):
                return "skip"
            return "fail" if exit_code != 0 else "error"
        results = set(results.values())
        if exit_code != 0 or "fail" in results or not results:
            return "fail"
        return "pass" if "pass" in results else "skip"


class Piglit(Plain):
    """Piglit: `arguments` is the profile (cl); tests are its commands."""

    @staticmethod
    def list(suite, environment):
        text = output_of([suite.program, "print-cmd", "--format", "{name} ::: {command}",
                          *suite.arguments], environment)
        for line in text.splitlines():
            name, separator, command = line.partition(" ::: ")
            if separator:
                try:
                    suite.tests[re.sub(r"\s+", "_", name.strip())] = Piglit.found(
                        shlex.split(command), suite.program)
                except ValueError as error:
                    raise UsageError(f"{suite.program} lists a command that no shell takes "
                                     f"({error}): {command}") from None
        return list(suite.tests)

    @staticmethod
    def found(command, program):
        """An installed Piglit names its programs relative to its script's directory."""
        place = shutil.which(program)
        if command and place and "/" in command[0] and not os.path.isabs(command[0]):
            path = os.path.normpath(os.path.join(os.path.dirname(os.path.realpath(place)), command[0]))
            if os.path.exists(path):
                return [path, *command[1:]]
        return command

    @staticmethod
    def command(suite, test, _scratch):
        return suite.tests[test]

    @staticmethod
    def status(exit_code, output, _scratch):
        results = re.findall(r'^PIGLIT: .*"result"\s*:\s*"(\w+)"', output, re.MULTILINE)
        if not results:
            return "error" if exit_code == 0 else "fail"
        return {"pass": "pass", "skip": "skip"}.get(results[-1], "fail")


KINDS = {"plain": Plain, "gtest": GoogleTest, "cts": Cts, "piglit": Piglit}
