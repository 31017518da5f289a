# SPDX-License-Identifier: Apache-2.0
"""Volatile accesses of random kernels, and loops that work-items leave early, with what they found."""

VOLATILE_INPUTS = [("in", "uint", "a +="), ("fin", "float", "f +="), ("bin", "uchar", "c ^="),
                   ("lin", "ulong", "l ^=")]


class Searches:
    def volatile_accesses(self):
        guard = f"if ({self.condition()}) " if self.random.random() < 0.5 else ""
        array, type_, to = self.random.choice(VOLATILE_INPUTS)
        name = self.new("t")
        step = self.random.randrange(6)
        if step == 0: # one after the other, and one without use
            at = self.plain(1024) if self.random.random() < 0.6 else f"{self.index(1)} & 1023"
            self.emit(f"{{ volatile global const {type_} *{name} = {array};")
            self.emit(f"  {guard}{{ {to} {name}[{at}]; {to} {name}[({at}) ^ 1]; (void){name}[{at}]; }} }}")
        elif step == 1: # at one address
            self.emit(f"{{ volatile global const {type_} *{name} = {array}; {guard}{to} "
                      f"{name}[{self.random.choice(['u', '3', 'n & 127'])}]; }}")
        elif step == 2: # in private memory
            self.emit(f"{{ volatile {type_} {name}[4] = {{1, 2, 3, 4}};")
            self.emit(f"  {guard}{name}[{self.array_index(4)}] = {self.expression(type_, 1)};")
            self.emit(f"  {to} {name}[{self.array_index(4)}]; {to} {name}[1]; }}")
        else: # elements of its own
            array, type_, to, at = self.random.choice([
                ("out", "uint", "a +=", "gid + {} * total"), ("fout", "float", "f +=", "gid * 4 + {}"),
                ("bout", "uchar", "c ^=", "gid + {} * total"),
                ("sout", "ushort", "s ^=", "gid * 2 + ({} & 1)")])
            at = at.format(self.random.choice(["0", "2", f"(({self.expression('uint', 1)}) & 3)"]))
            self.emit(f"{{ volatile global {type_} *{name} = {array};")
            if step == 3:
                self.emit(f"  for (uint k = 0; k < (({self.expression('uint', 1)}) & 7); ++k) "
                          f"{{ {guard}{name}[{at}] += ({type_})(k + 3); }}")
            else:
                self.emit(f"  {guard}{name}[{at}] = {self.expression(type_, 1)};")
            if array != "fout": # may be a NaN's bits of another kind
                self.emit(f"  {to} {name}[{at}];")
            self.emit("}")

    # What a loop leaves with: how far it came, where it was, what it saw, and which way it left.
    def search(self):
        array, type_ = self.random.choice([("in", "uint"), ("bin", "uchar"), ("lin", "ulong"),
                                           ("bin", "uchar")])
        pointer = f"{self.random.choice(['', '', '', 'volatile '])}global const {type_} *"
        first = self.random.choice(["0", "u", "x & 255", f"({self.expression('uint', 1)}) & 255"])
        most = self.random.choice(["9", "u", "n & 15", f"({self.expression('uint', 1)}) & 15"])
        bits = self.random.choice(["1", "3", "7", "7"])
        key = self.random.choice(["0", "1", "u & 1", f"({self.expression('uint', 1)}) & 3"])
        kind = self.random.choice(["uint", "uint", "int", "uchar", "ushort", "ulong"])
        i, p = self.new("i"), self.new("p")
        self.emit(f"{{ {pointer}{p} = {array} + ({first}); const uint key = {key};")
        hit = lambda what: f"({what} & {bits}) == key"
        step = self.random.randrange(7)
        if step == 0: # a counter, and the question whether the loop came to its end
            self.emit(f"  {kind} {i} = 0; while ({i} < ({most}) && !({hit(f'{p}[{i}]')})) ++{i};")
            self.emit(f"  {self.random.choice(['a +=', 'b ^=', 'j ='])} {i} == ({most}) "
                      f"? {self.random.choice(['7', 'b', f'{i}'])} : {self.random.choice(['3', f'{i}'])};")
        elif step == 1:
            self.emit(f"  int {i} = -1; for ({kind} k = 0; k < ({most}); ++k) "
                      f"if ({hit(f'{p}[k]')}) {{ {i} = k; break; }}")
            self.emit(f"  a += {i}; if ({i} < 0) b ^= 5;")
        elif step == 2: # a pointer
            self.emit(f"  {pointer}end = {p} + ({most}); while ({p} < end && !({hit(f'*{p}')})) ++{p};")
            self.emit(f"  a += (uint)*{p}; if ({p} == end) b += (uint)({p} - {array});")
        elif step == 3: # a field beside the one that was compared
            self.emit(f"  uint {i} = 0; uint found = ~0u;")
            self.emit(f"  for (uint k = 0; k < ({most}) + 1 && {p}[{i} & 255]; ++k) {{")
            self.emit(f"    if ({hit(f'{p}[{i} & 255]')}) {{ found = (uint){p}[({i} & 255) + 1]; break; }}")
            self.emit(f"    {i} += {self.random.choice(['1', 'k', 'x & 7'])}; }}")
            self.emit(f"  a ^= found; b += {i};")
        elif step == 4: # in a loop whose start and end differ
            self.emit(f"  uint at = a & 7, end = at + (({self.expression('uint', 1)}) & 7), found = 99;")
            self.emit(f"  for (; at < end; ++at) {{ {kind} {i} = 0;")
            self.emit(f"    while ({i} < ({most}) && !({hit(f'{p}[at + {i}]')})) ++{i};")
            self.emit(f"    if ({i} == ({most})) {{ found = at; {self.random.choice(['break', 'continue'])}; }} }}")
            self.emit("  a += found; b ^= at;")
        elif step == 5: # the counter, and values that are computed from it
            self.emit(f"  uint {i} = 0; ulong seen = 0; do {{ seen = {p}[{i}] + {i} * 3ul; }} "
                      f"while (++{i} < ({most}) && !({hit('seen')}));")
            self.emit(f"  a += {i}; l ^= seen + (ulong)({i} * 5);")
        else: # several ways out
            self.emit(f"  uint {i} = 0, way = 0; for (;; ++{i}) {{ if ({i} >= ({most})) break;")
            self.emit(f"    if ({hit(f'{p}[{i}]')}) {{ way = {self.random.choice(['1', i])}; break; }}")
            self.emit(f"    if ({p}[{i} + 1] == 3) {{ way = {i} + 2; break; }} }}")
            self.emit(f"  a += way * 5; if (way == 1 || {i} == ({most})) b ^= {i}; ")
        self.emit("}")
