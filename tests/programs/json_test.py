#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--json of each subcommand gives one JSON document on standard output, also where something fails;
--help of those that have no --json says so and why."""
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

from programs import ABSENT, BUILD, VECADD, ProgramTest, run

RIVULET = BUILD / "bin/rivulet"
DATA = BUILD / "lib/rivulet"
FIRMWARE = DATA / "firmware/virt-rv64.elf"
SUBCOMMANDS = [entry["name"] for entry in
               json.loads(run(RIVULET, "--print-options").stdout)["subcommands"]]
WITHOUT = {"cc", "debug"} # what they print is code, or another program's
LOOPBACK = {"RIVULET_MACHINE": "loopback,harts=1"}


class EachSubcommand(ProgramTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.seen = set()

    def document(self, name, *words, status=0, **environment):
        """The one document of standard output."""
        self.seen.add(name)
        process = run(RIVULET, name, *words, seconds=200, **environment)
        self.assertEqual(process.returncode, status, process)
        return json.loads(process.stdout)

    def test_without_a_document_there_is_nothing(self):
        """Neither a partial document nor plain text."""
        for words, status in ((["bench"], 1), (["run", ABSENT + ".cl", "k"], 1),
                              (["monitor", "--once", "--pid", "1"], 1), (["dump", "--pid", "1"], 1),
                              (["card", "--socket", ABSENT + "/s"], 1),
                              (["trace", ABSENT + "/program"], 127),
                              (["profile", ABSENT + "/program"], 127),
                              (["conformance", "list", "--suites", ABSENT], 2),
                              (["flash", "--board"], 2), (["sign"], 2),
                              (["hal-test", "--gtest_output=xml:x.xml"], 2)):
            with self.subTest(words[0]):
                process = run(RIVULET, words[0], "--json", *words[1:], seconds=100,
                              RIVULET_MACHINE="rv65")
                self.assertEqual((process.stdout, process.returncode), ("", status), process)
                self.assertNotEqual(process.stderr, "")

    def test_all(self):
        for name in WITHOUT:
            self.seen.add(name)
            self.assertIn("There is no --json", run(RIVULET, name, "--help").stdout)
        kernel = self.folder / "work.cl"
        kernel.write_text("kernel void twice(global int *x) { x[get_global_id(0)] *= 2; }\n")
        self.document("info", "--json", **LOOPBACK)
        self.document("info", "--json", "--start", **LOOPBACK)
        self.document("info", "--json", "--environment")
        self.document("machines", "--json")
        self.document("version", "--json")
        self.document("bench", "--json", **LOOPBACK)
        self.document("run", "--json", kernel, "twice", "iota:64", **LOOPBACK)
        self.document("doctor", "--json")
        rungs = self.document("doctor", "--json", "--board", "virt", "--quick",
                              RIVULET_MACHINE="rv64-v128,harts=1")
        self.assertEqual((rungs[-1]["rung"], rungs[-1]["state"]), ("ping", "ok"))
        self.assertEqual(self.document("doctor", "--json", "--board", "none", status=1)[-1]["state"],
                         "stop")
        self.flash_and_sign()
        self.hal_test()
        traced = self.document("trace", "--json", "-o", self.folder / "trace", VECADD, **LOOPBACK)
        self.assertEqual((traced["trace"], traced["status"]), (str(self.folder / "trace"), 0))
        self.assertEqual(self.document("trace", "--json", "-o", self.folder / "none", "sh", "-c",
                                       "echo '{'; exit 3", status=3)["trace"], None)
        self.document("trace", "--json", "-o", self.folder / "none", "sh", "-c", "exit 127", status=127)
        self.assertIn("kernels", self.document("profile", "--json", VECADD,
                                               RIVULET_MACHINE="rv64-v128,harts=1"))
        self.conformance()
        self.device_that_runs()
        self.assertEqual(self.seen, set(SUBCOMMANDS))

    def flash_and_sign(self):
        plan = self.document("flash", "--json", "--board", "virt", "--via", "raw", "--dry-run")
        self.assertEqual((plan["board"], plan["method"]["name"], plan["method"]["dry_run"]),
                         ("virt", "raw", True))
        self.assertIn("is not a method", self.document("flash", "--json", "--board", "virt", "--via", "post",
                                                 status=1)["error"])
        running = self.document("flash", "--json", "--board", "virt", "--via", "qemu",
                                RIVULET_MACHINE="rv64-v128,harts=1")["running"]
        self.assertEqual((running["board"], running["harts"]), ("virt", 1))
        key, signed = self.folder / "key", self.folder / "signed.elf"
        keys = self.document("sign", "--json", "--new-key", key)["keys"]
        self.assertEqual([entry["kind"] for entry in keys], ["private", "public"])
        made = self.document("sign", "--json", "--key", key, FIRMWARE, "-o", signed)["signed"]
        self.assertEqual([(entry["file"], entry["kind"]) for entry in made], [(str(signed), "firmware")])
        public = keys[1]["file"]
        self.assertEqual(len(self.document("sign", "--json", "--check", public, signed)["checked"]), 1)
        self.assertIn("not signed", self.document("sign", "--json", "--check", public, signed, FIRMWARE,
                                                  status=1)["error"])

    def hal_test(self):
        told = self.document("hal-test", "--json", "-f", "Start.HelloAgrees*", **LOOPBACK)
        self.assertEqual((told["tests"], told["failures"]), (1, 0))
        self.assertGreater(self.document("hal-test", "--json", "--list", **LOOPBACK)["tests"], 50)
        self.document("hal-test", "--json", "-f", "Start.HelloAgrees*", status=1,
                      RIVULET_MACHINE="rv64-v128,harts=1", RIVULET_FIRMWARE=ABSENT)

    def conformance(self):
        manifest = self.folder / "suites.toml"
        manifest.write_text('[suite.one]\nkind = "plain"\ntests = { truth = ["/bin/true"] }\n')
        chosen = ["--suites", manifest, "--machine", "rv64-v128,harts=1"]
        output = self.folder / "run"
        self.assertEqual(len(self.document("conformance", "list", "--json", *chosen)["tests"]), 1)
        self.assertEqual(len(self.document("conformance", "run", "--json", "--dry-run", *chosen,
                                           "-o", output)["tests"]), 1)
        self.document("conformance", "run", "--json", *chosen, "-o", output)
        self.document("conformance", "report", "--json", output)
        self.document("conformance", "merge", "--json", output, "-o", self.folder / "merged")
        self.document("conformance", "ctest", "--json", *chosen, "-o", self.folder / "ctest")

    def device_that_runs(self):
        """card, and monitor and dump, which inspect it."""
        self.seen.add("card")
        socket = self.folder / "card.sock"
        with subprocess.Popen([RIVULET, "card", "--json", "--socket", socket, "--machine",
                               "rv64-v128,harts=1,memory=128M"], stdout=subprocess.PIPE,
                              text=True) as card:
            text = ""
            try:
                while not text.endswith("\n}\n"): # the end of the outermost object
                    line = card.stdout.readline()
                    self.assertNotEqual(line, "", "the card ended: " + text)
                    text += line
                self.assertEqual(json.loads(text)["process"]["window"], {"ivshmem": str(socket)})
                self.document("monitor", "--json", "--once", "--pid", card.pid)
                core = self.folder / "core"
                told = self.document("dump", "--json", "-o", core, "--pid", card.pid)
                self.assertEqual(told["core"], str(core))
                self.assertTrue(core.stat().st_size)
                link = self.folder / "link"
                link.symlink_to(core)
                self.document("dump", "--json", "-o", link, "--pid", card.pid)
                self.assertTrue(link.is_symlink())  # it is not replaced, nor are device nodes
            finally:
                card.send_signal(signal.SIGTERM)
                text += card.stdout.read()
            json.loads(text)


if __name__ == "__main__":
    os.environ.setdefault("RIVULET_CACHE", "off")
    unittest.main()
