#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pass_names_test.py SOURCE_DIRECTORY: pass rvl-x-y of PassRegistry.def is class XYPass in x_y.cpp and
has one test FOLDER/x_y.ll; docs/metadata.md names every mark that passes write into LLVM IR."""
import pathlib
import re
import sys

TOP = pathlib.Path(sys.argv[1])
COMPILER = TOP / "compiler"
SOURCES = [path for path in COMPILER.rglob("*.cpp") if "test" not in path.parts]
MARK = re.compile(r'"(rivulet(?:\.[a-z_]+(?:-[a-z]+)?)+|rivulet-argument-info)')

complaints = []
registry = (COMPILER / "passes/PassRegistry.def").read_text()
rows = re.findall(r'^\w+_PASS\("([a-z0-9-]+)", (\w+)\)$', registry, re.M)
for name, code in rows:
    file = name.replace("-", "_")
    where = [path for path in SOURCES if path.name == file + ".cpp"]
    if code != "".join(part.capitalize() for part in name.split("-")) + "Pass":
        complaints.append(f"rvl-{name}: its class is {code}")
    code += "::(run|lower)"
    if len(where) != 1 or not re.search(rf"\b{code}\(", where[0].read_text()):
        complaints.append(f"rvl-{name}: {code} is not in {file}.cpp")
    tests = [path for path in (COMPILER / "test").glob(f"*/{file}.*") if path.suffix in (".ll", ".mir")]
    if len(tests) != 1:
        complaints.append(f"rvl-{name}: {len(tests)} tests {file}.ll")
metadata = (TOP / "docs/metadata.md").read_text()
for path in SOURCES + [path for path in COMPILER.rglob("*.h") if "test" not in path.parts]:
    complaints += [f"{path}: docs/metadata.md doesn't explain {mark}"
                   for mark in MARK.findall(path.read_text()) if f"`{mark}" not in metadata]
print(f"{len(rows)} passes, {len(complaints)} complaints", *complaints, sep="\n")
sys.exit(1 if complaints or len(rows) < 10 else 0)
