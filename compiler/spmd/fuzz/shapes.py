# SPDX-License-Identifier: Apache-2.0
"""Statements of random kernels beside scalar ones: private arrays that are indexed by anything,
OpenCL's vectors, ids of a plane in one number, loops that are entered in the middle, functions,
loops around barriers. A statement each."""

VECTOR_TYPES = ["uint", "uint", "float", "float", "uchar", "ushort", "ulong", "double", "half"]
REALS = ("float", "double", "half")
INPUTS = {"uint": "in", "float": "fin", "uchar": "bin", "ulong": "lin"}
PARAMETERS = ("global uint *out, global any_float *fout, global uchar *bout, global ushort *sout, "
              "global uint *sums, global const uint *in, global const float *fin, "
              "global const uchar *bin, global const ulong *lin, global const uint *back, "
              "global const any_float *fback, uint n, uint u, uint x, uint y, "
              "uint gid, uint total, uint *array")
GROUP_PARAMETERS = (", local uint *shared_, local uint *tally, local ulong *shared_2_, "
                    "local uint *tile_, uint lid, uint items")


def names(parameters):
    return ", ".join(part.split()[-1].lstrip("*") for part in parameters.split(","))


class Shapes:
    # --- private arrays ----------------------------------------------------------------------
    def arrays(self, type_=None):
        found = [(name, *what[:-1].split("[")) for name, what in self.variables.items()
                 if what.endswith("]")]
        return [(name, of, int(length)) for name, of, length in found if type_ in (None, of)]

    def array_index(self, length):
        counters = [n for n in self.variables if n.startswith("i")]
        what = self.random.choice([str(self.random.randrange(length)), "x", "u",
                                   *counters[:2], self.expression("uint", 1)])
        return f"({what}) % {length}u"

    def private_array(self):
        arrays = self.arrays()
        if not arrays or self.random.random() < 0.3:
            type_ = self.vector_type()
            length = self.random.choice([2, 3, 4, 8, 12, 16, 33])
            name = f"p{self.counter}"
            self.counter += 1
            self.emit(f"{type_} {name}[{length}];")
            self.emit(f"for (uint k = 0; k < {length}; ++k) {name}[k] = "
                      f"{self.convert('k * 7 + a', 'uint', type_)};")
            self.variables[name] = f"{type_}[{length}]"
            return
        name, type_, length = self.random.choice(arrays)
        step = self.random.randrange(5)
        if step == 0:   # a window that slides
            self.emit(f"for (uint k = {length - 1}; k > 0; --k) {name}[k] = {name}[k - 1];")
            self.emit(f"{name}[0] = {self.expression(type_, 1)};")
        elif step == 1: # a step of a sort
            self.emit(f"for (uint k = 1; k < {length}; ++k) if ({name}[k - 1] > {name}[k]) {{")
            self.emit(f"    {type_} t = {name}[k]; {name}[k] = {name}[k - 1]; {name}[k - 1] = t; }}")
        elif step == 2:
            self.emit(f"for (uint k = 0; k < {length}; ++k) "
                      f"a = a * 5 + {self.convert(name + '[k]', type_, 'uint')};")
        else:
            operator = self.random.choice(["=", "=", "+="])
            self.emit(f"{name}[{self.array_index(length)}] {operator} {self.expression(type_)};")

    # --- indices that wrap -------------------------------------------------------------------
    # Between work-items that come by; those in between would be far away, and the numbers aren't
    # known before the kernel runs.
    def wrapping(self):
        bits = self.random.choice([1, 2, 3])
        every = 1 << bits
        zero = self.random.choice(["", "", " + (u >> 4)", " + (n >> 7)"])
        step = lambda near: (f"({(self.random.choice([1, 3, 5]) << 32 - bits) + near & 0xffffffff}u"
                             f"{zero})")
        guard = f"(x & {every - 1}) == 0 && {self.condition()}"
        behind = self.random.choice([1, 3, 8, 20])
        what = self.random.randrange(7)
        if what == 0 and not self.rows:
            slot = self.random.randrange(4)
            at = self.random.choice([f"gid * {step(1)} + {slot} * total",
                                     f"(gid + {every}u) * {step(1)} - {every}u + {slot} * total"])
            self.emit(f"if ((gid & {every - 1}) == 0 && {self.condition()}) "
                      f"out[{at}] = {self.expression('uint')};")
        elif what == 1:
            self.emit(f"if ({guard}) f += fin[400u - x * {step(1)}];")
        elif what == 2: # none wraps, but where lane 0 would be
            self.emit(f"if (x == {behind} || x == {behind + 1} && {self.condition()}) "
                      f"a ^= in[(int)(x - {behind}) * (int)(100{zero})];")
            self.emit(f"if ((x & 63) == {behind} && x < 64) "
                      f"a += in[(int)(x - {behind}) * (int)(0x20000000u{zero}) + 7];")
        elif what == 3: # x + 1 is x | 1
            self.emit(f"if ({guard}) c += bin[x + {self.random.randrange(1, every)}];")
        elif what == 4:
            self.emit(f"{{ ulong j = x - {behind}u; l ^= j; "
                      f"if (x >= {behind} && {self.condition()}) l += lin[j]; }}")
        elif what == 5:
            far = (1 << 64 - bits) + 2
            self.emit(f"if ({guard}) b ^= in[(ulong)x * ({far}ul{zero}) + 1];")
        else:
            near = self.random.choice([1, 2, 3])
            self.emit(f"if ({guard}) a ^= in[x * {step(near)} + {self.random.randrange(9)}];")

    # --- ids of a plane ----------------------------------------------------------------------
    def flat(self):
        width = self.random.choice(["8u", "10u", "64u", "3u", "(n | 1)", "(u + 1)",
                                    "get_global_size(0)", "get_local_size(0)"])
        id_ = self.random.choice(["gid", "gid", "x", "(gid + u)", "get_global_id(0)"])
        row, column = f"{id_} / {width}", f"{id_} % {width}"
        return "(uint)(" + self.random.choice([
            row, column, column, f"{row} * ({width} + 2) + {column}", f"{column} * 9 + {row}",
            f"{row} / 5u % 3u"]) + ")"

    # --- vectors -----------------------------------------------------------------------------
    def vectors(self, type_):
        return [(name, int(what[len(type_):])) for name, what in self.variables.items()
                if what.startswith(type_) and what[len(type_):].isdigit()]

    def vector_type(self):
        return self.random.choice([t for t in VECTOR_TYPES if t != "half" or t in self.types])

    def component(self, type_):
        name, width = self.random.choice(self.vectors(type_))
        return f"{name}.s{self.random.randrange(width):x}"

    def swizzle(self, width, count, apart=False):
        components = range(width)
        chosen = self.random.sample(components, count) if apart else self.random.choices(components, k=count)
        return "s" + "".join(f"{component:x}" for component in chosen)

    def vector(self, type_, width, depth=2):
        full = f"{type_}{width}"
        r = self.random.random()
        wide = [v for v in self.vectors(type_) if v[1] >= 2]
        if depth == 0 or r < 0.15:
            same = [name for name, w in wide if w == width]
            if same and self.random.random() < 0.8:
                return self.random.choice(same)
            parts = [self.pick(type_) for _ in range(width if self.random.random() < 0.7 else 1)]
            return f"({full})({', '.join(parts)})"
        if r < 0.35 and wide:
            name, of = self.random.choice(wide)
            return f"{name}.{self.swizzle(of, width)}"
        if r < 0.45 and type_ in INPUTS:
            at = (self.plain(1024 // width) if width < 8 and self.random.random() < 0.6 else
                  f"{self.index(1)} % {1024 // width}u")
            return f"vload{width}({at}, {INPUTS[type_]})"
        if r < 0.55:
            source = self.random.choice(["uchar", "ushort", "uint"])
            return f"convert_{full}({self.vector(source, width, depth - 1)})"
        a, b = self.vector(type_, width, depth - 1), self.vector(type_, width, depth - 1)
        if r < 0.65:
            return f"({a} {self.random.choice(['<', '==', '>='])} {b} ? {b} : {a})"
        masks = [name for name, what in self.variables.items() if what == f"mask{width}"]
        if r < 0.7 and masks and type_ in ("uint", "float"):
            return f"select({a}, {b}, {self.random.choice(masks)})"
        if r < 0.72 and width != 3 and type_ in ("uint", "float"):
            return f"shuffle({a}, {self.vector('uint', width, depth - 1)})"
        if r < 0.76 and type_ in ("uint", "float", "ulong", "ushort", "double"):
            return self.seen_as(type_, width, depth)
        if r < 0.79 and width in (4, 8, 16): # of halves, or of every second one
            half = self.vector(type_, width // 2, depth - 1)
            part = self.random.choice(["lo", "hi", "even", "odd"])
            whole = f"({full})({a})"
            return self.random.choice([f"({full})({half}, {half})",
                                       f"({full})({whole}.{part}, {half})"])
        if r < 0.81 and width != 3 and type_ in ("uint", "ushort", "ulong", "uchar"):
            return f"shuffle2({a}, {b}, {self.vector(type_, width, depth - 1)})"
        if type_ == "float" and r < 0.85:
            return self.random.choice([
                f"fma({a}, {b}, {a})", f"floor({a})", f"clamp({a}, -1.0f, {self.pick('float')})",
                f"fabs({a})", f"rint({b})", f"mix({a}, {b}, 0.5f)", f"(-{a})",
                f"convert_float{width}{self.rounding()}({self.vector('uint', width, depth - 1)})"])
        if type_ in REALS:
            return f"({a} {self.random.choice('+-*')} {b})"
        if r < 0.85:
            return self.random.choice([
                f"mad_sat({a}, {b}, {a})", f"abs_diff({a}, {b})", f"popcount({a})", f"(~{a})",
                f"clamp({a}, ({type_})1, ({type_})100)", f"({a} / ({b} | ({type_})1))",
                f"({a} % ({b} | ({type_})3))", f"({a} << ({b} & ({type_})7))",
                f"bitselect({a}, {b}, {a})",
                f"convert_{full}_sat{self.rounding()}({self.vector('float', width, depth - 1)})",
                f"convert_{full}_sat({self.vector('ulong', width, depth - 1)})"])
        operation = self.random.choice(["+", "-", "*", "&", "|", "^", ">>", "min", "max", "rotate",
                                        "add_sat", "sub_sat", "hadd", "rhadd", "mul_hi"])
        if operation.isidentifier():
            return f"{operation}({a}, {b})"
        return f"({a} >> ({b} & ({type_})7))" if operation == ">>" else f"({a} {operation} {b})"

    def seen_as(self, type_, width, depth):
        """The bits of another vector; finite ones, if they are seen as numbers with exponents."""
        bits = {"uint": 32, "float": 32, "ulong": 64, "ushort": 16, "double": 64}[type_]
        source = self.random.choice(["uchar", "ushort", "uint", "ulong"])
        count = bits * width // {"uchar": 8, "ushort": 16, "uint": 32, "ulong": 64}[source]
        if count not in (2, 4, 8, 16) or width == 3:
            return f"({self.vector(type_, width, depth - 1)})"
        value = self.vector(source, count, depth - 1)
        if type_ in REALS:
            mask = {"uchar": 0x3f, "ushort": 0xbfff, "uint": 0xbfffffff,
                    "ulong": 0xbfffffffbfffffff}
            value = f"({value} & ({source}){mask[source]}ul)"
        return f"as_{type_}{width}({value})"

    def vector_statement(self):
        type_ = self.vector_type()
        found = self.vectors(type_)
        if self.random.random() < 0.2: # a comparison that is kept, over barriers too
            width = self.random.choice([2, 3, 4, 8])
            of = self.random.choice(["uint", "float"])
            name = f"m{self.counter}"
            self.counter += 1
            self.emit(f"int{width} {name} = {self.vector(of, width)} < {self.vector(of, width)};")
            self.variables[name] = f"mask{width}"
            return
        if not found or self.random.random() < 0.3:
            width = self.random.choice([2, 3, 4, 4, 8, 16])
            name = f"q{self.counter}"
            self.counter += 1
            volatile = self.random.choice([""] * 7 + ["volatile "])
            self.emit(f"{volatile}{type_}{width} {name} = {self.vector(type_, width)};")
            self.variables[name] = f"{type_}{width}"
            return
        name, width = self.random.choice(found)
        step = self.random.randrange(6)
        if step < 2:
            self.emit(f"{name} {self.random.choice(['=', '+=', '*='])} {self.vector(type_, width)};")
        elif step == 2:
            count = self.random.choice([c for c in (2, 3, 4) if c <= width])
            self.emit(f"{name}.{self.swizzle(width, count, True)} = {self.vector(type_, count, 1)};")
        elif step == 3:
            self.emit(f"{name}.{self.swizzle(width, 1)} = {self.expression(type_, 1)};")
        elif step == 4:
            self.emit(f"(({type_} *)&{name})[{self.array_index(width)}] = {self.expression(type_, 1)};")
        else:
            question = f"{self.random.choice(['any', 'all'])}({name} > {self.vector(type_, width, 1)})"
            self.emit(f"a += {question} ? 1 : b;")

    # --- generic pointers --------------------------------------------------------------------
    def chosen_pointer(self):
        """A pointer into memory of any kind, perhaps another one for each work-item."""
        own = [f"array + (({self.expression('uint', 1)}) & 7)", "out + gid", "out + gid + total"]
        if self.barriers:
            own += ["shared_ + lid"] * 3
        a, b = self.random.choice(own), self.random.choice(own)
        self.emit(f"{{ uint *chosen = {self.condition()} ? (uint *)({a}) : (uint *)({b});")
        self.emit(f"  *chosen = {self.expression('uint', 1)};")
        if self.random.random() < 0.5:
            operation = self.random.choice(["add", "xor", "max", "or"])
            self.emit(f"  a += atomic_fetch_{operation}((atomic_uint *)chosen, "
                      f"{self.expression('uint', 1)});")
        self.emit("  b += *chosen; }")

    # --- what one work-item of a group does --------------------------------------------------
    def single(self):
        """A store by one work-item of a group, which all others see."""
        which = self.random.choice(["0", "items - 1", "3 % items", "u % items"])
        self.emit("shared_[lid] = 0; barrier(CLK_LOCAL_MEM_FENCE);")
        self.emit(f"if (lid == {which}) {{")
        self.divergent += 1
        loops, self.loops, returns, self.returns = self.loops, 0, self.returns, False
        self.block(self.random.randrange(1, 3))
        self.loops, self.returns = loops, returns
        self.divergent -= 1
        self.emit(f"    uint *any = {self.condition()} ? (uint *)(shared_ + u % items) : "
                  "(uint *)(shared_ + items - 1);")
        self.emit(f"    atomic_fetch_add((atomic_uint *)any, {self.expression('uint', 1)});")
        self.emit("}")
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")
        self.emit("a ^= shared_[u % items] + shared_[(lid + 1) % items];")
        self.emit("barrier(CLK_LOCAL_MEM_FENCE);")

    # --- loops without a header --------------------------------------------------------------
    def jumps(self):
        name = f"i{self.counter}"
        self.counter += 1
        self.emit(f"uint {name} = 0;")
        self.emit(f"if ({self.condition()}) goto middle_{name};")
        self.emit(f"first_{name}: ;")
        self.assign()
        if self.random.random() < 0.5:
            self.emit(f"if ({self.condition()}) goto end_{name};")
        self.emit(f"middle_{name}: ;")
        self.assign()
        limit = "u & 3" if self.rows else f"({self.expression('uint', 1)}) & 7"
        # Perhaps one branch to both entries of the loop.
        again = f"{{ if ({self.condition()}) goto first_{name}; goto middle_{name}; }}"
        if self.random.random() < 0.5:
            again = f"goto first_{name};"
        self.emit(f"if (++{name} < ({limit})) {again}")
        self.emit(f"end_{name}: ;")

    # --- functions ---------------------------------------------------------------------------
    def function(self):
        """One more function that kernels and later functions call: with barriers, if all come."""
        saved = (self.lines, self.variables, self.barriers, self.collectives, self.returns)
        grouped = self.barriers and self.random.random() < 0.5
        self.barriers, self.collectives = grouped, grouped and self.collectives
        self.returns = self.returns and not grouped
        self.lines, self.variables = [], dict(self.scalars())
        self.result = "a"
        for _ in range(self.random.randrange(2, 5)):
            self.statement()
        self.result = ""
        name = f"h{self.seed}_{len(self.functions)}"
        parameters = PARAMETERS + GROUP_PARAMETERS * grouped
        text = (f"uint {name}({parameters}, uint a, float f) {{\n"
                "    uint b = a + y;\n    uchar c = bin[b & 1023];\n    ulong l = a * 5ul;\n"
                "    ushort s = (ushort)a;\n    int j = (int)u, j_;\n    float f_;\n"
                + "\n".join(self.lines) + "\n    return a ^ b + as_uint(f) + c + (uint)l + s;\n}\n")
        self.lines, self.variables, self.barriers, self.collectives, self.returns = saved
        self.functions.append((name, parameters, grouped, text))

    def call(self):
        possible = [f for f in self.functions
                    if not f[2] or (self.barriers and not self.divergent)]
        if possible:
            name, parameters, _, _ = self.random.choice(possible)
            self.emit(f"a += {name}({names(parameters)}, {self.expression('uint', 1)}, f);")

    # --- loops around barriers ---------------------------------------------------------------
    def local_loop(self):
        barrier = "barrier(CLK_LOCAL_MEM_FENCE);"
        step = self.random.randrange(4)
        if step == 3: # goes on while work-items find it so together
            self.emit("for (uint k = 0; k < 4; ++k) {")
            self.emit(f"    if (lid == 0) tally[0] = in[(u + k) & 1023] & 3; {barrier}")
            self.emit(f"    uint t = tally[0]; {barrier} a += t * b;")
            self.emit("    if (t == 0) break;")
            self.emit("}")
            return
        self.emit(f"shared_[lid] = {self.expression('uint')}; {barrier}")
        if step == 0:
            self.emit("for (uint k = items / 2; k > 0; k /= 2) {")
            self.emit("    if (lid < k) shared_[lid] += shared_[lid + k];")
            self.emit(f"    {barrier}")
            self.emit("}")
        elif step == 1:
            self.emit("for (uint k = 1; k < items; k *= 2) {")
            self.emit(f"    uint t = shared_[(lid + k) % items]; {barrier}")
            self.emit(f"    shared_[lid] ^= t * 3; {barrier}")
            self.emit("}")
        else:
            self.emit(f"for (uint k = 0; k < (u & 3); ++k) {{")
            self.emit(f"    uint t = shared_[lid]; {barrier}")
            self.emit(f"    shared_[lid % 8 * 64 + lid / 8] = t + a; {barrier}")
            self.emit(f"    a += shared_[(lid + k) % items]; {barrier}")
            self.emit("}")
        self.emit(f"a += shared_[lid]; {barrier}")
