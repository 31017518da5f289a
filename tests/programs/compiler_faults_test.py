#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A compiler that crashes, never ends, eats memory or is killed is a failed build with a log; the
program and its later builds are fine. A full disk is no failure at all."""
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

from programs import BUILD, PYTHON, SOURCE, ProgramTest, run

# Builds a source (or SPIR-V) that takes the compiler down, then a good one.
PROGRAM = """
import sys
import numpy, pyopencl as cl
device = cl.get_platforms()[0].get_devices()[0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
# 8^12 words
words = " ".join(map(str, range(1 << 18)))
endless = "".join(f"#define A{i} " + f"A{i + 1} " * 8 + "\\n" for i in range(12)) + (
    "#define A12 x\\nkernel void f() { A0 }\\n")
sources = {"crash": "#pragma clang __debug crash\\n",
           "fatal": "#pragma clang __debug llvm_fatal_error\\n", "endless": endless,
           "long source": f"kernel void f() {{ }} // {words}",
           "large image": "constant int data[1 << 20] = {1}; "
                          "kernel void f(global int *a) { *a = data[*a & 7]; }"}
if "wait" in sys.argv: # until the test has found the compiler, which is warm then
    cl.Program(context, "kernel void f() { }").build(cache_dir=False)
    print("ready", flush=True)
    sys.stdin.readline()
try:
    what = sys.argv[1]
    source = open(what, "rb").read() if what.endswith(".spv") else sources[what]
    cl.Program(context, source).build(cache_dir=False)
    print("built")
except cl.RuntimeError as error:
    print(error.code == cl.status_code.BUILD_PROGRAM_FAILURE, error)
good = cl.Program(context, "kernel void good(global int *out) { *out = 42; }").build(
    cache_dir=False)
out = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4)
good.good(queue, (1,), None, out)
result = numpy.zeros(1, numpy.int32)
cl.enqueue_copy(queue, result, out)
print("then", result[0])
"""

# Threads that build what crashes, threads that link what takes too long, and good programs after.
THREADS = """
import ctypes, threading, warnings
import numpy, pyopencl as cl
warnings.simplefilter("ignore") # programs are compiled here without being built
opencl = ctypes.CDLL("libOpenCL.so.1")
opencl.clLinkProgram.restype = ctypes.c_void_p
device = cl.get_platforms()[0].get_devices()[0]
context = cl.Context([device])
statements = 4000 # each of which waits for the one before it
long = "kernel void l(global int *a) { int x = a[get_global_id(0)]; %s a[0] = x; }" % (
    "x = x * 3 ^ a[x & 7];" * statements)
outcomes = []
def crash():
    try:
        cl.Program(context, "#pragma clang __debug crash\\n").build(cache_dir=False)
    except cl.RuntimeError as error:
        return error.code, error
def link(): # pyopencl's own releases a program twice that fails to link
    part = cl.Program(context, long).compile()
    parts = (ctypes.c_void_p * 1)(part.int_ptr)
    code = ctypes.c_int()
    program = opencl.clLinkProgram(ctypes.c_void_p(context.int_ptr), 0, None, b"", 1, parts, None,
                                   None, ctypes.byref(code))
    program = cl.Program.from_int_ptr(program, retain=False)
    return code.value, program.get_build_info(device, cl.program_build_info.LOG)
def run(bad):
    code, log = bad()
    outcomes.append(f"{bad.__name__} {code}: {log}")
    good = cl.Program(context, "kernel void good(global int *out) { *out = 42; }").build()
    queue = cl.CommandQueue(context)
    out = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4)
    good.good(queue, (1,), None, out)
    result = numpy.zeros(1, numpy.int32)
    cl.enqueue_copy(queue, result, out)
    outcomes.append(f"then {result[0]}")
threads = [threading.Thread(target=run, args=(bad,)) for bad in (crash, link, crash, link)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(*outcomes, sep="\\n")
"""


class CompilerFaults(ProgramTest):
    def assert_survives(self, kind, *words, **environment):
        process = run(PYTHON, "-c", PROGRAM, kind, PYOPENCL_NO_CACHE="1",
                      **environment)
        self.assertEqual(process.returncode, 0, process)
        self.assertTrue(process.stdout.startswith("True"), process)
        self.assertIn("then 42", process.stdout)
        for word in ("the compiler failed", *words):
            self.assertIn(word, process.stdout)

    def test_crash(self):
        self.assert_survives("crash", "during front end", "SIG")

    def test_fatal_error_of_llvm(self):
        self.assert_survives("fatal", "llvm_fatal_error")

    def test_endless_compilation(self):
        self.assert_survives("endless", "more than 1 s of processor time", RIVULET_CC_SECONDS=1)

    def test_eaten_memory(self):
        self.assert_survives("endless", "out of memory (limit: 300 MiB)", RIVULET_CC_MEMORY=300)

    def test_faults_of_one_thread_are_not_those_of_others(self):
        process = run(PYTHON, "-c", THREADS, seconds=150, PYOPENCL_NO_CACHE="1",
                      RIVULET_CC_SECONDS=1)
        self.assertEqual(process.returncode, 0, process)
        for words, times in (("crash -11:", 2), ("link -17:", 2), ("then 42", 4),
                             ("more than 1 s of processor time", 2), ("SIG", 2)):
            self.assertEqual(process.stdout.count(words), times, process)


class ReaderFaults(ProgramTest):
    """The SPIR-V reader crashes, never ends, consumes memory or writes an invalid module."""
    def assert_survives(self, reader, *words, **environment):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "reader"
            program.write_text(f"#!/bin/bash\n{reader}\n")
            program.chmod(0o755)
            process = run(PYTHON, "-c", PROGRAM, BUILD / "tests/api/buffers.spv",
                          PYOPENCL_NO_CACHE="1", RIVULET_LLVM_SPIRV=program, **environment)
        self.assertEqual(process.returncode, 0, process)
        self.assertTrue(process.stdout.startswith("True"), process)
        for word in ("then 42", "the SPIR-V module can't be compiled", *words):
            self.assertIn(word, process.stdout)

    def test_crash(self):
        self.assert_survives("echo its last words; kill -SEGV $$", "its last words",
                             "SIGSEGV")

    def test_crash_runs_no_symbolizer(self):
        self.assert_survives("echo disabled: $LLVM_DISABLE_SYMBOLIZATION; kill -SEGV $$",
                             "disabled: 1")

    def test_endless_reader(self):
        self.assert_survives("while :; do :; done", RIVULET_CC_SECONDS=1)

    def test_eaten_memory(self):
        self.assert_survives(f"exec {PYTHON} -c 'bytes(1 << 30)'", "MemoryError",
                             RIVULET_CC_MEMORY=600)

    def test_no_module(self):
        self.assert_survives('echo this is none > "$4"')
        self.assert_survives("true")

    def test_reader_that_is_not_there(self):
        self.assert_survives("exec /nowhere/llvm-spirv", "/nowhere/llvm-spirv")


def state_of(process):
    """Its state letter in /proc, the processor time it took, and its parent."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return fields[0], int(fields[11]) + int(fields[12]), int(fields[1])


def children(parent, name):
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            state, _, its_parent = state_of(process.name)
            if (process / "comm").read_text().strip() == name and its_parent == parent and state != "Z":
                found.append(int(process.name))
        except OSError:
            pass  # it has just ended
    return found


def wait_until_blocked(process):
    """It is waiting, and uses no processor time."""
    calm, used = 0, None
    while calm < 25:
        time.sleep(0.01)
        state, now, _ = state_of(process)
        if state in "ZX":
            raise AssertionError(f"process {process} has ended")
        calm = calm + 1 if state == "S" and now == used else 0
        used = now


class KilledCompiler(ProgramTest):
    """The server or its worker dies at each stage of a build."""
    def start(self, kind):
        self.program = subprocess.Popen(
            [PYTHON, "-c", PROGRAM, kind, "wait"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "PYOPENCL_NO_CACHE": "1", "RIVULET_CACHE": "off"})
        self.addCleanup(self.program.kill)
        self.assertEqual(self.program.stdout.readline(), "ready\n")
        self.server, = children(os.getpid(), "rivulet-cc")  # an orphan, which this process adopts
        wait_until_blocked(self.server)
        self.worker, = children(self.server, "rivulet-cc")
        wait_until_blocked(self.worker)  # it has told the server that it is free
        wait_until_blocked(self.server)

    def go_on(self):
        self.program.stdin.write("\n")
        self.program.stdin.flush()

    def finish(self, *words):
        out, err = self.program.communicate(timeout=60)
        self.assertEqual(self.program.returncode, 0, err)
        self.assertIn("then 42", out, err)
        for word in words:
            self.assertIn(word, out)

    # The request is larger than a socket's buffer.
    def write_request_to_stopped(self):
        self.start("long source")
        os.kill(self.worker, signal.SIGSTOP)
        self.go_on()
        wait_until_blocked(self.program.pid)

    def test_worker_with_half_a_request(self):
        self.write_request_to_stopped()
        os.kill(self.worker, signal.SIGKILL)
        self.finish("True", "the compiler failed, during", "SIGKILL")

    def test_server_with_half_a_request(self):
        self.write_request_to_stopped()
        os.kill(self.server, signal.SIGKILL)
        self.finish("built")  # by another one

    def test_worker_at_work(self):
        self.start("endless")
        before = state_of(self.worker)[1]
        self.go_on()
        while state_of(self.worker)[1] < before + 30:
            time.sleep(0.01)
        os.kill(self.worker, signal.SIGKILL)
        self.finish("True", "the compiler failed, during front end", "SIGKILL")

    # The stopped program takes no more of the reply than fits in a socket's buffer.
    def write_reply_to_stopped(self):
        self.start("large image")
        os.kill(self.worker, signal.SIGSTOP)
        self.go_on()
        wait_until_blocked(self.program.pid)
        os.kill(self.worker, signal.SIGCONT)
        while True:
            os.kill(self.program.pid, signal.SIGSTOP)
            wait_until_blocked(self.worker)
            if "send" in pathlib.Path(f"/proc/{self.worker}/wchan").read_text():
                break
            os.kill(self.program.pid, signal.SIGCONT)  # the worker has it open a file first
            time.sleep(0.001)

    def test_worker_with_half_a_reply(self):
        self.write_reply_to_stopped()
        os.kill(self.worker, signal.SIGKILL)
        os.kill(self.program.pid, signal.SIGCONT)
        self.finish("True", "it ended without an answer")

    def test_server_with_half_a_reply(self):
        self.write_reply_to_stopped()
        os.kill(self.server, signal.SIGKILL)
        os.kill(self.program.pid, signal.SIGCONT)
        self.finish("built")


class FullDisk(ProgramTest):
    def on_a_full_disk(self, *command, **environment):
        """Runs the command, of which FOLDER in its words and variables is on a full disk."""
        with tempfile.TemporaryDirectory() as folder:
            script = (f"mount -t tmpfs -o size=4k none {folder} && "
                      f"{{ head -c 8192 /dev/zero > {folder}/full 2>&-; true; }} && "
                      '"$@"; status=$?; ls ' + folder + '; exit $status')
            inside = ["unshare", "--mount", "sh", "-c", script, "sh"]
            if os.geteuid() != 0 or run(*inside, "true").returncode != 0:
                self.skipTest("mounting a small disk is not allowed here")
            return run(*inside, *[str(word).replace("FOLDER", folder) for word in command],
                       **{name: value.replace("FOLDER", folder)
                          for name, value in environment.items()})

    def test_is_no_failure(self):
        """Compiling needs no disk; what is kept for later does, but isn't needed."""
        # Some releases of PyOpenCL warn of optional modules that aren't installed.
        process = self.on_a_full_disk(PYTHON, "-c", PROGRAM, "large image", PYTHONWARNINGS="ignore",
                                      PYOPENCL_NO_CACHE="1", TMPDIR="FOLDER",
                                      RIVULET_CACHE="FOLDER/cache")
        self.assertEqual(process.returncode, 0, process)
        self.assertIn("built\nthen 42", process.stdout)
        self.assertEqual(process.stderr, "")

    def test_gets_no_half_of_an_image(self):
        process = self.on_a_full_disk(BUILD / "bin/rivulet-cc", SOURCE / "examples/photo/photo.cl",
                                      "-o", "FOLDER/image.rvk")
        self.assertEqual(process.returncode, 1, process)
        self.assertRegex(process.stderr, r"cannot write '\S+/image.rvk': No space left on device")
        self.assertEqual(process.stdout, "full\n")

    # The system's answer is a signal, which only the compiler gets.
    def test_limit_for_files_is_a_failed_build(self):
        process = run("bash", "-c", 'ulimit -f 4; exec "$@"', "bash", PYTHON, "-c",
                      PROGRAM, "large image", PYOPENCL_NO_CACHE="1", RIVULET_DRIVER="loopback")
        self.assertEqual(process.returncode, 0, process)
        for words in ("True", "File size limit exceeded", "then 42"):
            self.assertIn(words, process.stdout)


if __name__ == "__main__":
    unittest.main()
