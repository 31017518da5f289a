# SPDX-License-Identifier: Apache-2.0
"""Single kernels whose results Python knows, each of them for one rule of the vectoriser."""

WORD = (1 << 32) - 1


class Single:
    """`result` is what a work-item leaves in `words` places of its own, from g, the two inputs'
    elements and the numbers that the kernel is given."""

    def __init__(self, name, type_, body, result, starts=lambda g: 0, bounds=lambda g: 0,
                 numbers=(5, 1 << 20, 3), words=1, size=256, offset=0, local=64):
        self.name = "single_" + name
        self.size, self.offset, self.local, self.numbers = size, offset, local, numbers
        bytes_ = {"char": 1, "short": 2, "int": 4, "long": 8}[type_.lstrip("u")]
        count = size + offset
        self.inputs = [b"".join((value(g) & ((1 << 8 * bytes_) - 1)).to_bytes(bytes_, "little")
                                for g in range(count)) for value in (starts, bounds)]
        self.expected = list(range(words * count))
        for g in range(offset, count):
            value = result(g, starts(g), bounds(g), *numbers)
            for i in range(words):
                self.expected[words * g + i] = (value >> (32 * i)) & WORD
        place = "out" if words == 1 else "((global ulong *)out)"
        self.source = (f"kernel void {self.name}(global uint *out, global const {type_} *starts,\n"
                       f"        global const {type_} *bounds, long first, long last, long by) {{\n"
                       f"    uint g = get_global_id(0);\n    {body}\n}}\n"
                       .replace("RESULT", place + "[g]"))


def count_from_before_zero(g, start, *_):
    turns = 0
    while True:
        start, turns = start + 1, turns * 3 + 1
        if not 0 <= start < 18:
            return turns & WORD


def singles():
    yield Single("do_from_before_zero", "int",
                 "int c = starts[g]; uint s = 0; global const int *ones = bounds + 1;"
                 "do { s = s * 3 + ones[c]; c += 1; } while ((uint)c < 18u); RESULT = s;",
                 count_from_before_zero, starts=lambda g: g % 7 - 1, bounds=lambda g: 1)
