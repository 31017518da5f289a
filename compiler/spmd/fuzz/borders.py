# SPDX-License-Identifier: Apache-2.0
"""Kernels over a plane whose work-items at the border do something else: first rows and columns, last
ones, frames, single lines, guards before them. They ask for no group and use no local memory, so
that rows run over many groups."""


class Borders:
    def write_borders(self):
        if self.random.random() < 0.5:
            return self.write_edges()
        # x is at most 305, y 32; some rows are longer than the plane, or shorter.
        self.limits = {"x": ["w", "w", "(int)n", "20", "(int)get_global_size(0)"],
                       "y": ["h", "h", "(int)u", "4", "(int)get_global_size(1)"]}
        self.emit(f"const int x = (int)(get_global_id(0) - {self.far[0]}), "
                  f"y = (int)(get_global_id(1) - {self.far[1]});")
        self.emit(f"const int w = {self.random.choice(['get_global_size(0)', 'n', '3 * u', '16'])}, "
                  f"h = {self.random.choice(['get_global_size(1)', 'u', 'n / 9', '5'])};")
        self.emit("uint a = u;")
        if self.random.random() < 0.5:
            self.emit(f"if ({self.random.choice(self.guards())}) return;")
        for _ in range(self.random.choice([1, 1, 1, 2])):
            self.emit(f"if ({self.border()}) {{")
            self.border_part()
            self.emit("} else {")
            self.border_part()
            self.emit("}")
        self.emit("out[gid] ^= a;")
        return self.kernel_of_lines()

    def guards(self):
        return ["x >= w || y >= h", "y >= h", "x >= w", "x * 2 >= w || y * 2 >= h", "y * 2 >= h",
                "x < 2 || y < 2 || x >= w || y >= h", "u == 3 || y >= h"]

    def line(self, axis):
        """A condition that holds for few values of x or y, mostly."""
        limit, k = self.random.choice(self.limits[axis]), self.random.randrange(1, 4)
        return self.random.choice(
            [f"{axis} == 0", f"{axis} == {limit} - 1", f"{axis} == {k}", f"{axis} < {k}",
             f"{axis} >= {limit} - {k}", f"{axis} + {k} >= {limit}", f"{axis} > {limit}",
             f"{axis} - {k} < 0", f"(uint)({axis} - {k}) >= (uint)({limit} - {k})",
             f"{axis} * 2 < {k}", f"({axis} & 7) == {k}", f"{limit} - {axis} < {k}"])

    def border(self):
        lines = [self.line(self.random.choice("xy")) for _ in range(self.random.choice([1, 2, 3, 4]))]
        if self.random.random() < 0.4:
            lines = [self.random.choice([f"x < {k} || x >= w - {k}", "x == 0 || x == w - 1"])
                     for k in [self.random.randrange(1, 4)]] + lines[:2]
        if self.random.random() < 0.2:
            lines.append(self.random.choice(["u == 3", "(n & 1) != 0"]))
        self.random.shuffle(lines)
        joined = " || ".join(lines)
        return f"!({joined})" if self.random.random() < 0.3 else joined

    def border_part(self):
        for _ in range(self.random.choice([0, 1, 1, 2])):
            near = [(self.random.randrange(-1, 2), self.random.randrange(-1, 2)) for _ in range(3)]
            step = self.random.randrange(6)
            if step == 0:
                terms = [f"in[clamp(y + {j}, 0, 20) * 20 + clamp(x + {i}, 0, 19)]" for i, j in near]
            elif step == 1:
                terms = [f"in[(y + {j + 1}) * 19 + x + {i + 1}] * {self.random.randrange(1, 4)}"
                         for i, j in near]
            elif step == 2:
                terms = [f"(x + {i} >= 0 && x + {i} < w ? (uint)bin[y * 20 + x + {i + 1}] : 7u)"
                         for i, _ in near]
            elif step == 3:
                terms = [f"as_uint(fin[y * 19 + x] + fin[y * 19 + x + {i + 1}])" for i, _ in near]
            elif step == 4:
                terms = ["out[gid] * 5u", "(uint)x", "(uint)y"]
            else:
                terms = [self.random.choice(["(uint)x * 3u", "(uint)(y - x)", "u", "n * 7u"])]
            self.emit(f"    a = a * 3 + {' + '.join(terms)};")
        if self.random.random() < 0.3:
            self.emit(f"    bout[gid] = (uchar)(a >> {self.random.randrange(8)});")
        if self.random.random() < 0.1:
            self.emit("    for (int i = 0; i < (int)(u & 3); ++i) a += in[y * 20 + x + i];")
