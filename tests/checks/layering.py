#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Who may include whom: the one table of layers, held against every #include.

    layering.py [SOURCE-DIRECTORY]
"""
import pathlib
import re
import sys

from sources import source_files

# Folder (the longest that fits counts) → what it may include besides itself and the system's
# headers; and whose headers it must not see.
OPENCL, LLVM, QEMU = r"^CL/", r"^(llvm|clang|lld)[-/]", r"^qemu"
LAYERS = {
    "hal/protocol": ([], [OPENCL, LLVM, QEMU]),
    "hal": (["hal/protocol"], [OPENCL, LLVM]),
    "hal/drivers/loopback": (["hal", "device-firmware/host"], [OPENCL, LLVM]),
    "boards": (["hal/protocol"], [OPENCL, LLVM, QEMU]),
    "device-firmware": (["hal/protocol", "boards"], [OPENCL, LLVM, QEMU]),
    "device-firmware/tests": (["hal", "device-firmware", "boards"], [OPENCL, LLVM]),
    "compiler": (["hal/protocol"], [QEMU]),
    "host-runtime": (["hal"], [LLVM, QEMU]),
    "tools": (["hal", "host-runtime/include"], [LLVM, QEMU]),
    "examples": ([], [LLVM, QEMU, r"rivulet"]),
}
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]')
OWN_FOLDERS = ("hal/", "boards/", "device-firmware/", "compiler/", "host-runtime/", "tools/",
               "tests/", "examples/", "benchmarks/")


def layer_of(path):
    fits = [layer for layer in LAYERS if path == layer or path.startswith(layer + "/")]
    return max(fits, key=len, default=None)


def violations(top, files):
    for file in files:
        layer = layer_of(file)
        if layer is None:
            continue
        allowed, forbidden = LAYERS[layer]
        for number, line in enumerate((top / file).read_text(errors="replace").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            header = match.group(1)
            own = header.startswith(OWN_FOLDERS)
            inside = any(header.startswith(a + "/") for a in [layer, *allowed])
            if own and not inside:
                yield f"{file}:{number}: {layer} must not include {header}"
            elif not own and any(re.search(word, header) for word in forbidden):
                yield f"{file}:{number}: {layer} must not know {header}"


def main():
    top = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    files = [name for name in source_files(top) if name.endswith((".c", ".h", ".cpp", ".hpp", ".S"))]
    found = list(violations(top, files))
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{len(files)} files, {len(found)} violations of the layers")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
