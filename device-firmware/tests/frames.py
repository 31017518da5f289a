#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""frames.py OBJDUMP ELF BYTES: fails if a function of the firmware has a larger stack frame than
that. The compiler's own limit does not see functions inlined by LTO."""
import re
import subprocess
import sys

FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
FRAME = re.compile(r"\b(?:addi\s+sp, sp|c.addi(?:16sp)?\s+sp), -(0x[0-9a-f]+|\d+)$")
LOADS_SP = re.compile(r"\bauipc\s+sp, ")  # an address, not a frame
OTHER = re.compile(r"\b(?:sub|add)\s+sp, sp, ")


def frames(objdump, elf):
    listing = subprocess.run([objdump, "-d", "--no-show-raw-insn", "-M", "no-aliases", elf],
                             check=True, capture_output=True, text=True).stdout
    name, bytes_of, before = "", {}, ""
    for line in listing.splitlines():
        line = line.strip()
        if match := FUNCTION.match(line):
            if not match[1].startswith("."):  # labels within a function
                name = match[1]
        elif (match := FRAME.search(line)) and not LOADS_SP.search(before):
            bytes_of[name] = bytes_of.get(name, 0) + int(match[1], 0)
        elif OTHER.search(line):
            bytes_of[name] = sys.maxsize  # more than an immediate holds
        before = line
    return bytes_of


def main():
    objdump, elf, limit = sys.argv[1], sys.argv[2], int(sys.argv[3])
    found = frames(objdump, elf)
    if len(found) < 50:
        sys.exit(f"only {len(found)} frames found: does {objdump} write something else?")
    name = max(found, key=found.get)
    print(f"the largest of {len(found)} frames is that of {name}: {found[name]} bytes")
    if found[name] > limit:
        sys.exit(f"that is more than {limit}")


if __name__ == "__main__":
    main()
