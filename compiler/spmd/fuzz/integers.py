# SPDX-License-Identifier: Apache-2.0
"""Operations of random kernels on signed integers, which must not overflow: the bounds of each value
are known. And built-in functions of integers of every width, indices in other types than int."""
import operator

BOUNDS = {"char": (-128, 127), "uchar": (0, 255), "short": (-32768, 32767), "ushort": (0, 65535),
          "int": (-2**31, 2**31 - 1)}
UNSIGNED = {"char": "uchar", "short": "ushort", "int": "uint", "long": "ulong"}
OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul}
MOST = 2**30


class Integers:
    # --- values with bounds: an int as text, the least and the most that it may be -----------
    def leaf(self):
        choice = self.random.choice
        known = [(f"(int){name}", *map(int, what.split()[1:]))
                 for name, what in self.variables.items() if what.startswith("small ")]
        if known and self.random.random() < 0.4:
            return choice(known)
        at = choice(["x", "gid", "(x + 1)", "(gid + u)", "(x * 2)", "(x * 3 + 1)", "u",
                     "(x + y * 32)"])
        return choice([
            (f"(int)bin[{at} & 1023]", 0, 255),
            (f"(int)bin[{at} & 1023]", 0, 255),
            (f"(int)((global const char *)bin)[{at} & 1023]", -128, 127),
            (f"(int)((global const short *)in)[{at} & 2047]", -32768, 32767),
            (f"(int)((global const ushort *)lin)[{at} & 2047]", 0, 65535),
            ("(int)c", 0, 255), ("(int)(short)s", -32768, 32767), ("(int)x", 0, 511),
            ("(int)y", 0, 63), ("(int)get_local_id(0)", 0, 99), ("(int)u", 0, 11),
            ("(int)get_group_id(0)", 0, 2), ("(int)n", 40, 99), ("(int)(a & 15)", 0, 15),
            *[(f"({k})", k, k) for k in (-1, 0, 1, 2, 3, 7, -16, 100, 1000)]])

    def small(self, depth=3):
        if depth == 0 or self.random.random() < 0.1:
            return self.leaf()
        a, low, high = self.small(depth - 1)
        b, low_b, high_b = self.small(depth - 1)
        choice = self.random.choice
        what = choice(["+", "-", "*", "+", "-", "min", "max", "clamp", "abs", "/", "%", ">>", "<<",
                       "?", "narrow", "narrow", "sat", "builtin", "&"])
        if what in "+-*":
            ends = [OPERATORS[what](p, q) for p in (low, high) for q in (low_b, high_b)]
            if max(map(abs, ends)) < MOST:
                return f"({a} {what} {b})", min(ends), max(ends)
        elif what in ("min", "max"):
            of = min if what == "min" else max
            return f"{what}({a}, {b})", of(low, low_b), of(high, high_b)
        elif what == "clamp":
            least = choice([0, 0, -5, -128])
            most = choice([15, 63, 255, 1000])
            return f"clamp({a}, {least}, {most})", least, most
        elif what == "abs":
            return f"(int)abs({a})", 0, max(abs(low), abs(high))
        elif what == "/":
            by = choice([1, 2, 3, 5, 8, 10, -4])
            far = max(abs(low), abs(high))
            return f"({a} / {by})" if by > 0 else f"({a} / ({by}))", -far, far
        elif what == "%":
            by = choice([2, 3, 8, 10, 16, 100])
            return f"({a} % {by})", -by + 1 if low < 0 else 0, by - 1
        elif what == ">>":
            by = choice([1, 2, 4, 8])
            return f"({a} >> {by})", low >> by, high >> by
        elif what == "<<" and low >= 0 and high << 4 < MOST:
            by = choice([1, 2, 4])
            return f"({a} << {by})", low << by, high << by
        elif what == "?":
            return f"({self.condition(0)} ? {a} : {b})", min(low, low_b), max(high, high_b)
        elif what == "narrow": # keeps what fits, and takes some bits of what doesn't
            type_ = choice(["char", "uchar", "short", "ushort"])
            least, most = BOUNDS[type_]
            if low < least or high > most:
                low, high = least, most
            return f"(int)({type_})({a})", low, high
        elif what == "sat":
            type_ = choice(["char", "uchar", "short", "ushort"])
            return f"(int)convert_{type_}_sat({a})", *BOUNDS[type_]
        elif what == "builtin":
            type_ = choice(["char", "uchar", "short", "ushort"])
            name = choice(["add_sat", "sub_sat", "hadd", "rhadd", "mul_hi", "max"])
            return f"(int){name}(({type_})({a}), ({type_})({b}))", *BOUNDS[type_]
        elif what == "&":
            mask = choice([1, 7, 15, 255, 1023])
            return f"({a} & {mask})", 0, mask
        return a, low, high

    def near(self, depth=2, most=1023):
        """An index from 0 to `most`."""
        text, low, high = self.small(depth)
        return text if 0 <= low and high <= most else f"clamp({text}, 0, {most})"

    # --- unsigned arithmetic that may wrap, of which a few bits are wanted ---------------------
    def modular(self, depth=3):
        choice = self.random.choice
        if depth == 0 or self.random.random() < 0.1:
            at = choice(["x", "gid", "(x + 1)", "(gid + u)", "(x * 2)"])
            return choice([f"(uint)bin[{at} & 1023]", f"(uint)bin[{at} & 1023]",
                           f"(uint)((global const ushort *)lin)[{at} & 2047]",
                           f"(uint)((global const short *)in)[{at} & 2047]", "(uint)c", "(uint)s",
                           "(uint)x", "(uint)gid", "(uint)u", "(uint)n",
                           *[f"{k}u" for k in (1, 2, 3, 7, 77, 129, 255, 256, 65535, 65537)]])
        a, b = self.modular(depth - 1), self.modular(depth - 1)
        return choice([f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} & {b})",
                       f"({a} | {b})", f"({a} ^ {b})", f"({a} << {choice([1, 3, 8])})",
                       f"({a} >> {choice([1, 2, 8, 9])})", f"~{a}",
                       f"({a} & {choice([1, 15, 255, 1023, 65535])}u)",
                       f"({self.condition(0)} ? {a} : {b})"])

    def modular_statement(self):
        choice = self.random.choice
        by, mask = choice([0, 1, 3, 7, 8, 9]), choice([15, 255, 765, 1023, 32767, 65535])
        order = choice(["<", "<=", ">", ">=", "==", "!="])
        limit = choice(["(uint)n", "n * 9u", "u * 100u - 300u", "(uint)n - 60u", "n * 1000000000u"])
        signed_limit = choice(["(int)n - 60", "(int)(u * 7000000u) - 2147483647", "(int)n * 9"])
        pixels = [f"bin[(x + {k}) & 1023]" for k in range(3)]
        whole = choice([15, 128, 255, 256])
        self.emit(choice([
            f"c = (uchar)({self.modular()} >> {by});", f"s = (ushort){self.modular()};",
            f"s ^= (ushort)({self.modular()} >> {by});",
            f"a += ({self.modular()} & {mask}u) {order} {limit} ? 3 : 5;",
            f"a ^= (int)({self.modular()} & {mask}u) {order} {signed_limit} ? 9 : 6;",
            f"a += (short){self.modular()} {order} {signed_limit};",
            f"{{ uint w = min((uint){pixels[0]}, {whole}u); c = (uchar)(({pixels[1]} * w + "
            f"{pixels[2]} * ({whole} - w) + {choice([0, 128])}) >> {by}); }}",
            f"{{ int most = 0; for (int k = 0; k < {choice([3, 5])}; ++k) most = max(most, "
            f"bin[(x + k * 9) & 1023] * {choice([1, 3, 200])} - k); s += (ushort)(most >> {by}); }}",
            f"s += (ushort)(({self.modular(2)} & 1023u) / (({self.modular(1)} & 7u) + 1u));"]))

    # --- built-in functions of any width -----------------------------------------------------
    def builtin(self, depth=1):
        """A call of a built-in function, converted to uint."""
        type_ = self.random.choice(["char", "uchar", "short", "ushort", "int", "uint", "long",
                                    "ulong"])
        bits = {"c": 8, "s": 16, "i": 32, "l": 64}[type_.lstrip("u")[0]]
        of = "ulong" if bits == 64 else "uint"
        a, b, c = (f"({type_})({self.expression(of, depth)})" for _ in range(3))
        call = self.random.choice([
            f"add_sat({a}, {b})", f"sub_sat({a}, {b})", f"hadd({a}, {b})", f"rhadd({a}, {b})",
            f"abs_diff({a}, {b})", f"abs({a})", f"mul_hi({a}, {b})", f"mad_hi({a}, {b}, {c})",
            f"mad_sat({a}, {b}, {c})", f"popcount({a})", f"clz({a})", f"ctz({a})",
            f"rotate({a}, {b})", f"min({a}, {b})", f"max({a}, {b})", f"bitselect({a}, {b}, {c})",
            f"clamp({a}, min({b}, {c}), max({b}, {c}))",
            f"select({a}, {b}, ({UNSIGNED.get(type_, type_)})({c}))",
            f"convert_{self.random.choice(list(BOUNDS) + ['uint', 'long', 'ulong'])}_sat({a})"])
        if bits == 32 and self.random.random() < 0.3:
            low = "int" if type_ == "int" else "uint"
            call = self.random.choice([
                f"mul24(({low})({a} >> 20), ({low})({b} >> 20))",
                f"mad24(({low})({a} >> 24), ({low})({b} >> 24), ({low})({c} >> 2))"])
            return f"(uint)({call})"
        if bits < 64 and self.random.random() < 0.2:
            call = f"upsample({a}, ({UNSIGNED.get(type_, type_)})({b}))"
        return f"(uint)({call})"

    # --- indices of other types --------------------------------------------------------------
    def odd_index(self):
        """An index from 0 to 1023."""
        k, m = self.random.choice([1, 3, 7, 50, 1000]), self.random.randrange(40)
        return self.random.choice([
            f"(uchar)(x * {k}u + u)", f"(uchar)(gid + {m})", f"(uchar)(n - x)",
            f"(ushort)(gid * {k}u + {m}) & 1023", f"(ushort)(x - {m}) >> 6",
            f"(char)(x + {m}) & 1023", f"(short)(x * {k}) & 1023", f"((long)x - {m}) & 1023",
            f"((ulong)gid * {k}ul + l) & 1023", f"(long)(x & 255) - (long)(u & 7) + 8",
            f"(int)(x & 511) - (int)u + 20", f"(uchar)(bin[x & 1023] + {m})",
            f"(int)(char)bin[gid & 1023] + 128", f"(uint)((uchar)x) * 3 + 1",
            f"(size_t)(n - 40) * 8 + (x & 7)", f"(x ^ {m}) & 1023", f"(~x) & 1023",
            f"(uint)-(int)(x & 63) & 1023", f"((x & 31) | (y << 5)) & 1023"])

    def signed_statement(self):
        step = self.random.randrange(10)
        if step < 2:
            name = f"z{self.counter}"
            self.counter += 1
            text, low, high = self.small()
            least = [t for t, (p, q) in BOUNDS.items() if p <= low and high <= q]
            self.emit(f"{self.random.choice(least)} {name} = {text};")
            self.variables[name] = f"small {low} {high}"
        elif step == 2: # a sum of products
            first, end = self.random.choice([(-1, 2), (0, 4), (-2, 3), (0, 7)])
            name = f"z{self.counter}"
            self.counter += 1
            type_ = self.random.choice(["int", "int", "long", "short"])
            self.emit(f"{type_} {name} = 0;")
            self.emit(f"for (int k = {first}; k < {end}; ++k) {{")
            outer = dict(self.variables)
            self.variables["k"] = f"small {first} {end - 1}"
            text, low, high = self.small()
            self.variables = outer
            most = 4000 if type_ == "short" else 2**27
            if max(-low, high) > most:
                text = f"clamp({text}, {-most}, {most})"
            guard = f"if ({self.condition()}) " if self.random.random() < 0.3 else ""
            self.emit(f"    {guard}{name} += {text};")
            self.emit("}")
            self.emit(f"a += (uint){name};")
        elif step == 3:
            text, *_ = self.small()
            self.emit(self.random.choice([
                f"bout[gid + total * 2] = convert_uchar_sat({text});",
                f"bout[gid + total] = (uchar)({text});", f"sout[gid * 2] = (ushort)({text});",
                f"sout[gid * 2 + 1] = convert_ushort_sat({text});",
                f"s = (ushort)({text});", f"c = convert_uchar_sat({text});",
                f"f = (float)({text});", f"j = {text};"]))
        elif step == 4:
            self.emit(f"a {self.random.choice(['+', '^'])}= {self.builtin()};")
        elif step == 5:
            name, op = self.random.choice([("in", "+="), ("lin", "+="), ("bin", "^=")])
            self.emit(f"b {op} (uint){name}[{self.odd_index()}];")
        elif step == 6: # from the middle of an array
            text, low, high = self.small(2)
            if low < -512 or high > 511:
                text = f"clamp({text}, -512, 511)"
            self.emit(f"{{ global const uint *middle = in + 512; a += middle[{text}]; }}")
        elif step >= 8:
            self.modular_statement()
        else:
            array, to = self.random.choice([("in", "a +="), ("fin", "f +="), ("bin", "c ^="),
                                            ("lin", "l +=")])
            self.emit(f"{to} {array}[{self.near()}];")
