#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the content of a boot ROM's slot: loader, payload header (payload.h), firmware.

    pack.py LOADER.bin FIRMWARE.elf SLOT-BYTES OUTPUT
"""
import pathlib
import struct
import sys
import zlib

PT_LOAD = 1
ALIGNMENT = 64


def flat(elf):
    """Returns the load address, the entry point, and the loaded bytes without trailing .bss."""
    if elf[:5] != b"\x7fELF\x02":
        sys.exit("pack.py: the firmware is not a 64-bit ELF file")
    entry, program_headers = struct.unpack_from("<QQ", elf, 24)
    count = struct.unpack_from("<H", elf, 56)[0]
    segments = []
    for i in range(count):
        kind, _, offset, _, address, size = struct.unpack_from("<IIQQQQ", elf, program_headers + 56 * i)
        if kind == PT_LOAD and size:
            segments.append((address, elf[offset:offset + size]))
    begin = min(address for address, _ in segments)
    content = bytearray(max(address + len(data) for address, data in segments) - begin)
    for address, data in segments:
        content[address - begin:address - begin + len(data)] = data
    return begin, entry, bytes(content)


def main():
    loader, firmware, slot_bytes, output = sys.argv[1:5]
    code = pathlib.Path(loader).read_bytes()
    code += b"\0" * (-len(code) % ALIGNMENT)
    destination, entry, content = flat(pathlib.Path(firmware).read_bytes())
    header = struct.pack("<4sIQQQI28x", b"RVLP", 0, destination, entry, len(content),
                         zlib.crc32(content))
    whole = code + header + content
    if len(whole) > int(slot_bytes, 0):
        sys.exit(f"pack.py: loader and firmware have {len(whole)} bytes, the slot {slot_bytes}")
    pathlib.Path(output).write_bytes(whole)
    print(f"{output}: {len(whole)} bytes of {int(slot_bytes, 0)}, loader {len(code)}")


if __name__ == "__main__":
    main()
