# SPDX-License-Identifier: Apache-2.0
"""Work that the work-items of a group or a sub-group of random kernels share: tiles in local
memory, copies, elements that they draw, atomics until they succeed, functions of the part of a
sub-group that came."""

BARRIER = "barrier(CLK_LOCAL_MEM_FENCE);"
COMBINE = {"add": "r + o", "mul": "r * (o * 1u)", "min": "min(r, o)", "max": "max(r, o)",
           "and": "r & o", "or": "r | o", "xor": "r ^ o"}


class Together:
    # --- tiles -------------------------------------------------------------------------------
    def tile(self):
        """A tile of rows and columns, perhaps with a border, in local memory."""
        columns, rows = "get_local_size(0)", "(items / get_local_size(0))"
        lx, ly = "get_local_id(0)", "(lid / get_local_size(0))"
        type_ = self.random.choice(["uint", "uint", "float", "uchar", "ushort"])
        name = self.new("t")
        guard = f"if ({self.condition()}) " if self.random.random() < 0.3 else ""
        self.emit(f"{{ local {type_} (*{name})[104] = (local {type_} (*)[104])tile_;")
        self.emit(f"  {name}[{ly} + 1][{lx} + 1] = {self.expression(type_)};")
        border = self.random.choice(["0", "3", "u"])
        self.emit(f"  if ({lx} == 0) {name}[{ly} + 1][0] = {border};")
        self.emit(f"  if ({lx} == {columns} - 1) {name}[{ly} + 1][{lx} + 2] = {border};")
        self.emit(f"  for (uint k = lid; k < {columns} + 2; k += items) "
                  f"{name}[0][k] = {name}[{rows} + 1][k] = {border};")
        self.emit(f"  {BARRIER}")
        one = lambda: self.random.choice(["0", "1", "2"])
        to = "f" if type_ == "float" else "a"
        step = self.random.randrange(4)
        if step == 0:
            total = " + ".join(f"{name}[{ly} + {one()}][{lx} + {one()}]" for _ in range(4))
            self.emit(f"  {guard}{to} += {total};")
        elif step == 1:
            self.emit("  for (uint dy = 0; dy < 3; ++dy) for (uint dx = 0; dx < 3; ++dx)")
            self.emit(f"    {guard}{to} += {name}[{ly} + dy][{lx} + dx] * (dx + 1);")
        elif step == 2: # as the inner loop of a product of matrices
            self.emit(f"  for (uint k = 0; k < {columns}; ++k)")
            self.emit(f"    {guard}{to} += {name}[{ly} + 1][k + 1] * "
                      f"{name}[k % {rows} + 1][{lx} + 1];")
        else:           # and another way
            self.emit(f"  {type_} old = {name}[{ly} + 1][{lx} + 1]; {BARRIER}")
            self.emit(f"  ((local {type_} *){name})[{lx} * {rows} + {ly}] = old; {BARRIER}")
            self.emit(f"  {to} += ((local {type_} *){name})[lid];")
        self.emit(f"  {BARRIER} }}")

    # --- copies that the group makes ---------------------------------------------------------
    def copies(self):
        both = "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"
        count = self.random.choice(["items", "16", "(u + 1)", "n"])
        at = self.random.choice(["0", "u", "n", "get_group_id(0) * 16"])
        step = self.random.randrange(4)
        self.emit(f"{{ {both} event_t e = 0;")
        index = self.expression("uint", 1)
        stride = "1"
        if step == 0:
            copy = f"async_work_group_copy(shared_, in + {at}, {count}, e)"
            to, from_, read = "shared_", f"(in + {at})", f"shared_[({index}) % {count}]"
        elif step == 1:
            stride = self.random.choice(["1", "2", "3", "(u + 1)"])
            copy = f"async_work_group_strided_copy(shared_, in + {at}, {count}, {stride}, e)"
            to, from_, read = "shared_", f"(in + {at})", f"shared_[({index}) % {count}]"
        elif step == 2:
            self.emit("  local uchar *bytes = (local uchar *)shared_;")
            copy = f"async_work_group_copy(bytes, bin + {at}, {count} * 3, e)"
            to, from_, read = "bytes", f"(bin + {at})", f"bytes[({index}) % ({count} * 3)]"
            count = f"({count} * 3)"
        else:
            self.emit("  local uint4 *fours = (local uint4 *)shared_2_;")
            from_ = "((global const uint4 *)lin)"
            copy = f"async_work_group_copy(fours, {from_}, {count}, e)"
            to, read = "fours", f"fours[({index}) % {count}].{self.random.choice('xyzw')}"
        self.copied(copy, to, from_, count, stride)
        self.emit(f"  a += {read};")
        if self.random.random() < 0.4 and self.dimensions == 1:
            to = (f"(out + {self.random.randrange(4)} * total + get_group_id(0) * "
                  "get_enqueued_local_size(0))")
            self.emit(f"  {both} shared_[lid] = a; {both}")
            copy = f"async_work_group_copy({to}, shared_, items, 0)"
            self.copied(copy, to, "shared_", "items", "1")
        self.emit(f"  {both} }}")

    def copied(self, copy, to, from_, count, stride):
        self.emit("#ifdef REFERENCE")
        self.emit(f"  for (uint k = lid; k < {count}; k += items) {to}[k] = {from_}[k * {stride}];")
        self.emit("  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);")
        self.emit("#else")
        self.emit(f"  e = {copy}; wait_group_events(1, &e);")
        self.emit("#endif")

    # --- elements that work-items draw ---------------------------------------------------------
    def drawn(self):
        """Elements that work-items draw in any order: only sums and numbers of what is there are
        looked at."""
        guard = self.condition()
        step = self.random.randrange(3)
        self.emit("{ shared_[lid] = 0; for (uint k = lid; k < 16; k += items) tally[k] = 0; "
                  f"{BARRIER} uint r = 0;")
        if step == 0:
            self.emit(f"  if ({guard}) shared_[atomic_inc(&tally[0])] = {self.expression('uint')};")
        elif step == 1: # some more than one element
            self.emit(f"  uint many = ({self.expression('uint', 1)}) & 3;")
            self.emit("  uint at = atomic_add(&tally[0], many);")
            value = self.expression("uint", 1)
            self.emit(f"  for (uint k = 0; k < many; ++k) shared_[at + k] = {value};")
        else:           # each its own element: what was there before is known
            operation = self.random.choice(["add", "sub", "xchg", "min", "max", "and", "or", "xor"])
            self.emit(f"  if ({guard}) r = atomic_{operation}(&shared_[(lid + 1) % items], "
                      f"{self.expression('uint')});")
        self.emit(f"  {BARRIER} for (uint k = 0; k < tally[0]; ++k) "
                  "r += shared_[k] * (shared_[k] | 1);")
        own = "r ^= shared_[lid];" if step == 2 else ""
        self.emit(f"  r += tally[0]; {own} {BARRIER} a += r; }}")

    def until_it_succeeds(self):
        where, divide = self.random.choice([("&sums[{}]", 3), ("&sums[{}]", 3), ("&tally[{}]", 15)]
                                           if self.barriers and not self.divergent
                                           else [("&sums[{}]", 3)])
        address = where.format(f"({self.expression('uint', 1)}) & {divide}")
        name = self.new("t")
        if "tally" in address:
            self.emit(f"if (lid == 0) for (uint k = 0; k < 16; ++k) tally[k] = 0; {BARRIER}")
        value = self.random.choice(["1", "u", "x", self.expression("uint", 1)])
        guard = f"if ({self.condition()}) " if self.random.random() < 0.5 else ""
        memory = "local" if "tally" in address else "global"
        self.emit(f"{guard}{{ volatile {memory} uint *{name} = {address}; uint seen, more = {value};")
        self.emit(f"  do {{ seen = *{name}; }} "
                  f"while (atomic_cmpxchg({name}, seen, seen + more) != seen); }}")
        if "tally" in address:
            self.emit(f"{BARRIER} a += tally[u & 15]; {BARRIER}")

    def own_atomics(self):
        """Atomics on elements that no other work-item knows: the results are known."""
        where = self.random.choice(["&out[gid]", "&out[gid + total]", "&own_%d[gid]" % self.seed])
        operation = self.random.choice(["add", "sub", "xchg", "min", "max", "and", "or", "xor"])
        guard = f"if ({self.condition()}) " if self.random.random() < 0.5 else ""
        step = self.random.randrange(3)
        if step == 0:
            self.emit(f"{guard}a += atomic_{operation}({where}, {self.expression('uint', 1)});")
        elif step == 1:
            self.emit(f"{guard}b ^= atomic_cmpxchg({where}, {self.pick('uint')}, "
                      f"{self.expression('uint', 1)});")
        else:
            kind, cast = self.random.choice([("atomic_int", "int"), ("atomic_uint", "uint")])
            name = {"xchg": "exchange"}.get(operation, "fetch_" + operation)
            self.emit(f"{guard}a += (uint)atomic_{name}((volatile global {kind} *)({where}), "
                      f"({cast})({self.expression('uint', 1)}));")

    # --- the part of a sub-group that came ---------------------------------------------------
    def part(self, type_):
        """A call, and a loop over e[first] … e[last - 1], those with on[k]."""
        each = "for (uint k = first; k < last; ++k) if (on[k]) "
        least = {"int": "INT_MIN", "char": "CHAR_MIN"}.get(type_, "0")
        most = {"uint": "UINT_MAX", "int": "INT_MAX", "ulong": "ULONG_MAX", "ushort": "USHRT_MAX",
                "char": "CHAR_MAX"}[type_]
        operation = self.random.choice(list(COMBINE))
        start = {"add": "0", "or": "0", "xor": "0", "mul": "1", "and": "-1", "min": most,
                 "max": least}[operation]
        if type_ == "int" and operation in ("add", "mul"):
            operation, start = "xor", "0"
        combined = f"{type_} o = e[k]; r = ({type_})({COMBINE[operation]});"
        what = self.random.randrange(13)
        if what < 3:
            form, end = [("reduce", ""), ("scan_inclusive", "if (k <= lid) "),
                         ("scan_exclusive", "if (k < lid) ")][what]
            return (f"sub_group_non_uniform_{form}_{operation}(g)",
                    f"r = {start}; {each}{end}{{ {combined} }}")
        if what == 3:
            size = self.random.choice([1, 2, 4, 8, 16])
            return (f"sub_group_clustered_reduce_{operation}(g, {size})",
                    f"r = {start}; {each}if ((k - first) / {size} == l / {size}) {{ {combined} }}")
        if what == 4:
            return "sub_group_elect() != 0", \
                "r = 1; for (uint k = first; k < lid; ++k) if (on[k]) r = 0;"
        if what == 5:
            return "sub_group_broadcast_first(g)", \
                "for (uint k = last; k-- > first;) if (on[k]) r = e[k];"
        if what == 6:
            name, empty, both = self.random.choice([("any", "0", "||"), ("all", "1", "&&")])
            return (f"sub_group_non_uniform_{name}((g & 3) != 1) != 0",
                    f"r = {empty}; {each}r = r {both} (e[k] & 3) != 1;")
        if what == 7:
            return "sub_group_non_uniform_all_equal(g) != 0", \
                f"r = 1; {each}if (e[k] != e[lid]) r = 0;"
        ballot = "sub_group_ballot((g & 3) > 1)"
        voted = f"{each}if ((e[k] & 3) > 1)"
        if what == 8:
            return f"{ballot}.x", f"r = 0; {voted} r |= ({type_})(1u << (k - first));"
        if what == 9:
            form, end = self.random.choice([("bit_count", ""), ("inclusive_scan", "if (k <= lid) "),
                                            ("exclusive_scan", "if (k < lid) ")])
            return f"sub_group_ballot_{form}({ballot})", f"r = 0; {voted} {end}r += 1;"
        if what == 10:
            return f"sub_group_inverse_ballot({ballot}) != 0", "r = (e[lid] & 3) > 1;"
        if what == 11:
            mask, test = self.random.choice([("eq", "=="), ("ge", ">="), ("gt", ">"), ("le", "<="),
                                             ("lt", "<")])
            return (f"popcount(get_sub_group_{mask}_mask() & sub_group_ballot(1)).x",
                    f"r = 0; {each}if (k {test} lid) r += 1;")
        find = self.random.choice(["lsb", "msb"])
        order = ("for (uint k = last; k-- > first;)" if find == "lsb" else
                 "for (uint k = first; k < last; ++k)")
        call = f"sub_group_ballot_find_{find}({ballot})"
        return f"sub_group_non_uniform_any((g & 3) > 1) ? {call} : 77", \
            f"r = 77; {order} if (on[k] && (e[k] & 3) > 1) r = k - first;"

    def parts(self):
        """Some calls, one after the other, where some work-items are, perhaps in a loop."""
        type_ = self.random.choice(["uint", "uint", "int", "ulong", "ushort", "char"])
        size = self.sub_group
        rounds = self.random.choice(["1", "1", "2", "(lid & 3)", "(u & 3)", "(a & 3)"])
        calls = [self.part(type_) for _ in range(self.random.randrange(1, 4))]
        inner = self.random.choice([None, "(g & 1) == 0", "l > 3", "l < u"])
        self.emit(f"{{ const uint first = lid / {size} * {size}, "
                  f"last = min(first + {size}, items), l = lid - first;")
        wide = self.expression("ulong" if type_ == "ulong" else "uint")
        self.emit(f"  {type_} g = ({type_})({wide}), r = 0; const uint rounds = {rounds};")
        self.emit(f"  const bool takes_part = {self.condition()};")
        self.emit("#ifdef REFERENCE")
        self.emit(f"  local uint *on = (local uint *)(shared_2_ + 256); "
                  f"local {type_} *e = (local {type_} *)shared_2_;")
        self.emit("  for (uint round = 0; round < 3; ++round) {")
        self.emit("    bool is_on = takes_part && round < rounds;")
        for number, (_, loop) in enumerate(calls):
            if number == len(calls) - 1 and inner:
                self.emit(f"    is_on = is_on && ({inner});")
            self.emit(f"    on[lid] = is_on; e[lid] = g; {BARRIER}")
            self.emit(f"    if (is_on) {{ {loop} }} {BARRIER}")
            self.emit("    if (is_on) g ^= r * 3 + round;")
        self.emit("  }")
        self.emit("#else")
        self.emit("  if (takes_part) for (uint round = 0; round < rounds; ++round) {")
        for number, (call, _) in enumerate(calls):
            guard = f"if ({inner}) " if number == len(calls) - 1 and inner else ""
            self.emit(f"    {guard}{{ r = ({type_})({call}); g ^= r * 3 + round; }}")
        self.emit("  }")
        self.emit("#endif")
        self.emit("  a += (uint)g + (uint)r; }")

    def partners(self):
        """Values of other elements, where there is one."""
        size = self.sub_group
        type_ = self.random.choice(["uint", "uint", "ulong", "ushort", "uchar"])
        k = self.random.choice(["1", "2", "3", "8", "(u + 1)", "(n & 15)"])
        call, partner = self.random.choice([
            (f"sub_group_shuffle_xor(g, {k})", f"l ^ {k}"),
            (f"sub_group_shuffle_up(g, {k})", f"l - {k}"),
            (f"sub_group_shuffle_down(g, {k})", f"l + {k}"),
            (f"sub_group_rotate(g, {k})", f"(l + {k}) % min({size}u, whole)"),
            (f"sub_group_clustered_rotate(g, {k}, 8)", f"l / 8 * 8 + (l + {k}) % 8"),
            (f"intel_sub_group_shuffle_xor(g, {k})", f"l ^ {k}"),
            (f"intel_sub_group_shuffle(g, ({k} * l) % {size})", f"({k} * l) % {size}")])
        if call.startswith("intel") and type_ == "uchar":
            type_ = "uint"
        self.emit(f"{{ const uint first = lid / {size} * {size}, "
                  f"count = min({size}u, items - first), l = lid - first;")
        self.emit("  const uint whole = get_enqueued_local_size(0) * get_enqueued_local_size(1) * "
                  "get_enqueued_local_size(2);")
        self.emit(f"  {type_} g = ({type_})({self.expression('uint')}), r;")
        self.emit("#ifdef REFERENCE")
        self.emit(f"  local {type_} *e = (local {type_} *)shared_2_; e[lid] = g; {BARRIER}")
        self.emit(f"  r = ({partner}) < count ? e[first + ({partner})] : g; {BARRIER}")
        self.emit("#else")
        self.emit(f"  r = {call}; r = ({partner}) < count ? r : g;")
        self.emit("#endif")
        self.emit("  a = a * 3 + (uint)r; }")
