# SPDX-License-Identifier: Apache-2.0
"""A random OpenCL program: one or two kernels over the same buffers, named by their seed. Results
are integers that every right implementation agrees on, bit for bit."""
import random
import re
from contextlib import contextmanager

from differences import Differences
from expressions import Expressions
from loops import Loops
from memory import Memory
from reals import Reals
from shapes import Shapes
from together import Together
from tree import Block, text

PARAMETERS = """(global uint *out, global ulong *wide, global ushort *halves, global uint *sums,
        global const uint *in, global const uchar *bytes, global const ushort *words,
        global const ulong *longs, uint n, uint u, int s, ulong m)"""

LOCAL = """    local ulong shared_[512];
    local uint tally[16];
    const uint lid = (uint)(get_local_id(0) + get_local_id(1) * get_local_size(0));
    const uint items = (uint)(get_local_size(0) * get_local_size(1));
    for (uint k = lid; k < 512; k += items)
        shared_[k] = k * 0x9e3779b97f4a7c15ul;
    for (uint k = lid; k < 16; k += items)
        tally[k] = k;
    barrier(CLK_LOCAL_MEM_FENCE);
"""
OWN = {"a": "uint a = in[gid & 1023];", "b": "uint b = x * 3 + y;",
       "l": "ulong l = longs[(x * 3 + y) & 1023];",
       "h": "ushort h = (ushort)(in[gid & 1023] >> 3);",
       "c": "uchar c = bytes[(gid + 1) & 1023];"}

# Each kernel uses few kinds, so that what is left out of one can be the cause in another.
ANYWHERE = ["loop", "loop", "loop", "difference", "border", "border", "relax", "volatile",
            "union", "own_atomic", "shared_atomic", "vector", "structure", "early", "switch", "real"]
TOGETHER = ["punned_local", "punned_local", "punned_private", "punned_global", "counted",
            "histogram", "exchange", "reduction", "strided_tile"]
# None of them affects integers.
OPTIONS = ["", "", "", "-cl-std=CL3.0", "-cl-std=CL1.2", "-cl-fast-relaxed-math",
           "-cl-unsafe-math-optimizations", "-cl-finite-math-only", "-cl-mad-enable",
           "-cl-no-signed-zeros", "-cl-denorms-are-zero", "-cl-opt-disable",
           "-cl-uniform-work-group-size", "-cl-std=CL3.0 -cl-fast-relaxed-math"]


class Kernel(Expressions, Loops, Differences, Memory, Together, Shapes, Reals):
    def __init__(self, generator, name, blocked, size):
        self.random, self.name, self.blocked = generator, name, blocked
        self.functions = []   # (name, text) of helpers
        self.counter = self.loops = self.switches = self.divergent = self.blocks = 0
        self.variables = {"a": "uint", "b": "uint", "l": "ulong", "h": "ushort", "c": "uchar"}
        self.barriers = self.random.random() < 0.4
        self.two_dimensional = size[1] > 1
        self.kinds = self.random.sample(ANYWHERE, self.random.randrange(1, 4))
        if self.barriers:
            self.kinds += self.random.sample(TOGETHER, self.random.randrange(1, 3))
        self.body = []
        self.write()

    # --- statements --------------------------------------------------------------------------
    def new(self, letter):
        self.counter += 1
        return f"{letter}{self.counter}"

    def helper_name(self):
        return f"{self.name}_h{len(self.functions)}"

    def emit(self, line):
        self.body.append(line)

    @contextmanager
    def block(self, head, tail="}", guards=False):
        outer, variables = self.body, self.variables
        self.body, self.variables = [], dict(variables)
        self.blocks += 1
        yield
        self.blocks -= 1
        outer.append(Block(head, self.body, tail, guards))
        self.body, self.variables = outer, variables

    def assign(self):
        name, type_ = self.random.choice([("a", "uint"), ("a", "uint"), ("b", "uint"),
                                          ("l", "ulong"), ("h", "ushort"), ("c", "uchar")])
        operation = self.random.choice(["=", "+=", "^=", "-=", "*=", "|="])
        self.emit(f"{name} {operation} {self.expression(type_)};")

    def store(self):
        operation = self.random.choice(["=", "+=", "^=", "+="])
        value = self.expression(self.random.choice(["uint", "ulong", "ushort"]))
        if self.random.random() < 0.3:
            self.emit(f"{self.own_element()}{self.random.choice(['++', '--'])};")
        else:
            self.emit(f"{self.own_element()} {operation} {value};")

    def branch(self):
        self.divergent += 1
        with self.block(f"if ({self.condition()}) {{"):
            for _ in range(self.random.randrange(1, 3)):
                self.statement()
        if self.random.random() < 0.4:
            with self.block("else {"):
                self.statement()
        self.divergent -= 1

    def statement(self):
        r = self.random.random()
        if r < 0.15 or self.blocks > 2:
            self.assign()
        elif r < 0.25:
            self.store()
        elif r < 0.3:
            self.branch()
        else:
            kind = self.random.choice(self.kinds)
            if kind in TOGETHER and self.divergent or kind == "loop" and self.loops > 1:
                kind = "store"
            getattr(self, kind)()

    def write(self):
        for _ in range(self.random.choice([2, 2, 3, 5])):
            self.statement()
        if not self.barriers and self.random.random() < 0.2: # with what follows
            self.body.insert(self.random.randrange(len(self.body)),
                             f"if ({self.random.choice(['gid >= n', 'x < u', 'x == 5u'])}) return;")
        for value in ("a", "b", "(uint)l", "(uint)(l >> 32)", "h", "c"):
            self.emit(f"{self.element('out', 8, str(self.random.randrange(8)))} += {value};")

    def source(self):
        body = text(self.body)
        helpers = ""
        for name, function in self.functions:
            if name + "(" in body:
                helpers += function
        y = "get_global_id(1)" if self.two_dimensional else "0"
        gid = "x + y * (uint)get_global_size(0)" if self.two_dimensional else "x"
        used = lambda names: re.search(rf"\b({names})\b", body)
        local = LOCAL if used("shared_|tally|lid|items") else ""
        own = "".join(f"    {line}\n" for name, line in OWN.items() if used(name))
        return f"""{helpers}kernel void {self.name}{PARAMETERS} {{
    const uint x = (uint)get_global_id(0), y = {y}, gid = {gid};
    const uint total = (uint)(get_global_size(0) * get_global_size(1));
{local}{own}{body}}}
"""


class Program:
    def __init__(self, seed):
        generator = random.Random(f"program {seed}")
        self.seed, self.name = seed, f"k{seed}"
        local = generator.choice([(16, 1), (64, 1), (33, 1), (7, 1), (1, 1), (100, 1), (32, 1),
                                  (8, 4), (5, 9), (16, 2), (128, 1)])
        groups = generator.choice([(1, 1), (2, 1), (3, 1), (1, 2)])
        if local[1] == 1:
            groups = (groups[0], 1)
        self.local = local
        self.size = (local[0] * groups[0], local[1] * groups[1])
        self.n, self.u = 5 + generator.randrange(60), generator.randrange(12)
        self.s, self.m = generator.randrange(-6, 7), generator.choice([9, 60, 1 << 20, 1 << 40])
        blocked = generator.random() < 0.4
        self.kernels = [Kernel(generator, f"{self.name}_{part}", blocked, self.size)
                        for part in range(generator.choice([1, 1, 1, 1, 2]))]
        self.options = ""

    def source(self):
        return "".join(kernel.source() for kernel in self.kernels)

    def launch(self):
        """The batch line that runs it."""
        return (f"run {self.name} {self.size[0]} {self.size[1]} {self.local[0]} {self.local[1]} "
                f"{self.n} {self.u} {self.s} {self.m} "
                + " ".join(kernel.name for kernel in self.kernels) + "\n")


def with_common_options(program, many):
    """Shares options with its neighbours, so that `many` kernels form one OpenCL program."""
    program.options = random.Random(f"options {program.seed // many}").choice(OPTIONS)
    return program


PRELUDE = Shapes.STRUCTURES

if __name__ == "__main__":
    import sys
    program = Program(int(sys.argv[1]))
    print(f"// {program.options}\n{PRELUDE}{program.source()}// {program.launch()}", end="")
