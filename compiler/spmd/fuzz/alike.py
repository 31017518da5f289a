# SPDX-License-Identifier: Apache-2.0
"""Kernels that do the same with all components of vectors, but for a statement here and there."""

# Arrays with an element per work-item, and arrays with 1024 elements.
OUTPUTS = {"uint": "out", "float": "fout", "uchar": "bout", "ushort": "sout"}
INPUTS = {"uint": "in", "float": "fin", "uchar": "bin", "ulong": "lin"}
PLACES, LENGTH = 16384, 1024
REALS = ("float", "double", "half")


class Alike:
    def write_alike(self):
        items = self.size[0] * self.size[1] * self.size[2]
        self.width = self.random.choice([w for w in (2, 3, 4, 8, 16) if w * items <= PLACES])
        self.loads_inputs = (self.width + 1) * items <= LENGTH
        self.alike = {} # variables and their types
        self.differs = self.random.random() < 0.3
        for type_ in self.random.choices(sorted(OUTPUTS), k=3):
            self.emit(f"{type_}{self.width} v{len(self.alike)} = {self.loaded(type_)};")
            self.alike[f"v{len(self.alike)}"] = type_
        for _ in range(self.random.randrange(3, 9)):
            self.alike_statement()
        for type_ in self.random.sample(sorted(OUTPUTS), self.random.choice([1, 1, 2])):
            self.emit(self.stored(self.lanes(type_), type_))
        return self.kernel_of_lines()

    def loaded(self, type_):
        """A load of the work-item's own element, or of its neighbours, where nobody writes."""
        own = type_ in OUTPUTS and (not self.loads_inputs or type_ not in INPUTS or
                                    self.random.random() < 0.5)
        if not own and not self.loads_inputs:
            return f"({type_}{self.width})({self.constant(type_)})"
        array = OUTPUTS[type_] if own else INPUTS[type_]
        if self.width != 3 and self.random.random() < 0.5:
            value = f"((global {type_}{self.width} *){array})[gid]"
        else:
            at = "" if own else self.random.choice(["", "", " + 1", f" + {self.width}", " + (u & 1)"])
            value = f"vload{self.width}(gid, {array}{at})"
        if type_ == "float" and own: # any bits
            value = f"convert_float{self.width}(as_uint{self.width}({value}) & 0xffff)"
        return value

    def stored(self, value, type_):
        if self.width != 3 and self.random.random() < 0.5:
            return f"((global {type_}{self.width} *){OUTPUTS[type_]})[gid] = {value};"
        return f"vstore{self.width}({value}, gid, {OUTPUTS[type_]});"

    def lanes(self, type_, depth=2):
        """A vector of which all components are made alike, nearly always."""
        full = f"{type_}{self.width}"
        known = [name for name, of in self.alike.items() if of == type_]
        r = self.random.random()
        if depth == 0 or r < 0.25:
            if known and self.random.random() < 0.9:
                return self.random.choice(known)
            if not known and type_ in OUTPUTS:
                return self.loaded(type_)
            scalar = "f" if type_ in REALS else self.random.choice(["u", "n"])
            return f"({full})(({type_}){self.random.choice([scalar, self.constant(type_)])})"
        if r < 0.4 and type_ in {**INPUTS, **OUTPUTS}:
            return self.loaded(type_)
        if r < 0.5:
            source = self.random.choice([t for t in self.types if t != "int"])
            value = self.lanes(source, depth - 1)
            if source in REALS and type_ not in REALS:
                return f"convert_{full}_sat({value})"
            return f"convert_{full}({value})"
        a, b = self.lanes(type_, depth - 1), self.lanes(type_, depth - 1)
        if r < 0.6:
            same = {"half": "short", "float": "int", "double": "long"}.get(type_, type_)
            other = self.lanes(type_, depth - 1)
            return f"select({a}, {b}, convert_{same}{self.width}({other} > {a}))"
        if r < 0.62 and self.differs: # each gets another's
            return f"(({full})({a})).s{'1032547698badcfe'[:self.width] if self.width != 3 else '201'}"
        if r < 0.64 and self.differs:
            return f"({a} + ({full})(({type_})gid))"
        if type_ in REALS:
            return self.random.choice([f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"fabs({a})",
                                       f"floor({a})", f"sqrt(fabs({a}))"])
        return self.random.choice([f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} & {b})",
                                   f"({a} ^ {b})", f"({a} << ({b} & ({type_})7))",
                                   f"({a} >> ({b} & ({type_})7))", f"min({a}, {b})",
                                   f"max({a}, {b})", f"add_sat({a}, {b})", f"sub_sat({a}, {b})",
                                   f"hadd({a}, {b})", f"rotate({a}, {b})", f"abs_diff({a}, {b})",
                                   f"mul_hi({a}, {b})", f"popcount({a})", f"clz({a})",
                                   f"({a} / (({b} & ({type_})15) + ({type_})1))"])

    def alike_statement(self):
        type_ = self.random.choice([t for t in self.types if t != "int"])
        known = [name for name, of in self.alike.items() if of == type_]
        r = self.random.random()
        if not known or r < 0.4:
            name = f"v{len(self.alike)}"
            self.emit(f"{type_}{self.width} {name} = {self.lanes(type_)};")
            self.alike[name] = type_
            return
        name = self.random.choice(known)
        if r < 0.55:
            self.emit(f"for (uint k = 0; k < u; ++k) {name} = {self.lanes(type_)};")
        elif r < 0.7:
            self.emit(f"if ((u & {self.random.choice([1, 2, 3])}) == 1) {name} = {self.lanes(type_)};")
        elif r < 0.74 and self.differs:
            self.emit(f"if (gid & 1) {name} = {self.lanes(type_, 1)};")
        elif r < 0.78 and self.differs:
            self.emit(f"{name}.s{self.random.randrange(self.width):x} += {self.constant(type_)};")
        elif r < 0.85 and type_ in OUTPUTS:
            self.emit(self.stored(self.lanes(type_), type_))
        else:
            self.emit(f"{name} = {self.lanes(type_)};")
