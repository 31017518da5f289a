# SPDX-License-Identifier: Apache-2.0
"""Where a block stalls according to LLVM's scheduling models: llvm-mca for two vector cores."""
import re
import subprocess

import listing

MODELS = {"SpacemiT X60": "spacemit-x60", "SiFive X280": "sifive-x280"}
ITERATIONS = 100
# llvm-mca does not know our labels; the target of a branch does not matter to it.
TARGET = re.compile(r"\b(0x[0-9a-f]+)(?: <.*>)?$")
LMULS = {"1": "M1", "2": "M2", "4": "M4", "8": "M8", "f2": "MF2", "f4": "MF4", "f8": "MF8"}
PRESSURE = re.compile(r"^\s*- (\S.*?)\s+\[ ([0-9.]+)% \]$")


def source(block, texts):
    lines = []
    if block.vtype:
        sew, lmul = block.vtype
        lines += [f"# LLVM-MCA-RISCV-LMUL {LMULS[lmul]}", f"# LLVM-MCA-RISCV-SEW E{sew}"]
    return "\n".join(lines + texts) + "\n"


def texts_of(block):
    texts = []
    for instruction in block.instructions:
        text = TARGET.sub("0", instruction.text)
        if re.match(r"(ecall|fence|csr|ebreak|mret|<unknown>)", text):
            text = "nop"
        texts.append(text)
    return texts


def run(cpu, block, texts):
    return subprocess.run(
        [listing.tool("llvm-mca"), "-mtriple=riscv64", "-mcpu=" + cpu, "-mattr=" + listing.FEATURES,
         f"-iterations={ITERATIONS if block.loops else 1}", "-bottleneck-analysis",
         "-resource-pressure=0", "-instruction-info=0", "-call-latency=1"],
        input=source(block, texts), capture_output=True, text=True)


def analyse(block):
    """Per model: cycles per iteration, and the causes of stalls, largest first."""
    if listing.tool("llvm-mca") is None:
        return None
    result = {}
    for name, cpu in MODELS.items():
        texts = texts_of(block)
        process = run(cpu, block, texts)
        if process.returncode:
            # An instruction that it can't assemble is replaced with a nop.
            wrong = {int(number) for number in
                     re.findall(r"<stdin>:(\d+):\d+: error", process.stderr)}
            offset = 1 + (2 if block.vtype else 0)
            texts = ["nop" if at + offset in wrong else text for at, text in enumerate(texts)]
            process = run(cpu, block, texts)
        cycles = re.search(r"^Total Cycles:\s+(\d+)", process.stdout, re.MULTILINE)
        if not cycles:
            continue
        waits, seen = [], False
        for line in process.stdout.splitlines():
            seen = seen or line.startswith("Throughput Bottlenecks")
            if seen and (match := PRESSURE.match(line)) and float(match[2]) > 0:
                waits.append((float(match[2]), match[1]))
        result[name] = {"cycles": int(cycles[1]) / (ITERATIONS if block.loops else 1),
                        "waits": [{"for": what, "percent": percent}
                                  for percent, what in sorted(waits, reverse=True)[:4]]}
    return result


def describe(analysis):
    if analysis is None:
        return "llvm-mca is not installed: apt-get install llvm-22 shows what each block waits for"
    parts = []
    for name, figures in analysis.items():
        waits = ", ".join(f"{wait['for']} {wait['percent']:.0f} %" for wait in figures["waits"])
        parts.append(f"{name}: {figures['cycles']:.1f} cycles{', waits for ' + waits if waits else ''}")
    return "; ".join(parts)


