# SPDX-License-Identifier: Apache-2.0
"""Kernels whose conditions compare ids with limits in all ways: of any type, with sums that wrap, at both
ends of their range, in nested conditions with uniform parts, before and behind barriers."""


class Edges:
    def write_edges(self):
        self.grouped = self.random.random() < 0.3
        self.widths = ["(uint)get_global_size(0)", "n", "u * 8", "16u", f"{self.size[0]}u"]
        self.heights = ["(uint)get_global_size(1)", "u", "n / 9", "5u", f"{self.size[1]}u"]
        pick = self.random.choice
        self.emit(f"const uint x = get_global_id(0) - {self.far[0]}, y = get_global_id(1) - {self.far[1]}, "
                  "z = get_global_id(2);")
        self.emit(f"const uint w = {pick(self.widths)}, h = {pick(self.heights)}, some = clamp(w, 1u, 500u);")
        self.emit("const bool flag = (u ^ n) & 2;")
        self.emit("uint a = u, b = x * 3 + y, total = get_global_size(0) * get_global_size(1) * "
                  "get_global_size(2);")
        if self.grouped:
            self.in_group()
        else:
            for _ in range(pick([0, 0, 1, 1, 2])):
                condition = pick([self.compound(1), self.compound(1), *self.guards(), "flag || y >= h"])
                self.emit(f"if ({condition}) {{ {pick(['', '', '', 'out[gid] = 77; '])}return; }}")
        for _ in range(pick([1, 1, 1, 2, 3])):
            self.emit(f"if ({self.compound()}) {{")
            self.edge_part(1)
            self.emit("} else {")
            self.edge_part(1)
            self.emit("}")
        self.emit("out[gid] ^= a + b;")
        return self.kernel_of_lines("" if self.grouped else None)

    def in_group(self):
        barrier = "barrier(CLK_LOCAL_MEM_FENCE);"
        self.emit("const uint lx = get_local_id(0), ly = get_local_id(1), gx = get_group_id(0);")
        self.emit("const uint lid = get_local_linear_id();")
        self.emit("const uint items = get_local_size(0) * get_local_size(1) * get_local_size(2);")
        self.emit("local uint tile[512];")
        self.emit(f"if ({self.compound()}) tile[lid] = {self.near_edge()}; else tile[lid] = lid; {barrier}")
        step = self.random.choice(["1", "u", "lx"])
        self.emit(f"if ({self.compound()}) a ^= tile[(lid + {step}) % items];")
        if self.random.random() < 0.5:
            self.emit(f"{barrier} if ({self.compound(1)}) tile[lid] = a; {barrier}")
            self.emit("a += tile[items - 1 - lid];")

    def axis(self):
        axes = ["x"] * 4 + ["y"] * 4 * (self.dimensions > 1) + ["z"] * (self.dimensions > 2)
        return self.random.choice(axes + ["lx", "ly", "gx"] * self.grouped)

    def id_sum(self, axis):
        """Of type uint; it may wrap."""
        k = self.random.choice([0, 1, 1, 2, 3, 7, 31, 32, 33])
        other = self.random.choice("xy")
        return self.random.choice(
            [axis, axis, f"{axis} - {k}", f"{axis} + {k}", f"{axis} - u", f"{axis} + u", f"{axis} + n",
             f"n - {axis}", f"{k} - {axis}", f"{axis} * 2", f"{axis} * 3 + u", f"{axis} + {other}",
             f"{axis} - {other}", f"{axis} + 0x7fffff00u", f"{axis} + 0x80000000u", f"{axis} - 0xfffffff0u",
             f"({axis} ^ {k})", f"({axis} & 15)", f"{axis} / 3", f"{axis} % 7", f"({axis} >> 2)",
             f"{axis} + n * u", f"max({axis}, {k}u)", f"min({axis}, n)", f"{axis} - {self.edge(axis)}"])

    def edge(self, axis):
        """A limit, of type uint."""
        dimension = {"y": 1, "ly": 1, "z": 2}.get(axis, 0)
        size = self.size[dimension]
        return self.random.choice(
            [f"{self.random.choice([0, 1, 1, 2, 3, 4, 8, 15, 16, 17])}u",
             f"{max(0, size - self.random.randrange(4))}u", f"{size}u", "n", "u", "(n - 1)", "(u - 2)",
             "(n + u)", "w", "h", "(w - 1)", "(w - 2)", "(h - 1)", f"(uint)get_global_size({dimension})",
             f"((uint)get_global_size({dimension}) - 1)", f"(uint)get_local_size({dimension})", "0xffffffffu",
             "0x7fffffffu", "0x80000000u", "n * u", "n / (u + 1)", f"(uint)get_num_groups({dimension})",
             f"(uint)get_global_offset({dimension})"])

    def comparison(self):
        if self.random.random() < 0.15:
            return self.random.choice(["u == 3", "(n & 1) != 0", "n > 60", "u < 6", "flag", "!flag"])
        axis = self.axis()
        left, right = self.id_sum(axis), self.edge(axis)
        operator = self.random.choice(["<", "<=", ">", ">=", "==", "!=", "==", "<", ">="])
        type_ = self.random.choice(["uint"] * 5 + ["int"] * 6 +
                                   ["ulong", "ushort", "char", "longer", "id", "id"])
        if type_ == "longer":
            return f"(long)(int){axis} + (long)(int)({right}) {operator} (long)(uint){self.edge(axis)}"
        if type_ != "id" or axis not in "xyz":
            type_ = "int" if type_ == "id" else type_
            return f"({type_})({left}) {operator} ({type_})({right})"
        dimension = "xyz".index(axis)
        far = (*self.far, 0)[dimension]
        return self.random.choice(
            [f"get_global_id({dimension}) {operator} {far}ul + (ulong)({right})",
             f"get_global_id({dimension}) - {far}ul - {self.random.randrange(4)} {operator} (ulong)({right})",
             f"(int)get_global_id({dimension}) {operator} (int)({far}u + {right})"])

    def compound(self, depth=2):
        if depth == 0 or self.random.random() < 0.25:
            return self.comparison()
        kind = self.random.random()
        if kind < 0.12:
            axis, k = self.random.choice("xy"), self.random.randrange(1, 4)
            return self.random.choice(
                [f"(int){axis} < {k} || (int){axis} >= (int){self.edge(axis)} - {k}",
                 f"{axis} == 0 || {axis} == {self.edge(axis)} - 1", f"{axis} - {k} < {self.edge(axis)} - 2"])
        if kind < 0.75:
            operator = self.random.choice(["||", "&&", "||", "&&", "|", "&"])
            parts = range(self.random.choice([2, 2, 3, 4]))
            return operator.join(f"({self.compound(depth - 1)})" for _ in parts)
        if kind < 0.85:
            return f"!({self.compound(depth - 1)})"
        if kind < 0.92:
            return f"({self.comparison()} ? {self.comparison()} : {self.comparison()})"
        return f"({self.compound(depth - 1)}) != ({self.comparison()})"

    def near_edge(self):
        i, j = self.random.randrange(-3, 4), self.random.randrange(-2, 3)
        return self.random.choice(
            [f"in[clamp((int)y + {j}, 0, 20) * 20 + clamp((int)x + {i}, 0, (int)some - 1)]",
             f"in[min(max((int)x + {i}, 0), 900) + (y & 7)]", f"in[x + {i & 3} + ((y + {j & 1}) & 31) * 17]",
             f"((int)x + {i} >= 0 && (int)x + {i} < (int)some ? (uint)bin[(y & 15) * 20 + x + {i}] : 7)",
             f"in[(x + some + {i & 3}) % some]", f"in[min(x + {i & 3}, n)]",
             f"(uint)lin[max((int)x - {i & 7}, 0)]",
             f"as_uint(fin[(y & 15) * 19 + x] + fin[(y & 15) * 19 + x + {i & 3}])",
             "x * 3", "y * 7", "(x ^ y)",
             f"min({self.id_sum('x')}, {self.edge('x')})", "a", "b",
             f"(uint)max((int)({self.id_sum('y')}), (int)({self.edge('x')}))"])

    def edge_part(self, depth):
        for _ in range(self.random.choice([0, 1, 1, 2])):
            step = self.random.randrange(9)
            if step < 4:
                terms = " + ".join(self.near_edge() for _ in range(self.random.choice([1, 2, 3])))
                self.emit(f"    a = a * 3 + {terms};")
            elif step == 4:
                self.emit(f"    bout[gid] = (uchar)(a >> {self.random.randrange(8)});")
            elif step == 5:
                self.emit(f"    out[gid + {self.random.randrange(1, 4)} * total] = a ^ {self.near_edge()};")
            elif step == 6:
                self.emit(f"    sout[gid] = (ushort)({self.near_edge()});")
            elif step == 7:
                self.emit(f"    for (int k = -2; k <= {self.random.randrange(1, 4)}; ++k) "
                          "a += in[clamp((int)x + k, 0, 500)];")
            elif depth:
                self.emit(f"    if ({self.compound(1)}) {{")
                self.edge_part(depth - 1)
                self.emit("    }")
        if self.random.random() < 0.12:
            self.emit("    return;")
