#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rivulet monitor alongside a running program, and rivulet dump: they see what happens and change
nothing."""
import json
import os
import pathlib
import pty
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from programs import BUILD, PYTHON, ProgramTest, run

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "daemon"))
from with_daemon import Daemon

RIVULET = BUILD / "bin/rivulet"

# A long kernel again and again, until standard input ends; says how many were right.
PROGRAM = """
import select, sys
import numpy, pyopencl as cl
context = cl.Context(cl.get_platforms()[0].get_devices())
queue = cl.CommandQueue(context)
program = cl.Program(context, '''kernel void spin(global uint *out, uint turns) {
    uint x = get_global_id(0);
    for (uint i = 0; i < turns; ++i) x = x * 1664525u + 1013904223u;
    out[get_global_id(0)] = x;
}''').build()
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4 * 1024)
kernel = program.spin
results = []
print("ready", flush=True)
while not results or not select.select([sys.stdin], [], [], 0)[0]:
    kernel(queue, (1024,), (64,), out, numpy.uint32(200000))
    host = numpy.empty(1024, numpy.uint32)
    cl.enqueue_copy(queue, host, out)
    results.append(host.tobytes())
print("same" if len(set(results)) == 1 else "different", flush=True)
"""


class Monitor(ProgramTest):
    def program(self, **settings):
        environment = {**os.environ, "RIVULET_MACHINE": "rv64-v128,harts=2",
                       "PYOPENCL_NO_CACHE": "1", **settings}
        program = subprocess.Popen([PYTHON, "-c", PROGRAM], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True, env=environment)
        self.addCleanup(program.stdout.close)
        self.assertEqual(program.stdout.readline(), "ready\n")
        return program

    def end(self, program):
        program.stdin.close()
        self.assertEqual(program.stdout.readline(), "same\n")
        self.assertEqual(program.wait(60), 0)

    def look(self, program, *options):
        process = run(RIVULET, "monitor", "--pid", program.pid, "--once", "--json", *options)
        self.assertEqual(process.returncode, 0, process)
        devices = json.loads(process.stdout)
        self.assertEqual(len(devices), 1)
        return devices[0]

    def test_beside_a_program(self):
        program = self.program()
        first = self.look(program)
        self.assertEqual((first["state"], first["board"], first["vlen"]), ("running", "virt", 128))
        self.assertEqual(len(first["harts"]), 2)
        self.assertTrue(any("hello" in line or "hart" in line for line in first["log"])
                        or first["log"] == [], first["log"])
        while not (second := self.look(program))["harts"][0]["launches"] > 2:
            pass
        for hart in second["harts"]:
            self.assertIn(hart["state"], ("idle", "working"))
            self.assertIn("busy", hart)
        self.assertGreater(second["heartbeat"]["count"], 0)
        self.assertEqual(second["session"], first["session"])  # no host attached
        # A kernel that runs for seconds keeps a hart busy, which is shown.
        deadline = time.monotonic() + 60
        while not any(hart["state"] == "working" for hart in self.look(program)["harts"]):
            self.assertLess(time.monotonic(), deadline)
        self.end(program)

    def test_lines_and_the_end_of_the_program(self):
        program = self.program()
        with subprocess.Popen([RIVULET, "monitor", "--pid", str(program.pid), "--interval", "0.1"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as monitor:
            while not monitor.stdout.readline().startswith("running: harts 2"):
                self.assertIsNone(monitor.poll())
            self.end(program)
            self.assertIn("has ended", monitor.communicate(timeout=30)[0])
            self.assertEqual(monitor.returncode, 0)

    def test_screen(self):
        program = self.program()
        pid, terminal = pty.fork()
        if pid == 0:
            os.execv(RIVULET, ["rivulet", "monitor", "--pid", str(program.pid)])
        shown = b""
        while b"instructions" not in shown:
            self.assertTrue(select.select([terminal], [], [], 30)[0], shown)
            shown += os.read(terminal, 65536)
        self.assertIn(b"running, board virt, 2 harts", shown)
        os.write(terminal, b"q")
        self.assertEqual(os.waitpid(pid, 0)[1], 0)
        os.close(terminal)
        self.end(program)

    def test_device_of_its_own(self):
        process = run(RIVULET, "monitor", "--start", "--once", "--json",
                      RIVULET_MACHINE="rv64-v256,harts=1")
        device = json.loads(process.stdout)[0]
        self.assertEqual((device["state"], device["vlen"]), ("running", 256))
        self.assertEqual(device["harts"][0]["state"], "idle")
        process = run(RIVULET, "monitor", "--start", "--seconds", "1", "--interval", "0.2",
                      RIVULET_MACHINE="rv64-v256,harts=1")
        self.assertIn("running: harts 1", process.stdout)

    def test_shared_device(self):
        """Who uses a device of rivuletd, how much, and how much at the moment."""
        with Daemon(BUILD / "bin/rivuletd", "--machine", "rv64-v128,harts=2,memory=1G",
                    "--verbose", stderr=subprocess.PIPE) as daemon:
            client = {"RIVULET_MACHINE": f"daemon,socket={daemon.socket}"}
            self.assertEqual(self.shared(client)["users"], [])
            programs = [self.program(**client) for _ in range(2)]
            while len(users := self.shared(client)["users"]) < 2 or any(
                    not user["instructions"] or "share" not in user for user in users):
                pass
            self.assertEqual({user["pid"] for user in users}, {program.pid for program in programs})
            self.assertAlmostEqual(sum(user["share"] for user in users), 1, delta=0.01)
            for user in users:
                self.assertGreater(user["memory_mib"], 0)
                self.assertEqual(user["failures"], 0)
                self.assertGreater(user["launches"], 0)
            told = json.loads(run(RIVULET, "info", "--json", **client).stdout)[0]
            self.assertEqual({told["user 0"]["pid"], told["user 1"]["pid"]},
                             {program.pid for program in programs})
            process = run(RIVULET, "monitor", "--seconds", "1", "--interval", "0.2", **client)
            self.assertIn("shared by 2 processes", process.stdout)
            shown = run(RIVULET, "monitor", "--once", **client).stdout
            self.assertRegex(shown, rf"(?m)^ +{programs[0].pid} .*%")
            for program in programs:
                self.end(program)
            while self.shared(client)["users"]:
                pass
        self.assertRegex(daemon.process.stderr.read(),
                         rf"process {programs[0].pid} \(.*\) of user \d+ has left: [1-9]\d* launches, "
                         r"0 failures, [1-9]\d* instructions")
        daemon.process.stderr.close()
        process = run(RIVULET, "monitor", "--once", **client)
        self.assertEqual(process.returncode, 1)
        self.assertIn("rivuletd", process.stderr)

    def shared(self, client):
        process = run(RIVULET, "monitor", "--once", "--json", "--interval", "0.3", **client)
        self.assertEqual(process.returncode, 0, process)
        return json.loads(process.stdout)[0]

    def test_faults(self):
        faulty = """
import sys, pyopencl as cl
context = cl.Context(cl.get_platforms()[0].get_devices())
queue = cl.CommandQueue(context)
kernel = cl.Program(context, "kernel void wild(global int *out) { out[1ul << 32] = 1; }").build().wild
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4096)
try:
    kernel(queue, (1,), None, out).wait()
except cl.Error:
    print("fault", flush=True)
    sys.stdin.read()
"""
        with subprocess.Popen([PYTHON, "-c", faulty], stdin=subprocess.PIPE, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              env={**os.environ, "RIVULET_MACHINE": "rv64-v128,harts=1",
                                   "PYOPENCL_NO_CACHE": "1"}) as program:
            self.assertEqual(program.stdout.readline(), "fault\n")
            self.assertIn("store outside of its memory", self.look(program)["faults"][0])
            program.stdin.close()
            program.wait(60)

    def test_dump_of_a_running_device(self):
        program = self.program()
        with tempfile.TemporaryDirectory() as folder:
            core = pathlib.Path(folder) / "now.core"
            process = run(RIVULET, "dump", "--pid", program.pid, "-o", core)
            self.assertEqual(process.returncode, 0, process)
            shown = run("gdb-multiarch", "-nx", "-batch", "-ex", "print the_firmware.harts",
                        BUILD / "lib/rivulet/firmware/virt-rv64.elf", core).stdout
            self.assertIn("$1 = 2", shown)
        self.end(program)

    def test_debug_port(self):
        """Monitor and dump through a debugger's stub, of firmware that was not started by a driver."""
        for bits in "64", "32":
            with self.subTest(bits), tempfile.TemporaryDirectory() as folder:
                stub, core = f"{folder}/stub", f"{folder}/now.core"
                firmware = BUILD / f"lib/rivulet/firmware/virt-rv{bits}.elf"
                command = [f"qemu-system-riscv{bits}", "-M", "virt", "-cpu", f"rv{bits},v=on", "-smp",
                           "2", "-m", "256M", "-display", "none", "-serial", "null", "-bios", firmware,
                           "-chardev", f"socket,id=gdb,path={stub},server=on,wait=off", "-gdb",
                           "chardev:gdb"]
                for offset, word in (0, 0x544C5652), (4, 1 << 16):  # a boot block: there is a host
                    command += ["-device",
                                f"loader,addr={0x80100400 + offset},data={word},data-len=4"]
                with subprocess.Popen(command, stdin=subprocess.DEVNULL) as machine:
                    try:
                        self.watch_stub(stub, core, firmware)
                    finally:
                        machine.kill()

    def watch_stub(self, stub, core, firmware):
        machine = f"gdb,target=unix:{stub},board=virt"
        deadline = time.monotonic() + 60
        while (seen := run(RIVULET, "monitor", "--once", "--json",
                           RIVULET_MACHINE=machine)).returncode != 0 \
                or json.loads(seen.stdout)[0]["state"] != "running":
            self.assertLess(time.monotonic(), deadline, seen)
        device = json.loads(seen.stdout)[0]
        self.assertEqual((device["board"], len(device["harts"])), ("virt", 2))
        lines = run(RIVULET, "monitor", "--seconds", "0.5", "--interval", "0.2",
                    RIVULET_MACHINE=machine).stdout
        self.assertIn("running: harts 2", lines)
        process = run(RIVULET, "dump", "-o", core, RIVULET_MACHINE=machine)
        self.assertEqual(process.returncode, 0, process)
        shown = run("gdb-multiarch", "-nx", "-batch", "-ex", "print the_firmware.harts", "-ex",
                    "info threads", firmware, core).stdout
        self.assertIn("$1 = 2", shown)
        self.assertIn("2 ", shown)
        # It continues to run.
        again = json.loads(run(RIVULET, "monitor", "--once", "--json", RIVULET_MACHINE=machine).stdout)
        self.assertEqual(again[0]["state"], "running")

    def test_nothing_to_watch(self):
        self.assert_fails(run(RIVULET, "monitor", "--once", "--pid", os.getpid()), "no device")
        self.assert_fails(run(RIVULET, "monitor", "--once", RIVULET_MACHINE="gdb,target=unix:/none,"
                              "board=virt"), "/none")
        self.assert_fails(run(RIVULET, "monitor", "--once",
                              RIVULET_MACHINE="linux,window.file=/dev/null"), "size")
        self.assertIn("/none.toml", run(RIVULET, "monitor", "--once", RIVULET_CONFIG="/none.toml").stderr)

    def watch_sensors(self, folder, window):
        sensors = {"clock/cpuinfo_max_freq": 1600000, "clock/scaling_max_freq": 1228800,
                   "clock/scaling_cur_freq": 614400, "temp1_input": 48500, "temp1_max": 85000}
        os.mkdir(f"{folder}/clock")
        for name, value in sensors.items():
            pathlib.Path(folder, name).write_text(f"{value}\n", encoding="utf-8")
        machine = f"linux,window.file={window},sysfs={folder},sensors.clock=clock,sensors.temperature=temp1_input"
        seen = run(RIVULET, "monitor", "--once", "--json", RIVULET_MACHINE=machine)
        self.assertEqual(json.loads(seen.stdout)[0]["conditions"],
                         {"max_clock_mhz": 1600, "clock_mhz": 614, "celsius": 48.5, "celsius_limit": 85.0,
                          "throttled": True})
        text = "clock 614 of 1600 MHz, 48.5 C (limit 85.0 C), throttled\n"
        self.assertIn("\n  " + text, run(RIVULET, "monitor", "--once", RIVULET_MACHINE=machine).stdout)
        self.assertIn(", " + text, run(RIVULET, "monitor", "--seconds", "0.2", RIVULET_MACHINE=machine).stdout)
        pathlib.Path(folder, "temp1_input").unlink()
        self.assert_fails(run(RIVULET, "monitor", "--once", RIVULET_MACHINE=machine), "temp1_input")

    def test_window_in_use(self):
        """A card's file, which a lock keeps for its host, can be watched nevertheless."""
        with tempfile.TemporaryDirectory() as folder:
            window, socket = f"{folder}/window", f"{folder}/card"
            with subprocess.Popen([RIVULET, "card", "--socket", socket, "--window", window,
                                   "--machine", "rv64-v128,harts=1,memory=64M"],
                                  stdout=subprocess.PIPE, text=True) as card:
                while card.stdout.readline() != "# The card is ready.\n":
                    self.assertIsNone(card.poll())
                deadline = time.monotonic() + 60
                while (seen := run(RIVULET, "monitor", "--once", "--json", RIVULET_MACHINE="linux,"
                                   f"window.file={window}")).returncode != 0:
                    self.assertLess(time.monotonic(), deadline, seen)
                self.assertEqual(json.loads(seen.stdout)[0]["board"], "virt")
                self.assertNotIn("conditions", json.loads(seen.stdout)[0])
                self.watch_sensors(folder, window)
                environment = {**os.environ, "RIVULET_MACHINE": f"linux,window.file={window}"}
                with subprocess.Popen([RIVULET, "monitor", "--interval", "0.1"], text=True, env=environment,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as watch:
                    watch.stdout.readline()
                    os.truncate(window, 4096)
                    self.assertIn(f"{window} has become shorter", watch.communicate(timeout=60)[0])
                    self.assertGreaterEqual(watch.returncode, 0)
                card.send_signal(signal.SIGTERM)
                card.wait(60)


if __name__ == "__main__":
    unittest.main()
