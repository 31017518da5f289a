# SPDX-License-Identifier: Apache-2.0
"""Kernels of which many values live for long, and few are anything but floats: vector registers
don't last."""

INPUTS = ["fin[gid & 1023]", "fin[(gid + 1) & 1023]", "fin[gid * 3 & 1023]",
          "(in[gid & 1023] & 1023) * 0.01f"] # no NaN


class Crowded:
    def write_crowded(self):
        self.crowd = []
        for value in self.random.sample(INPUTS, self.random.choice([2, 3, 4])):
            self.join_crowd(f"clamp({value}, -9.0f, 9.0f)")
        for _ in range(self.random.randrange(6, 18)):
            self.join_crowd(self.crowded_value())
        for slot in self.random.sample(range(4), self.random.choice([1, 2, 3])):
            wanted = self.random.sample(self.crowd, min(len(self.crowd), 4))
            self.emit(f"fout[gid * 4 + {slot}] = {' + '.join(wanted)};")
        if self.random.random() < 0.5:
            self.emit(f"out[gid] = (uint)fabs({self.one()}) + ({self.one()} > {self.one()});")
        return self.kernel_of_lines()

    def join_crowd(self, value):
        self.emit(f"float v{len(self.crowd)} = {value};")
        self.crowd.append(f"v{len(self.crowd)}")

    def one(self):
        """Rather an old one."""
        return min(self.random.choice(self.crowd), self.random.choice(self.crowd),
                   key=lambda name: int(name[1:]))

    def never_negative(self):
        a, b = self.one(), self.one()
        return self.random.choice([
            f"exp(-0.5f * {a} * {a})", f"exp(-fabs({a})) * 0.25f", f"exp2({a})",
            f"fabs({a}) * 0.5f", f"{a} * {a} * 0.125f", f"(fabs({a}) + 1.0f) * fabs({b})",
            f"1.0f / (1.0f + fabs({a}))"])

    def polynomial(self):
        a = self.one()
        text = self.random.choice(["f", "0.5f", self.one()])
        for _ in range(self.random.randrange(2, 7)):
            text = f"({text} * {a} + {self.constant('float')})"
        return f"clamp({text}, -9.0f, 9.0f)"

    def crowded_value(self):
        a, b = self.one(), self.one()
        compared = self.random.choice(["0.0f", "0.5f", "f", b])
        operator = self.random.choice(["<", ">", "==", "!=", "<=", ">="])
        return self.random.choice([
            self.polynomial(), self.polynomial(), self.never_negative(),
            f"{self.never_negative()} * {self.polynomial()}",
            f"{a} {operator} {compared} ? 1.0f - {self.crowd[-1]} : {self.crowd[-1]}",
            f"{a} {operator} {compared} ? {self.never_negative()} * {self.polynomial()} : {b}",
            f"sqrt(fabs({a}) + 1.0f)", f"fmin({a}, {b}) - f", f"{a} / (fabs({b}) + 1.0f)",
            f"as_float(max(as_uint({a}), as_uint({b})) & 0x3fffffffu)",
            f"select({a}, {b}, {self.one()} {operator} {compared})",
            f"mix({a}, {b}, {self.never_negative()} * 0.01f)"])
