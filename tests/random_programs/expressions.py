# SPDX-License-Identifier: Apache-2.0
"""Integer expressions without undefined behaviour: arithmetic is unsigned, shifts are masked,
divisors have a bit set, indices are masked outside of the expression that they are made of."""

INTEGERS = ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"]
UNSIGNED = ["uchar", "ushort", "uint", "ulong"]
BITS = {"char": 8, "uchar": 8, "short": 16, "ushort": 16, "int": 32, "uint": 32, "long": 64,
        "ulong": 64}


class Expressions:
    def constant(self):
        return str(self.random.choice([0, 1, 2, 3, 5, 7, 8, 15, 31, 100, 255, 256, 1000, 65535,
                                       65536, 2147483647, 4294967295])) + "u"

    def leaf(self):
        """A value of any integer type."""
        if self.random.random() < 0.2:
            return self.constant()
        if self.random.random() < 0.75 and self.variables:
            return self.random.choice(list(self.variables))
        return self.random.choice(["x", "gid", "n", "u", "s", "m", "x", "gid", "y",
                                   "(uint)get_local_id(0)", "(uint)get_group_id(0)"])

    def expression(self, type_="uint", depth=None):
        """A value converted to `type_`."""
        if depth is None:
            depth = self.random.choice([0, 1, 1, 2])
        unsigned = "ulong" if BITS[type_] == 64 else "uint"
        inner = self.arithmetic(unsigned, depth)
        return inner if type_ == unsigned else f"({type_})({inner})"

    def arithmetic(self, type_, depth):
        if depth == 0 or self.random.random() < 0.15:
            return f"({type_})({self.leaf()})"
        r = self.random.random()
        if r < 0.12:
            return f"({type_})({self.load(depth - 1)})"
        if r < 0.22: # through another type, which may cut it off or extend its sign
            other = self.random.choice(INTEGERS)
            return f"({type_})({other})({self.arithmetic(type_, depth - 1)})"
        a, b = self.arithmetic(type_, depth - 1), self.arithmetic(type_, depth - 1)
        mask = BITS[type_] - 1
        if r < 0.28:
            return f"({self.condition(depth - 1)} ? {a} : {b})"
        if r < 0.34:
            name = self.random.choice(["min", "max", "rotate", "abs_diff", "mul_hi", "add_sat",
                                       "sub_sat", "hadd", "rhadd"])
            return f"{name}({a}, {b})"
        if r < 0.37:
            return f"{self.random.choice(['popcount', 'clz'])}({a})"
        if r < 0.42:
            signed = "long" if type_ == "ulong" else "int"
            return f"({type_})(({signed})({a}) >> ({b} & {mask}))"
        if r < 0.46:
            by = self.random.choice([2, 3, 5, 7, 8, 10, 16, 255])
            signed = "long" if type_ == "ulong" else "int"
            return f"({type_})(({signed})({a}) {self.random.choice('/%')} {by})"
        if r < 0.52:
            return f"({a} {self.random.choice('/%')} ({b} | 1))"
        if r < 0.60:
            return f"({a} {self.random.choice(['<<', '>>'])} ({b} & {mask}))"
        return f"({a} {self.random.choice(['+', '-', '*', '&', '|', '^', '+', '-'])} {b})"

    def load(self, depth=1):
        index = self.random.choice(["gid", "x", "x + 1u", "gid + u", "gid * 3u", "x + y * 32u",
                                    f"({self.arithmetic('uint', depth)})", "n - x", "u"])
        name = self.random.choice(["in", "in", "bytes", "longs", "words", "own"])
        if name == "own":
            return self.own_element(depth)
        if name == "bytes" and self.random.random() < 0.3:
            return f"((global const char *)bytes)[({index}) & 1023]"
        return f"{name}[({index}) & 1023]"

    def own_element(self, depth=1):
        """Memory that no other work-item accesses."""
        name, count = self.random.choice([("out", 8), ("out", 8), ("wide", 4), ("halves", 4)])
        at = (str(self.random.randrange(count)) if self.random.random() < 0.6 else
              f"(({self.arithmetic('uint', depth)}) & {count - 1})")
        return self.element(name, count, at)

    def element(self, name, count, at):
        if self.blocked:
            return f"{name}[gid * {count} + {at}]"
        return f"{name}[gid + total * {at}]"

    def condition(self, depth=1):
        r = self.random.random()
        compare = self.random.choice(["<", "<=", ">", ">=", "==", "!="])
        if r < 0.3:
            return self.random.choice(["x < u", "gid >= n", "(x & 1)", "(gid & 3) == 2", "x > 17",
                                       "(a & 1)", "x != u", "y < u", "s > 0", "(int)x > s"])
        if r < 0.5:
            signed = self.random.choice(["char", "short", "int", "long"])
            return (f"({signed})({self.arithmetic('uint', depth)}) {compare} "
                    f"({signed})({self.arithmetic('uint', depth)})")
        if r < 0.6:
            return f"(({self.arithmetic('uint', depth)}) & {self.random.choice([1, 3, 4, 12])})"
        if r < 0.7:
            joint = self.random.choice(["&&", "||"])
            return f"({self.condition(0)} {joint} {self.condition(0)})"
        type_ = self.random.choice(["uint", "uint", "ulong"])
        return f"{self.arithmetic(type_, depth)} {compare} {self.arithmetic(type_, depth)}"

    def uniform_condition(self):
        """A uniform condition."""
        return self.random.choice(["u > 4", "n & 1", "s < 0", "(in[u] & 1)", "m > 100", "u == 3"])
