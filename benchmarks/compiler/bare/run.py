#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the hand-written versions on bare QEMU: builds every kernel, runs it at each VLEN, checks the
results, prints the table and writes ../baselines.json.

    run.py [-k NAME,NAME] [--no-json]
"""
import argparse
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "tests"))
from llvm import tool  # pylint: disable=wrong-import-position

HERE = pathlib.Path(__file__).resolve().parent
HAND = HERE.parent / "hand"
BASELINES = HERE.parent / "baselines.json"
KERNELS = ["saxpy", "vecadd", "sobel", "sgemm_naive", "sgemm_tiled", "reduction", "mandelbrot",
           "spmv_csr", "nbody", "histogram", "blackscholes", "conv2d", "transpose", "bitonic",
           "scan", "bilinear"]
VLENS = [128, 256, 512, 1024]
VARIANTS = ["hand", "hand_spmd", "scalar", "autovec"]

CLANG = os.environ.get("CC", tool("clang"))
QEMU = os.environ.get("QEMU", "qemu-system-riscv64")
TARGET = ["--target=riscv64-unknown-elf", "-mcpu=generic-rv64", "-mabi=lp64d", "-mcmodel=medany",
          "-ffreestanding", "-fno-math-errno", "-fno-pic", "-O3", "-std=gnu11", "-Wall",
          "-Wno-unused-function", f"-I{HERE}"]
SCALAR = ["-march=rv64gc_zba_zbb"]
VECTOR = ["-march=rv64gcv_zba_zbb_zvfh"]
NO_VECTORISER = ["-fno-vectorize", "-fno-slp-vectorize"]


def run(command):
    words = [str(word) for word in command]
    process = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if process.returncode:
        raise RuntimeError(" ".join(words) + "\n" + process.stdout)


def hand_flags(source):
    """The flags that a line "// HANDFLAGS: …" asks for, for the hand-written object only."""
    for line in source.read_text().splitlines():
        if line.startswith("// HANDFLAGS:"):
            return line.split(":", 1)[1].split()
    return []


def compile_kernel(name, folder):
    source = HAND / f"{name}.c"
    objects = {
        "scalar": [*SCALAR, *NO_VECTORISER, "-DBENCH_PLAIN=plain_scalar"],
        "autovec": [*VECTOR, "-DBENCH_PLAIN=plain_autovec"],
        "hand": [*VECTOR, *NO_VECTORISER, *hand_flags(source)],
    }
    for kind, flags in objects.items():
        run([CLANG, *TARGET, *flags, "-c", source, "-o", folder / f"{name}.{kind}.o"])
    run([CLANG, *TARGET, *VECTOR, "-fuse-ld=lld", "-nostdlib", "-static", "-Wl,--no-relax", "-T",
         HERE / "link.ld", folder / "crt0.o", folder / "runtime.o",
         *(folder / f"{name}.{kind}.o" for kind in objects), "-o", folder / f"{name}.elf"])


def execute(elf, vlen):
    """(rows by variant, whether all went well, what the machine printed)"""
    command = [QEMU, "-machine", "virt", "-m", "128M", "-smp", "1", "-cpu",
               f"rv64,v=true,vlen={vlen},elen=64,vext_spec=v1.0,zba=true,zbb=true,zvfh=true",
               "-icount", "shift=0", "-bios", "none", "-kernel", str(elf), "-nographic",
               "-monitor", "none", "-serial", "stdio", "-no-reboot"]
    try:
        text = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=120).stdout
    except subprocess.TimeoutExpired as late:
        text = (late.stdout or b"").decode(errors="replace") + "\nTIMEOUT"
    rows = {}
    for words in map(str.split, text.splitlines()):
        if len(words) == 7 and words[0] == "RESULT":
            rows[words[2]] = {"items": int(words[3]), "instructions": int(words[4]),
                              "error": struct.unpack(">d", bytes.fromhex(words[5]))[0],
                              "right": words[6] == "ok"}
    right = "DONE ok" in text and all(row["right"] for row in rows.values())
    return rows, right, text


def summary(runs):
    """The entry of one kernel in baselines.json, from its rows by VLEN."""
    entry = {}
    for variant in VARIANTS:
        for vlen, rows in runs.items():
            row = rows[variant]
            entry["n"] = row["items"]
            entry.setdefault(variant, {})[str(vlen)] = round(row["instructions"] / row["items"], 5)
            entry.setdefault("total_instructions", {}).setdefault(variant, {})[str(vlen)] = \
                row["instructions"]
    return entry


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-k", metavar="NAMES", help="only these kernels, separated by commas")
    parser.add_argument("--no-json", action="store_true", help="leave baselines.json alone")
    arguments = parser.parse_args()
    names = arguments.k.split(",") if arguments.k else KERNELS
    wrong = 0
    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(2) as pool:
        folder = pathlib.Path(temporary)
        run([CLANG, *TARGET, *VECTOR, "-c", HERE / "crt0.S", "-o", folder / "crt0.o"])
        run([CLANG, *TARGET, *SCALAR, *NO_VECTORISER, "-fno-builtin", "-c", HERE / "runtime.c",
             "-o", folder / "runtime.o"])
        for name in names:
            compile_kernel(name, folder)
        results = {(name, vlen): pool.submit(execute, folder / f"{name}.elf", vlen)
                   for name in names for vlen in VLENS}
        entries = {}
        print(f"{'kernel':13} {'variant':9} " + " ".join(f"{f'VLEN {v}':>10}" for v in VLENS))
        for name in names:
            runs = {vlen: results[name, vlen].result() for vlen in VLENS}
            for vlen, (_, right, text) in runs.items():
                if not right:
                    wrong += 1
                    print(f"{name} at VLEN {vlen} is WRONG:\n{text[-600:]}")
            entries[name] = summary({vlen: rows for vlen, (rows, _, _) in runs.items()})
            for variant in VARIANTS:
                print(f"{name:13} {variant:9} " + " ".join(
                    f"{entries[name][variant][str(vlen)]:>10.4f}" for vlen in VLENS))
    if not arguments.no_json and not wrong:
        known = json.loads(BASELINES.read_text()) if BASELINES.exists() else {}
        known.update(entries)
        BASELINES.write_text(json.dumps({name: known[name] for name in KERNELS if name in known},
                                        indent=1) + "\n")
    print(f"{wrong} runs were wrong" if wrong else "all results are right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
