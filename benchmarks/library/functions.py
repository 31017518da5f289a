# SPDX-License-Identifier: Apache-2.0
"""The built-in functions whose cost is measured, with arguments of ordinary programs."""
import dataclasses

FLOATING = ("half", "float", "double")
SIGNED, UNSIGNED = ("char", "short", "int", "long"), ("uchar", "ushort", "uint", "ulong")
INTEGER = tuple(name for pair in zip(SIGNED, UNSIGNED) for name in pair)
BITS = {"char": 8, "short": 16, "int": 32, "long": 64, "half": 16, "float": 32, "double": 64}


def bits_of(kind):
    return BITS[kind.removeprefix("u") if kind in UNSIGNED else kind]


@dataclasses.dataclass(frozen=True)
class Function:
    """One function of one type. Its signature is a result and parameters, `T: T i *T`:

    T         the type; T3 is a vector; U and S are the integers of its size
    W         the integer of twice its size
    i         int; any other word is a type of OpenCL C
    *         a pointer to a second result, in private memory
    """
    name: str
    kind: str
    signature: str
    ranges: tuple  # of the parameters that aren't pointers, (low, high)

    def type_of(self, word):
        word = word.removeprefix("*")
        bits = bits_of(self.kind)
        unsigned = {bits_of(name): name for name in UNSIGNED}
        signed = {bits_of(name): name for name in SIGNED}
        if word in ("T", "T3"):
            return self.kind + word[1:]
        if word == "W":
            return (unsigned if self.kind in UNSIGNED else signed)[2 * bits]
        return {"U": unsigned[bits], "S": signed[bits], "i": "int"}.get(word, word)

    @property
    def result(self):
        return self.type_of(self.signature.split(":")[0])

    @property
    def parameters(self):
        """[(type, whether it is a pointer)]"""
        return [(self.type_of(word), word.startswith("*"))
                for word in self.signature.split(":")[1].split()]

    @property
    def kernel(self):
        return f"{self.name}_of_{self.kind}"


# name → ranges; one for each parameter
ONE = {
    "acos": (-1, 1), "acosh": (1, 100), "acospi": (-1, 1), "asin": (-1, 1), "asinh": (-100, 100),
    "asinpi": (-1, 1), "atan": (-10, 10), "atanh": (-1, 1), "atanpi": (-10, 10), "cbrt": (-100, 100),
    "ceil": (-100, 100), "cos": (-10, 10), "cosh": (-10, 10), "cospi": (-10, 10), "erf": (-3, 3),
    "erfc": (-3, 3), "exp": (-10, 10), "exp10": (-4, 4), "exp2": (-10, 10), "expm1": (-10, 10),
    "fabs": (-10, 10), "floor": (-100, 100), "lgamma": (0.5, 10), "log": (0.01, 100),
    "log10": (0.01, 100), "log1p": (-0.9, 100), "log2": (0.01, 100), "logb": (-100, 100),
    "rint": (-100, 100), "round": (-100, 100), "rsqrt": (0.01, 100), "sin": (-10, 10),
    "sinh": (-10, 10), "sinpi": (-10, 10), "sqrt": (0.01, 100), "tan": (-10, 10), "tanh": (-3, 3),
    "tanpi": (-10, 10), "tgamma": (0.5, 10), "trunc": (-100, 100),
}
TWO = {
    "atan2": ((-10, 10),) * 2, "atan2pi": ((-10, 10),) * 2, "copysign": ((-10, 10),) * 2,
    "fdim": ((-10, 10),) * 2, "fmax": ((-10, 10),) * 2, "fmin": ((-10, 10),) * 2,
    "fmod": ((-100, 100), (0.5, 10)), "hypot": ((-10, 10),) * 2, "maxmag": ((-10, 10),) * 2,
    "minmag": ((-10, 10),) * 2, "nextafter": ((-10, 10),) * 2, "pow": ((0.1, 10), (-3, 3)),
    "powr": ((0.1, 10), (-3, 3)), "remainder": ((-100, 100), (0.5, 10)),
}
MATH = {
    **{name: ("T: T", (arguments,)) for name, arguments in ONE.items()},
    **{name: ("T: T T", arguments) for name, arguments in TWO.items()},
    "fma": ("T: T T T", ((-10, 10),) * 3), "mad": ("T: T T T", ((-10, 10),) * 3),
    "fract": ("T: T *T", ((-100, 100),)), "frexp": ("T: T *i", ((-100, 100),)),
    "ilogb": ("i: T", ((-100, 100),)), "ldexp": ("T: T i", ((-10, 10), (-8, 8))),
    "lgamma_r": ("T: T *i", ((0.5, 10),)), "modf": ("T: T *T", ((-100, 100),)),
    "nan": ("T: U", ((0, 100),)), "pown": ("T: T i", ((-10, 10), (-4, 4))),
    "remquo": ("T: T T *i", ((-100, 100), (0.5, 10))), "rootn": ("T: T i", ((0.1, 100), (1, 5))),
    "sincos": ("T: T *T", ((-10, 10),)),
}
HALF_AND_NATIVE = {
    **{name: ("T: T", (ONE[name],)) for name in
       ("cos", "exp", "exp10", "exp2", "log", "log10", "log2", "rsqrt", "sin", "sqrt", "tan")},
    "divide": ("T: T T", ((-10, 10), (0.5, 10))), "powr": ("T: T T", TWO["powr"]),
    "recip": ("T: T", ((0.5, 10),)),
}
COMMON = {
    "clamp": ("T: T T T", ((-10, 10), (-5, 0), (0, 5))), "degrees": ("T: T", ((-10, 10),)),
    "max": ("T: T T", ((-10, 10),) * 2), "min": ("T: T T", ((-10, 10),) * 2),
    "mix": ("T: T T T", ((-10, 10), (-10, 10), (0, 1))), "radians": ("T: T", ((-100, 100),)),
    "sign": ("T: T", ((-10, 10),)), "smoothstep": ("T: T T T", ((-5, 0), (1, 5), (-10, 10))),
    "step": ("T: T T", ((-10, 10),) * 2),
}
GEOMETRIC = {
    **{name: ("T: T3 T3", ((-10, 10),) * 2) for name in ("distance", "dot")},
    "cross": ("T3: T3 T3", ((-10, 10),) * 2), "length": ("T: T3", ((-10, 10),)),
    "normalize": ("T3: T3", ((-10, 10),)),
}
FAST_GEOMETRIC = {"fast_" + name: GEOMETRIC[name] for name in ("distance", "length", "normalize")}
BYTES, FIELD = (0, 120), (0, 3)
ANY_INTEGER = {
    **{name: ("T: T T", (BYTES,) * 2) for name in
       ("add_sat", "hadd", "max", "min", "mul_hi", "rhadd", "rotate", "sub_sat")},
    **{name: ("T: T T T", (BYTES,) * 3) for name in ("clamp", "mad_hi", "mad_sat")},
    **{name: ("T: T", (BYTES,)) for name in ("bit_reverse", "clz", "ctz", "popcount")},
    "abs": ("U: T", (BYTES,)), "abs_diff": ("U: T T", (BYTES,) * 2),
    "bitfield_extract_signed": ("S: T uint uint", (BYTES, FIELD, FIELD)),
    "bitfield_extract_unsigned": ("U: T uint uint", (BYTES, FIELD, FIELD)),
    "bitfield_insert": ("T: T T uint uint", (BYTES, BYTES, FIELD, FIELD)),
}
SOME_INTEGER = {
    "mad24": (("int", "uint"), "T: T T T", (BYTES,) * 3),
    "mul24": (("int", "uint"), "T: T T", (BYTES,) * 2),
    "upsample": (INTEGER[:6], "W: T U", (BYTES,) * 2),
}
DOT_PRODUCTS = {
    f"dot_4x8packed_{signs}_{kind}": (kind, "T: uint uint", ((0, 2**32),) * 2)
    for signs, kind in (("ss", "int"), ("su", "int"), ("us", "int"), ("uu", "uint"))}
DOT_PRODUCTS |= {
    name.replace("dot_", "dot_acc_sat_"): (kind, signature + " T", (*ranges, (0, 1000)))
    for name, (kind, signature, ranges) in DOT_PRODUCTS.items()}
DOT_PRODUCTS["dot"] = ("char", "i: char4 char4", (BYTES, BYTES))
DOT_PRODUCTS["dot_acc_sat"] = ("char", "i: char4 char4 i", (BYTES, BYTES, (0, 1000)))
ROUNDING = ("rte", "rtz", "rtp", "rtn")


def conversions():
    """Functions without a rounding mode for all types; with one only where it may matter."""
    kinds = INTEGER + FLOATING
    for to in kinds:
        for mode in ("", *("_" + mode for mode in ROUNDING)):
            for source in kinds:
                if mode and source not in FLOATING and to not in FLOATING:
                    continue
                for saturated in ("", "_sat") if to in INTEGER else ("",):
                    yield Function(f"convert_{to}{saturated}{mode}", source, f"{to}: T", (BYTES,))


def all_functions():
    for table, kinds in ((MATH, FLOATING), (COMMON, FLOATING), (GEOMETRIC, FLOATING),
                         (FAST_GEOMETRIC, ("float",)), (ANY_INTEGER, INTEGER)):
        for name, (signature, ranges) in table.items():
            yield from (Function(name, kind, signature, ranges) for kind in kinds)
    for prefix in ("half_", "native_"):
        for name, (signature, ranges) in HALF_AND_NATIVE.items():
            yield Function(prefix + name, "float", signature, ranges)
    for name, (kinds, signature, ranges) in SOME_INTEGER.items():
        yield from (Function(name, kind, signature, ranges) for kind in kinds)
    for name, (kind, signature, ranges) in DOT_PRODUCTS.items():
        yield Function(name, kind, signature, ranges)
    yield from conversions()
