# SPDX-License-Identifier: Apache-2.0
"""A grid of loops: forms × types of the counter × starts × bounds × steps × where the sum is. What
they compute is computed here, too, one work-item after the other."""
from itertools import product
from random import Random

# name: bits, whether it is signed
TYPES = {"char": (8, True), "uchar": (8, False), "short": (16, True), "ushort": (16, False),
         "int": (32, True), "uint": (32, False), "long": (64, True), "ulong": (64, False)}
FORMS = {
    "for": "for ({T} c = {start}; c {order} {bound}; c += {step}) {{ {body} }}",
    "while": "{T} c = {start}; while (c {order} {bound}) {{ {body} c += {step}; }}",
    "do": "{T} c = {start}; do {{ {body} c += {step}; }} while (c {order} {bound});",
    # The loop's condition has an effect.
    "comma": "{T} c = {start}; while ({body_comma}, c {order} {bound}) c += {step};",
}
STARTS = {"id": "get_global_id(0)", "const": None, "arg": "first", "data": "starts[g]"}
BOUNDS = {"id": "get_global_id(0)", "const": None, "arg": "last", "data": "bounds[g]"}
STEPS = {"1": 1, "2": 2, "16": 16, "down": -1, "arg": 3}
SUMS = {
    "register": ("uint s = g;", "s = s * 3 + (uint)c + 1", "out[g] = s;"),
    "memory": ("", "out[g] = out[g] * 3 + (uint)c + 1", ""),
    "elements": ("", "out[8 * g + ((uint)c & 7)] += (uint)c + 1", ""),
}
NDRANGES = [(16, 0, 16), (37, 0, 37), (48, 5, 16)] # size, offset, size of a group
MOST_TURNS = 120


class Endless(Exception):
    pass


def wrapped(value, bits, is_signed):
    value &= (1 << bits) - 1
    return value - (1 << bits) if is_signed and value >> (bits - 1) else value


def compare(order, a, b):
    return {"<": a < b, "<=": a <= b, "!=": a != b, ">": a > b, ">=": a >= b}[order]


class Loop:
    """One of the grid, with inputs with which it ends; `number` chooses what isn't in the grid."""

    def __init__(self, number, form, type_, start, bound, step, sum_):
        self.name = "_".join(["loop", form, type_, start, bound, step, sum_])
        self.form, self.type, self.sum = form, type_, sum_
        self.bits, self.is_signed = TYPES[type_]
        self.size, self.offset, self.local = NDRANGES[number % len(NDRANGES)]
        self.step = STEPS[step]
        down = self.step < 0
        low, high = 3 + number % 3, 18 + number % 5
        self.first, self.last = (high, low) if down else (low, high)
        self.numbers = [self.first + 2, self.last + 1, self.step]
        count = self.size + self.offset
        # Some loops don't run at all, and some counts start at the end of what the type holds.
        self.starts = [(g * 7) % 23 - 4 * self.is_signed for g in range(count)]
        self.bounds = [(g * 11) % 29 - 4 * self.is_signed for g in range(count)]
        if not self.is_signed:
            most = (1 << self.bits) - 1
            for g in range(count):
                if g % 6 == 5:
                    self.starts[g] = g % 4 if down else most - g % 3
        orders = [">", ">=", "!="] if down else ["<", "<=", "!="]
        orders = orders[number % 3:] + orders[:number % 3]
        for order in orders:
            self.order = order
            try:
                self.expected = self.run(start, bound)
                break
            except Endless:
                pass
        else:
            raise Endless(self.name)
        start_text = STARTS[start] or str(self.first)
        bound_text = BOUNDS[bound] or str(self.last)
        step_text = "by" if step == "arg" else str(self.step)
        before, body, after = SUMS[sum_]
        text = FORMS[form].format(T=type_, start=f"({type_}){start_text}", order=self.order,
                                  bound=f"({type_}){bound_text}", step=f"({type_}){step_text}",
                                  body=body + ";", body_comma=body)
        self.source = (f"kernel void {self.name}(global uint *out, global const {type_} *starts,\n"
                       f"        global const {type_} *bounds, long first, long last, long by) {{\n"
                       f"    uint g = get_global_id(0);\n    {before} {text} {after}\n}}\n")

    @property
    def inputs(self):
        return [b"".join((value & (2 ** self.bits - 1)).to_bytes(self.bits // 8, "little")
                         for value in values) for values in (self.starts, self.bounds)]

    def run(self, start, bound):
        count = self.size + self.offset
        out = list(range(8 * count))
        for g in range(self.offset, count):
            self.run_one(g, out, {"id": g, "const": self.first, "arg": self.numbers[0],
                                  "data": self.starts[g]}[start],
                         {"id": g, "const": self.last, "arg": self.numbers[1],
                          "data": self.bounds[g]}[bound])
        return out

    def run_one(self, g, out, c, end):
        turns = 0

        def body():
            nonlocal turns
            turns += 1
            if turns > MOST_TURNS:
                raise Endless
            if self.sum == "elements":
                at = 8 * g + (c & 7)
                out[at] = (out[at] + c + 1) & 0xffffffff
            else: # both start with g
                out[g] = (out[g] * 3 + c + 1) & 0xffffffff

        def stays():
            return compare(self.order, c, end)

        def step():
            nonlocal c
            after = c + self.step
            c = wrapped(after, self.bits, self.is_signed)
            if self.is_signed and c != after:
                raise Endless
        if self.form == "do":
            while True:
                body()
                step()
                if not stays():
                    return
        while True:
            if self.form == "comma":
                body()
            if not stays():
                return
            if self.form != "comma":
                body()
            step()


def loops():
    """All of the grid, in an order in which each part has something of everything."""
    ways = list(enumerate(product(FORMS, TYPES, STARTS, BOUNDS, STEPS, SUMS)))
    Random(1).shuffle(ways)
    for number, way in ways:
        yield "_".join(["loop", *way]), lambda: Loop(number, *way)
