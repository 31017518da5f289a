# SPDX-License-Identifier: Apache-2.0
"""Wraps the hand-written kernels of benchmarks/compiler/hand as kernel images, so that they run on
the device the way compiled ones do: same launch, same arguments, same counters.

The description of the kernel (the ELF note) is taken from what rivulet-cc makes of the OpenCL
version; only the code is another. The first hart to come does the whole NDRange.
"""
import pathlib
import struct
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "tests"))
from llvm import tool  # pylint: disable=wrong-import-position

HERE = pathlib.Path(__file__).resolve().parent / "compiler"
VARIANTS = "hand_spmd", "hand"

# Argument types of each OpenCL kernel; the call of its hand_spmd version and, if that is another,
# of its hand version. P: pointer.
P, I, U, F = "void *", "int", "unsigned", "float"
U4 = "uint4"  # 16 bytes, passed by address
KERNELS = {
    "saxpy": ([F, P, P], "hand(16384, a0, a1, a2)"),
    "vecadd": ([P, P, P, U], "hand(10240, a0, a1, a2, a3)"),
    "sobel": ([P, P, I, I], "hand_spmd(a0, a1, a2, a3)", "hand(a0, a1, a2, a3)"),
    "sgemm_naive": ([P, P, P, I, I, I], "hand_spmd(a0, a1, a2, a3, a4, a5)",
                    "hand(a0, a1, a2, a3, a4, a5)"),
    "sgemm_tiled": ([P, P, P, I, I, I], "hand_spmd(a0, a1, a2, a3, a4, a5)",
                    "hand(a0, a1, a2, a3, a4, a5)"),
    "reduction": ([P, P], "hand_spmd(64, a0, a1)", "hand(64, a0, a1)"),
    "mandelbrot": ([P, I, I, F, F, F, F, I], "spmd_m4(a0, a1, a2, a3, a4, a5, a6, a7)"),
    "spmv_csr": ([P, P, P, P, P, I], "hand_spmd(a0, a1, a2, a3, a4, a5)",
                 "hand(a0, a1, a2, a3, a4, a5)"),
    "nbody": ([P, P, P, P, I, F, F], "hand(a0, a1, a2, a3, a4, a5, a6)"),
    "histogram": ([P, P, U], "hand_spmd(a0, a1, a2, 4096)", "hand(a0, a1, a2, 4096)"),
    "blackscholes": ([P, P, P, P, P, F, F, U], "bs_m4(a0, a1, a2, a3, a4, a5, a6, a7)"),
    "conv2d": ([P, P, P, I, I], "hand_spmd(a0, a1, a2, a3, a4)", "hand(a0, a1, a2, a3, a4)"),
    "transpose": ([P, P, I, I], "hand_spmd(a0, a1, a2, a3)", "hand(a0, a1, a2, a3)"),
    "bitonic": ([P, U, U], "hand_spmd(a0, 16384, a1, a2)", "hand(a0, 16384, a1, a2)"),
    "scan": ([P, P], "hand_spmd(a0, a1, 64)", "hand(a0, a1, 64)"),
    "bilinear": ([P, P, I, I, I, I, F, F], "spmd_m4(a0, a1, a2, a3, a4, a5, a6, a7)",
                 "hand(a0, a1, a2, a3, a4, a5, a6, a7)"),
}

TARGET = ["--target=riscv64-unknown-elf", "-march=rv64gcv_zba_zbb_zvfh", "-mabi=lp64d",
          "-mcmodel=medany", "-ffreestanding", "-fno-math-errno", "-fPIE", "-O3", "-std=gnu11",
          "-fno-vectorize", "-fno-slp-vectorize", "-ffunction-sections", "-fdata-sections", "-w"]
LINK = ["-pie", "--no-dynamic-linker", "-Bsymbolic", "--no-rosegment", "-z", "norelro", "-z",
        "noseparate-code", "-z", "max-page-size=4096", "-z", "rodynamic", "-z", "text",
        "--hash-style=sysv", "--gc-sections", "--build-id=none", "--entry=start", "-u",
        "bench_kernel"]

ADAPTER = """
#include "{code}"
#include "hal/protocol/launch.h"
__attribute__((naked, used)) void start(void) {{
    __asm__("jalr a3\\n li a7, 0\\n ecall");
}}
void bench_kernel(const rvl_launch_record *record, rvl_launch_words *words) {{
    if (__atomic_fetch_add(&words->next_group, record->total_groups, __ATOMIC_RELAXED) != 0)
        return;
{arguments}
    {call};
}}
__asm__(".section .note.rivulet, \\"aR\\", @note\\n.balign 4\\n.incbin \\"{note}\\"\\n");
"""

# Offsets in hal/protocol/kernel_image.h, relative to the end of the note's 20-byte header.
NOTE_HEADER, KERNELS_OFFSET = 20, 32
ENTRY, STACK_BYTES = 8, 28
STACK_NEEDED = 8192


def run(*command):
    words = [str(word) for word in command]
    process = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if process.returncode:
        raise RuntimeError(" ".join(words) + "\n" + process.stderr)
    return process.stdout


def argument_lines(types):
    """Locals a0, a1, …, read from where the host lays them out: each at its own alignment."""
    offset = 0
    for number, kind in enumerate(types):
        size = {P: 8, U4: 16}.get(kind, 4)
        offset = (offset + size - 1) // size * size
        place = f"(record->arguments + {offset})"
        if kind == U4:
            yield f"    const unsigned *a{number} = (const unsigned *){place};"
        else:
            yield f"    {kind} a{number} = *({kind} *){place};".replace("* a", "*a")
        offset += size


def hand_flags(source):
    for line in source.read_text().splitlines():
        if line.startswith("// HANDFLAGS:"):
            return line.split(":", 1)[1].split()
    return []


def patch(image, entry):
    """Points the description to the hand-written code."""
    offset = next(int(words[words.index(".note.rivulet") + 3], 16)
                  for words in map(str.split, run(tool("llvm-readelf"), "-SW", image).splitlines())
                  if ".note.rivulet" in words)
    data = bytearray(image.read_bytes())
    kernel = offset + NOTE_HEADER
    kernel += struct.unpack_from("<I", data, kernel + KERNELS_OFFSET)[0]
    struct.pack_into("<Q", data, kernel + ENTRY, entry)
    # stack, saved and local memory: its own, none, none
    struct.pack_into("<III", data, kernel + STACK_BYTES, STACK_NEEDED, 0, 0)
    image.write_bytes(data)


def wrap(compiler, source, options, code, types, call, base):
    """Writes base.rvk: the call of a function in the file `code`, described as the kernel in `source`."""
    compiled, note, adapter, linked = (base.with_name(base.name + end)
                                       for end in (".cl.rvk", ".note", ".c", ".o"))
    image = base.with_name(base.name + ".rvk")
    run(compiler, *options, source, "-o", compiled)
    run(tool("llvm-objcopy"), f"--dump-section=.note.rivulet={note}", compiled)
    adapter.write_text(ADAPTER.format(code=code, call=call, note=note,
                                      arguments="\n".join(argument_lines(types))))
    run(tool("clang"), *TARGET, *hand_flags(code), f"-I{HERE}", f"-I{HERE / 'bare'}",
        f"-I{HERE.parent.parent}", "-c", adapter, "-o", linked)
    run(tool("ld.lld"), *LINK, linked, "-o", image)
    symbols = {words[-1]: int(words[0], 16)
               for words in map(str.split, run(tool("llvm-nm"), image).splitlines())
               if len(words) == 3}
    patch(image, symbols["bench_kernel"])
    return image


def make(compiler, kernel, variant, folder):
    """Writes folder/KERNEL.VARIANT.rvk."""
    types, *calls = KERNELS[kernel]
    call = calls[min(VARIANTS.index(variant), len(calls) - 1)]
    return wrap(compiler, HERE / f"kernels/{kernel}.cl", [], HERE / f"hand/{kernel}.c", types, call,
                folder / f"{kernel}.{variant}")
