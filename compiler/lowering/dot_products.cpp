// SPDX-License-Identifier: Apache-2.0
#include "compiler/lowering/dot_products.h"

#include <llvm/IR/IntrinsicsRISCV.h>

#include "compiler/analysis/target_features.h"
#include "compiler/lowering/delayed_inlining.h"

namespace rivulet::compiler {
namespace {

struct Name {
    llvm::StringLiteral name;
    DotProduct product;
};
constexpr Name dot_names[] = {
    {"_Z20dot_4x8packed_ss_intjj", {true, true}},
    {"_Z21dot_4x8packed_uu_uintjj", {false, false}},
    {"_Z20dot_4x8packed_su_intjj", {true, false}},
    {"_Z20dot_4x8packed_us_intjj", {false, true}},
};

// T-Head's and Andes's scalar forms take one byte, or don't exist. LLVM 22 calls Zvqdotq an
// experiment: its instructions may become others before they are ratified, under another name
// (codegen/target.cpp).
constexpr DotInstructions instruction_rows[] = {
    {"experimental-zvqdotq", llvm::Intrinsic::riscv_vqdot, llvm::Intrinsic::riscv_vqdotu,
     llvm::Intrinsic::riscv_vqdotsu, llvm::Intrinsic::riscv_vqdotus},
    {"xtheadvdot", llvm::Intrinsic::riscv_th_vmaqa, llvm::Intrinsic::riscv_th_vmaqau,
     llvm::Intrinsic::riscv_th_vmaqasu, llvm::Intrinsic::not_intrinsic},
    {"xandesvdot", llvm::Intrinsic::riscv_nds_vd4dots, llvm::Intrinsic::riscv_nds_vd4dotu,
     llvm::Intrinsic::riscv_nds_vd4dotsu, llvm::Intrinsic::not_intrinsic},
};

} // namespace

std::optional<DotProduct> dot_product(const llvm::Function *callee) {
    if (!callee || !callee->hasName())
        return std::nullopt;
    const auto *found =
        llvm::find_if(dot_names, [&](const Name &name) { return name.name == callee->getName(); });
    return found == std::end(dot_names) ? std::nullopt : std::optional(found->product);
}

const DotInstructions *dot_instructions(llvm::StringRef target_features) {
    const auto *found = llvm::find_if(instruction_rows, [&](const DotInstructions &one) {
        return has_feature(target_features, one.feature);
    });
    return found == std::end(instruction_rows) ? nullptr : found;
}

void delay_dot_products(llvm::Module &module, llvm::StringRef target_features) {
    if (!dot_instructions(target_features))
        return;
    for (const Name &name : dot_names)
        if (llvm::Function *function = module.getFunction(name.name))
            delay_inlining(*function);
}

void inline_dot_products(llvm::Module &module) {
    for (const Name &name : dot_names)
        if (llvm::Function *function = module.getFunction(name.name))
            inline_delayed(*function);
}

} // namespace rivulet::compiler
