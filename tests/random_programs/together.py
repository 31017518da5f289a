# SPDX-License-Identifier: Apache-2.0
"""Atomics whose outcome doesn't depend on the order, and what work-items of a group exchange."""

BARRIER = "barrier(CLK_LOCAL_MEM_FENCE);"


class Together:
    def own_atomic(self):
        """An atomic on an element that no other work-item accesses, so the result is known."""
        element = self.element("out", 8, self.random.choice(["0", "3", "(a & 7)"]))
        operation = self.random.choice(["add", "sub", "xchg", "min", "max", "and", "or", "xor"])
        guard = f"if ({self.condition()}) " if self.random.random() < 0.5 else ""
        step = self.random.randrange(4)
        value = self.expression("uint", 1)
        if step == 0:
            self.emit(f"{guard}a += atomic_{operation}(&{element}, {value});")
        elif step == 1:
            self.emit(f"{guard}b ^= atomic_cmpxchg(&{element}, {self.leaf_of_32_bits()}, {value});")
        elif step == 2:
            self.emit(f"{guard}a ^= atomic_{self.random.choice(['inc', 'dec'])}(&{element});")
        else:
            signed = self.random.choice(["min", "max", "add", "xchg"])
            self.emit(f"{guard}a += (uint)atomic_{signed}((volatile global int *)&{element}, "
                      f"(int)({value}));")

    def leaf_of_32_bits(self):
        return self.random.choice(["a", "b", "x", "u", f"(uint)({self.constant()})"])

    def shared_atomic(self):
        """Each kind has separate elements, so that the order doesn't matter."""
        kind = self.random.choice(["add", "or", "xor", "max", "min", "inc"])
        base = {"add": 0, "inc": 0, "or": 4, "xor": 8, "max": 12, "min": 16}[kind]
        at = f"{base} + ({self.expression('uint', 1)} & 3u)"
        guard = f"if ({self.condition()}) " if self.random.random() < 0.5 else ""
        value = "" if kind == "inc" else f", {self.expression('uint', 1)}"
        self.emit(f"{guard}atomic_{kind}(&sums[{at}]{value});")

    def counted(self):
        """Numbers drawn by work-items: each is drawn once."""
        guard = f"if ({self.condition()}) " if self.random.random() < 0.5 else ""
        self.emit(f"{{ for (uint k = lid; k < items; k += items) shared_[k] = 0; "
                  f"if (lid == 0) tally[0] = 0; {BARRIER} "
                  f"{guard}shared_[atomic_inc(&tally[0])] = {self.expression('uint', 1)}; "
                  f"{BARRIER} "
                  f"for (uint k = 0; k < tally[0]; ++k) a += (uint)shared_[k] * (k & 0u | 3u); "
                  f"b += tally[0]; {BARRIER} }}")

    def histogram(self):
        operation = self.random.choice(["add", "xor", "max", "or"])
        self.emit(f"{{ for (uint k = lid; k < 16; k += items) tally[k] = k; {BARRIER} "
                  f"atomic_{operation}(&tally[({self.expression('uint', 1)}) & 15], "
                  f"{self.expression('uint', 1)}); {BARRIER} "
                  f"a += tally[b & 15]; {BARRIER} }}")

    def exchange(self):
        at = self.random.choice(["lid + 1u", "items - 1u - lid", "lid ^ 1u", "lid + a", "lid * 3u"])
        guard = f"if ({self.condition()}) " if self.random.random() < 0.4 else ""
        type_ = self.random.choice(["ulong", "uint", "ushort", "uchar"])
        self.emit(f"{{ local {type_} *e = (local {type_} *)shared_; "
                  f"e[lid] = ({type_})({self.expression('uint', 2)}); {BARRIER} "
                  f"{guard}l += e[({at}) % items]; {BARRIER} }}")

    def reduction(self):
        """A reduction as written by hand in kernels, with several forms of loops."""
        head = self.random.choice(["for (uint k = 64; k > 0; k >>= 1)",
                                   "for (uint k = 1; k < 128; k *= 2)",
                                   "for (int k = 6; k >= 0; --k)"])
        distance = "(1u << k)" if "int k = 6" in head else "k"
        self.emit(f"{{ shared_[lid] = {self.expression('uint', 1)}; {BARRIER} "
                  f"{head} {{ ulong o = lid + {distance} < items ? shared_[lid + {distance}] : 0; "
                  f"{BARRIER} shared_[lid] = shared_[lid] * 3 + o; {BARRIER} }} "
                  f"a += (uint)shared_[0]; {BARRIER} }}")

    def strided_tile(self):
        """They fill a tile that is larger than the group: for (c = lid; c < N; c += items)."""
        form = self.random.choice([
            "for (uint c_ = lid; c_ < {n}; c_ += items) {{ {body} }}",
            "{{ uint c_ = lid; while (c_ < {n}) {{ {body} c_ += items; }} }}",
            "{{ int c_ = (int)lid; do {{ {body} c_ += (int)items; }} while (c_ < {n}); }}"])
        size = self.random.choice([18, 40, 100, 130])
        fill = form.format(n=size, body="shared_[c_ & 255] = in[(c_ + gid - lid) & 1023] + c_;")
        self.emit(f"{{ {fill} {BARRIER} a += (uint)shared_[(lid + u) % {size}]; {BARRIER} }}")
