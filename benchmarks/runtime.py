#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""./dev bench: sizes, round trips, idle CPU, build and start times, as a table and as JSON."""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "tests"))
from llvm import tool  # pylint: disable=wrong-import-position

HERE = pathlib.Path(__file__).resolve().parent
SMALL_KERNEL = HERE.parent / "tools/bench/small.cl"
LARGE_KERNEL = HERE / "compiler/kernels/sgemm_tiled.cl" # whose build takes longest
DEVICE_INSTRUCTIONS = {
    "chain": "a launch of an in-order chain, from the ring to its completion",
    "across": "... of a chain across two queues",
    "launch": "from one empty launch of a chain to the next",
    "launch_of_600": "... of 600 that wait",
    "after_idle": "from one empty launch to the next, after 100 ms without",
    "context": "... to the next, of another context",
    "load_4_kib": "load of code, 4 KiB",
    "load_64_kib": "load of code, 64 KiB",
    "load_1024_kib": "load of code, 1 MiB",
}
LIBRARY_LIMIT, FIRMWARE_LIMIT = 512 * 1024, 64 * 1024  # bytes of text + data


def run(*command, **environment):
    words = [str(word) for word in command]
    process = subprocess.run(words, env={**os.environ, **environment}, capture_output=True,
                             text=True, stdin=subprocess.DEVNULL)
    if process.returncode:
        sys.exit(f"bench: {' '.join(words)} failed:\n{process.stderr}{process.stdout}")
    return process.stdout


def text_and_data(elf):
    """The sizes of text and data of a stripped copy, as `size` counts them."""
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(elf, folder)
        run(tool("llvm-strip"), copy)
        text, data = run(tool("llvm-size"), copy).splitlines()[1].split()[:2]
    return int(text) + int(data)


def needed_libraries(elf):
    return sorted(pathlib.Path(line.split()[0]).name for line in run("ldd", elf).splitlines()
                  if "vdso" not in line)


def bare_clang_ms():
    """clang -c of the same file for the same kind of target: median of 7."""
    samples = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(7):
            before = time.perf_counter()
            run(tool("clang"), "--target=riscv64-unknown-elf", "-march=rv64gcv", "-x", "cl",
                "-cl-std=CL1.2", "-O2", "-c", SMALL_KERNEL, "-o", f"{folder}/small.o")
            samples.append((time.perf_counter() - before) * 1e3)
    return statistics.median(samples)


def other_platform():
    """The vendor file of PoCL, where its package is installed."""
    return next(iter(pathlib.Path("/etc/OpenCL/vendors").glob("pocl*.icd")), None)


def runtime_figures(build, **environment):
    with tempfile.TemporaryDirectory() as cache:
        return json.loads(run(build / "bin/rivulet-bench", "--json", SMALL_KERNEL,
                              RIVULET_CACHE=cache, POCL_CACHE_DIR=cache, **environment))


def debug_ports(build):
    """Words of commands that run another one behind a stub: of a QEMU like the default machine's, and of
    OpenOCD before a model of a debug module."""
    machine = build / "lib/rivulet/machines/rv64-v512.cfg"
    ports = {"QEMU's stub": (HERE.parent / "hal/drivers/gdb/qemu_stubs.py", machine, "4", "board=virt")}
    module = build / "tests/debug_module/rivulet-debug-module"
    if shutil.which("openocd") and module.exists():
        for access in "running", "halted":
            ports[f"OpenOCD, harts {access}"] = (
                HERE.parent / "tests/debug_module/openocd_stubs.py", module, "64", "2",
                "board=virt,timeout=60,start=reset,isa=rv64imafdcv_zicsr_zifencei_zba_zbb_zbs_zfh_zvfh,"
                f"access={access}")
    return ports


def debug_port_figures(build):
    """Round trips over the GDB remote protocol, and packets of a launch."""
    ports = debug_ports(build)
    found = json.loads(run(sys.executable, "-B", *ports["QEMU's stub"], build / "hal/rivulet-doorbell",
                           "--json", "-n", "100", RIVULET_DATA=str(build / "lib/rivulet")))
    # Launches are counted in a separate run, through a relay that takes time.
    found["launch"] = {name: launches_over(port, build) for name, port in ports.items()}
    return found


def launches_over(port, build):
    return json.loads(run(sys.executable, "-B", *port, sys.executable, "-B", HERE / "debug_port.py",
                          build / "bin/rivulet-run", SMALL_KERNEL, "saxpy", "2", "iota:64", "zeros:64",
                          "64", "--repeat", "30", RIVULET_DATA=str(build / "lib/rivulet")))


def device_instructions(build):
    """Instructions that the device spends on its own work, by its own count: the firmware's tests
    measure it."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        run(build / "device-firmware/tests/rivulet_firmware_device_test",
            "--gtest_filter=Instructions.Of*", f"--gtest_output=json:{report}",
            RIVULET_MACHINE="rv64-v512-icount", RIVULET_DATA=str(build / "lib/rivulet"))
        suite, = json.loads(report.read_text())["testsuites"]
    return {name: int(test[name]) for test in suite["testsuite"] for name in DEVICE_INSTRUCTIONS
            if name in test}


def measure(build, stage, debug_ports=True):
    library, firmware = stage / "lib/librivulet.so", stage / "lib/rivulet/firmware/virt-rv64.elf"
    result = {
        "library_bytes": text_and_data(library),
        "library_needs": needed_libraries(library),
        "firmware_bytes": text_and_data(firmware),
    }
    # The doorbell right before and right after, so that both see the same machine.
    doorbells = [json.loads(run(build / "hal/rivulet-doorbell", "--json"))]
    result["runtime"] = runtime_figures(build)
    doorbells.append(json.loads(run(build / "hal/rivulet-doorbell", "--json")))
    result["doorbell"] = {
        kind: {name: statistics.mean(bell[kind][name] for bell in doorbells)
               for name in ("median", "p99")}
        for kind in ("back_to_back_us", "apart_us")}
    result["device_instructions"] = device_instructions(build)
    if debug_ports:
        result["debug_port"] = debug_port_figures(build)
    result["bare_clang_ms"] = bare_clang_ms()
    result["compile"] = json.loads(run(build / "bin/rivulet-compile-bench", SMALL_KERNEL,
                                       LARGE_KERNEL))
    if pocl := other_platform():
        result["pocl"] = runtime_figures(build, OCL_ICD_VENDORS=str(pocl))
    return result


def pair(figures):
    return f"{figures['median']:.1f} / {figures['p99']:.1f}"


def milliseconds(microseconds):
    return f"{microseconds / 1e3:.1f}"


# The rows printed for every platform: words, unit, and how a run of the program says it.
RUNTIME_ROWS = [
    ("device start", "ms", lambda run: milliseconds(run["device_start_us"])),
    *((f"empty kernel, {words}, median / p99", "us",
       lambda run, kind=kind: pair(run["round_trip"][kind]))
      for kind, words in (("back_to_back_us", "back to back"), ("apart_us", "1 ms apart"),
                          ("after_idle_us", "100 ms apart"), ("in_chain_us", "each of a chain of 500"))),
    ("enqueue of a kernel, median / p99", "us", lambda run: pair(run["enqueue_us"])),
    ("event callback after wait, median / p99", "us", lambda run: pair(run["callback_us"])),
    ("command of a random graph of 10,000, enqueue / in all", "us",
     lambda run: "{enqueue_us:.1f} / {total_us:.1f}".format(**run["random_graph"])),
    ("build of a small kernel, cold", "ms", lambda run: milliseconds(run["build"]["cold_us"])),
    ("build, warm", "ms", lambda run: milliseconds(run["build"]["warm_us"]["median"])),
    ("build, from the cache", "ms", lambda run: milliseconds(run["build"]["cached_us"])),
    *((f"{words} of 32 MiB", "x memcpy", lambda run, kind=kind: f"{run['transfers'][kind]:.2f}")
      for kind, words in (("write", "write"), ("read", "read"), ("copy", "copy"),
                          ("fill_4", "fill by 4 bytes"), ("fill_16", "fill by 16 bytes"),
                          ("copy_by_kernel", "copy by a kernel"),
                          ("fill_by_kernel", "fill by a kernel"))),
    *((f"kernel, {words} of 64 bytes, 4, 16, 32 KiB in a chain", "us",
       lambda run, kind=kind: " / ".join(f"{time:.0f}" for time in run["transfers"][kind].values()))
      for kind, words in (("fill_in_chain_us", "fill"), ("copy_in_chain_us", "copy"))),
    ("map and unmap of 32 MiB copy at most", "bytes",
     lambda run: run["transfers"]["map_copies_at_most_bytes"]),
    ("... of a USE_HOST_PTR buffer", "bytes",
     lambda run: run["transfers"]["map_use_host_ptr_copies_at_most_bytes"]),
    *((f"host memory of a {kind.replace('_', ' ')}", "bytes",
       lambda run, kind=kind: f"{run['object_bytes'][kind]:.0f}")
      for kind in ("buffer", "user_event", "kernel", "queue", "program")),
    ("idle CPU of the process", "%", lambda run: f"{run['idle_percent']['host']:.1f}"),
    ("idle CPU of its children", "%", lambda run: f"{run['idle_percent']['qemu_and_compiler']:.1f}"),
]


def table(result):
    """Rows of words, unit, our figure and PoCL's (its CPU device: no other machine in between)."""
    yield "librivulet.so, text + data", "bytes", result["library_bytes"], f"limit {LIBRARY_LIMIT}"
    yield ("librivulet.so needs", "",
           " ".join(name.split(".so")[0] for name in result["library_needs"]), "")
    yield "firmware, text + data", "bytes", result["firmware_bytes"], f"limit {FIRMWARE_LIMIT}"
    for kind, words in ("back_to_back_us", "back to back"), ("apart_us", "1 ms apart"):
        yield f"bare doorbell, {words}, median / p99", "us", pair(result["doorbell"][kind]), ""
    if port := result.get("debug_port"):
        yield ("ping over a debug port, back to back, median / p99", "us",
               pair(port["back_to_back_us"]), "")
        for name, cost in port["launch"].items():
            yield (f"launch over {name}", "packets",
                   f"{cost['packets']} with {cost['memory_bytes']} bytes",
                   f"and {cost['waiting_packets_median']:.0f} while it waits")
    for name, figure in result["device_instructions"].items():
        yield DEVICE_INSTRUCTIONS[name], "instr.", f"{figure:,}", "rv64-v512-icount"
    yield "clang-22 -c of the small kernel", "ms", f"{result['bare_clang_ms']:.1f}", ""
    for row, words in zip(result["compile"], ("small", "largest")):
        yield (f"warm compilation of the {words} kernel, CPU time", "ms",
               f"{row['ours_ms']:.1f}", f"bare clang {row['clang_child_ms']:.1f} in a child, "
               f"{row['clang_ms']:.1f} in one process")
    pocl = result.get("pocl")
    ours = result["runtime"]
    yield "", "", f"{ours['device']}, {ours['harts']} harts", "PoCL" if pocl else ""
    for words, unit, figure in RUNTIME_ROWS:
        yield words, unit, figure(ours), figure(pocl) if pocl else ""
    if not pocl:
        yield "PoCL's figures", "", "need the package pocl-opencl-icd", ""


def main():
    parser = argparse.ArgumentParser(prog="dev bench", description=__doc__)
    parser.add_argument("--json", metavar="FILE", help="write the figures to FILE, too")
    parser.add_argument("--no-debug-ports", action="store_true", help="without launches over debug ports")
    parser.add_argument("--build", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--stage", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    result = measure(arguments.build, arguments.stage, not arguments.no_debug_ports)
    for words, unit, ours, other in table(result):
        print(f"{words:46} {unit:9} {ours!s:32} {other}".rstrip())
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
