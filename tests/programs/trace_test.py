#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`rivulet trace`: the file is read by protoc, with a description of its own (trace.proto), and tells
what the program did."""
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import unittest

from programs import ABSENT, BUILD, VECADD, ProgramTest, run

HERE = pathlib.Path(__file__).resolve().parent
UNKNOWN = re.compile(r"^\s*\d+[: ]", re.MULTILINE)  # a field that trace.proto doesn't have


def packets(text):
    """protoc's text form of messages as dictionaries of lists."""
    root = {}
    stack = [root]
    for line in text.splitlines():
        line = line.strip()
        if line == "}":
            stack.pop()
        elif line.endswith("{"):
            message = {}
            stack[-1].setdefault(line[:-2], []).append(message)
            stack.append(message)
        else:
            name, _, value = line.partition(": ")
            stack[-1].setdefault(name, []).append(
                value.strip('"') if value.startswith('"') else
                int(value) if value.lstrip("-").isdigit() else value)
    return root.get("packet", [])


class Slices:
    """Rows by name, each a list of (start, end, name, event), from a trace in which every slice that
    begins must end, in the order of a stack."""

    def __init__(self, found, test):
        names, self.parents, self.labels, events = {}, {}, [], []
        for packet in found:
            if "track_descriptor" in packet:
                track = packet["track_descriptor"][0]
                uuid = track["uuid"][0]
                names[uuid] = (track.get("name") or track.get("process", [{}])[0].get("process_name") or
                               ["thread"])[0]
                self.parents[uuid] = track.get("parent_uuid", [0])[0]
                self.labels += track.get("process", [{}])[0].get("process_labels", [])
            else:
                events.append((packet["timestamp"][0], packet["track_event"][0]))
        self.rows, self.instants, self.counters = {}, [], {}
        open_slices = {}
        for time, event in events:  # the slices of one row come in the order of a stack
            row = event["track_uuid"][0]
            test.assertIn(row, names, "events on rows without a description")
            kind = event["type"][0]
            if kind == "SLICE_BEGIN":
                open_slices.setdefault(row, []).append((time, event))
            elif kind == "SLICE_END":
                start, begun = open_slices[row].pop()
                test.assertLessEqual(start, time)
                self.rows.setdefault(names[row], []).append((start, time, begun["name"][0], begun))
            elif kind == "INSTANT":
                self.instants.append(event["name"][0])
            else:
                self.counters.setdefault(names[row], []).append(event["counter_value"][0])
        test.assertFalse(any(open_slices.values()), "slices that never end")


class Trace(ProgramTest):
    def traced(self, *command, **environment):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file = pathlib.Path(folder.name) / "out.trace"
        process = run(BUILD / "bin/rivulet", "trace", "-o", file, *command, **environment)
        return process, file

    def decoded(self, file):
        text = subprocess.run(["protoc", "--decode=Trace", f"-I{HERE}", "trace.proto"], check=True,
                              stdin=file.open("rb"), capture_output=True, text=True).stdout
        self.assertIsNone(UNKNOWN.search(text), "fields that Perfetto doesn't have")
        return Slices(packets(text), self)

    def test_tells_calls_commands_and_harts(self):
        process, file = self.traced(VECADD, RIVULET_MACHINE="rv64-v128-icount")
        self.assertEqual(process.returncode, 0, process)
        self.assertIn("right", process.stdout)
        trace = self.decoded(file)
        calls = {name for _, _, name, _ in trace.rows["thread"]}
        for name in "clCreateContext", "clBuildProgram", "clEnqueueNDRangeKernel", "compile", \
                "start the device":
            self.assertIn(name, calls)
        commands = trace.rows["queue 1"]
        kernels = [slice for slice in trace.rows["hart 0"]]
        self.assertTrue(kernels)
        for start, end, name, event in kernels:
            on_queue = [command for command in commands if command[2] == name and
                        command[3].get("flow_ids") == event.get("flow_ids")]
            self.assertEqual(len(on_queue), 1)
            self.assertTrue(on_queue[0][0] <= start <= end <= on_queue[0][1])
            called = [slice for slice in trace.rows["thread"]
                      if slice[3].get("flow_ids") == event.get("flow_ids")]
            self.assertEqual([slice[2] for slice in called], ["clEnqueueNDRangeKernel"])
            annotations = event["debug_annotations"]
            self.assertEqual(annotations[0]["name"], ["instructions"])
            self.assertGreater(annotations[0]["uint_value"][0], 0)
        self.assertEqual(trace.labels, [run(BUILD / "bin/rivulet", "--version").stdout.strip()])
        self.assertIn("doorbell", trace.instants)
        self.assertGreater(max(trace.counters["device memory"]), 0)

    def test_the_program_ends_as_it_would(self):
        self.assertEqual(self.traced("sh", "-c", "exit 7")[0].returncode, 7)
        self.assertEqual(self.traced("sh", "-c", "kill -9 $$")[0].returncode, 128 + 9)
        self.assert_fails(self.traced(ABSENT + "/program")[0], "can't be run")
        self.assertIn("there is no trace", self.traced("true")[0].stderr)

    def test_only_a_new_trace_replaces_what_is_there(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            old, empty, fifo = folder / "old", folder / "empty", folder / "fifo"
            old.write_text("old")
            empty.mkdir()
            os.mkfifo(fifo)

            def traced(output, *command):
                return run(BUILD / "bin/rivulet", "trace", "-o", output, *command,
                           RIVULET_MACHINE="loopback")
            for command in [ABSENT + "/program"], ["true"]:
                traced(old, *command)
                self.assertEqual(old.read_text(), "old")
            for output in empty, fifo:
                self.assert_fails(traced(output, "true"), "it is no regular file")
            self.assertTrue(empty.is_dir() and fifo.is_fifo())
            self.assert_fails(traced(ABSENT + "/trace", "true"), "No such file")
            self.assertEqual(traced(old, VECADD).returncode, 0)
            self.assertIn("queue 1", self.decoded(old).rows)
            self.assertEqual(sorted(path.name for path in folder.iterdir()), ["empty", "fifo", "old"])

    def test_signals_end_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            process = subprocess.Popen([BUILD / "bin/rivulet", "trace", "-o", f"{folder}/trace", "sh",
                                        "-c", "echo ready; exec sleep 600"], text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            self.assertEqual(process.stdout.readline(), "ready\n")
            process.terminate()
            self.assertEqual(process.wait(20), 128 + signal.SIGTERM)
            process.stdout.close()  # tearDown sees that `sleep` has ended

    def test_a_program_that_the_traced_one_starts_has_a_file_of_its_own(self):
        process, file = self.traced("sh", "-c", f"{VECADD}; {VECADD}", RIVULET_MACHINE="loopback")
        self.assertEqual(process.returncode, 0, process)
        files = sorted(file.parent.iterdir())
        self.assertEqual(len(files), 2, files)
        for file in files:
            self.assertIn("queue 1", self.decoded(file).rows)

    def test_a_file_that_cant_be_written_is_said_once(self):
        process = run(VECADD, RIVULET_TRACE=ABSENT + "/trace", RIVULET_MACHINE="loopback")
        self.assertEqual(process.returncode, 0, process)
        self.assertEqual(process.stderr.count("nothing is traced"), 1)

    def test_a_former_file_that_cant_be_replaced_is_left_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "trace")
            file.write_text("former")
            process = run("unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
                          f"mount --bind {file} {file} && exec {BUILD}/bin/rivulet trace -o {file} true")
            if process.stderr.startswith(("unshare: ", "mount: ")):
                self.skipTest(process.stderr)
            self.assert_fails(process, "can't be replaced", str(file))
            self.assertEqual([path.name for path in pathlib.Path(folder).iterdir()], ["trace"])
            self.assertEqual(file.read_text(), "former")

    def test_a_limit_of_files_ends_the_trace_with_a_whole_packet(self):
        with tempfile.TemporaryDirectory() as folder:
            source, file = pathlib.Path(folder, "one.cl"), pathlib.Path(folder, "trace")
            source.write_text("kernel void one(global float *a) { a[get_global_id(0)] = 1; }")
            command = f"{BUILD}/bin/rivulet-run {source} one zeros:64"
            script = f"{command} && ulimit -f 72 && export RIVULET_TRACE={file} && exec {command} -r 500"
            process = run("bash", "-c", script, RIVULET_MACHINE="loopback", RIVULET_CACHE=folder)
            self.assertEqual(process.returncode, 0, process)
            self.assertEqual(process.stderr.count("the trace ends early: File too large"), 1, process)
            self.assertIn("queue 1", self.decoded(file).rows)

    def test_a_full_disk_ends_the_trace_with_a_whole_packet(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(f"{folder}.cl")
            source.write_text("kernel void one(global float *a) { a[get_global_id(0)] = 1; }")
            self.addCleanup(source.unlink)
            script = (f"mount -t tmpfs -o size=72k none {folder} && "
                      f"RIVULET_TRACE={folder}/trace RIVULET_MACHINE=loopback {BUILD}/bin/rivulet-run "
                      f"{folder}.cl one zeros:64 -r 500 && cp {folder}/trace {folder}.copy")
            process = run("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script)
            if process.stderr.startswith(("unshare: ", "mount: ")):
                self.skipTest(process.stderr)
            file = pathlib.Path(f"{folder}.copy")
            self.addCleanup(file.unlink, missing_ok=True)
        self.assertEqual(process.returncode, 0, process)
        self.assertEqual(process.stderr.count("the trace ends early: No space left"), 1, process)
        self.assertIn("queue 1", self.decoded(file).rows)


if __name__ == "__main__":
    unittest.main()
