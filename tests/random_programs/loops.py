# SPDX-License-Identifier: Apache-2.0
"""Loops of every form: for, while and do, up and down, with induction variables of every integer
type, whose start, bound and step come from ids, constants, arguments and data. All of these are
small, so that no signed variable overflows and each loop takes at most about 30 turns."""
from expressions import INTEGERS, UNSIGNED


class Loops:
    def small(self, most=12):
        """An int from 0 to `most` - 1, from any source."""
        if self.random.random() < 0.35:
            return str(self.random.randrange(most))
        return self.random.choice([
            f"(int)(gid % {most}u)", f"(int)(x & {self.random.choice([1, 3, 7])}u)",
            f"(int)get_local_id(0) % {most}", f"(int)(x % {most}u)",
            f"(int)(u % {most}u)", f"(int)(n % {most}u)", f"(int)(in[gid & 1023] % {most}u)",
            f"(int)(bytes[(x + {self.random.randrange(5)}u) & 1023] & 7)",
            f"(int)(longs[u] & 7)", f"(int)(({self.expression('uint', 1)}) & 7)"])

    def step(self):
        return self.random.choice(["1", "1", "1", "2", "3", "1 + (int)(u & 1)",
                                   "1", "5", "1 + (int)(gid & 1)", "1 + (int)(bytes[gid & 1023] & 3)"])

    def head_of_loop(self, type_, name):
        """Start, condition and step. The condition holds for few turns, and is false in the end
        though the body of a do loop has run once more than it says."""
        choice = self.random.choice
        start, bound, step = self.small(), self.small(24), self.step()
        if self.random.random() < 0.4: # other turns for each work-item, as tiles are filled
            start, bound = f"(int)(x % {choice([8, 12, 16])}u)", \
                choice([str(self.random.randrange(5, 24)), "(int)(u + 7u)"])
        compared = choice([name] * 3 + [f"({t}){name}" for t in ("int", "long")])
        r = self.random.random()
        if r < 0.45: # up
            return start, f"{compared} {choice(['<', '<='])} {bound}", f"+= {step}"
        if r < 0.55: # up to a number that is as far from the start for all, or not
            start = self.small()
            bound = choice([str(self.random.randrange(12, 30)), f"12 + {self.small()}"])
            return start, f"{name} != ({type_})({bound})", "+= 1"
        if r < 0.65: # wraps around, as unsigned types do
            if type_ in ("uchar", "ushort", "uint", "ulong"):
                return f"0 - {self.small()}", f"{name} != ({type_})({bound} + 1)", "+= 1"
            return f"-({self.small()})", f"{compared} < {bound}", f"+= {step}"
        if type_ in UNSIGNED: # down; nothing gets below 0
            if self.random.random() < 0.5:
                return f"{bound} + 1", f"{name} > 0", "-= 1"
            return f"{start} + 16", f"{name} > 4 + {self.small(8)}", f"-= {step}"
        if self.random.random() < 0.5:
            return bound, f"{compared} >= {choice(['0', '0', '-3', 's'])}", f"-= {step}"
        return bound, f"{compared} > {start}", f"-= {step}"

    def head_of_strided_loop(self, type_, name):
        """Each work-item from its own number on, as tiles are filled: those beyond the bound take
        no turn, or one."""
        choice = self.random.choice
        strides = ["1", "1", "2", "3", "16"]
        if type_ not in ("char", "uchar"): # which a stride may wrap
            strides.append("(int)get_local_size(0)")
        bound = choice(["18", str(choice(range(2, 40))), "(int)(u + 7u)"])
        return choice(["(int)x", "(int)gid", "(int)get_local_id(0)", "(int)x + 1"]), \
            f"{name} {choice(['<', '<='])} {bound}", f"+= {choice(strides)}"

    def loop(self):
        type_ = self.random.choice(INTEGERS + ["int", "uint", "int", "long"])
        name = self.new("i")
        strided = self.random.random() < 0.25
        start, condition, step = (self.head_of_strided_loop if strided else
                                  self.head_of_loop)(type_, name)
        form = self.random.choice(["for", "for", "while", "do", "do"])
        straight = self.random.random() < (0.6 if strided else 0.2) # no branches in its body
        increment = f"{name} = ({type_})({name} {step[0]} ({step[3:]}));"
        if form == "for" and self.random.random() < 0.5:
            increment = f"{name} {step};"
        # The bound is a variable: always, where a bound that changes could be missed.
        if "!=" in condition or self.random.random() < 0.4:
            left, operator, right = condition.split(" ", 2)
            limit = self.new("e")
            kind = "int" if "!=" not in condition else type_
            self.emit(f"const {kind} {limit} = ({kind})({right});")
            condition = f"{left} {operator} {limit}"
            if operator == ">" and type_ in UNSIGNED:
                condition = f"{left} {operator} ({type_}){limit}"
        early = self.random.random() < 0.35 # the step comes before the body
        if form == "for":
            head, tail = f"for ({type_} {name} = ({type_})({start}); {condition}; " \
                         f"{increment[:-1]}) {{", "}"
        elif form == "while":
            self.emit(f"{type_} {name} = ({type_})({start});")
            head, tail = f"while ({condition}) {{", f"{increment} }}"
            if early:
                head, tail = f"{head} {increment}", "}"
        else:
            self.emit(f"{type_} {name} = ({type_})({start});")
            # A loop to an exact number would miss it if it began there.
            guard = f"if ({condition}) " if "!=" in condition else ""
            head, tail = f"{guard}do {{", f"{increment} }} while ({condition});"
            if early:
                head, tail = f"{head} {increment}", f"}} while ({condition});"
        continues = form == "for" or early
        self.divergent += 1
        self.loops += 1
        with self.block(head, tail):
            self.variables[name] = type_
            for _ in range(self.random.choice([1, 1, 2, 3])):
                if straight:
                    self.random.choice([self.store, self.store, self.assign])()
                else:
                    self.loop_statement(continues)
        self.loops -= 1
        self.divergent -= 1
        if form != "for" and self.random.random() < 0.5:
            self.emit(f"a ^= (uint){name};")

    def loop_statement(self, continues):
        r = self.random.random()
        if r < 0.1:
            self.emit(f"if ({self.condition()}) break;")
        elif r < 0.2 and continues:
            self.emit(f"if ({self.condition()}) continue;")
        elif r < 0.5:
            self.store()
        elif r < 0.7:
            self.assign()
        else:
            self.statement()
