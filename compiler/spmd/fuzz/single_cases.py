# SPDX-License-Identifier: Apache-2.0
"""Single kernels whose results Python knows, each of them for one rule of the vectoriser."""

WORD = (1 << 32) - 1


class Single:
    """`result` is what a work-item leaves in `words` elements of its own, from g, the two inputs'
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
        output = "out" if words == 1 else "((global ulong *)out)"
        self.source = (f"kernel void {self.name}(global uint *out, global const {type_} *starts,\n"
                       f"        global const {type_} *bounds, long first, long last, long by) {{\n"
                       f"    uint g = get_global_id(0);\n    {body}\n}}\n"
                       .replace("RESULT", output + "[g]"))


def count_from_before_zero(g, start, *_):
    turns = 0
    while True:
        start, turns = start + 1, turns * 3 + 1
        if not 0 <= start < 18:
            return turns & WORD


def guarded(condition, value, otherwise=7):
    """The result of 32-bit arithmetic where the condition holds, as a number of 64 bits."""
    return lambda g, start, bound, n, m, by: \
        value(g, start, bound, n, m, by) if condition(g, start, bound, n, m, by) else otherwise


def differences():
    """Unsigned and signed differences behind a guard, as numbers of 64 bits: LLVM computes them
    always and drops what has wrapped."""
    yield Single("difference_compared", "int",
                 "uint n = first; ulong m = last; RESULT = g >= n && (ulong)(g - n) < m ? 1 : 2;",
                 lambda g, s, b, n, m, by: 1 if n <= g and g - n < m else 2)
    yield Single("difference_branch", "int",
                 "uint n = first; ulong m = last;"
                 "if (g >= n && (ulong)(g - n) < m) RESULT = 1; else out[g] += 3;",
                 lambda g, s, b, n, m, by: 1 if n <= g and g - n < m else g + 3)
    yield Single("difference_of_product", "int",
                 "uint n = first; ulong m = last;"
                 "RESULT = g >= n && ((ulong)(g - n) * 3 >> 1) < m ? 1 : 2;",
                 lambda g, s, b, n, m, by: 1 if n <= g and (g - n) * 3 // 2 < m else 2)
    yield Single("difference_stored", "int",
                 "uint n = first; RESULT = g >= n ? (ulong)(g - n) : 7;",
                 guarded(lambda g, s, b, n, *_: g >= n, lambda g, s, b, n, *_: g - n), words=2)
    yield Single("difference_of_constant", "int",
                 "RESULT = g >= 9 ? (ulong)(g - 9) * 5 : 7;",
                 guarded(lambda g, *_: g >= 9, lambda g, *_: (g - 9) * 5), words=2)
    yield Single("difference_shifted", "int",
                 "uint n = first; if (g >= n && (((ulong)(g - n) << 3) | 4) < last) RESULT = 1;"
                 "else RESULT = 2;",
                 lambda g, s, b, n, m, by: 1 if n <= g and ((g - n) << 3 | 4) < m else 2)
    yield Single("sum_of_signed", "int",
                 "int n = first, d = (int)g - n; RESULT = d >= 0 ? (ulong)d * 3 : 7;",
                 guarded(lambda g, s, b, n, *_: g >= n, lambda g, s, b, n, *_: 3 * (g - n)),
                 words=2)
    yield Single("signed_below", "int", # overflows where it isn't wanted
                 "int n = first; RESULT = g < 100 ? (ulong)(long)((int)g + n) : 7;",
                 guarded(lambda g, *_: g < 100, lambda g, s, b, n, *_: g + n), words=2,
                 numbers=(2 ** 31 - 120, 0, 0))
    yield Single("signed_above", "int", # lane 0 overflows
                 "int n = first; RESULT = g >= 20 ? (ulong)(long)((int)g + n) : 7;",
                 guarded(lambda g, *_: g >= 20,
                         lambda g, s, b, n, *_: (g + n) & ((1 << 64) - 1)),
                 words=2, numbers=(-(2 ** 31) + 5, 0, 0))
    yield Single("two_guards", "int",
                 "uint n = first, k = by; RESULT = g >= n && g - n >= k ? (ulong)(g - n - k) + last"
                 ": 7;",
                 guarded(lambda g, s, b, n, m, k: g >= n + k,
                         lambda g, s, b, n, m, k: g - n - k + m), words=2)
    yield Single("hash", "int",
                 "uint n = first; ulong h = g >= n ? (ulong)(g - n) * 0x9e3779b97f4a7c15ul >> 7 : 7;"
                 "RESULT = h;",
                 guarded(lambda g, s, b, n, *_: g >= n,
                         lambda g, s, b, n, *_: ((g - n) * 0x9e3779b97f4a7c15 % 2 ** 64) >> 7),
                 words=2)
    yield Single("as_float", "int",
                 "uint n = first; double d = g >= n ? (double)(ulong)(g - n) : 7; RESULT = (ulong)d;",
                 guarded(lambda g, s, b, n, *_: g >= n, lambda g, s, b, n, *_: g - n), words=2)
    yield Single("masked", "uint", # the difference under the mask of what was loaded
                 "uint n = first; ulong v = 7;"
                 "if (starts[g] & 1) { if (g >= n) { v = (ulong)(g - n) * 9; out[2 * g] = v; } }"
                 "RESULT = v;",
                 guarded(lambda g, s, b, n, *_: s & 1 and g >= n,
                         lambda g, s, b, n, *_: (g - n) * 9), words=2,
                 starts=lambda g: (g * 7 >> 2) & 3)
    yield Single("counted_down_from", "int",
                 "uint n = first; ulong v = 0;"
                 "if (g >= n) for (uint c = g - n; c < 40; c += 16) v = v * 3 + (ulong)c + 1;"
                 "RESULT = v;",
                 counted(lambda g, n: range(g - n, 40, 16) if g >= n else ()), words=2)
    yield Single("counted_in_stores", "int",
                 "uint n = first; ulong v = 0;"
                 "if (g >= n) for (uint c = g - n; c < 40; c += 16) { v = v * 3 + (ulong)c + 1;"
                 "RESULT = v; } else RESULT = 0; if (g - n >= 40 && g >= n) RESULT = 0;",
                 counted(lambda g, n: range(g - n, 40, 16) if g >= n else ()), words=2)


def counted(steps):
    def result(g, start, bound, n, m, by):
        value = 0
        for c in steps(g, n):
            value = value * 3 + c + 1
        return value % 2 ** 64
    return result


def conditions():
    """Parts of conditions that count only where others hold."""
    yield Single("limit_that_wraps", "int",
                 "uint n = first, m = last; if (m <= n && g < n - m) RESULT = 1; else RESULT = 2;",
                 lambda g, s, b, n, m, by: 1 if m <= n and g < n - m else 2)
    yield Single("shift_by_too_much", "int",
                 "uint n = first; if (n < 32 && (1u << n) & g) RESULT = 1; else out[g] += 2;",
                 lambda g, s, b, n, m, by: g + 2, numbers=(77, 0, 0))
    yield Single("early_return", "int",
                 "uint n = first, m = last; if (g < n) return; if ((ulong)(g - n) * 4 >= m) return;"
                 "out[g] = (g - n) * 4;",
                 lambda g, s, b, n, m, by: (g - n) * 4 if g >= n and (g - n) * 4 < m else g,
                 numbers=(13, 400, 0))
    yield Single("four_ways", "int",
                 "uint n = first, k = by; uint r = 0;"
                 "if (g >= n) r = (ulong)(g - n) < 50ul ? 1 : 2;"
                 "if (g >= k) r += (ulong)(g - k) * 2 < 100ul ? 10 : 20; RESULT = r;",
                 lambda g, s, b, n, m, k: (0 if g < n else 1 if g - n < 50 else 2) +
                 (0 if g < k else 10 if (g - k) * 2 < 100 else 20), numbers=(21, 0, 90))


def guards():
    """Rows that end where x less something, or with a multiple of something, passes a limit."""
    for name, first in ("below", -40), ("inside", 100), ("beyond", 300), ("least", -(2 ** 31) + 260):
        yield Single("guard_difference_" + name, "int",
                     "int n = first, m = last; if ((int)g - n >= m) return; out[g] = 3;",
                     lambda g, s, b, n, m, by: 3 if g - n < m else g, numbers=(first, 20, 0))
    # The differences wrap, which splits rows: the order is that of numbers modulo 2^32.
    for name, first, last in (("inside", 13, 100), ("at_begin", 0, 99), ("before", 2 ** 32 - 5, 77),
                              ("all", 7, 2 ** 32 - 1), ("far", 2 ** 31 + 3, 2 ** 31 + 60)):
        yield Single("guard_wraps_" + name, "int",
                     "uint n = first, m = last; if (g - n >= m) return; out[g] = 3;",
                     lambda g, s, b, n, m, by: 3 if (g - n) % 2 ** 32 < m else g,
                     numbers=(first, last, 0))
    yield Single("guard_wraps_signed", "int",
                 "uint n = first; int m = last; if ((int)(g - 3 * n - 9) >= m) return; out[g] = 3;",
                 lambda g, s, b, n, m, by:
                 3 if (g - 3 * n - 9 + 2 ** 31) % 2 ** 32 - 2 ** 31 < m else g,
                 numbers=((2 ** 31 + 100) // 3, 2 ** 31 - 40, 0))
    yield Single("guard_multiple", "int",
                 "int n = first, m = last, k = by; int i = g; if (i + 3 * n - 2 * k - 11 < m) return;"
                 "out[g] = 3;",
                 lambda g, s, b, n, m, k: g if g + 3 * n - 2 * k - 11 < m else 3,
                 numbers=(17, -20, 90))
    yield Single("guard_with_offset", "int",
                 "int n = first, m = last; if ((int)g - n != m) return; out[g] = 3;",
                 lambda g, s, b, n, m, by: 3 if g - n == m else g, numbers=(17, 90, 0), offset=64)
    yield Single("guard_of_words", "int", # one wide, one narrow, with and without a sign
                 "ushort n = first; char m = last; if ((long)(int)g - n - m > by) return; out[g] = 3;",
                 lambda g, s, b, n, m, by: g if g - n - m > by else 3, numbers=(40, -20, 77))
    # Sums and limits of 64 bits that are both far beyond all ids.
    for name, first, last in (("all", 2 ** 31 - 1, 60000 * 2 ** 31),
                              ("none", -(2 ** 31), -60000 * 2 ** 31)):
        yield Single("guard_far_" + name, "int",
                     "int n = max((int)first, (int)by);"
                     "if ((long)(int)g + (long)n * 60000 >= last) return; out[g] = 3;",
                     lambda g, s, b, n, m, by: 3 if g + n * 60000 < m else g,
                     numbers=(first, last, -(2 ** 31)))


def narrow_arithmetic():
    """Arithmetic that fits into 16 bits just so, or is one too large for them."""
    byte = {"starts": lambda g: g, "bounds": lambda g: 255 - g * 7 & 255}
    yield Single("weighted_mean", "uchar",
                 "uint w = g & 255, v = starts[g] * w + bounds[g] * (255 - w) + 128;"
                 "RESULT = (uchar)((v + (v >> 8)) >> 8);",
                 lambda g, s, b, *_: (lambda v: v + (v >> 8) >> 8 & 255)(s * g + b * (255 - g) + 128),
                 **byte)
    for name, factors in ("fits", (128, 129)), ("one_more", (128, 130)):
        yield Single("sum_that_" + name, "uchar",
                     f"uint v = starts[g] * {factors[0]} + bounds[g] * {factors[1]};"
                     "RESULT = (uchar)(v >> 9);",
                     lambda g, s, b, *_, f=factors: s * f[0] + b * f[1] >> 9 & 255,
                     starts=lambda g: 255 - (g & 3), bounds=lambda g: 255 - (g >> 6))
    yield Single("modular", "ushort",
                 "uint k = first, h = starts[g] * k + g; h ^= h << 3; h = h * 77 + k;"
                 "RESULT = (ushort)h;",
                 lambda g, s, b, k, *_:
                 (lambda h: ((h ^ h << 3) * 77 + k) & 0xffff)(s * k + g),
                 starts=lambda g: g * 2571 & 0xffff, numbers=(0x12345679, 0, 0))
    for limit in (-(2 ** 31), -256, -255, -1, 0, 1, 764, 765, 766, 65535, 65536, 2 ** 31 - 1):
        for order, what in ("<", "below"), ("<=", "to"), (">", "above"), (">=", "from"):
            yield Single(f"limit_{what}_{limit}".replace("-", "m"), "uchar",
                         f"int v = starts[g] * 3, n = first, d = starts[g] - bounds[g];"
                         f"RESULT = (v {order} n ? 1 : 2) + (d {order} n ? 4 : 8)"
                         f" + ((uint)v {order} (uint)n ? 16 : 32);",
                         limit_result(order), numbers=(limit, 0, 0), **byte)
    yield Single("quotient_of_least", "short",
                 "RESULT = (ushort)(starts[g] / bounds[g]) + (uint)(starts[g] % bounds[g] == 0) * 65536;",
                 lambda g, s, b, *_: ((-s & 0xffff) if b == -1 else s & 0xffff) + 65536,
                 starts=lambda g: -32768 + g // 2, bounds=lambda g: -1 if g & 1 else 1)


def limit_result(order):
    compare = {"<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__}[order]
    return lambda g, s, b, n, *_: ((1 if compare(s * 3, n) else 2) +
                                   (4 if compare(s - b, n) else 8) +
                                   (16 if compare(s * 3, n & WORD) else 32))


def others():
    # Two cases of a switch lead to one block, where a number of eight bits arrives.
    yield Single("two_edges", "uchar",
                 "int v = starts[g] + bounds[g]; switch (g & 7) { case 1: case 4: case 6: v = v * 2;"
                 "break; case 2: v -= 300; break; case 3: case 5: break; default: v = 5; }"
                 "RESULT = v;",
                 lambda g, s, b, *_: {1: 2, 4: 2, 6: 2, 3: 1, 5: 1}[g & 7] * (s + b)
                 if g & 7 in (1, 3, 4, 5, 6) else (s + b - 300) & WORD if g & 7 == 2 else 5,
                 starts=lambda g: g * 5 & 255, bounds=lambda g: g * 11 & 255)
    # All stores at the end are the same, but not all work-items come by.
    yield Single("trap_at_the_end", "int",
                 "if (g < (uint)first) { RESULT = 3; if (last == 77) __builtin_unreachable(); }"
                 "else RESULT = 4;",
                 lambda g, s, b, n, *_: 3 if g < n else 4, numbers=(100, 5, 0))
    # A 64-bit index of which 32 bits are wanted passes what 64 bits wouldn't.
    yield Single("narrow_index", "int",
                 "ulong c = g; uint s = 0; for (int i = 0; i < 9; ++i) {"
                 "s = s * 3 + (uint)c; c += 0x123456789abcul; } RESULT = s;",
                 lambda g, *_: fold(g + i * 0x123456789abc for i in range(9)))
    # A loop that goes on to a number that it never reaches ends by its break.
    yield Single("nearly_endless", "int",
                 "uint s = 0; for (long i = 0; i != (int)first; ++i) {"
                 "s = s * 3 + starts[max((long)g - i, 0l)]; if (bounds[i]) break; } RESULT = s;",
                 lambda g, *_: fold(max(g - i, 0) * 7 + 1 for i in range(6)),
                 starts=lambda g: g * 7 + 1, bounds=lambda g: int(g == 5), numbers=(-1, 0, 0))
    # A sum of 64 bits wraps, though its large part cancels out of the comparison.
    yield Single("cancelled", "int",
                 "long i = max((long)(g + (ulong)first), first + 5); RESULT = starts[i - first];",
                 lambda g, s, b, n, *_: (g if 5 < g < (1 << 63) - n else 5) * 7,
                 starts=lambda g: g * 7, numbers=((1 << 63) - 100, 0, 0))
    # A multiple of 64 bits wraps, though the number is small.
    yield Single("multiple", "int",
                 "long a = max((long)((g + (ulong)first) << 11), last);"
                 "RESULT = (long)((ulong)a << 15) > 20 ? 1 : 2;",
                 lambda *_: 2, numbers=(1 << 37, 5, 0))
    # A loop's count is of more bits than limits are.
    yield Single("wide_count", "int",
                 "uint s = 0; int i = 0; for (unsigned _BitInt(100) c = 0;"
                 "c < (unsigned _BitInt(100))first * first; ++c)"
                 "s = s * 3 + starts[max((int)g - i++, 0)]; RESULT = s;",
                 lambda g, *_: fold(max(g - i, 0) for i in range(4)),
                 starts=lambda g: g, numbers=(2, 0, 0))
    # Scalar evolution takes j for the loop's index.
    yield Single("merge_of_index", "int",
                 "uint s = 0; for (uint i = 1; i < (uint)first; ++i) { uint j;"
                 "if (i == 0) { out[g] = 3; j = 1; } else { out[g] = s; j = i; }"
                 "s = s * 3 + starts[min(g + j, 200u)]; } RESULT = s;",
                 lambda g, *_: fold(min(g + j, 200) for j in range(1, 7)),
                 starts=lambda g: g, numbers=(7, 0, 0))
    # A counter moves the address of all lanes; the index of each lane may begin below zero.
    for name, step in ("", 1), ("_in_steps", 3), ("_back", -2):
        yield Single("moving_base" + name, "int",
                     "int start = starts[g]; uint s = 0; global const int *middle = bounds + 100;"
                     f"for (int i = 0; i != (int)(first + (g & 3)) * {step}; i += {step}) {{"
                     "s = s * 3 + middle[start + i]; if (s % 11 == 2) break; } RESULT = s;",
                     lambda g, start, b, n, m, by, step=step: broken_off(
                         7 * (100 + start + i * step) for i in range(n + (g & 3))),
                     starts=lambda g: g * 5 % 120 - 60, bounds=lambda g: 7 * g,
                     numbers=(5, 0, 0))
    # Whether an exchange took place follows from the old value.
    yield Single("exchange", "int",
                 "uint wanted = g & 1 ? g : 7u, old = 0, done = 2; if (starts[g] > 2) {"
                 "old = atomic_cmpxchg(&out[g], wanted, 5u); done = old == wanted; }"
                 "RESULT = out[g] * 8 + old * 4 + done;",
                 lambda g, start, *_: exchanged(g, g if g & 1 else 7) if start > 2
                 else g * 8 + 2, starts=lambda g: g * 3 % 7)


def exchanged(old, wanted):
    return (5 if old == wanted else old) * 8 + old * 4 + (old == wanted)


def broken_off(numbers):
    total = 0
    for number in numbers:
        total = (total * 3 + number) & WORD
        if total % 11 == 2:
            break
    return total


def fold(numbers):
    total = 0
    for number in numbers:
        total = (total * 3 + number) & WORD
    return total


def singles():
    yield Single("do_from_before_zero", "int",
                 "int c = starts[g]; uint s = 0; global const int *ones = bounds + 1;"
                 "do { s = s * 3 + ones[c]; c += 1; } while ((uint)c < 18u); RESULT = s;",
                 count_from_before_zero, starts=lambda g: g % 7 - 1, bounds=lambda g: 1)
    yield from differences()
    yield from conditions()
    yield from guards()
    yield from narrow_arithmetic()
    yield from others()
