#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every command that a page in Markdown names is run by a test.

COMMANDS tells for each which test of CTest runs it, or has a short form, which is run here. A command
that no row knows, a row that no page needs any more and a test that is gone are failures. Shell blocks
of the guides are run as they stand by programs.walks and the tests that it names.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from programs import BUILD, SOURCE, ProgramTest, run

sys.path.insert(0, str(SOURCE / "tests"))
from llvm import tool

RIVULET, COMPILER = BUILD / "bin/rivulet", BUILD / "bin/rivulet-cc"

# A command and what follows it, as `code` or as an indented line.
INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
INDENTED = re.compile(r"^(?:    |\$ )(\S.*)$", re.MULTILINE)
BEGINS = re.compile(r"(?:[A-Z_]+=\S+ )*(?:\./dev|rivulet(?:-cc|-opt)?|ctest|cmake|ninja|python3)(?= )")
WORDS_OF_OTHERS = re.compile(r"rivulet: warning|rivulet,")  # a message; a property of device trees

# What begins like this → names of tests in CTest's list, or words of a short form that ends with 0.
COMMANDS = {
    r"(RIVULET_SPIKE=\S+ )?\./dev test\b|ctest (--test-dir|-R|-L)": "what runs this test",
    r"\./dev (build|shell|run|clean|format)\b": ["programs.dev", "programs.platform", "checks.format"],
    r"\./dev hooks\b": ["checks.hooks"],
    r"\./dev demo\b": ["programs.pictures"],
    r"\./dev bench \[--json|\./dev bench$": ["programs.command", "bench.runtime"],
    r"\./dev bench compiler\b": ["bench.compiler"],
    r"\./dev bench wide\b": ["bench.wide"],
    r"\./dev bench library\b": ["bench.library"],
    r"\./dev bench extensions\b": ["bench.extensions"],
    r"\./dev bench spirv\b": ["bench.spirv"],
    r"\./dev sanitize (address|thread)": ["asan.api@loopback", "tsan.api@loopback"],
    r"\./dev fuzz --(oracle|reduce)": ["random_programs.results_of_others",
                                       "random_programs.altered_result"],
    r"\./dev fuzz --count": ["spmd.random_kernels"],
    r"\./dev fuzz-target NAME": ["fuzz.mailbox"],
    r"\./dev same-code": [sys.executable, "-B", SOURCE / "compiler/test/same_code.py", COMPILER, COMPILER,
                          "--sample", "400"],
    r"\./dev lint": ["clang-tidy-22", "--quiet", "-p", BUILD, SOURCE / "base/unix_address.cpp"],
    r"\./dev package": ["packages.are_made"],
    r"\./dev release VERSION": ["checks.release"],
    r"cmake --preset (release|arm64|riscv64)|cmake --install|ninja product":
        ["hosts.without_compiler.usual", "sdk.builds_out_of_tree"],
    r"ninja -C build$": ["sdk.porting"],
    r"python3 tests/abi": ["abi"],
    r"rivulet-cc --(stats|emit|remarks|dump|print-pipeline)|rivulet-cc (kernel.cl|-rvl-large-buffers)":
        ["compiler.lit", "programs.walks"],
    r"rivulet-cc --serve": ["compiler.Serve.BuildsAnImage"],
    r"rivulet-opt -(passes|run-pass)": ["compiler.lone_passes"],
    r"rivulet-opt --help-hidden": [BUILD / "bin/rivulet-opt", "--help-hidden"],
    r"rivulet flash\b": ["flash.images"],
    r"rivulet sign\b": ["flash.signed.rv64"],
    r"(RIVULET_\w+=\S+ )*rivulet (info|machines|version|doctor|cc|run|bench)\b":
        ["programs.command", "programs.run"],
    r"(RIVULET_\w+=\S+ )*rivulet info --start": ["programs.troubleshooting", "gdb.slow_stubs"],
    r"rivulet doctor --board": ["programs.doctor_board"],
    r"rivulet card\b": ["card.hosts"],
    r"rivulet monitor\b": ["programs.monitor"],
    r"rivulet dump\b": ["programs.monitor", "programs.crash_dump"],
    r"rivulet debug\b": ["programs.debugger"],
    r"rivulet trace\b": ["programs.trace"],
    r"rivulet profile\b": ["programs.profile"],
    r"rivulet hal-test\b": ["HalConformance.loopback-harts-1"],
    r"rivulet conformance\b": ["conformance.documents", "conformance.runner"],
    r"rivulet conformance run --engine slurm": ["conformance.slurm"],
    r"rivulet --write-documents FOLDER": [RIVULET, "--write-documents", "."],
    r"RIVULET_MACHINE=\S+ \./dev run": ["programs.platform"],
    r"RIVULET_GDB=\S+ \./dev run": ["programs.debugger"],
}


def commands_of(text):
    for found in (*INLINE.findall(text), *INDENTED.findall(text)):
        if BEGINS.match(found) and not WORDS_OF_OTHERS.match(found):
            yield found


def pages():
    named = subprocess.run(["git", "ls-files", "*.md"], cwd=SOURCE, capture_output=True, text=True,
                           check=True).stdout.split()
    assert len(named) > 30, named
    return {name: (SOURCE / name).read_text() for name in named}


def row_of(command):
    """The pattern that fits the most of it, or None."""
    fitting = [(match.end(), pattern) for pattern in COMMANDS
               if (match := re.match(pattern, command))]
    return max(fitting)[1] if fitting else None


class DocumentedCommands(ProgramTest):
    def test_each_is_known(self):
        unknown = {f"{page}: {command}" for page, text in pages().items()
                   for command in commands_of(text) if not row_of(command)}
        self.assertEqual(unknown, set(), "which test runs it? Say so in COMMANDS")

    def test_each_row_is_needed(self):
        found = {row_of(command) for text in pages().values() for command in commands_of(text)}
        self.assertEqual(set(COMMANDS) - found, set())

    def test_their_tests_are_there(self):
        told = run("ctest", "--test-dir", BUILD, "--show-only=json-v1").stdout
        there = {test["name"] for test in json.loads(told)["tests"]}
        named = {name for names in COMMANDS.values() if isinstance(names, list)
                 and all(isinstance(name, str) and re.fullmatch(r"[\w.@-]+", name) for name in names)
                 for name in names}
        self.assertGreater(len(named), 20)
        self.assertEqual(named - there, set())

    def test_short_forms_run(self):
        with tempfile.TemporaryDirectory() as folder:
            for pattern, words in COMMANDS.items():
                if not any(isinstance(word, pathlib.Path) for word in words):
                    continue
                with self.subTest(pattern):
                    done = subprocess.run(list(map(str, words)), cwd=folder, capture_output=True,
                                          text=True, stdin=subprocess.DEVNULL, timeout=400)
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_program_of_the_first_page_runs(self):
        program, = re.findall(r"^```cpp\n(.*?)^```$", (SOURCE / "README.md").read_text(),
                              re.MULTILINE | re.DOTALL)
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "square.cpp")
            source.write_text(program)
            built = run(tool("clang++"), "-w", "-DCL_HPP_TARGET_OPENCL_VERSION=300", source, "-o",
                        source.with_suffix(""), "-lOpenCL", seconds=200)
            self.assertEqual(built.returncode, 0, built.stderr)
            self.assertEqual(run(source.with_suffix("")).stdout, "1 4 9 16 ")

    def test_dev_knows_the_commands_that_pages_name(self):
        known = run(SOURCE / "dev", "--help").stdout
        for text in pages().values():
            for command in commands_of(text):
                if match := re.match(r"\./dev ([a-z-]+)", command):
                    self.assertRegex(known, rf"(?m)^ +(.*, )?{match[1]}\b", command)


if __name__ == "__main__":
    unittest.main()
