# SPDX-License-Identifier: Apache-2.0
"""Arithmetic that can't wrap where a guard holds, seen in a wider type. For the work-items that the
guard stops it does wrap: what an optimiser concludes from the guard holds for some lanes only.
And 64-bit ids compared with limits that wrapped below zero or lost their sign, as in `x > n - 1`."""


from tree import Whole


class Differences:
    def guarded(self):
        """A guard, and a 64-bit value that doesn't wrap if the guard holds."""
        choice = self.random.choice
        if self.random.random() < 0.3:
            k = choice("nu")
            return choice([(f"gid >= {k}", f"(ulong)(gid - {k})"),
                           (f"x >= {k}", f"((ulong)(x - {k}) * 3 >> 1)")])
        i = choice(["gid", "x", "x", "a", "b", "in[gid & 1023]", "(x * 3u)", "(gid & 31u)"])
        k = choice(["n", "u", "7u", "n * 2u", "in[u]", "(uint)bytes[x & 1023]", "b", "40u"])
        return choice([
            (f"{i} >= {k}", f"(ulong)({i} - {k})"), (f"{i} >= {k}", f"(ulong)({i} - {k})"),
            (f"{k} <= {i}", f"((ulong)({i} - {k}) * 3 >> 1)"),
            (f"{i} > {k}", f"(ulong)({i} - {k} - 1u)"),
            (f"{i} < {k}", f"(ulong)({k} - {i})"),
            (f"{i} <= 4294967295u - {k}", f"(ulong)({i} + {k})"),
            (f"{i} < 65536u", f"(ulong)({i} * {i})"),
            (f"{i} < 65536u && {k} < 65536u", f"(ulong)({i} * {k})"),
            (f"{i} < 1048576u", f"(ulong)({i} << 12)"),
            (f"({i} & 3u) == 0", f"(ulong)({i} >> 2) * 4"),
            (f"({i} & 1u) == 0", f"(ulong)({i} | 1u)"),
            (f"{i} % 6u == 0", f"(ulong)({i} / 6u * 6u)"),
            (f"(int)({i}) >= 0", f"(ulong)(long)((int)({i}) - 1)"),
            (f"(int)({i}) >= 0", f"(ulong)(long)(int)({i})"),
            (f"(int)({i}) > s && s > -100 && (int)({i}) < 1000", f"(ulong)(long)((int)({i}) - s)"),
            (f"(int)({i}) < 1000 && (int)({i}) > -1000", f"(ulong)(long)((int)({i}) * 5 + s)"),
            (f"(ushort)({i}) >= (ushort)({k})",
             f"(ulong)(ushort)((ushort)({i}) - (ushort)({k}))"),
            (f"(uchar)({i}) >= (uchar)({k})", f"(ulong)(uchar)((uchar)({i}) - (uchar)({k}))"),
            (f"{i} - {k} < 50u", f"(ulong)({i} - {k}) + 1"),
            (f"{i} != 0", f"(ulong)({i} - 1u)")])

    def difference(self):
        guard, value = self.guarded()
        most = self.random.choice(["m", "(ulong)1 << 20", "longs[u]", "100", "(ulong)n * 4"])
        first, second = self.own_element(0), self.own_element(0)
        step = self.random.choice([0, 0, 1, 2, 3, 4, 5])
        if step == 5:
            return self.guarded_block(guard, value, most, second)
        if step == 0:
            line = f"if ({guard} && {value} < {most}) {first} = 1; else {second} += 1;"
        elif step == 1:
            line = f"if ({guard}) {self.element('wide', 4, '1')} = {value};"
        elif step == 2:
            line = f"l += {guard.replace('&&', '&')} ? {value} : {most};"
        elif step == 3: # as a length of a loop
            name = self.new("i")
            line = (f"if ({guard}) for (ulong {name} = 0; {name} < ({value}) % 20; ++{name}) "
                    f"{first} += (uint){name} + 1;")
        else: # as an index
            line = f"if ({guard}) l += longs[({value}) & 1023];"
        self.emit(Whole(line))

    def guarded_block(self, guard, value, most, element):
        self.divergent += 1
        with self.block(Whole(f"if ({guard}) {{"), guards=True):
            name = self.new("d")
            self.emit(Whole(f"const ulong {name} = {value};"))
            self.variables[name] = "ulong"
            for _ in range(self.random.randrange(1, 4)):
                self.statement()
            self.emit(f"if ({name} < {most}) {element} ^= (uint){name};")
        self.divergent -= 1

    def limit(self):
        """A uniform 64-bit number, often negative when interpreted as signed."""
        return self.random.choice([
            "((ulong)u - 1)", "((ulong)u - 3)", "(ulong)s", "(ulong)(long)(s - 2)",
            "((ulong)n - 1)", "((ulong)n - u)", "(ulong)n", "m", "(m - 1)", "~(ulong)u", "18446744073709551610ul"])

    def border(self):
        choice = self.random.choice
        i = choice(["(ulong)get_global_id(0)", "(ulong)get_global_id(0)", "(ulong)x",
                    "((ulong)x + 1)", "((ulong)x * 3)", "((ulong)get_global_id(0) - u)"])
        k, other = self.limit(), self.limit()
        compare, joint = choice(["<", "<=", ">", ">=", "=="]), choice(["&&", "||"])
        first, second = self.own_element(0), self.own_element(0)
        name = self.new("j")
        large = "(9223372036854773807 - (long)u)" # u is below 12: 100 more are no overflow
        self.emit(Whole(choice([
            f"if ({i} {compare} {k}) {first} += 1; else {second} += 3;",
            f"if ({i} {compare} {k} {joint} {i} < {other}) {first} += 5;",
            f"l += {choice(['min', 'max'])}({i}, {k});",
            f"l ^= clamp({i}, min({k}, {other}), max({k}, {other}));",
            f"l += ({i} + {k}) {choice('%/')} ({other} | 1);",
            f"for (ulong {name} = 0; {name} < {k}; ++{name}) {{ if ({name} > (x & 7) + 2) break; "
            f"if ((ulong)x + {name} {compare} {other}) a += in[((ulong)x + {name}) & 1023]; }}",
            f"for (ulong {name} = {i}; {name} {choice(['<', '!='])} {k}; ++{name}) "
            f"{{ if ({name} - {i} > 6) break; {first} += (uint){name}; }}",
            f"l += (ulong)max((long)({i} + (ulong){large}), {large} + {choice([5, 40, 100])});",
            f"for (long {name} = 0; {name} != (long)s; ++{name}) {{ if ({name} > (x & 7) + 2) break; "
            f"a += in[(uint)max((long)x - {name}, (long)0) & 1023]; }}"])))
