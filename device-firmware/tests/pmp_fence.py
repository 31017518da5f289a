#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pmp_fence.py OBJDUMP ELF: fails if the function that sets a launch's rights can return without
sfence.vma after its last PMP write (privileged manual, 3.7.2), which functions do that it calls, or,
where page tables fence kernels, after its last call of a function that paints them. QEMU's harts cache
no rights of PMP, so only the code can show this. A branch over the fence is legitimate: harts without
paging take it."""
import re
import subprocess
import sys

FUNCTION = "protection_change_to"
LABEL = re.compile(r"^([0-9a-f]+) <(.+)>:$")
LINE = re.compile(r"^([0-9a-f]+):\s+(\S+)\s*(.*)$")
WRITERS = re.compile("<(write_address|write_config|configure|switch_|update|give_rights|open_everything)")
PAINTERS = re.compile("<(re)?(paint|build)")
TARGET = re.compile(r"0x([0-9a-f]+) <([^>]*)>")


def body(objdump, elf):
    """{address: (opcode, operands)} of the function, in order."""
    def with_name(target):
        return f"0x{target[1]} <{functions.get(int(target[1], 16), target[2])}>"

    listing = subprocess.run([objdump, "-d", "--no-show-raw-insn", elf], check=True, capture_output=True,
                             text=True).stdout
    lines = list(map(str.strip, listing.splitlines()))
    # Firmware at low addresses has symbols of debug sections among its code's: objdump may name those.
    functions = {int(match[1], 16): match[2] for match in map(LABEL.match, lines)
                 if match and not match[2].startswith(".")}
    found, inside = {}, False
    for line in lines:
        if match := LABEL.match(line):
            inside = match[2] == FUNCTION or inside and match[2].startswith(".")  # labels within it
        elif inside and (match := LINE.match(line)):
            found[int(match[1], 16)] = (match[2], TARGET.sub(with_name, match[3]))
    return found


def successors(code):
    addresses = list(code)
    following = dict(zip(addresses, addresses[1:]))
    edges = {}
    for address, (opcode, operands) in code.items():
        target = TARGET.search(operands)
        target = int(target[1], 16) if target else None
        if opcode in ("ret", "mret", "jr", "tail") or "<arch_panic>" in operands:
            edges[address] = []
        elif opcode == "j":
            edges[address] = [target]
        elif opcode.startswith("b") and target:
            edges[address] = [target, following[address]]
        else:  # calls come back
            edges[address] = [following[address]] if address in following else []
    return edges


def reachable(edges, starts, stops):
    seen, left = set(), list(starts)
    while left:
        address = left.pop()
        if address not in seen and address not in stops:
            seen.add(address)
            left += edges.get(address, [])
    return seen


def main():
    code = body(*sys.argv[1:3])
    edges = successors(code)
    fences = {address for address, (opcode, _) in code.items() if opcode == "sfence.vma"}
    guards = fences | {address for address, (opcode, _) in code.items()
                       if opcode.startswith("b") and fences & set(edges[address])}
    calls = [(address, operands) for address, (opcode, operands) in code.items() if opcode in ("jal", "jalr", "call")]
    writes, what = [address for address, operands in calls if WRITERS.search(operands)], "writes to PMP"
    writes += [address for address, (opcode, operands) in code.items()
               if opcode.startswith("csr") and opcode != "csrr" and "pmp" in operands]
    if not writes:
        writes, what = [address for address, operands in calls if PAINTERS.search(operands)], "paints page tables"
    ends = {address for address in code if not edges[address] and "<arch_panic>" not in code[address][1] or any(e not in code for e in edges[address])}
    if not code or not ends or len(writes) < 2:
        sys.exit(f"{FUNCTION} was not found, or not where it {what}: does {sys.argv[1]} write something else?")
    for write in writes:
        if unfenced := ends & reachable(edges, edges[write], guards):
            sys.exit(f"{FUNCTION} ends at {min(unfenced):#x} without sfence.vma after {write:#x}: "
                     f"{' '.join(code[write])}")
    print(f"{FUNCTION} {what} at {len(writes)} places, each before sfence.vma")


if __name__ == "__main__":
    main()
