# SPDX-License-Identifier: Apache-2.0
"""Floating point whose results are exact under any build option: integers below 2^24, which are
added, multiplied and compared."""


class Reals:
    def exact(self, depth):
        """An expression, and the maximum of its magnitude."""
        if depth == 0:
            most = self.random.choice([15, 255, 255, 4095])
            signed = self.random.choice(["", f" - {most // 2}"])
            return f"(float)((int)(({self.expression('uint', 1)}) & {most}u){signed})", most
        a, most_a = self.exact(depth - 1)
        b, most_b = self.exact(depth - 1)
        choice = self.random.randrange(7)
        if choice < 2 and most_a * most_b < 2**23:
            return f"({a} * {b})", most_a * most_b
        if choice == 2 and most_a * most_b + most_a < 2**23:
            return f"{self.random.choice(['mad', 'fma'])}({a}, {b}, {a})", most_a * most_b + most_a
        if choice == 3:
            return f"{self.random.choice(['fmax', 'fmin', 'max', 'min'])}({a}, {b})", \
                max(most_a, most_b)
        if choice == 4:
            return f"({a} {self.random.choice(['<', '>', '==', '>='])} {b} ? {b} : {a})", \
                max(most_a, most_b)
        if choice == 5:
            return f"fabs({a})", most_a
        if most_a + most_b < 2**23:
            return f"({a} {self.random.choice('+-')} {b})", most_a + most_b
        return a, most_a

    def real(self):
        text, most = self.exact(self.random.randrange(1, 4))
        if self.random.random() < 0.5:
            self.emit(f"a += (uint)(int)({text});")
            return
        name = self.new("f")
        most_turns = 2**24 // (most + 1)
        turns = min(most_turns, self.random.choice([3, 7, 12, 20]))
        guard = f"if ({self.condition()}) " if self.random.random() < 0.4 else ""
        if turns < 1:
            turns = 1
        self.emit(f"{{ float {name} = 0; for (uint k = 0; k < {turns}u; ++k) "
                  f"{guard}{name} += {text}; b ^= (uint)(int){name}; }}")
