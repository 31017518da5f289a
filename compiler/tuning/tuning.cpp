// SPDX-License-Identifier: Apache-2.0
#include "compiler/tuning/tuning.h"

#include <iterator>

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/raw_ostream.h>

namespace rivulet::compiler {
namespace {

struct Row {
    llvm::StringRef name, value, unit, what, evidence;
};

#define RVL_TUNING(type, name, value, unit, what, evidence) {#name, #value, unit, what, evidence},
constexpr Row analysis[] = {
#include "compiler/tuning/analysis.def"
};
constexpr Row spmd_analysis[] = {
#include "compiler/tuning/spmd_analysis.def"
};
constexpr Row spmd_transform[] = {
#include "compiler/tuning/spmd_transform.def"
};
constexpr Row spmd_codegen[] = {
#include "compiler/tuning/spmd_codegen.def"
};
constexpr Row spmd_plan[] = {
#include "compiler/tuning/spmd_plan.def"
};
constexpr Row workgroup[] = {
#include "compiler/tuning/workgroup.def"
};
constexpr Row rvv[] = {
#include "compiler/tuning/rvv.def"
};
constexpr Row lowering[] = {
#include "compiler/tuning/lowering.def"
};
constexpr Row codegen[] = {
#include "compiler/tuning/codegen.def"
};
constexpr Row pipeline[] = {
#include "compiler/tuning/pipeline.def"
};
constexpr Row serve[] = {
#include "compiler/tuning/serve.def"
};

constexpr struct {
    llvm::StringRef folder;
    llvm::ArrayRef<Row> rows;
} tables[] = {
    {"analysis", analysis},
    {"spmd/analysis", spmd_analysis},
    {"spmd/transform", spmd_transform},
    {"spmd/codegen", spmd_codegen},
    {"spmd/plan", spmd_plan},
    {"workgroup", workgroup},
    {"rvv", rvv},
    {"lowering", lowering},
    {"codegen", codegen},
    {"pipeline", pipeline},
    {"serve", serve},
};

} // namespace

void print_tuning(llvm::raw_ostream &stream) {
    const char *separator = "";
    for (const auto &[folder, rows] : tables) {
        stream << separator << "**" << folder
               << "**\n\n| constant | value | unit | what it decides | measured |\n"
                  "|---|--:|---|---|---|\n";
        separator = "\n";
        for (const Row &row : rows)
            stream << "| `" << row.name << "` | " << row.value << " | " << row.unit << " | "
                   << row.what << " | " << (row.evidence.empty() ? "no measurement" : row.evidence)
                   << " |\n";
    }
}

} // namespace rivulet::compiler
