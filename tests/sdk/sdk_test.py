#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An application, drivers and a board, built and run with nothing but an install tree.

    sdk_test.py CMAKE PREFIX FIRST SOURCE NEWLIB-CACHE

The tree in PREFIX was moved from FIRST.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from llvm import tool

cmake, source, cache = sys.argv[1], *sys.argv[4:6]
prefix, first = map(pathlib.Path, sys.argv[2:4])
here = pathlib.Path(__file__).parent


def run(*command, expect=0, **variables):
    """The output of a command, which ends as expected."""
    done = subprocess.run([str(word) for word in command], env=environment | variables, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=600)
    if (done.returncode == 0) != (expect == 0):
        sys.exit(f"{command} ended with {done.returncode}:\n{done.stdout[-6000:]}")
    return done.stdout


def require(condition, what, output=""):
    if not condition:
        sys.exit(f"not so: {what}\n{output[-6000:]}")
    print("so it is:", what, flush=True)


# A board's instructions, and a kernel that uses one.
INSTRUCTIONS = """// Zvbb: a and not b
__attribute__((rivulet_instruction("zvbb", "vv: vandn.vv %0, %1, %2")))
uint acme_andn(uint a, uint b) { return a & ~b; }
"""
KERNEL = """kernel void test(global uint *a, global const uint *b) {
    size_t i = get_global_id(0);
    a[i] = acme_andn(a[i], b[i]);
}
"""

environment = {name: value for name, value in os.environ.items()
               if not name.startswith(("RIVULET_", "OCL_", "LD_", "PKG_"))}
with tempfile.TemporaryDirectory() as name:
    top = pathlib.Path(name)
    shutil.copytree(here / "project", top / "project")
    shutil.copytree(prefix / "share/rivulet/boards/template", top / "project/board")
    (top / "project/board/instructions.h").write_text(INSTRUCTIONS)
    product = top / "product"
    output = run(cmake, "-G", "Ninja", "-S", top / "project", "-B", product,
                 f"-DCMAKE_C_COMPILER={tool('clang')}", f"-DCMAKE_CXX_COMPILER={tool('clang++')}",
                 f"-DCMAKE_PREFIX_PATH={prefix}", f"-DRIVULET_CACHE_DIR={cache}")
    require(re.search(r"Rivulet \d+\.\d+\.\d+, HAL \d+\.\d+", output), "versions are found", output)
    run(cmake, "--build", product)
    require((product / "lib/rivulet/firmware/board-rv64.elf").exists(), "the board has firmware")

    read = run("ninja", "-C", product, "-t", "deps") + (product / "build.ninja").read_text()
    # The third is where the debugger finds the firmware's sources, whatever the folder of the working copy.
    read = read.replace(cache, "").replace(str(prefix), "").replace("=/usr/src/rivulet", "")
    require(source not in read, "no file of the working copy is read",
            "\n".join(line for line in read.splitlines() if source in line))

    output = run("bash", "-c", f". {prefix}/activate && clinfo -l && command -v rivulet")
    require("Rivulet" in output and str(prefix / "bin/rivulet") in output,
            "a moved tree is an OpenCL platform once it is activated", output)
    (first / "lib").mkdir(parents=True)
    (first / "lib/librivulet.so.1").write_text("an older library")
    output = run("bash", "-c", f". {prefix}/activate && clinfo -l")
    require("Rivulet" in output, "and does not need files of its build tree", output)
    shutil.rmtree(first)

    command = prefix / "bin/rivulet"
    require(run(command, "--version").startswith("rivulet "), "rivulet has a version")
    loopback = prefix / "lib/rivulet/drivers/loopback.so"
    output = run(command, "hal-test", "--gtest_brief=1", RIVULET_DRIVER=f"{product}/forwarding.so",
                 FORWARD_TO=str(loopback), RIVULET_MACHINE="forwarding,harts=2")
    require("PASSED" in output and "FAILED" not in output, "a driver passes the HAL suite", output)
    output = run(command, "hal-test", "--gtest_brief=1", expect=1,
                 RIVULET_DRIVER=f"{product}/null.so")
    require("PORTER" in output, "the null driver fails, and the suite says where to look", output)
    output = run(command, "info", expect=1, RIVULET_DRIVER=f"{product}/guarded.so")
    require("device 42 is not plugged in" in output, "a driver in C++ reports", output)
    output = run(product / "vecadd", RIVULET_CACHE="off",
                 RIVULET_DRIVER=f"{product}/forwarding.so", FORWARD_TO=str(loopback))
    require(True, "an application runs on that driver, with the installed compiler")

    pkg = {"PKG_CONFIG_PATH": str(prefix / "share/pkgconfig")}
    flags = run("pkg-config", "--cflags", "rivulet-hal", **pkg).split()
    run(tool("clang"), "-shared", "-fPIC", *flags, prefix / "share/rivulet/examples/driver/null.c",
        "-o", top / "null.so")
    flags = run("pkg-config", "--cflags", "--libs", "rivulet", **pkg).split()
    run(tool("clang"), prefix / "share/rivulet/examples/vecadd/vecadd.c", "-o", top / "vecadd", *flags)
    run(top / "vecadd", LD_LIBRARY_PATH=str(prefix / "lib"), RIVULET_DRIVER="loopback",
        RIVULET_CACHE="off")
    require(True, "pkg-config knows library and driver headers")

    kernel, boards, library = top / "kernel.cl", product / "lib/rivulet", str(prefix / "lib/librivulet.so.1")
    kernel.write_text(KERNEL)
    output = run(prefix / "bin/rivulet-cc", kernel, "--target=rv64gcv_zvbb", "--vlen=256", "--emit=asm",
                 f"--instructions={boards}/boards/board/instructions.h", "-o", "-")
    require("vandn.vv" in output, "a project's board has instructions for kernels", output)
    on_board = {"RIVULET_DRIVER": f"{product}/forwarding.so", "FORWARD_TO": str(loopback), "RIVULET_CACHE": "off",
                "RIVULET_BOARD_PATH": str(boards),
                "OCL_ICD_VENDORS": library, "OCL_ICD_FILENAMES": library}
    words = command, "run", kernel, "test", "iota:64", "iota:64"
    run(*words, FORWARD_AS="board", **on_board)
    output = run(*words, expect=1, **on_board)
    require("acme_andn" in output, "which those of other boards don't have", output)
