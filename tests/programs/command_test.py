#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The `rivulet` command as a whole: manual pages and completions say what --help says, facts come as
JSON, `doctor` sees what is wrong."""
import json
import os
import pathlib
import pty
import re
import subprocess
import tempfile
import unittest

from programs import ABSENT, BUILD, ProgramTest, run

RIVULET = BUILD / "bin/rivulet"
SHARE = BUILD / "share"
TWO_DEVICES = BUILD / "tests/programs/rivulet_two_devices.so"
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
# Programs that are subcommands have their own --help.
SUBCOMMANDS = re.findall(r"^  ([a-z][a-z-]*)  ", run(RIVULET, "--help").stdout, re.MULTILINE)


def page(name):
    """The manual page as groff shows it, and what groff complains about."""
    path = SHARE / "man/man1" / name
    shown = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-P-cbou", path], capture_output=True,
                           text=True, check=True)
    return shown.stdout, shown.stderr


def bash_offers(*words):
    """The completions that bash offers for the last word."""
    script = (f"source {SHARE}/bash-completion/completions/rivulet; COMP_WORDS=({' '.join(words)}); "
              'COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _rivulet; printf "%s\\n" "${COMPREPLY[@]}"')
    shown = run("bash", "-c", script, PATH=f"{BUILD}/bin:{os.environ['PATH']}")
    return shown.stdout.split()


def zsh_offers(line):
    """The completions that zsh lists for the line, in a terminal of its own. The line is killed
    (^K), not run; with BAUD=0 zsh shows the list though more input waits."""
    script = f"""
fpath=({SHARE}/zsh/site-functions $fpath); PATH={BUILD}/bin:$PATH
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'PROMPT=; fpath=({SHARE}/zsh/site-functions $fpath); PATH={BUILD}/bin:$PATH'
zpty -w z 'autoload -U compinit; compinit -u -D; LISTMAX=10000; zstyle ":completion:*" menu no'
zpty -w z 'bindkey "^I" list-choices "^K" kill-buffer'
zpty -w z 'stty -echo columns 200 rows 200; BAUD=0; print REA""DY'
zpty -m -r z x '*READY*'
zpty -w -n z '{line}'$'\t\013'
zpty -w z 'print DO""NE'
zpty -m -r z y '*DONE*'
print -r -- $y
"""
    return run("zsh", "-f", "-c", script, seconds=120, TERM="dumb").stdout


class Documents(ProgramTest):
    def test_each_subcommand_has_a_page_with_all_of_its_options(self):
        self.assertGreater(len(SUBCOMMANDS), 10)
        for name in SUBCOMMANDS:
            with self.subTest(name):
                shown, complaints = page(f"rivulet-{name}.1")
                self.assertEqual(complaints, "")
                words = [name, "run"] if name == "conformance" else [name]
                options = set(OPTION.findall(run(RIVULET, *words, "--help").stdout.split("\n\n")[0]
                                             if name == "cc" else
                                             run(RIVULET, *words, "--help").stdout))
                # --gtest_… and the like are examples.
                self.assertEqual({o for o in options if o not in shown}, set())
                self.assertIn("NAME", shown)

    def test_the_page_of_rivulet_lists_all(self):
        shown, complaints = page("rivulet.1")
        self.assertEqual(complaints, "")
        for name in SUBCOMMANDS:
            self.assertRegex(shown, rf"(?m)^ +{name}\b")

    def test_bash_completes(self):
        self.assertEqual(set(bash_offers("rivulet", "''")) & set(SUBCOMMANDS), set(SUBCOMMANDS))
        self.assertEqual(bash_offers("rivulet", "mach"), ["machines"])
        self.assertEqual(bash_offers("rivulet", "info", "--st"), ["--start"])
        self.assertEqual(set(bash_offers("rivulet", "conformance", "''")) & {"run", "list", "merge"},
                         {"run", "list", "merge"})
        self.assertIn("rv64-v512-icount",
                      bash_offers("rivulet", "conformance", "run", "--machine", "rv64-v512"))
        self.assertEqual(bash_offers("rivulet", "conformance", "run", "--engine", "slu"), ["slurm"])
        self.assertEqual(bash_offers("rivulet", "conformance", "run", "--engine", "=", "slu"), ["slurm"])
        self.assertEqual(bash_offers("rivulet-cc", "--emit", "spm"), ["spmd"])
        self.assertEqual(bash_offers("rivulet-run", "--repe"), ["--repeat"])
        self.assertIn("bash", bash_offers("rivulet", "trace", "bas"))
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "kernel.cl")
            file.touch()
            self.assertEqual(bash_offers("rivulet", "run", str(file)[:-4]), [str(file)])

    def test_zsh_completes(self):
        parsed = run("zsh", "-f", "-n", SHARE / "zsh/site-functions/_rivulet")
        self.assertEqual((parsed.returncode, parsed.stderr), (0, ""))
        shown = zsh_offers("rivulet ")
        for name in SUBCOMMANDS:
            self.assertIn(name, shown)
        self.assertIn("--environment", zsh_offers("rivulet info --"))

    def test_unknown_words_are_said(self):
        self.assertEqual(run(RIVULET, "--print-completion", "fish").returncode, 2)
        self.assertEqual(run(RIVULET, "--print-man", "nothing").returncode, 2)


class Facts(ProgramTest):
    def test_machines_have_what_info_says_of_them(self):
        machines = {entry["machine"]: entry for entry in
                    json.loads(run(RIVULET, "machines", "--json").stdout)}
        self.assertEqual(sorted(machines), run(RIVULET, "machines").stdout.split())
        told = json.loads(run(RIVULET, "info", "--json", RIVULET_MACHINE="rv64-v256").stdout)[0]
        for key in "isa", "vlen", "harts", "memory_mib":
            self.assertEqual(machines["rv64-v256"][key], told[key])

    def test_drivers_are_listed_and_can_be_named(self):
        drivers = run(RIVULET, "machines", "--drivers").stdout.split()
        self.assertLessEqual({"qemu", "linux", "loopback", "null"}, set(drivers))
        told = run(RIVULET, "machines", "--drivers", "--json").stdout
        self.assertEqual([entry["driver"] for entry in json.loads(told)], drivers)
        for name in "loopback", "null":
            process = run(RIVULET, "info", RIVULET_DRIVER=name, RIVULET_MACHINE=None)
            self.assertEqual(process.returncode, 0, process)

    def test_clock_is_set_where_the_driver_can(self):
        self.assertEqual(run(RIVULET, "info", "--set-clock", "1", RIVULET_DRIVER="null",
                             RIVULET_MACHINE=None).returncode, 0)
        for driver, mhz, words in ("null", "2", "at most 1 MHz"), \
                ("null", "0", "no clock of 0 MHz"), ("loopback", "1", "driver loopback can't set"):
            self.assert_fails(run(RIVULET, "info", "--set-clock", mhz, RIVULET_DRIVER=driver,
                                  RIVULET_MACHINE=None), words)

    def test_versions(self):
        told = json.loads(run(RIVULET, "version", "--json").stdout)
        self.assertEqual(run(RIVULET, "--version").stdout, f"rivulet {told['rivulet']}\n")
        self.assertIn(told["rivulet"], told["compiler"])
        self.assertEqual(told["firmware"]["virt-rv64"], f"protocol {told['protocol']}")
        with tempfile.TemporaryDirectory() as folder:
            source, image = pathlib.Path(folder) / "f.cl", pathlib.Path(folder) / "f"
            source.write_text("kernel void f() {}")
            self.assertEqual(run(BUILD / "bin/rivulet-cc", source, "-o", image).returncode, 0)
            self.assertIn(f"version {told['kernel_image']}, by {told['compiler']}\n",
                          run(BUILD / "bin/rivulet-cc", "--dump", image).stdout)
        for name in SUBCOMMANDS:
            with self.subTest(name):
                process = run(RIVULET, name, "--version")
                self.assertEqual(process.returncode, 0, process)
                self.assertEqual(process.stdout, told["compiler"] + "\n" if name == "cc"
                                 else f"rivulet {told['rivulet']}\n")

    def test_each_device_of_a_driver_is_told(self):
        def names(*options, machine="loopback"):
            process = run(RIVULET, "info", "--json", *options, RIVULET_DRIVER=TWO_DEVICES,
                          RIVULET_MACHINE=machine)
            self.assertEqual(process.returncode, 0, process)
            return [(entry["machine"], entry.get("state")) for entry in json.loads(process.stdout)]
        self.assertEqual(names(), [("loopback", None), ("second", None)])
        self.assertEqual(names("--start"), [("loopback", "running"), ("second", "running")])
        self.assertEqual(names(machine="loopback,device=1"), [("second", None)])
        self.assertEqual(names(machine="loopback;loopback,device=1"),
                         [("loopback", None), ("second", None), ("second", None)])
        clinfo = run("clinfo", "--list", RIVULET_DRIVER=TWO_DEVICES, RIVULET_MACHINE="loopback")
        self.assertRegex(clinfo.stdout, r"(?s)Device #0: .*loopback.*Device #1: .*second")
        process = run(RIVULET, "info", RIVULET_DRIVER=TWO_DEVICES, RIVULET_MACHINE="loopback,device=2")
        self.assert_fails(process, "has 2 of them")

    def test_bench_measures(self):
        told = json.loads(run(RIVULET, "bench", "--json", seconds=200, RIVULET_MACHINE="loopback").stdout)
        self.assertGreater(told["round_trip"]["in_chain_us"]["median"], 0)
        self.assertGreater(told["transfers"]["write"], 0)

    def test_no_other_device_is_tested_than_the_one_that_is_named(self):
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write("[[device]]\nharts = []\n")
            file.flush()
            for words in ["hal-test", "--filter", "Start.*"], ["doctor", "--board", "virt", "--quick"]:
                with self.subTest(words):
                    self.assert_fails(run(RIVULET, *words, RIVULET_CONFIG=file.name, RIVULET_MACHINE=None),
                                      f"{file.name}:2: ")
        self.assert_fails(run(RIVULET, "hal-test", "--filter", "Ring.*", RIVULET_DRIVER="telegraph"),
                          'no driver "telegraph"')

    def test_command_lines_that_are_wrong_end_with_2(self):
        for words in ["info", "--nonsense"], ["nonsense"], [], ["bench", "--nonsense"], \
                ["hal-test", "--nonsense"], ["doctor", "--nonsense"], ["cc", "--nonsense"], \
                ["cc", "--vlen", "-1", "x.cl"], ["monitor", "--pid", "-1"], \
                ["flash", "--board", "virt", "--image", "a", "--to", "b"]:
            self.assertEqual(run(RIVULET, *words).returncode, 2, words)
        self.assertIn("no subcommand nonsense", run(RIVULET, "nonsense").stderr)

    def test_output_that_cant_be_written_is_an_error(self):
        for words in ["info"], ["info", "--environment"], ["machines"], ["version", "--json"], ["--help"], \
                ["doctor", "--json"], ["sign", "--help"], ["bench", "--help"]:
            with self.subTest(words), open("/dev/full", "w") as full:
                process = subprocess.run([RIVULET, *words], stdout=full, stderr=subprocess.PIPE,
                                         text=True, timeout=60)
                self.assertEqual(process.returncode, 1)
                self.assertIn("standard output can't be written", process.stderr)

    def test_what_is_no_utf8_is_shown_all_the_same(self):
        name = b"\xff".decode(errors="surrogateescape")
        told = run(RIVULET, "info", "--environment", "--json", RIVULET_SIGN_KEY=name)
        values = {entry["name"]: entry["value"] for entry in json.loads(told.stdout)}
        self.assertEqual(values["RIVULET_SIGN_KEY"], "\ufffd")


class Doctor(ProgramTest):
    def findings(self, **environment):
        process = run(RIVULET, "doctor", "--json", **environment)
        return process.returncode, {entry["check"]: entry for entry in json.loads(process.stdout)}

    def test_all_is_well_here(self):
        status, found = self.findings()
        self.assertEqual(status, 0, found)
        self.assertEqual({name for name, entry in found.items() if entry["state"] == "bad"}, set())
        self.assertEqual(found["device"]["state"], "ok")

    def test_each_flaw_is_found_and_has_a_remedy(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "other.icd").write_text("libother.so.1\n")
            old = pathlib.Path(folder, "old-qemu")
            old.write_text("#!/bin/sh\necho 'QEMU emulator version 7.2.1'\n")
            old.chmod(0o755)
            hangs = pathlib.Path(folder, "hanging-qemu")
            hangs.write_text("#!/bin/sh\nexec sleep 1000\n")
            hangs.chmod(0o755)
            for check, words, environment in (
                    ("qemu", "does not print its version", {"RIVULET_QEMU": hangs}),
                    ("environment", "permitted are 0..3", {"RIVULET_LOG": "7"}),
                    ("environment", "permitted are 0..4294967", {"RIVULET_TIME_LIMIT": "abc"}),
                    ("qemu", "is missing", {"RIVULET_QEMU": ABSENT}),
                    ("qemu", "version 7.2.1; version 9", {"RIVULET_QEMU": old}),
                    ("firmware", "No such file", {"RIVULET_DATA": ABSENT}),
                    ("boards", "has no board", {"RIVULET_BOARD_PATH": ABSENT}),
                    ("compiler", "not there", {"RIVULET_CC": ABSENT}),
                    ("ICD", "no file in", {"OCL_ICD_VENDORS": folder}),
                    ("cache", "can't be written", {"RIVULET_CACHE": "/dev/null/cache"}),
                    ("device", "there is no machine", {"RIVULET_MACHINE": "rv65"})):
                with self.subTest(check, **environment):
                    status, found = self.findings(**environment)
                    self.assertEqual(status, 1)
                    self.assertEqual(found[check]["state"], "bad")
                    self.assertIn(words.lower(), found[check]["text"].lower())
                    self.assertNotEqual(found[check]["mend"], "")
            self.assertEqual(self.findings(OCL_ICD_VENDORS=folder)[1]["other ICD"]["state"], "note")

    def test_each_device_of_a_driver_is_started(self):
        process = run(RIVULET, "doctor", "--json", RIVULET_DRIVER=TWO_DEVICES, RIVULET_MACHINE="loopback")
        self.assertEqual(process.returncode, 0, process)
        devices = [entry for entry in json.loads(process.stdout) if entry["check"] == "device"]
        self.assertEqual([entry["state"] for entry in devices], ["ok", "ok"])
        self.assertEqual([entry["text"].split(":")[0] for entry in devices], ["loopback", "second"])

    def test_misspelt_variables_are_notes(self):
        status, found = self.findings(RIVULET_MACHIN="rv64-v128")
        self.assertEqual(status, 0)
        self.assertIn("did you mean RIVULET_MACHINE?", found["environment"]["text"])

    def test_limits_of_the_process(self):
        process = run("bash", "-c", f"ulimit -n 24; exec {RIVULET} doctor --json")
        self.assertEqual(process.returncode, 1)
        self.assertIn("ulimit -n", process.stdout)

    def test_colours_are_for_terminals_and_those_who_want_them(self):
        def shown_on_terminal(**environment):
            main, terminal = pty.openpty()
            with subprocess.Popen([RIVULET, "doctor"], stdin=subprocess.DEVNULL, stdout=terminal,
                                  env={**os.environ, "TERM": "xterm", **environment}) as process:
                os.close(terminal)
                text = b""
                try:
                    while got := os.read(main, 4096):
                        text += got
                except OSError:
                    pass  # all of it was read
                process.wait(timeout=60)
            os.close(main)
            return text
        self.assertIn(b"\x1b[", shown_on_terminal())
        self.assertNotIn(b"\x1b[", shown_on_terminal(NO_COLOR="1"))
        self.assertNotIn("\x1b[", run(RIVULET, "doctor").stdout)


if __name__ == "__main__":
    unittest.main()
