# SPDX-License-Identifier: Apache-2.0
"""Accesses of random kernels beside plain arrays: neighbours in a plane, structures and
vectors of three, half precision in memory, pointers that go through loops, tables and variables of
the program. And control flow that leaves several loops, or goes from state to state."""

# Memory in fout may be stored as a structure and read as floats: C 2011, 6.5, paragraph 7.
STRUCTURES = """struct pixel { uchar r, g, b; };
struct mixed { uint a; ushort b; uchar c; char d; uint e[2]; };
struct point { float x, y, z; };
struct pair { ulong l; uint a; ushort s[2]; };
struct nest { struct pixel p[2]; short s; struct { uint a, b; } in; };
typedef float __attribute__((may_alias)) any_float;
"""
FIELDS = { # of a structure, where it is read from, how many fit there
    "pixel": ("bin", 341, ["r", "g", "b"]),
    "mixed": ("in", 204, ["a", "b", "c", "d", "e[0]", "e[1]", "e[AT(2)]"]),
    "point": ("fin", 341, ["x", "y", "z"]),
    "pair": ("lin", 512, ["l", "a", "s[0]", "s[1]", "s[AT(2)]"]),
    "nest": ("in", 256, ["p[0].r", "p[1].b", "p[AT(2)].g", "s", "in.a", "in.b"]),
}


class Accesses:
    def new(self, letter):
        self.counter += 1
        return f"{letter}{self.counter - 1}"

    def to_uint(self, text, array):
        return f"as_uint({text})" if array == "fin" else f"(uint)({text})"

    # --- elements side by side, without a mask -------------------------------------------------
    def plain(self, count):
        """An index into `count` elements: x is at most 305, y 32, a local id 99."""
        u = self.random.choice(["", "", " + u", " + 1", " + 2", " + 3"])
        k = self.random.randrange(12)
        choices = ["get_local_id(0)", f"get_local_id(0){u}", f"(int)get_local_id(0) + {k}",
                   f"get_local_id(0) * 2 + {k & 1}", "100 - get_local_id(0)", "get_local_id(0) + y"]
        if count >= 320:
            choices += ["x", "x", f"x{u}", f"x + {k}", f"(int)x + {k}", f"(size_t)x + {k}",
                        "310 - x", f"get_global_id(0) - {self.far[0]}",
                        "get_group_id(0) * get_local_size(0) + get_local_id(0)"]
        if count >= 1024:
            choices += [f"x{u} + 64", f"x * 2{u}", f"x * 3{u}", f"y * 20 + x{u}", "y * n / 9 + x",
                        f"600 + x - y{u}", f"(y + 1) * 19 + get_local_id(0){u}", "1023 - x * 3",
                        f"x * (u & 3) + {k}", f"y * (u + 7) + x", "x + get_group_id(0) * 100"]
        return self.random.choice(choices)

    # --- neighbours in a plane ---------------------------------------------------------------
    def stencil(self):
        array, type_ = self.random.choice([("in", "uint"), ("fin", "float"), ("bin", "uint"),
                                           ("lin", "ulong")])
        width = self.random.choice(["8", "16", "20", "32", "w", "w"])
        height = {"8": "64", "16": "64", "20": "51", "32": "32"}.get(width, "(1024 / w)")
        name = self.new("t")
        cx = self.random.choice(["(int)x", "(int)x", "(int)(x % 7u)", f"(int)(gid % {width})",
                                 "(int)get_local_id(0)", "(int)(x + u)"])
        cy = self.random.choice(["(int)y", "(int)u", f"(int)(gid / {width})", "(int)(n & 7)"])
        self.emit(f"{{ const int w = (int)({self.random.choice(['u + 5', 'n - 20', '19'])});")
        self.emit(f"  const int cx = {cx}, cy = {cy}; {type_} {name} = 0;")
        inside = lambda x, y: f"{x} >= 0 && {x} < {width} && {y} >= 0 && {y} < {height}"
        at = lambda x, y: f"{array}[({y}) * {width} + ({x})]"
        safe = lambda x, y: at(f"clamp({x}, 0, {width} - 1)", f"clamp({y}, 0, {height} - 1)")
        near = [(self.random.randrange(-2, 3), self.random.randrange(-2, 3)) for _ in range(4)]
        step = self.random.randrange(6)
        if step == 0: # inside of a border only
            self.emit(f"  if (cx > 1 && cy > 1 && cx < {width} - 2 && cy < {height} - 2)")
            total = " + ".join(f"{at(f'cx + {i}', f'cy + {k}')} * {abs(i) + 1}" for i, k in near)
            self.emit(f"    {name} = {total};")
        elif step == 1:
            total = " + ".join(safe(f"cx + {i}", f"cy + {k}") for i, k in near)
            self.emit(f"  {name} = {total};")
        elif step == 2:
            for i, k in near:
                self.emit(f"  {name} += {inside(f'cx + {i}', f'cy + {k}')} ? "
                          f"{at(f'cx + {i}', f'cy + {k}')} : {self.random.choice(['0', '3'])};")
        elif step == 3:
            border = self.random.choice(["continue", "continue", "break"])
            self.emit("  for (int dy = -1; dy <= 1; ++dy) for (int dx = -1; dx <= 1; ++dx) {")
            self.emit("    const int px = cx + dx, py = cy + dy;")
            self.emit(f"    if (!({inside('px', 'py')})) {border};")
            self.emit(f"    {name} += {at('px', 'py')} * (dx + 2 * dy + 4); }}")
        elif step == 4:
            radius = self.random.choice(["1", "2", "(int)(u & 3)"])
            self.emit(f"  for (int dy = -{radius}; dy <= {radius}; ++dy)")
            self.emit(f"    for (int dx = -{radius}; dx <= {radius}; ++dx)")
            self.emit(f"      {name} += {safe('cx + dx', 'cy + dy')};")
        else: # round the border
            for i, k in near:
                other = at(f"(cx + {i} + {width}) % {width}", f"(cy + {k} + {height}) % {height}")
                self.emit(f"  {name} = {name} * 3 + {other};")
        self.emit(f"  {'f' if type_ == 'float' else 'a'} += {name}; }}")

    # --- structures, vectors of three --------------------------------------------------------
    def fields(self, of):
        return self.random.choice(FIELDS[of][2]).replace("AT(2)", self.array_index(2))

    def structure(self):
        of = self.random.choice(list(FIELDS))
        array, count, _ = FIELDS[of]
        name = self.new("t")
        at = self.plain(count) if self.random.random() < 0.6 else f"({self.index(1)}) % {count}u"
        self.emit(f"{{ global const struct {of} *from = (global const struct {of} *){array};")
        step = self.random.randrange(4)
        guard = f"if ({self.condition()}) " if self.random.random() < 0.5 else ""
        if step == 0:
            for _ in range(self.random.randrange(1, 4)):
                value = self.to_uint(f"from[{at}].{self.fields(of)}", array)
                self.emit(f"  {guard}a = a * 3 + {value};")
        else:
            self.emit(f"  struct {of} {name} = from[{at}];")
            for _ in range(self.random.randrange(3)):
                value = self.expression("float" if of == "point" else "uint", 1)
                self.emit(f"  {guard}{name}.{self.fields(of)} = {value};")
            if step == 1:
                self.emit(f"  if ({self.condition()}) {name} = from[({self.index(1)}) % {count}u];")
            if of in ("mixed", "pair") and step > 1: # 16 bytes, as many as fout has for each
                self.emit(f"  {guard}((global struct {of} *)fout)[gid] = {name};")
            self.emit(f"  a ^= {self.to_uint(f'{name}.{self.fields(of)}', array)} + "
                      f"{self.to_uint(f'{name}.{self.fields(of)}', array)} * 5;")
        self.emit("}")

    def threes(self):
        array, type_ = self.random.choice([("in", "uint"), ("fin", "float"), ("bin", "uchar"),
                                           ("lin", "ulong"), ("in", "ushort")])
        name = self.new("t")
        count = {"lin": 256, "in": 256 if type_ == "uint" else 512}.get(array, 256)
        at = self.plain(count) if self.random.random() < 0.6 else f"({self.index(1)}) % {count}u"
        load = self.random.choice([f"((global const {type_}3 *){array})[{at}]",
                                   f"vload3({at}, (global const {type_} *){array})"])
        self.emit(f"{{ {type_}3 {name} = {load};")
        self.emit(f"  {name}.{self.random.choice('xyz')} += "
                  f"({type_})({self.random.choice(['3', 'u'])});")
        if type_ == "float" and self.random.random() < 0.6:
            self.emit(f"  vstore3({name}, 0, fout + gid * 4 + {self.random.randrange(2)});")
        if type_ == "ushort" and self.random.random() < 0.6:
            self.emit(f"  vstore2({name}.{self.random.choice(['xy', 'zx', 'yz'])}, gid, sout);")
        part = self.random.choice("xyz")
        self.emit(f"  a += {self.to_uint(f'{name}.{part}', array)}; b ^= "
                  f"{self.to_uint(f'{name}.x', array)}; }}")

    # --- what was written, by way of another argument ----------------------------------------
    def in_place(self):
        slot = self.random.randrange(4)
        array, back, at, of = self.random.choice([
            ("out", "back", f"gid + {slot} * total", "uint"),
            ("fout", "fback", f"gid * 4 + {slot}", "float")])
        name = self.new("t")
        to = "f" if of == "float" else "a"
        guard = f"if ({self.condition()}) " if self.random.random() < 0.5 else ""
        step = self.random.randrange(3)
        self.emit(f"{{ {of} {name} = {back}[{at}];")
        if step == 0:
            self.emit(f"  {guard}{array}[{at}] = {self.expression(of)};")
            self.emit(f"  {to} += {name} - {back}[{at}];")
        elif step == 1:
            limit = self.random.choice(["4", "u", f"({self.expression('uint', 1)}) & 7"])
            self.emit(f"  for (uint k = 0; k < ({limit}); ++k) {{ {guard}{to} += {back}[{at}]; "
                      f"{array}[{at}] = {to} * 3; }}")
            self.emit(f"  {to} = {to} * 2 + {name};")
        else:
            other = f"gid + {slot ^ 1} * total" if of == "uint" else f"gid * 4 + {slot ^ 1}"
            self.emit(f"  {array}[{other}] = {back}[{at}]; "
                      f"{guard}{array}[{at}] = {back}[{other}] + 1;")
            self.emit(f"  {to} += {back}[{at}] * 3 + {name};")
        self.emit("}")

    # --- half precision in memory ------------------------------------------------------------
    def halves(self):
        name = self.new("t")
        step = self.random.randrange(4)
        mode = self.random.choice(["", "", "_rte", "_rtz", "_rtp", "_rtn"])
        value = self.expression("float", 1)
        if step == 0:
            self.emit(f"vstore_half{mode}({value}, gid * 2 + {self.random.randrange(2)}, "
                      "(global half *)sout);")
        elif step == 1:
            self.emit(f"vstore_half2{mode}((float2)({value}, f), gid, (global half *)sout);")
        elif step == 2:
            self.emit(f"{{ float {name} = vload_half(({self.index(1)}) & 1023, "
                      "(global const half *)in);")
            self.emit(f"  f += {name} > -60000 && {name} < 60000 ? {name} : 1; }}")
        else: # finite ones
            self.emit(f"{{ ushort4 {name} = vload4(({self.index(1)}) & 255, "
                      "(global const ushort *)in) & (ushort)0x7a00;")
            width = self.random.choice(["", "2", "3", "4"])
            aligned = "a" * (width != "" and width != "3")
            load = f"vload{aligned}_half{width}(0, (const half *)&{name})"
            part = f"{load}.s1" if width else load
            self.emit(f"  f += {part}; }}")

    # --- pointers that go through loops ------------------------------------------------------
    def walk(self):
        array, to = self.random.choice([("in", "a +="), ("fin", "f +="), ("bin", "c ^="),
                                        ("lin", "l +=")])
        name = self.new("i")
        count = self.random.choice(["8", "u", f"({self.expression('uint', 1)}) & 7"])
        step = self.random.choice(["1", "1", "2", "3", "u", "(x & 3)", "(n & 31)"])
        first = self.random.choice(["gid & 255", "x", "y", f"({self.expression('uint', 1)}) & 255"])
        type_ = {"in": "uint", "fin": "float", "bin": "uchar", "lin": "ulong"}[array]
        if self.random.random() < 0.4: # until another pointer
            self.emit(f"{{ global const {type_} *p = {array} + ({first}), *end = p + ({count});")
            self.emit(f"  while (p < end) {{ {to} *p++;")
        elif self.random.random() < 0.5:
            self.emit(f"{{ global const {type_} *p = {array} + 600 + ({first});")
            self.emit(f"  for (uint {name} = 0; {name} < ({count}); ++{name}, p -= {step}) "
                      f"{{ {to} *p;")
        else:
            self.emit(f"{{ global const {type_} *p = {array} + ({first});")
            self.emit(f"  for (uint {name} = 0; {name} < ({count}); ++{name}, p += {step}) "
                      f"{{ {to} *p;")
        if self.random.random() < 0.4:
            self.emit(f"    if ({self.condition()}) {self.random.choice(['break;', 'b += a;'])}")
        self.emit("} }")

    # --- tables and variables of the program -------------------------------------------------
    def tables(self):
        seed = self.seed
        numbers = [self.random.choice([0, 1, 5, 77, 255, 256, 65537, 2**31, 2**32 - 1])
                   for _ in range(16)]
        return (f"constant uint table_{seed}[16] = {{{', '.join(f'{k}u' for k in numbers)}}};\n"
                f"constant short weights_{seed}[5] = {{-1, 2, {numbers[0] & 7}, -300, 9}};\n"
                f"constant uchar bytes_{seed}[3][4] = {{{{1, 2, 3, 4}}, {{5, 6}}, {{200, 255}}}};\n"
                f"constant float reals_{seed}[8] = {{1, 0.5f, -2, 3, 0.25f, 8, -1, 7}};\n"
                f"global uint own_{seed}[4096], shared_by_all_{seed}[4] = {{1, 2, 3, 4}};\n")

    def program_scope(self):
        seed = self.seed
        at = self.expression("uint", 1)
        self.emit(self.random.choice([
            f"a += table_{seed}[({at}) & 15];", f"a ^= table_{seed}[x & 15] + table_{seed}[u];",
            f"a += (uint)weights_{seed}[({at}) % 5u];",
            f"for (int k = 0; k < 5; ++k) "
            f"a += (uint)(weights_{seed}[k] * (int)bin[(gid + k) & 1023]);",
            f"c += bytes_{seed}[({at}) % 3u][{self.array_index(4)}];", f"f *= reals_{seed}[({at}) & 7];",
            f"own_{seed}[gid] = a; if ({self.condition()}) own_{seed}[gid] += {at}; "
            f"a ^= own_{seed}[gid];",
            f"b += shared_by_all_{seed}[({at}) & 3];"]))

    # --- out of several loops; from state to state -------------------------------------------
    def leave_both(self):
        one, two = self.new("i"), self.new("i")
        limit = self.random.choice(["3", "(u & 3)", "(x & 3)"])
        self.emit(f"for (uint {one} = 0; {one} < {limit}; ++{one}) {{")
        limit = self.random.choice(["4", "(n & 7)", f"{one} + 1"])
        self.emit(f"  for (uint {two} = 0; {two} < {limit}; ++{two}) {{")
        outer = dict(self.variables)
        self.variables[one] = self.variables[two] = "uint"
        self.depth += 1
        self.assign()
        self.emit(f"  if ({self.condition()}) goto out_{one};")
        if self.random.random() < 0.4:
            self.emit(f"  if ({self.condition()}) {self.random.choice(['break', 'continue'])};")
        self.assign()
        if self.random.random() < 0.4:
            self.emit(f"  if ({self.condition()}) goto next_{one};")
        self.depth -= 1
        self.emit("  }")
        del self.variables[two]
        self.assign()
        self.emit(f"  next_{one}: ;")
        self.emit("}")
        self.variables = outer
        self.emit(f"out_{one}: ;")

    def states(self):
        state, name = self.new("i"), self.new("i")
        first = self.random.choice(["0", "u & 3", "x & 3", f"({self.expression('uint', 1)}) & 7"])
        values = self.random.choice([range(5), [0, 1, 3, 7, 100, 2**31], [0, 2, 4, 6, 7]])
        self.emit(f"{{ uint {state} = {first};")
        self.emit(f"for (uint {name} = 0; {name} < 9; ++{name}) {{")
        self.emit(f"  switch ({state}) {{")
        for value in values:
            self.emit(f"  case {value}u:")
            self.depth += 1
            self.assign()
            goes = self.random.choice(values)
            what = self.random.randrange(5)
            if what == 0:
                self.emit(f"if ({self.condition()}) continue;")
            if what == 1:
                self.emit(f"{state} = {self.condition()} ? {goes}u : "
                          f"{self.random.choice(values)}u; break;")
            elif what < 4:
                self.emit(f"{state} = {goes}u; break;")
            self.depth -= 1
        self.emit(f"  default: {state} = {self.random.choice(values)}u; a += 7;")
        self.emit("  }")
        self.emit(f"  if ({self.condition()}) break;")
        self.emit("} }")

    def choice_of_constants(self):
        """A switch of constants, which LLVM makes a table of, or a sum."""
        kind = self.random.choice(["", "long", "uchar", "int"])
        value = self.expression("uint", 1)
        cases = sorted({self.random.randrange(-3 if kind == "int" else 0, 40)
                        for _ in range(self.random.choice([4, 8, 20]))})
        name = self.new("t")
        self.emit(f"{{ uint {name} = b; switch (({kind or 'uint'})(({value}) & 31)"
                  f"{' - 3' if kind == 'int' else ''}) {{")
        linear = self.random.random() < 0.3
        for case in cases:
            number = case * 5 + 2 if linear else self.random.choice([0, 1, 9, 1000, 2**31 + 1])
            self.emit(f"  case {case}: {name} = {number}u; "
                      f"{'break;' if self.random.random() < 0.9 else ''}")
        self.emit(f"  }} a += {name}; }}")
