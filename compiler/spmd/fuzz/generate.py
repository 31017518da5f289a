# SPDX-License-Identifier: Apache-2.0
"""Random OpenCL C kernels without undefined behaviour: every work-item writes only elements of its
own, loops end, arithmetic is unsigned or in float, what is divided by is checked. With REFERENCE
defined, functions of groups and sub-groups are loops over local memory between barriers."""
import random

from alike import Alike
from borders import Borders
from crowded import Crowded
from edges import Edges
from integers import Integers
from accesses import STRUCTURES, Accesses
from reals import Reals
from searches import Searches
from shapes import INPUTS, Shapes
from together import Together

TYPES = ["uint", "uint", "uint", "float", "ulong", "uchar", "ushort", "int",
         "half", "double"]


class Kernel(Shapes, Integers, Reals, Accesses, Searches, Together, Alike, Borders, Edges, Crowded):
    def __init__(self, seed, half=True):
        self.types = [type_ for type_ in TYPES if half or type_ != "half"]
        self.random = random.Random(seed)
        self.seed = seed
        self.name = f"k{seed}"
        self.functions = []
        self.result = ""      # of the function that is written
        self.lines = []
        self.depth = 0
        self.counter = 0
        self.loops = 0        # loops around the store
        self.divergent = 0    # branches around it that may differ between work-items
        self.barriers = self.random.random() < 0.35
        self.dimensions = self.random.choice([1, 1, 2, 3])
        self.local = self.random.choice([(1, 1, 1), (4, 2, 2), (7, 3, 1), (16, 4, 1), (64, 1, 1),
                                         (33, 1, 2), (100, 1, 1), (5, 9, 1), (8, 8, 2)])
        if self.dimensions < 3:
            self.local = self.local[:self.dimensions] + (1,) * (3 - self.dimensions)
        groups = [self.random.choice([1, 2, 3]) for _ in range(3)]
        self.size = tuple(self.local[d] * groups[d] - (self.random.randrange(self.local[d])
                          if self.random.random() < 0.5 else 0) if d < self.dimensions else 1
                          for d in range(3))
        self.offset = tuple(self.random.choice([0, 0, 5]) if d < self.dimensions else 0
                            for d in range(3))
        # Ids are anything below 2^31.
        self.far = [self.random.choice([70000, 2**30, 2**30 + 77, 2**31 - 512])
                    if d < self.dimensions and self.random.random() < 0.15 else 0 for d in range(2)]
        self.offset = (*(self.offset[d] + self.far[d] for d in range(2)), self.offset[2])
        self.chunk = self.random.choice([1, 2, 100])
        # Control flow that is the same for neighbours in y: several rows may run together.
        self.rows = self.dimensions > 1 and self.random.random() < 0.4
        self.returns = self.random.random() < 0.3 # before barriers, too
        # Groups' functions want all work-items.
        self.collectives = self.barriers and not self.returns
        self.sub_group = self.random.choice([0, 16, 32]) if self.collectives else 0
        self.variables = {}
        self.source = self.program()

    # --- expressions -------------------------------------------------------------------------
    def pick(self, type_):
        names = [n for n, t in self.variables.items() if t == type_]
        return self.random.choice(names) if names else self.constant(type_)

    def constant(self, type_):
        if type_ in ("float", "half", "double"):
            value = self.random.choice(["0.5", "1.0", "-2.25", "3.0", "0.125"])
            return f"({type_})({value}f)" if type_ != "double" else f"({value})"
        return f"({type_})({self.random.choice([0, 1, 2, 3, 7, 31, 100, 255])})"

    def convert(self, value, source, target):
        if source == target:
            return value
        reals = ("float", "half", "double")
        if target in reals:
            if source in reals:
                return f"({target})({value})"
            return f"({target})(int)(({value}) & 1023)"
        if source == "float":
            return f"({target})as_uint({value})"
        if source == "double":
            return f"({target})as_ulong({value})"
        if source == "half":
            return f"({target})as_ushort({value})"
        return f"({target})({value})"

    def expression(self, type_, depth=2):
        r = self.random.random()
        if depth == 0 or r < 0.2:
            return self.pick(type_)
        if r < 0.3:
            other = self.random.choice(self.types)
            return self.convert(self.expression(other, depth - 1), other, type_)
        if r < 0.4:
            return self.load(type_, depth - 1)
        if r < 0.43 and type_ not in ("float", "half", "double"):
            return f"({type_})({self.small(depth)[0]})"
        if r < 0.45 and type_ == "uint":
            return self.builtin(depth - 1)
        if r < 0.46 and type_ not in ("float", "half", "double"):
            return self.rounded_to_integer(type_, depth - 1)
        if r < 0.46 and type_ == "float":
            return self.real(depth - 1)
        a = self.expression(type_, depth - 1)
        b = self.expression(type_, depth - 1)
        if r < 0.48:
            return f"({self.condition(depth - 1)} ? {a} : {b})"
        if type_ in ("float", "half", "double"):
            if r < 0.55:
                return f"fabs({a})" if type_ == "float" else f"({a} > {b} ? {a} : {b})"
            return f"({a} {self.random.choice('+-*')} {b})"
        u = "ulong" if type_ == "ulong" else "uint"
        a, b = f"({u})({a})", f"({u})({b})"
        operation = self.random.choice(["+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%", "min",
                                        "max", "sar", "rot", "mad", "clz"])
        if operation in "<<>>":
            return f"({type_})({a} {operation} ({b} & 15))"
        if operation in "/%":
            if self.random.random() < 0.5:
                return f"({type_})({a} {operation} ({b} | 1))"
            return f"({type_})(({b}) != 0 ? {a} {operation} ({b}) : 3)"
        if operation in ("min", "max"):
            return f"({type_}){operation}({a}, {b})"
        if operation == "sar":
            signed = "long" if u == "ulong" else "int"
            return f"({type_})(({signed})({a}) >> ({b} & 7))"
        if operation == "rot":
            return f"({type_})rotate({a}, {b})"
        if operation == "mad":
            return f"({type_})({a} * ({u})3 + {b})"
        if operation == "clz":
            return f"({type_})clz({a})"
        return f"({type_})({a} {operation} {b})"

    def index(self, depth):
        r = self.random.random()
        if r < 0.3:
            return f"(gid + {self.random.choice(['0', '1', '2u', 'n', 'u'])})"
        if r < 0.4:
            return f"(gid * {self.random.choice([2, 3, 4])} + {self.random.randrange(4)})"
        if r < 0.5:
            return self.random.choice(["u", "n", "(u + 3)", "(n * 2)"])
        if r < 0.6:
            return "(x + y * u)"
        if r < 0.7:
            return self.flat()
        if r < 0.78:
            return f"(uint)({self.near()})"
        if r < 0.85:
            return f"(uint)({self.odd_index()})"
        return f"(uint)({self.expression('uint', depth)})"

    def load(self, type_, depth):
        private = self.arrays(type_)
        if private and self.random.random() < 0.5:
            name, _, length = self.random.choice(private)
            return f"{name}[{self.array_index(length)}]"
        if self.vectors(type_) and self.random.random() < 0.5:
            return self.component(type_)
        array = INPUTS.get(type_)
        if array is None or (self.random.random() < 0.2 and type_ == "uint"):
            at = f"(({self.expression('uint', depth)}) & 7)"
            return self.convert(f"array[{at}]", "uint", type_)
        if self.random.random() < 0.35:
            return f"{array}[{self.plain(1024)}]"
        return f"{array}[{self.index(depth)} & 1023]"

    def condition(self, depth=1, uniform=False):
        if uniform:
            return self.random.choice(["u > 3", "n & 1", "(u ^ n) < 9", "in[u & 1023] & 1",
                                       "u == 5", "n > 1000"])
        if self.rows:
            return self.random.choice([self.condition(uniform=True), "x < u", "x == 0", "in[x] & 1",
                                       "(x & 3) != 1 && u > 2", "fin[x + u] > 0.5f"])
        r = self.random.random()
        if r < 0.15:
            return self.condition(uniform=True)
        if r < 0.25:
            return self.random.choice([f"gid < n", "gid >= u", "x == 0", "(x & 1) == 0", "x < u",
                                       "x + 3 < n", "x >= 2", "(int)x - 5 >= 0", "x < n && y < u",
                                       "x * 2 < n", "n - x > 3", "x + u <= n", "x != u", "y > 0",
                                       "get_local_id(0) < u", "get_local_id(0) == u", "(long)x < n",
                                       "x - u < 9", "get_group_id(0) == 0", "x / 4 < u",
                                       "x > 0 && x < n",
                                       "x + 1 < get_global_size(0)", "(float)x < 20.5f",
                                       f"{self.flat()} < u", f"{self.flat()} == 0"])
        if r < 0.35:
            return (f"({self.condition(0)} {self.random.choice(['&&', '||'])} "
                    f"{self.condition(0)})")
        if r < 0.43:
            a, operator = self.small(1)[0], self.random.choice(["<", ">", "==", "<="])
            return f"({a} {operator} {self.small(1)[0]})"
        type_ = self.random.choice(["uint", "uint", "float", "ulong", "int"])
        operator = self.random.choice(["<", ">", "==", "!=", "<=", ">="])
        return f"({self.expression(type_, depth)} {operator} {self.expression(type_, depth)})"

    # --- statements --------------------------------------------------------------------------
    def emit(self, line):
        self.lines.append("    " * (self.depth + 1) + line)

    def block(self, length):
        outer = dict(self.variables)
        self.depth += 1
        for _ in range(length):
            self.statement()
        self.depth -= 1
        self.variables = outer

    def assign(self):
        names = [n for n, t in self.variables.items() if t in TYPES and not n.startswith("i")]
        name = self.random.choice(names)
        type_ = self.variables[name]
        operator = self.random.choice(["=", "=", "+=", "^="])
        if type_ in ("float", "half", "double") and operator == "^=":
            operator = "="
        if type_ == "int":
            operator = "="
        self.emit(f"{name} {operator} {self.expression(type_)};")

    def statement(self):
        r = self.random.random()
        deep = self.depth > 4
        if not deep and self.random.random() < 0.2:
            loop = self.barriers and not self.divergent
            self.random.choice([self.private_array, self.private_array, self.vector_statement,
                                self.vector_statement, self.call, self.jumps, self.wrapping,
                                self.chosen_pointer] + [self.local_loop, self.single] * loop)()
            return
        if not deep and self.random.random() < 0.25:
            together = self.barriers and not self.divergent
            self.random.choice(
                [self.signed_statement] * 4 + [self.stencil] * 3 + [self.structure] * 2 +
                [self.search] * 3 + [self.volatile_accesses] * 2 +
                [self.threes, self.halves, self.in_place, self.walk, self.program_scope,
                 self.leave_both, self.states, self.choice_of_constants, self.until_it_succeeds, self.own_atomics] +
                [self.tile, self.tile, self.drawn] * together +
                [self.copies, self.copies] * (together and self.collectives) +
                [self.parts] * 5 * (together and self.sub_group > 0) +
                [self.partners] * 2 * (together and self.sub_group > 0))()
            return
        if r < 0.32 or deep:
            self.assign()
        elif r < 0.38:
            at = self.random.choice(["0", "3", f"({self.expression('uint', 1)}) & 7"])
            self.emit(f"array[{at}] = {self.expression('uint')};")
        elif r < 0.44:
            self.store()
        elif r < 0.64:
            self.branch()
        elif r < 0.82:
            self.loop()
        elif r < 0.87:
            self.switch()
        elif r < 0.93 and self.loops:
            self.emit(f"if ({self.condition()}) {self.random.choice(['break', 'continue'])};")
        elif r < 0.95 and (not self.barriers or self.returns):
            self.emit(f"if ({self.condition()}) return {self.result};")
        elif self.barriers and not self.divergent:
            self.random.choice([self.exchange, self.exchange, self.tally] +
                               [self.collective] * 3 * self.collectives)()
        else:
            type_ = self.random.choice(self.types)
            name = f"v{self.counter}"
            self.counter += 1
            self.emit(f"{type_} {name} = {self.expression(type_)};")
            self.variables[name] = type_

    def store(self):
        slot = self.random.randrange(4)
        volatile = self.random.choice(["", "", "", "volatile "])
        what = self.random.choice(["out", "fout", "bout", "sout", "atomic", "vector",
                                   "bytes"])
        if what == "out":
            self.emit(f"out[gid + {slot} * total] = {self.expression('uint')};")
        elif what == "fout":
            self.emit(f"fout[gid * 4 + {slot}] = {self.expression('float')};")
        elif what == "bout":
            self.emit(f"bout[gid + {slot} * total] = {self.expression('uchar')};")
        elif what == "sout":
            self.emit(f"sout[gid * 2 + {slot & 1}] = {self.expression('ushort')};")
        elif what == "vector":
            name = f"w{self.counter}"
            self.counter += 1
            self.emit(f"{{ float4 {name} = (({volatile}global const float4 *)fin)"
                      f"[{self.index(1)} & 255]; {name}.yw += {name}.x * {self.pick('float')};")
            self.emit(f"  f += {name}.w; (({volatile}global float4 *)fout)[gid] = {name}; }}"
                      if volatile else f"  f += {name}.w; vstore4({name}, gid, fout); }}")
        elif what == "bytes":
            name = f"w{self.counter}"
            self.counter += 1
            self.emit(f"{{ uchar4 {name} = (({volatile}global const uchar4 *)bin)"
                      f"[{self.index(1)} & 255]; a += {name}.x + {name}.z * 3u;")
            self.emit(f"  c = {name}.y; l ^= as_uint({name}); }}")
        else:
            # In any order with the same result: each element knows one operation only.
            operation, first = self.random.choice([("add", 0), ("xor", 4), ("max", 8), ("or", 12)])
            index = self.random.choice(["0", "(u & 3)", f"(({self.expression('uint', 1)}) & 3)",
                                        f"(({self.expression('uint', 1)}) & 3)"])
            value = self.random.choice(["u", self.expression("uint", 1)])
            self.emit(f"atomic_{operation}(&sums[{first} + {index}], {value});")

    def branch(self):
        uniform = self.random.random() < 0.3
        condition = self.condition(uniform=uniform)
        if self.random.random() < 0.2:
            condition = f"__builtin_expect({condition}, 0)"
        self.emit(f"if ({condition}) {{")
        self.divergent += not uniform
        self.block(self.random.randrange(1, 4))
        if self.random.random() < 0.5:
            self.emit("} else {")
            self.block(self.random.randrange(1, 4))
        self.divergent -= not uniform
        self.emit("}")

    # Lanes leave by their own condition or by a shared one, or the last ones first.
    def ragged_loop(self):
        name = f"i{self.counter}"
        self.counter += 1
        self.divergent += 1
        self.loops += 1
        type_ = "uint"
        if self.random.random() < 0.5:
            shared = f"{name} < {self.random.choice(['6', '(u & 7)', '(n & 7)'])}"
            own = self.condition()
            both = self.random.choice([f"{shared} && {own}", f"{own} && {shared}"])
            self.emit(f"for (uint {name} = 0; {both}; ++{name}) {{")
        else:
            type_ = self.random.choice(["uint", "uint", "int", "ulong"])
            group = "get_group_id(0) * get_local_size(0) + get_local_id(0)"
            first = self.random.choice(["x", "x + u", f"get_global_id(0) - {self.far[0]}", group] +
                                       ([] if self.rows else ["gid", "y"]))
            limit = self.random.choice(["n", "n", "40", "n * 2 - u", "u"])
            step = self.random.choice(["get_global_size(0)", "get_global_size(0)", "16", "24 + u",
                                       "get_num_groups(0) * get_local_size(0)"])
            less = self.random.choice(["<", "<", "<="])
            self.emit(f"for ({type_} {name} = {first}; {name} {less} {limit}; {name} += {step}) {{")
            if self.random.random() < 0.7:
                self.emit(f"    a += in[{name}];")
        outer = dict(self.variables)
        self.variables[name] = type_
        self.block(self.random.randrange(1, 3))
        self.variables = outer
        self.emit("}")
        self.loops -= 1
        self.divergent -= 1

    def loop(self):
        if self.random.random() < 0.3:
            self.ragged_loop()
            return
        name = f"i{self.counter}"
        self.counter += 1
        uniform = self.rows or self.random.random() < 0.4
        limit = (self.random.choice(["4", "(u & 3) + 1", "n & 7"]) if uniform
                 else f"({self.expression('uint', 1)}) & 7")
        # Barriers only where all work-items come: a break may be divergent.
        self.divergent += 1 if not uniform else 0
        shape = self.random.randrange(3)
        type_ = "uint"
        self.loops += 1
        breaks = self.barriers and uniform and not self.divergent
        if breaks:
            self.loops, saved = 0, self.loops
        if shape == 0 and not uniform and self.random.random() < 0.5:
            type_ = self.random.choice(["int", "uint", "ulong"])
            self.emit(f"{type_} {name}_first = ({self.expression('uint', 1)}) & 255, "
                      f"{name}_last = {name}_first + ({limit});")
            different = self.random.choice(["<", "<", "!="])
            self.emit(f"for ({type_} {name} = {name}_first; {name} {different} {name}_last; "
                      f"++{name}) {{")
            self.emit(f"    a += in[{name}];")
        elif shape == 0:
            self.emit(f"for (uint {name} = 0; {name} < ({limit}); ++{name}) {{")
        elif shape == 1:
            self.emit(f"uint {name} = 0;")
            self.emit(f"while ({name}++ < ({limit})) {{")
        else:
            self.emit(f"uint {name} = 0;")
            self.emit("do {")
        outer = dict(self.variables)
        self.variables[name] = type_
        self.block(self.random.randrange(1, 4))
        self.variables = outer
        self.emit("}" if shape != 2 else f"}} while (++{name} < ({limit}));")
        if breaks:
            self.loops = saved
        self.loops -= 1
        self.divergent -= 1 if not uniform else 0

    def switch(self):
        what = "u" if self.rows else self.expression("uint", 1)
        self.emit(f"switch (({what}) & 3) {{")
        self.divergent += 1
        loops, self.loops = self.loops, 0
        for case in range(3):
            self.emit(f"case {case}:")
            self.block(1)
            if self.random.random() < 0.7:
                self.emit("    break;")
        self.emit("default: ;")
        self.emit("}")
        self.loops = loops
        self.divergent -= 1

    def exchange(self):
        self.emit("{")
        self.emit(f"    shared_[lid] = {self.expression('uint')};")
        self.emit("    barrier(CLK_LOCAL_MEM_FENCE);")
        name = self.pick("uint")
        if name.startswith(("(", "i")):
            name = "a"
        step = self.random.choice(["1", "u", "7", "lid"])
        self.emit(f"    {name} ^= shared_[(lid + {step}) % items];")
        self.emit("    barrier(CLK_LOCAL_MEM_FENCE);")
        self.emit("}")

    def tally(self):
        self.emit("{")
        self.emit("    for (uint k = lid; k < 16; k += items) tally[k] = 0;")
        self.emit("    barrier(CLK_LOCAL_MEM_FENCE);")
        operation = self.random.choice(["add", "xor", "max", "or", "inc"])
        index = self.random.choice(["0", "lid & 15", f"({self.expression('uint', 1)}) & 15"])
        value = "" if operation == "inc" else f", {self.expression('uint', 1)}"
        guard = f"if ({self.condition()}) " if self.random.random() < 0.5 else ""
        self.emit(f"    {guard}atomic_{operation}(&tally[{index}]{value});")
        self.emit("    barrier(CLK_LOCAL_MEM_FENCE);")
        self.emit("    a += tally[b & 15];")
        self.emit("    barrier(CLK_LOCAL_MEM_FENCE);")
        self.emit("}")

    # A function that all work-items of the group or of the sub-group call.
    def collective(self):
        scope = "sub_group" if self.sub_group and self.random.random() < 0.7 else "work_group"
        type_ = self.random.choice(["uint", "uint", "int", "ulong", "float"])
        operations = ["min", "max"] if type_ == "float" else ["add", "min", "max"]
        operation = self.random.choice(operations)
        combined = "r + o" if operation == "add" else f"{operation}(r, o)"
        if type_ == "float":
            combined = f"f{operation}(r, o)"
        least = {"int": "INT_MIN", "float": "-INFINITY"}.get(type_, "0")
        most = {"int": "INT_MAX", "float": "INFINITY", "uint": "UINT_MAX"}.get(type_, "ULONG_MAX")
        identity = {"add": "0", "min": most, "max": least}[operation]
        what = self.random.choice(["reduce", "scan_inclusive", "scan_exclusive", "any", "all",
                                   "broadcast"] +
                                  ["shuffle", "shuffle", "ballot"] * (scope == "sub_group"))
        other = f"({self.expression('uint', 1)})"
        call = f"{scope}_{what}_{operation}(g)"
        end = {"scan_inclusive": "lid + 1", "scan_exclusive": "lid"}.get(what, "last")
        loop = f"r = {identity}; for (uint k = first; k < {end}; ++k) {{ {type_} o = e[k]; r = {combined}; }}"
        if what in ("any", "all"):
            call = f"({type_}){scope}_{what}(g > 7)"
            loop = (f"r = {int(what == 'all')}; for (uint k = first; k < last; ++k) "
                    f"r = r {'&&' if what == 'all' else '||'} e[k] > 7;")
        elif what == "broadcast":
            other = self.random.choice(["0", "u", "n"])
            call = (f"sub_group_broadcast(g, {other} % count)" if scope == "sub_group" else
                    f"work_group_broadcast(g, {other} % get_local_size(0), 0, 0)")
            loop = (f"r = e[first + {other} % count];" if scope == "sub_group" else
                    f"r = e[{other} % get_local_size(0)];")
        elif what == "shuffle":
            call = f"sub_group_shuffle(g, {other} % count)"
            loop = f"r = e[first + {other} % count];"
        elif what == "ballot":
            call = f"({type_})sub_group_ballot(g > 7).x"
            loop = ("uint bits = 0; for (uint k = first; k < last; ++k) "
                    f"bits |= (uint)(e[k] > 7) << (k - first); r = ({type_})bits;")
        # Only some work-items of a sub-group may call it.
        some = (scope == "sub_group" and what not in ("broadcast", "shuffle") and
                self.random.random() < 0.5)
        if some:
            loop = loop.replace("++k)", "++k) if (on[k])")
            if what != "ballot":
                call = call.replace("sub_group_", "sub_group_non_uniform_", 1)
        if scope == "sub_group":
            self.emit(f"{{ uint first = lid / {self.sub_group} * {self.sub_group};")
            self.emit(f"  uint last = min(first + {self.sub_group}, items), count = last - first;")
        else:
            self.emit("{ uint first = 0, last = items, count = items;")
        self.emit(f"  {type_} g = {self.expression(type_)}, r;")
        if type_ == "float": # which of two zeroes, and what of a NaN, is free
            self.emit("  g = g > -1e6f && g < 1e6f && g != 0 ? g : 1;")
        self.emit(f"  const bool takes_part = {self.condition() if some else 'true'};")
        self.emit("#ifdef REFERENCE")
        if some:
            self.emit("  local uint *on = (local uint *)(shared_2_ + 256); on[lid] = takes_part;")
        self.emit(f"  local {type_} *e = (local {type_} *)shared_2_; e[lid] = g; "
                  "barrier(CLK_LOCAL_MEM_FENCE);")
        self.emit(f"  {loop} barrier(CLK_LOCAL_MEM_FENCE);")
        self.emit("#else")
        self.emit(f"  if (takes_part) r = {call};" if some else f"  r = {call};")
        self.emit("#endif")
        if some:
            self.emit("  if (!takes_part) r = 0;")
        self.emit(f"  a ^= {self.convert('r', type_, 'uint')}; }}")

    @staticmethod
    def scalars():
        return {"a": "uint", "b": "uint", "f": "float", "c": "uchar", "l": "ulong", "s": "ushort",
                "j": "int"}

    def write(self):
        for _ in range(self.random.choice([0, 0, 1, 2])):
            self.function()
        self.variables = self.scalars()
        for _ in range(self.random.randrange(4, 9)):
            self.statement()
            if self.collectives and self.random.random() < 0.3:
                self.collective()
            if self.sub_group and self.random.random() < 0.3:
                self.random.choice([self.parts, self.parts, self.partners])()
        guard = "" if self.barriers or self.random.random() < 0.5 else "    if (gid >= n) return;\n"
        if guard and self.rows:
            guard = "    if (x >= n || y >= u) return;\n"
        size = (f"__attribute__((intel_reqd_sub_group_size({self.sub_group}))) " if self.sub_group
                else "")
        if self.random.random() < 0.3:
            size += f"__attribute__((reqd_work_group_size{self.local})) "
        head = f"""{size}kernel void {self.name}(global uint *out, global any_float *fout, global uchar *bout,
        global ushort *sout, global uint *sums, global const uint *in, global const float *fin,
        global const uchar *bin, global const ulong *lin, global const uint *back,
        global const any_float *fback, uint n, uint u) {{
    uint x = get_global_id(0) - {self.far[0]}, y = get_global_id(1) - {self.far[1]};
    uint gid = get_global_linear_id();
    uint total = get_global_size(0) * get_global_size(1) * get_global_size(2);
"""
        if self.barriers:
            head += """    local uint shared_[512], tally[16];
    local ulong shared_2_[512];
    local uint tile_[18 * 104];
    uint lid = get_local_linear_id();
    uint items = get_local_size(0) * get_local_size(1) * get_local_size(2);
"""
            if self.returns: # of work-items that are gone, others read what was there before
                head += "    shared_[lid] = lid; if (lid == 0) for (uint k = 0; k < 16; ++k) " \
                        "tally[k] = k;\n    for (uint k = lid; k < 18 * 104; k += items) " \
                        "tile_[k] = k;\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
        head += guard + """    uint a = in[gid & 1023], b = x * 3 + y;
    float f = fin[gid & 1023];
    uchar c = bin[(gid + 1) & 1023];
    ulong l = lin[b & 1023];
    ushort s = (ushort)(a >> 3);
    int j = (int)b - 5;
    uint array[8] = {a, 1, b, 3, 4, 5, 6, 7};
    float f_;
    int j_;
"""
        tail = """    out[gid] ^= a + b * 3 + (uint)l + c + s + (uint)j + array[a & 7];
    fout[gid * 4] = f;
}
"""
        return head + "\n".join(self.lines) + "\n" + tail

    def kernel_of_lines(self, guard=None):
        """A kernel of its own form, without the variables that the others have."""
        if guard is None:
            guard = "    if (gid >= n) return;\n" if self.random.random() < 0.3 else ""
        return f"""kernel void {self.name}(global uint *out, global float *fout, global uchar *bout,
        global ushort *sout, global uint *sums, global const uint *in, global const float *fin,
        global const uchar *bin, global const ulong *lin, global const uint *back,
        global const float *fback, uint n, uint u) {{
    uint gid = get_global_linear_id();
{guard}    float f = u * 0.5f;
""" + "\n".join(self.lines) + "\n}\n"

    def program(self):
        writers = [self.write, self.write_alike, self.write_crowded, self.write_borders]
        text = self.random.choices(writers, [18, 1, 1, 2])[0]()
        return ("#pragma OPENCL FP_CONTRACT OFF\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" +
                f"#ifndef STRUCTURES\n#define STRUCTURES\n{STRUCTURES}#endif\n{self.tables()}" +
                "".join(text for *_, text in self.functions) + text)


if __name__ == "__main__":
    import sys
    print(Kernel(int(sys.argv[1])).source)
