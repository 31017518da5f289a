#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tuning_test.py COMPILER_FOLDER: constants that were chosen stand in tuning/*.def only, each is
used, and each name is there once. Names that passes write into LLVM IR stand in docs/metadata.md."""
import pathlib
import re
import sys

ROW = re.compile(r'^RVL_TUNING\([^,]+, (\w+), ([^"]+), "(.*?)",', re.MULTILINE)
MARK = re.compile(r'"(rivulet(?:\.[a-z_]+(?:-[a-z]+)?)+|rivulet-argument-info)')
NUMBER = re.compile(r"\bconstexpr (?:\w+::)*(?:unsigned|int|long|double|size_t|ptrdiff_t|u?int\d+_t)"
                    r" (\w+) = ")
# These numbers are no choice: a specification, format or interface fixes them, or they are
# sentinels.
FACTS = {
    "analysis/vector_registers.h": {"vector_registers", "largest_lmul", "largest_vlen",
                                    "distance_to_other_block"},
    "frontend/spirv_rewriter.cpp": {"bound_word", "bool_width", "longest_array"},
    "frontend/spirv_rewriter.h": {"spirv_magic", "spirv_header_words"},
    "image/kernel_image_linker.cpp": {"dispatch_stack_bytes"},
    "image/kernel_image_note.cpp": {"header_bytes"},
    "lowering/address_sanitizer.cpp": {"end_of_int"},
    "lowering/address_space_alias_scopes.cpp": {"spaces"},
    "rvv/ir/pressure_scheduling.h": {"depth_first"},
    "rvv/machine/frame_base_sharing.cpp": {"gprs", "sp", "never", "window"},
    "rvv/machine/remat_tied_passthru.cpp": {"from_end_vl", "from_end_width", "from_end_policy"},
    "rvv/machine/vtype_policy_merging.cpp": {"mask_agnostic"},
    "serve/compile_protocol.cpp": {"most_bytes", "most_at_once"},
    "serve/fd_passing.h": {"no_more_jobs", "no_job"},
    "serve/worker.cpp": {"huge_page"},
    "spmd/analysis/adjacent_accesses.h": {"most_fields"},
    "spmd/codegen/instruction_widener.h": {"agnostic"},
    "spmd/codegen/widen_saturating_conversions.cpp": {"as_is"},
    "spmd/codegen/widen_sub_groups.cpp": {"scope_work_group", "scope_all_svm_devices",
                                          "most_register_bits"},
    "spmd/plan/unroll_and_jam_y.cpp": {"y_parameter"},
    "spmd/transform/border_peeling.cpp": {"end_of_int"},
    "spmd/transform/field_loads.cpp": {"word_bytes"},
    "spmd/transform/integer_demotion.cpp": {"narrow_bits"},
    "spmd/transform/integer_promotion.cpp": {"wide_bits"},
    "spmd/transform/mac_chains.cpp": {"last_rank"},
    "spmd/transform/private_array_interleaving.cpp": {"widest"},
    "support/child_program.cpp": {"no_program"},
    "work_items/launch_end.h": {"nowhere", "returned_early"},
    "workgroup/launch_values.cpp": {"saved_registers_bytes"},
}
ELSEWHERE = ("analysis/test/", "library/", "test/", "spmd/fuzz/", "tuning/")


def main():
    top = pathlib.Path(sys.argv[1])
    names, complaints, text = [], [], ""
    metadata = (top.parent / "docs/metadata.md").read_text()
    for table in sorted((top / "tuning").glob("*.def")):
        rows = table.read_text()
        found = ROW.findall(rows)
        names += [name for name, _, _ in found]
        if len(found) != rows.count("RVL_TUNING("):
            complaints.append(f"{table}: rows that aren't RVL_TUNING(type, name, value, \"unit\",")
    for name in {name for name in names if names.count(name) > 1}:
        complaints.append(f"tuning/: {name} is there {names.count(name)} times")
    for path in sorted([*top.rglob("*.cpp"), *top.rglob("*.h")]):
        file = str(path.relative_to(top))
        if file.startswith(ELSEWHERE):
            continue
        source = path.read_text()
        text += source
        for mark in MARK.findall(source):
            if f"`{mark}" not in metadata:
                complaints.append(f"{file}: docs/metadata.md doesn't tell what {mark} is")
        for constant in NUMBER.findall(source):
            if constant not in FACTS.get(file, set()):
                complaints.append(f"{file}: {constant} was chosen by somebody: it belongs to tuning/")
    for name in names:
        if f"tuning::{name}" not in text:
            complaints.append(f"tuning/: nothing uses {name}")
    print(f"{len(names)} constants, {len(complaints)} complaints", *complaints, sep="\n")
    return 1 if complaints or not names else 0


sys.exit(main())
