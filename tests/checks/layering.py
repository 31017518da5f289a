#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Who may include whom: the one table of layers, held against every #include. In base/ and
device-firmware/ the files have no circles either.

    layering.py [SOURCE-DIRECTORY]
"""
import pathlib
import re
import sys

from sources import source_files

# Directory (the longest match counts) → what it may include besides itself and system headers, and
# whose headers it must not include.
OPENCL, LLVM, QEMU = r"^CL/", r"^(llvm|clang|lld)[-/]", r"^qemu"
# The compiler's directories, bottom up: each may include only directories listed above it here.
COMPILER = {
    "passes": "", # tables, which support/ includes
    "support": "passes",
    "passes/register.cpp": "passes support",
    "analysis": "support",
    "runtime": "",
    "library": "support analysis",
    "work_items": "support analysis",
    "lowering": "support analysis work_items",
    "frontend": "support analysis work_items lowering",
    "rvv/ir": "support analysis",
    "rvv/machine": "passes support analysis",
    "spmd/analysis": "support analysis work_items",
    "spmd/transform": "support analysis work_items spmd/analysis",
    "spmd/codegen": "support analysis work_items lowering spmd/analysis spmd/transform",
    # The cost model of spmd/plan shares that of registers with rvv/ir.
    "spmd/plan": "support analysis work_items rvv/ir spmd/analysis spmd/transform spmd/codegen",
    "workgroup": "support analysis runtime work_items spmd/analysis spmd/transform spmd/plan",
    "codegen": "support analysis runtime rvv/ir rvv/machine",
    "image": "support runtime frontend codegen",
    "pipeline": "support analysis library lowering frontend rvv/ir workgroup codegen image",
    "serve": "support library codegen image pipeline",
    "driver": "support rvv/machine frontend codegen image pipeline serve",
    "library/source": "", "library/test": "", # OpenCL C, and tests through the API
    "test": "runtime serve", "spmd/fuzz": "support runtime library lowering frontend workgroup codegen pipeline",
}
# The host library's folders, likewise.
HOST = {
    "include": "",
    "object": "include",
    "compile": "object",
    "device": "include object compile",
    "context": "include object device",
    "memory": "include object device context",
    "graph": "include object device context",
    "program": "include object compile device context memory graph",
    "api": "include object compile device context memory graph program",
    "tests": "include object compile device context memory graph program api",
}
LAYERS = {
    "hal/protocol": ([], [OPENCL, LLVM, QEMU]),
    "hal/isa": ([], [OPENCL, LLVM, QEMU]),
    "base": ([], [OPENCL, LLVM, QEMU]),
    "hal": (["base", "hal/protocol"], [OPENCL, LLVM]),
    "hal/bench": (["base", "hal", "hal/protocol", "tools/command_line"], [OPENCL, LLVM]),
    "hal/conformance": (["base", "hal", "hal/protocol", "tools/command_line"], [OPENCL, LLVM]),
    "hal/drivers/loopback": (["base", "hal", "device-firmware/host"], [OPENCL, LLVM]),
    "hal/tests/frozen": (["base", "hal", "device-firmware/host"], [OPENCL, LLVM]),
    # The `compatible` strings that drivers of the firmware match: for the board's generator and for
    # the driver that finds a board's devices through a debug port.
    "device-firmware/drivers/match": ([], [OPENCL, LLVM, QEMU]),
    "hal/drivers/gdb": (["base", "hal", "device-firmware/drivers/match"], [OPENCL, LLVM]),
    "boards": (["hal/isa", "hal/protocol", "device-firmware/drivers/match"], [OPENCL, LLVM, QEMU]),
    # A board's own drivers are part of the firmware.
    "boards/virt-dma": (["device-firmware"], [OPENCL, LLVM, QEMU]),
    "boards/k230": (["device-firmware"], [OPENCL, LLVM, QEMU]),
    "device-firmware": (["hal/protocol", "boards"], [OPENCL, LLVM, QEMU]),
    "device-firmware/tests": (["base", "hal", "device-firmware", "boards"], [OPENCL, LLVM]),
    **{f"compiler/{folder}": (["base", "hal/isa", "hal/protocol",
                               *(f"compiler/{below}" for below in uses.split())], [QEMU])
       for folder, uses in COMPILER.items()},
    **{f"host-runtime/{folder}": (["base", "hal", *(f"host-runtime/{below}" for below in uses.split())],
                                  [LLVM, QEMU])
       for folder, uses in HOST.items()},
    "tools/command_line": ([], [OPENCL, LLVM, QEMU]),
    "tools": (["base", "hal", "host-runtime/include"], [LLVM, QEMU]),
    "compiler/driver": (["hal/protocol", "tools/command_line",
                         *(f"compiler/{below}" for below in COMPILER["driver"].split())], [QEMU]),
    "examples": ([], [LLVM, QEMU, r"rivulet"]),
}
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]')
OWN_FOLDERS = ("base/", "hal/", "boards/", "device-firmware/", "compiler/", "host-runtime/", "tools/",
               "tests/", "examples/", "benchmarks/")


def layer_of(path):
    if path.startswith("host-runtime/") and path.endswith("_test.cpp"):
        return "host-runtime/tests"
    fits = [layer for layer in [*LAYERS, "compiler", "host-runtime"]
            if path == layer or path.startswith(layer + "/")]
    return max(fits, key=len, default=None)


def violations(top, files):
    for file in files:
        layer = layer_of(file)
        if layer is None:
            continue
        if layer in ("compiler", "host-runtime"):
            table = {"compiler": "COMPILER", "host-runtime": "HOST"}[layer]
            yield f"{file}: no known folder of {layer}; name it in {table} of layering.py"
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


# Here a source file and its header are one part, and no part includes itself through others.
WITHOUT_CIRCLES = ("base/", "device-firmware/")


def circles(top, files):
    includes = {}
    for file in files:
        if file.startswith(WITHOUT_CIRCLES) and not layer_of(file).endswith("tests"):
            part = file.rpartition(".")[0]
            found = filter(None, map(INCLUDE.match, (top / file).read_text(errors="replace").splitlines()))
            headers = {match.group(1).rpartition(".")[0] for match in found}
            includes.setdefault(part, set()).update(headers - {part})
    done = set()

    def visit(part, path):
        if part in path:
            yield "circle of includes: " + " -> ".join([*path[path.index(part):], part])
        elif part not in done:
            for header in sorted(includes.get(part, ())):
                yield from visit(header, [*path, part])
            done.add(part)

    for part in sorted(includes):
        yield from visit(part, [])


def main():
    top = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    files = [name for name in source_files(top) if name.endswith((".c", ".h", ".cpp", ".hpp", ".S"))]
    found = [*violations(top, files), *circles(top, files)]
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{len(files)} files, {len(found)} violations of the layers")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
