#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A real Slurm on this machine, of two nodes: a job array, one of whose tasks is killed in the middle,
and one of whose nodes is.

Needs slurm-wlm and munge of Debian, and root to start their daemons; skipped without.
"""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time
import unittest

from farm import COMMAND, FarmTest, wait_until

CONFIGURATION = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmdTimeout=8
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerParameters=sched_interval=1,batch_sched_delay=0
MinJobAge=300
ReturnToService=2
NodeName=one NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[0]} CPUs={cpus} State=UNKNOWN
NodeName=two NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4
"""


def read(path):
    try:
        return path.read_bytes()
    except OSError:
        return b""


def parent_of(pid):
    return int(read(pathlib.Path(f"/proc/{pid}/stat")).rsplit(b")", 1)[1].split()[1])


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Controller(FarmTest):
    """Commands that stand for Slurm's, where no job ends."""

    def setUp(self):
        super().setUp()
        for name, text in (("sbatch", "echo 7"), ("scancel", f'echo "$@" >>{self.folder}/cancelled'),
                           ("squeue", f"[ -e {self.folder}/asked ] && echo RUNNING && exit\n"
                                      f"touch {self.folder}/asked; echo no answer >&2; exit 1")):
            path = self.write(f"bin/{name}", f"#!/bin/sh\n{text}\n")
            os.chmod(path, 0o755)

    def start(self):
        """The runner, which waits for its job."""
        process = subprocess.Popen(
            [*COMMAND, "run", *self.suites({"a": {"b": ["pass"]}}), "--engine", "slurm",
             "--output", str(self.out)], stderr=subprocess.PIPE, text=True,
            env={**self.environment(), "PATH": f"{self.folder}/bin:{os.environ['PATH']}"})
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        wait_until((self.folder / "asked").exists)
        return process

    def test_a_job_that_cant_be_cancelled_is_said_to_be_there(self):
        scancel = self.folder / "bin/scancel"
        for text in "echo no permission >&2; exit 1", "exit 1", None:
            with self.subTest(text):
                if text:
                    scancel.write_text(f"#!/bin/sh\n{text}\n")
                else:
                    scancel.unlink()
                process = self.start()
                process.terminate()
                self.assertEqual(process.wait(60), 143)
                said = process.stderr.read()
                self.assertIn("job 7 was not cancelled", said)
                self.assertNotIn("cancelled job 7", said)
                self.assertIn("no permission" if text and "permission" in text else "scancel", said)
                (self.folder / "asked").unlink()

    def test_it_may_be_away_for_a_while_and_signals_cancel_the_job(self):
        for number, code in ((signal.SIGTERM, 143), (signal.SIGINT, 130)):
            process = self.start()
            time.sleep(3)  # it asks once more
            self.assertIsNone(process.poll())
            process.send_signal(number)
            self.assertEqual(process.wait(60), code)
            self.assertIn("cancelled job 7", process.stderr.read())
            self.assertEqual((self.folder / "cancelled").read_text(), "7\n")
            for name in ("cancelled", "asked"):
                (self.folder / name).unlink()


@unittest.skipUnless(os.getuid() == 0 and shutil.which("slurmctld") and shutil.which("munged"),
                     "needs root, slurm-wlm and munge")
class Slurm(FarmTest):
    def daemon(self, *words):
        log = open(self.folder / (pathlib.Path(words[0]).name + ".out"), "wb")
        self.addCleanup(log.close)
        process = subprocess.Popen([str(word) for word in words], stdout=log, stderr=log,
                                   env=self.cluster)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        return process

    def setUp(self):
        super().setUp()
        self.folder.chmod(0o755)
        for name in ("state", "spool.one", "spool.two"):
            (self.folder / name).mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        configuration = self.write("slurm.conf", CONFIGURATION.format(
            host=socket.gethostname().split(".")[0], port=free_port(), ports=[free_port(), free_port()],
            folder=self.folder, cpus=os.cpu_count()))
        self.cluster = {**self.environment(), "SLURM_CONF": configuration}
        self.daemon(shutil.which("munged"), "--foreground", "--force", "--key-file", key,
                    "--socket", self.folder / "munge.socket", "--log-file",
                    self.folder / "munge.log", "--pid-file", self.folder / "munge.pid",
                    "--seed-file", self.folder / "munge.seed")
        wait_until((self.folder / "munge.socket").exists)
        self.daemon(shutil.which("slurmctld"), "-D", "-c")
        self.nodes = {name: self.daemon(shutil.which("slurmd"), "-D", "-c", "-N", name)
                      for name in ("one", "two")}
        wait_until(lambda: subprocess.run(
            ["sinfo", "--noheader", "--Node", "--format=%t"], env=self.cluster, capture_output=True,
            text=True, check=False).stdout.split() == ["idle", "idle"])

    def waiting_runner(self):
        """(process, shard) of the runner whose test is waiting."""
        waiting = next(path for path in pathlib.Path("/proc").glob("[0-9]*/cmdline")
                       if str(self.folder / "gate").encode() in read(path).split(b"\0"))
        parent = parent_of(int(waiting.parent.name))
        words = read(pathlib.Path(f"/proc/{parent}/cmdline")).split(b"\0")
        return parent, words[words.index(b"--shard") + 1].decode().split("/")[0]

    def kill_task(self):
        """Kills the runner alone; the number of its shard."""
        runner, shard = self.waiting_runner()
        os.kill(runner, signal.SIGKILL)
        return shard

    def kill_node(self):
        """Kills all of Slurm on the node of the waiting test, and what it runs, as power does."""
        runner, shard = self.waiting_runner()
        environment = read(pathlib.Path(f"/proc/{runner}/environ")).split(b"\0")
        node = next(word.partition(b"=")[2].decode() for word in environment
                    if word.startswith(b"SLURMD_NODENAME="))
        self.nodes[node].kill()
        chain = [runner]  # up to slurmstepd, which has no parent any more
        while (parent := parent_of(chain[-1])) > 1 and b"slurm" in read(
                pathlib.Path(f"/proc/{parent}/cmdline")):
            chain.append(parent)
        for process in reversed(chain):
            os.kill(process, signal.SIGKILL)
        return shard

    def run_while(self, kill, seconds):
        """A run of two shards, of which `kill` kills one in the middle: it runs again."""
        gate, count = self.folder / "gate", self.folder / "count"
        suites = self.suites({"a": {"b": ["waits", str(gate)], "c": ["counts", str(count)],
                                    "d": ["pass"], "e": ["pass"]}})
        process = subprocess.Popen(
            [*COMMAND, "run", *suites, "--engine", "slurm", "--shards", "2", "--output",
             str(self.out)], env=self.cluster, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True)
        self.addCleanup(process.stdout.close)
        wait_until((self.folder / "gate.started").exists)
        killed = kill()
        gate.touch()
        output, _ = process.communicate(timeout=seconds)
        self.assertEqual(process.returncode, 0, output)
        self.assertIn(f"shards {killed} again", output)
        self.assertEqual(self.statuses(), {f"a/{n}": "pass" for n in "bcde"})
        self.assertEqual(count.read_text().count("ran"), 1)

    def test_a_task_that_is_killed_is_submitted_again_and_counts_once(self):
        self.run_while(self.kill_task, 200)

    def test_a_node_that_is_killed_costs_its_tests_alone(self):
        self.run_while(self.kill_node, 400)


if __name__ == "__main__":
    unittest.main()
