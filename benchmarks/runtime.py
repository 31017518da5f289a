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

HERE = pathlib.Path(__file__).resolve().parent
SMALL_KERNEL = HERE / "runtime/small.cl"
LIBRARY_LIMIT, FIRMWARE_LIMIT = 300_000, 64 * 1024  # bytes of text + data


def run(*command, **environment):
    words = [str(word) for word in command]
    process = subprocess.run(words, env={**os.environ, **environment}, capture_output=True,
                             text=True, stdin=subprocess.DEVNULL)
    if process.returncode:
        sys.exit(f"bench: {' '.join(words)} failed:\n{process.stderr}{process.stdout}")
    return process.stdout


def text_and_data(elf):
    """As `size` counts them, of a stripped copy."""
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(elf, folder)
        run("llvm-strip-22", copy)
        text, data = run("llvm-size-22", copy).splitlines()[1].split()[:2]
    return int(text) + int(data)


def needed_libraries(elf):
    return sorted(pathlib.Path(line.split()[0]).name for line in run("ldd", elf).splitlines()
                  if "vdso" not in line)


def bare_clang_ms():
    """clang-22 -c of the same file for the same kind of target: median of 7."""
    samples = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(7):
            before = time.perf_counter()
            run("clang-22", "--target=riscv64-unknown-elf", "-march=rv64gcv", "-x", "cl",
                "-cl-std=CL1.2", "-O2", "-c", SMALL_KERNEL, "-o", f"{folder}/small.o")
            samples.append((time.perf_counter() - before) * 1e3)
    return statistics.median(samples)


def measure(build, stage):
    library, firmware = stage / "lib/librivulet.so", stage / "lib/rivulet/firmware/virt-rv64.elf"
    result = {
        "library_bytes": text_and_data(library),
        "library_needs": needed_libraries(library),
        "firmware_bytes": text_and_data(firmware),
    }
    # The doorbell right before and right after, so that both see the same machine.
    doorbells = [json.loads(run(build / "hal/rivulet-doorbell", "--json"))]
    result["runtime"] = json.loads(run(build / "benchmarks/rivulet-runtime-bench", SMALL_KERNEL,
                                       RIVULET_CACHE="off"))
    doorbells.append(json.loads(run(build / "hal/rivulet-doorbell", "--json")))
    result["doorbell"] = {
        kind: {name: statistics.mean(bell[kind][name] for bell in doorbells)
               for name in ("median", "p99")}
        for kind in ("back_to_back_us", "apart_us")}
    result["bare_clang_ms"] = bare_clang_ms()
    return result


def table(result):
    runtime, doorbell = result["runtime"], result["doorbell"]
    round_trip, build, idle = runtime["round_trip"], runtime["build"], runtime["idle_percent"]

    def pair(figures):
        return f"{figures['median']:.1f} / {figures['p99']:.1f} us"

    yield "device", f"{runtime['device']}, {runtime['harts']} harts", ""
    yield "librivulet.so, text + data", f"{result['library_bytes']} bytes", f"< {LIBRARY_LIMIT}"
    yield "librivulet.so needs", ", ".join(name.split(".so")[0] for name in result["library_needs"]), "no LLVM"
    yield "firmware, text + data", f"{result['firmware_bytes']} bytes", f"< {FIRMWARE_LIMIT}"
    yield "device start", f"{runtime['device_start_us'] / 1e3:.1f} ms", ""
    for kind, words in ("back_to_back_us", "back to back"), ("apart_us", "1 ms apart"):
        yield f"empty kernel, {words}, median / p99", pair(round_trip[kind]), ""
        yield f"bare doorbell, {words}, median / p99", pair(doorbell[kind]), ""
    yield "empty kernel in a chain of 500, each", pair(round_trip["in_chain_us"]), ""
    yield "idle CPU of the host process, over 2 s", f"{idle['host']:.1f} %", "0"
    yield "idle CPU of QEMU and compiler", f"{idle['qemu_and_compiler']:.1f} %", "0"
    yield "build of a small kernel, cold", f"{build['cold_us'] / 1e3:.1f} ms", ""
    yield "build of a small kernel, warm, median / p99", \
        f"{build['warm_us']['median'] / 1e3:.1f} / {build['warm_us']['p99'] / 1e3:.1f} ms", ""
    yield "clang-22 -c of the same file", f"{result['bare_clang_ms']:.1f} ms", ""


def main():
    parser = argparse.ArgumentParser(prog="dev bench", description=__doc__)
    parser.add_argument("--json", metavar="FILE", help="write the figures to FILE, too")
    parser.add_argument("--build", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--stage", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    result = measure(arguments.build, arguments.stage)
    for name, value, goal in table(result):
        print(f"{name:44} {value:44} {goal}")
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
