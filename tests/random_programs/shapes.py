# SPDX-License-Identifier: Apache-2.0
"""Vectors through pointers, structures that are copied, helpers that return early, switches."""


class Shapes:
    # --- vectors -----------------------------------------------------------------------------
    def vector(self):
        name = self.new("q")
        i, j = (self.expression("uint", 1) for _ in range(2))
        operation = self.random.choice(["+", "*", "^", "-", "&"])
        choices = [
            f"{{ uint4 {name} = (uint4)(a, b, x, {i}); "
            f"((uint *)&{name})[({j}) & 3] {operation}= 7; "
            f"a += {name}.x ^ {name}.w; b {operation}= {name}.y; }}",
            f"{{ uint4 {name} = vload4(({i}) & 255, in); {name} = {name} {operation} {name}.wzyx; "
            f"a ^= {name}.x + {name}.z; }}",
            f"{{ global const uint4 *{name} = (global const uint4 *)in + (({i}) & 127); "
            f"uint4 t = {name}[0] {operation} {name}[x & 3]; a += t.s0 + t.s3; }}",
            f"{{ uchar8 {name} = vload8(({i}) & 127, bytes); "
            f"{name} = {name} + (uchar8)c; a += {name}.s3 + {name}.s7; "
            f"b ^= as_uint({name}.lo); }}",
            f"{{ ushort4 {name} = convert_ushort4_sat((int4)((int)({i}), (int)x, s, (int)b)); "
            f"h {operation}= {name}.x; a += {name}.w; }}",
            f"{{ uint4 {name} = (uint4)({i}) < (uint4)(a, b, x, u) ? (uint4)({j}) : (uint4)(1); "
            f"a += {name}.x + {name}.y * 3 + {name}.w; }}"]
        if self.blocked:
            choices += [
                f"{{ global uint4 *{name} = (global uint4 *)out + gid * 2; {name}[x & 1] "
                f"{operation}= (uint4)(a, 1, b, 3); {name}[0].y += {i}; }}",
                f"vstore2((uint2)(a, {i}), gid * 4 + (x & 3), out);",
                f"{{ global ulong2 *{name} = (global ulong2 *)wide + gid * 2; "
                f"*{name} = {name}[1] {operation} (ulong2)(l, {j}); }}"]
        self.emit(self.random.choice(choices))

    # --- structures --------------------------------------------------------------------------
    STRUCTURES = """typedef struct { uint head; ushort pair[2]; ulong tail; } record_t;
typedef struct { uchar kind; uint value; record_t inner; } nested_t;
"""

    def structure(self):
        name = self.new("t")
        i, j = (self.expression("uint", 1) for _ in range(2))
        step = self.random.randrange(4)
        if step == 0:
            self.emit(f"{{ record_t {name}[3] = {{{{a, {{1, h}}, l}}, {{b, {{3, 4}}, 5}}, "
                      f"{{x, {{6, c}}, 8}}}}; {name}[({i}) % 3] = {name}[({j}) % 3]; "
                      f"a += {name}[0].head + {name}[1].pair[x & 1]; l ^= {name}[2].tail; }}")
        elif step == 1:
            self.emit(f"{{ nested_t {name} = {{c, a, {{b, {{h, 2}}, l}}}}, other = {name}; "
                      f"if ({self.condition()}) other.inner.head = {i}; else "
                      f"other.inner.pair[x & 1] += 9; {name} = other; "
                      f"a += {name}.inner.head * 3 + {name}.inner.pair[0] + {name}.kind; "
                      f"l += {name}.inner.tail; }}")
        elif step == 2:
            function = self.helper_name()
            self.functions.append((function, f"""record_t {function}(record_t r, uint k) {{
    if (k & 1) {{ r.head += k; return r; }}
    record_t t = r;
    t.pair[k >> 1 & 1] ^= 5;
    t.tail += r.head;
    return k > 9 ? t : r;
}}
"""))
            self.emit(f"{{ record_t {name} = {{a, {{h, 1}}, l}}; {name} = {function}({name}, {i}); "
                      f"a ^= {name}.head + {name}.pair[1]; l += {name}.tail; }}")
        else:
            function = self.helper_name()
            self.functions.append((function, f"""void {function}(nested_t *t, const record_t *r) {{
    if (t->kind > r->head) return;
    t->inner = *r;
    t->value += (uint)r->tail;
}}
"""))
            self.emit(f"{{ record_t r = {{{i}, {{1, 2}}, l}}; nested_t {name}; "
                      f"{name}.kind = c; {name}.value = b; {name}.inner = r; "
                      f"r.head ^= {j}; {function}(&{name}, &r); "
                      f"a += {name}.inner.head + {name}.value; }}")

    # --- helpers that return early -----------------------------------------------------------
    def early(self):
        name = self.helper_name()
        limit = self.random.choice(["k & 15", "9", "p & 7", "12"])
        first, second = self.random.choice(["p > 40u", "(p ^ k) & 4", "p == k", "p < 9u"]), \
            self.random.choice(["(p & 7) == 5", "i > (k & 3)", "p > 100000u", "(i * k & 3) == 1"])
        form = self.random.choice([
            f"for (uint i = 0; i < ({limit}); ++i) {{",
            f"uint i = 0; while (i < ({limit})) {{ ++i;",
            f"uint i = k & 7; do {{ ++i; if (i > 20) return p;"])
        end = f"}} while (i < ({limit}));" if "do" in form else "}"
        self.functions.append((name, f"""uint {name}(uint p, uint k) {{
    if ({first}) return p * 3;
    {form}
        p += i * 5;
        if ({second}) return p ^ i;
        if (p & 64) p >>= 1;
    {end}
    return p + k;
}}
"""))
        self.emit(f"a {self.random.choice(['+', '^'])}= "
                  f"{name}({self.expression('uint', 1)}, {self.expression('uint', 1)});")

    # --- switches ----------------------------------------------------------------------------
    def switch(self):
        count = self.random.choice([3, 5, 9])
        type_ = self.random.choice(["uint", "uchar", "int", "ulong"])
        of = f"({type_})(({self.expression('uint', 1)}) % {count + 1}u)"
        if self.random.random() < 0.5: # values from a table
            values = [self.random.choice([1, 7, 100, 65535, 4294967295, 12345]) + k
                      for k in range(count)]
            cases = " ".join(f"case {k}: a += {value & 0xffffffff}u; break;"
                             for k, value in enumerate(values))
            self.emit(f"switch ({of}) {{ {cases} default: a ^= 99; }}")
            return
        self.divergent += 1
        self.switches += 1
        with self.block(f"switch ({of}) {{", "}"):
            inner = self.body
            for k in range(count):
                ends = self.random.choice(["break;", "break;", ""])
                with self.block(f"case {k}: {{", f"}} {ends or '/* falls through */'}"):
                    self.assign() if self.random.random() < 0.6 else self.store()
            if self.random.random() < 0.5:
                inner.append("default: b += 5;")
        self.switches -= 1
        self.divergent -= 1
