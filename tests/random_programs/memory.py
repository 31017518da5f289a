# SPDX-License-Identifier: Apache-2.0
"""Memory under several names: restrict parameters of helpers, volatile accesses, unions, local
memory that holds another type after a barrier."""

BARRIER = "barrier(CLK_LOCAL_MEM_FENCE);"


class Memory:
    # --- restrict ----------------------------------------------------------------------------
    def relaxing_helper(self, space):
        """Writes to one element what it reads at another."""
        name = self.helper_name()
        type_ = self.random.choice(["uint", "uint", "ulong", "ushort"])
        count = self.random.choice([1, 1, 2, 4])
        step = self.random.choice(["{} * 3 + 1", "{} ^ k", "{} + k * 7", "({} >> 1) + k"])
        by = "1" if self.blocked or space == "private" else "stride"
        each = step.format(f"from[i * {by}]")
        self.functions.append((name, f"""void {name}({space} {type_} *restrict to,
        {space} const {type_} *restrict from, uint stride, uint k) {{
    for (uint i = 0; i < {count}; ++i)
        to[i * {by}] = ({type_})({each});
}}
"""))
        return name, type_, count

    def relax(self):
        """Two pointers that a loop swaps."""
        space = self.random.choice(["global", "global", "private"])
        name, type_, count = self.relaxing_helper(space)
        rounds = self.random.choice(["9", "16", "24", "u + 8", "n & 31", "(x & 15) + 1"])
        p, q, k, t = (self.new(letter) for letter in "pqkt")
        if space == "private":
            array = self.new("r")
            self.emit(f"{type_} {array}[8] = {{1, 2, ({type_})a, 4, 5, ({type_})x, 7, 8}};")
            first, second, get = array, f"{array} + 4", f"a += (uint){array}[x & 7];"
        else:
            buffer, elements = {"uint": ("out", 8), "ulong": ("wide", 4),
                              "ushort": ("halves", 4)}[type_]
            count = min(count, elements // 2)
            self.functions[-1] = (name, self.functions[-1][1].replace(
                "i < 4;", f"i < {count};"))
            first = "&" + self.element(buffer, elements, "0")
            second = "&" + self.element(buffer, elements, str(elements // 2))
            get = f"a ^= (uint){self.element(buffer, elements, '0')};"
        extra = self.random.choice(["", "", f" {p}[0] += {k};", f" a += (uint){q}[0];"])
        last = "const " if not extra and self.random.random() < 0.3 else ""
        self.emit(f"{{ {space} {type_} *{p} = {first}, *{q} = {second}; "
                  f"for (uint {k} = 0; {k} < ({rounds}); ++{k}) {{ "
                  f"{name}({p}, ({space} {last}{type_} *){q}, total, {k});{extra} "
                  f"{space} {type_} *{t} = {p}; {p} = {q}; {q} = {t}; }} {get} }}")

    # --- volatile ----------------------------------------------------------------------------
    def volatile(self):
        element = self.own_element(0)
        type_ = {"o": "uint", "w": "ulong", "h": "ushort"}[element[0]]
        name = self.new("v")
        step = self.random.randrange(4)
        if step == 0:
            self.emit(f"{{ volatile global {type_} *{name} = &{element}; {name}[0]; "
                      f"*{name} += 3; a += (uint)*{name}; }}")
        elif step == 1:
            self.emit(f"{{ volatile uint {name} = {self.expression()}; "
                      f"for (uint k = 0; k < (u & 7); ++k) {name} += k; a ^= {name}; }}")
        elif step == 2:
            self.emit(f"{{ volatile uint {name}[4] = {{1, a, b, x}}; "
                      f"{name}[x & 3] += {name}[a & 3]; b ^= {name}[u & 3]; }}")
        else:
            self.emit(f"{{ volatile global const uint *{name} = in + (gid & 511); "
                      f"a += {name}[1] + {name}[1]; }}")

    # --- unions and bytes --------------------------------------------------------------------
    def union(self):
        name = self.new("w")
        i, j = (self.expression("uint", 1) for _ in range(2))
        step = self.random.randrange(4)
        if step == 0:
            self.emit(f"{{ union {{ uint word[2]; ushort half_[4]; uchar byte[8]; ulong all; }} "
                      f"{name}; {name}.all = {self.expression('ulong', 1)}; "
                      f"{name}.byte[({i}) & 7] ^= 5; {name}.half_[({j}) & 3] += 3; "
                      f"l ^= {name}.all; a += {name}.word[x & 1]; }}")
        elif step == 1:
            self.emit(f"{{ uint {name} = {i}; ((uchar *)&{name})[({j}) & 3] = (uchar)b; "
                      f"((ushort *)&{name})[x & 1] ^= h; a += {name}; }}")
        elif step == 2:
            self.emit(f"{{ union {{ float f; uint bits; }} {name}; "
                      f"{name}.f = (float)(int)(({i}) & 0xffff); a ^= {name}.bits; "
                      f"{name}.bits = 0x3f800000 + (({j}) & 0xffff); "
                      f"b += (uint)({name}.f * 65536.0f); }}")
        else:
            self.emit(f"{{ union {{ uint4 all; uint word[4]; ulong2 longs_; uchar byte[16]; }} "
                      f"{name}; {name}.all = (uint4)(a, b, x, {i}); "
                      f"{name}.byte[({j}) & 15] = c; {name}.word[u & 3] += 1; "
                      f"l += {name}.longs_.x ^ {name}.longs_.y; }}")

    # --- local memory that changes its type --------------------------------------------------
    def punned_local(self):
        """Written as one type, after a barrier read as another; and again."""
        types = ["uint", "float", "int", "uint", "float", "uchar", "ushort", "ulong"]
        size = {"uchar": 1, "ushort": 2, "ulong": 8}
        write, read = self.random.choice(types), self.random.choice(types)
        per = size.get(write, 4) / size.get(read, 4)
        elements = f"(items * {int(per)})" if per >= 1 else f"(items / {int(1 / per)} + 1)"
        at = self.random.choice(["lid", "lid + 1u", "items - 1u - lid", "a", "lid * 5u", "u"])
        value = f"(float)(int)(({self.expression('uint', 1)}) & 0xfffff)" if write == "float" \
            else f"({write})({self.expression('ulong' if write == 'ulong' else 'uint', 1)})"
        got = self.new("g")
        seen = f"as_uint({got})" if read == "float" else f"(uint){got}"
        if read == "float" and write != "float": # a NaN's bits may change: only comparisons
            read, seen = "uint", f"{got}"
            elements = f"(items * {int(size.get(write, 4) / 4)})" if size.get(write, 4) >= 4 else \
                f"(items / {4 // size[write]} + 1)"
        rounds = self.random.choice(["", "", "for (uint k = 0; k < 3; ++k) ",
                                     "for (uint k = 0; k < (u & 3); ++k) "])
        extra = self.random.choice(["", f" ((local {read} *)shared_)[lid] = ({read})3; {BARRIER} "
                                        f"b += (uint)((local {read} *)shared_)"
                                        f"[({at}) % items]; {BARRIER}"])
        self.emit(f"{rounds}{{ ((local {write} *)shared_)[lid] = {value}; {BARRIER} "
                  f"{read} {got} = ((local {read} *)shared_)[({at}) % {elements}]; "
                  f"a += {seen}; {BARRIER}{extra} }}")

    def punned_private(self):
        """The same in an array of one work-item."""
        name = self.new("r")
        i, j = (self.expression("uint", 1) for _ in range(2))
        self.emit(f"{{ float {name}[4] = {{(float)(int)(({i}) & 0xffff), 1, 2, (float)c}}; "
                  f"{BARRIER} a += ((uint *){name})[x & 3]; {BARRIER} "
                  f"((uint *){name})[({j}) & 3] = 0x40000000; {BARRIER} "
                  f"b += (uint){name}[{self.random.choice(['u', 'x', 'a'])} & 3]; {BARRIER} }}")

    def punned_global(self):
        element = self.element(*self.random.choice([("out", 8), ("wide", 4)]), "1")
        fence = "barrier(CLK_GLOBAL_MEM_FENCE);"
        type_ = self.random.choice(["ushort", "uchar"])
        name = self.new("p")
        self.emit(f"{{ global {type_} *{name} = (global {type_} *)&{element}; "
                  f"l ^= {element}; {fence} {name}[0] ^= ({type_})a; {fence} l += {element}; "
                  f"{element} *= 3; {fence} a ^= {name}[0]; {fence} }}")
