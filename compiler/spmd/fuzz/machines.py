# SPDX-License-Identifier: Apache-2.0
"""The machines that kernels are compiled for, and a bare program with kernels on QEMU."""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
sys.path.append(os.path.join(ROOT, "tests"))
from llvm import tool  # pylint: disable=wrong-import-position
RUNTIME = [os.path.join(ROOT, "compiler", "runtime", name) for name in ("runtime.c", "dispatch.c")]
# Harness and runtime both have memcpy and memset.
CLANG = ["-mcmodel=medany", "-ffreestanding", "-O1", "-fno-vectorize", "-fno-slp-vectorize",
         "-fno-builtin", "-fuse-ld=lld", "-nostdlib", "-static", "-Wl,--no-relax",
         "-Wl,-z,muldefs", "-I" + ROOT, "-I" + HERE]

# The compiler verifies its code after each pass.
os.environ.setdefault("RIVULET_VERIFY", "1")


class Machine:
    """The target that kernels are compiled for, and the QEMU that runs them: with V's registers
    there is a Zve32f, whose elements have no more than 32 bits."""
    def __init__(self, isa, abi, elen=0):
        self.isa, self.xlen, self.vectors = isa, isa[2:4], elen > 0
        self.half = "zvfh" in isa
        self.clang = [f"--target=riscv{self.xlen}-unknown-elf", "-march=" + isa, "-mabi=" + abi]
        on = {word for word in isa.split("_")[1:] if not word.startswith("zve")}
        self.cpu = ",".join([f"rv{self.xlen}"] + sorted(f"{word}=true" for word in on))
        if elen:
            # As surprising as the specification allows: agnostic elements are ones, and a vector
            # length below the greatest one comes early.
            self.cpu += ",rvv_ta_all_1s=true,rvv_ma_all_1s=true,rvv_vl_half_avl=true"
            self.cpu += f",v=true,elen={elen},vlen="


MACHINES = {
    "rv64gcv": Machine("rv64gcv_zfh_zvfh_zba_zbb", "lp64d", 64),
    "rv64gc": Machine("rv64gc_zfh", "lp64d"),
    "rv32gcv": Machine("rv32gcv_zfh_zvfh", "ilp32d", 64),
    "rv32gc": Machine("rv32gc_zfh", "ilp32d"),
    "rv32-zve32f": Machine("rv32gc_zve32f_zfh_zba_zbb", "ilp32d", 32),
    "rv32-zve32f-zvfh": Machine("rv32gc_zve32f_zfh_zvfh", "ilp32d", 32),
}


def call(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(" ".join(command) + "\n" + done.stdout[-500:] + done.stderr[-2000:])
    return done


def link(machine, base, objects):
    """A program of `base`.c, which has the table of cases, and the kernels in `objects`."""
    call([tool("clang"), *machine.clang, *CLANG, "-T", os.path.join(HERE, "link.ld"),
          os.path.join(HERE, "start.S"), base + ".c", *RUNTIME, *objects, "-o", base + ".elf"])


def simulate(machine, vlen, base, seconds):
    """Runs `base`.elf. What went wrong: pairs of the kernel that ran and what was printed."""
    cpu = machine.cpu + (str(vlen) if machine.vectors else "")
    command = [f"qemu-system-riscv{machine.xlen}", "-machine", "virt", "-m", "128M", "-bios",
               "none", "-cpu", cpu, "-display", "none", "-monitor", "none", "-serial", "stdio",
               "-no-reboot", "-kernel", base + ".elf"]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=seconds)
        output = done.stdout.decode(errors="replace")
    except subprocess.TimeoutExpired as error:
        output = (error.stdout or b"").decode(errors="replace") + "\nTIMEOUT"
    running, problems = "?", []
    for line in output.splitlines():
        if line.startswith("RUN "):
            running = line[4:]
        elif line.startswith(("DIFFERS", "TRAP", "TIMEOUT")):
            problems.append((running, line))
    if "DONE" not in output and not problems:
        problems.append((running, output[-300:]))
    return problems
