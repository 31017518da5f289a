# SPDX-License-Identifier: Apache-2.0
"""Functions of float in random kernels, each the same bits wherever it runs; conversions that say
how they round and what they do with what doesn't fit."""


class Reals:
    def real(self, depth):
        a, b, c = (self.expression("float", depth) for _ in range(3))
        return self.random.choice([
            f"fma({a}, {b}, {c})", f"floor({a})", f"ceil({a})", f"trunc({a})", f"rint({a})",
            f"round({a})", f"copysign({a}, {b})", f"sqrt(fabs({a}))", f"({a} / (fabs({b}) + 1.0f))",
            f"fmod({a}, fabs({b}) + 0.5f)",
            f"ldexp({a}, (int)({self.expression('uint', depth)} & 7))",
            f"nextafter({a}, {b})", f"clamp({a}, -4.0f, 4.0f)", f"mix({a}, {b}, 0.25f)",
            f"step({a}, {b})", f"smoothstep(0.0f, 2.0f, {a})", f"fract({a}, &f_)",
            f"exp2(clamp({a}, -9.0f, 9.0f))", f"sin(clamp({a}, -99.0f, 99.0f))",
            f"hypot({a}, {b})", f"rsqrt(fabs({a}) + 1)", f"pow(fabs({a}) + 1, 1.5f)",
            f"frexp({a}, &j_)", f"(float)ilogb(fabs({a}) + 1)", f"log(fabs({a}) + 1)",
            f"(float)isgreater({a}, {b})", f"(float)(isnan({a}) + 2 * signbit({b}))",
            f"(float)(isequal({a}, {b}) | isfinite({c}))", f"select({a}, {b}, isless({a}, {c}))",
            f"convert_float{self.rounding()}({self.expression('uint', depth)})",
            f"convert_float{self.rounding()}({self.expression('ulong', depth)})",
            f"(float)convert_half{self.rounding()}({a})" if "half" in self.types else f"fabs({a})",
            f"dot((float3)({a}, {b}, {c}), (float3)({b}, f, 2.0f))",
            f"length((float2)({a}, {b}))", f"({a} > {b} ? {c} : {b})"])

    def rounding(self):
        return self.random.choice(["", "_rte", "_rtz", "_rtp", "_rtn"])

    def rounded_to_integer(self, type_, depth):
        """Saturated: whatever the value, it is defined."""
        source = self.random.choice(["float", "float", "double"])
        return (f"convert_{type_}_sat{self.rounding()}({self.expression(source, depth)})")
