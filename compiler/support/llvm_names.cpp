// SPDX-License-Identifier: Apache-2.0
#include "compiler/support/llvm_names.h"

#include <memory>

#include <llvm/ADT/STLExtras.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/InitializePasses.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Pass.h>
#include <llvm/PassInfo.h>
#include <llvm/PassRegistry.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Scalar.h>

namespace rivulet::compiler {
namespace {

using llvm::StringRef;
using enum LlvmNameKind;

constexpr LlvmName names_in_use[] = {
    {option, llvm_option::lsr_drop_solution},
    {option, llvm_option::misched_cluster},
    {option, llvm_option::dag_maps_huge_region},
    {option, llvm_option::disable_hoisting_to_hotter_blocks},
    {option, llvm_option::disable_mergeicmps},
    {option, llvm_option::disable_partial_libcall_inlining},
    {option, llvm_option::pragma_unroll_threshold},
    {loop_pass, llvm_pass::loop_strength_reduction},
    {pass, llvm_pass::machine_scheduler},
    {pass, llvm_pass::code_gen_prepare},
    {pass, llvm_pass::early_machine_licm},
    // rvv/machine/frame_base_sharing.cpp
    {instruction, "LUI"},
    {instruction, "ADDI"},
    {instruction, "ADDIW"},
    {instruction, "ADD"},
    {instruction, "SH1ADD"},
    {instruction, "SH2ADD"},
    {instruction, "SH3ADD"},
    {register_name, "X0"},
    {register_name, "X31"},
    // rvv/machine/vtype_policy_merging.cpp
    {instruction_prefix, "PseudoVSETVLI"},
    {instruction_prefix, "VSETVL"},
    {instruction_prefix, "VSETIVL"},
    // rvv/machine/remat_tied_passthru.cpp
    {instruction_prefix, "PseudoVMV_V_I_M1"},
    {instruction_prefix, "PseudoVREDSUM_VS_M1"},
    // codegen/asm_statistics.cpp
    {instruction_prefix, "PseudoVLUXEI32_V_M4_M4_MASK"},
    {instruction_prefix, "PseudoVLOXEI"},
    {instruction_prefix, "PseudoVSUXEI"},
    {instruction_prefix, "PseudoVSOXEI"},
    {instruction_prefix, "PseudoVLSE8_V"},
    {instruction_prefix, "PseudoVSSE64_V"},
    {instruction_prefix, "PseudoVLSSEG"},
    {instruction_prefix, "PseudoVSSSEG"},
    {instruction_part, "_MF2"},
};

// Why the names are what they are: one word for messages.
struct KindText {
    LlvmNameKind kind;
    StringRef in_tests, in_messages;
};
constexpr KindText kind_texts[] = {
    {option, "option", "the option"},
    {pass, "pass", "the pass"},
    {loop_pass, "loop-pass", "the loop pass"},
    {instruction, "instruction", "the RISC-V instruction"},
    {instruction_prefix, "prefix", "a RISC-V instruction whose name begins with"},
    {instruction_part, "part", "a RISC-V instruction whose name contains"},
    {register_name, "register", "the RISC-V register"},
};

class Llvm {
public:
    Llvm() {
        llvm::initializeCodeGen(registry_);
        llvm::initializeScalarOpts(registry_);
        std::string error;
        const llvm::Triple triple("riscv64");
        if (const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error)) {
            instructions_.reset(target->createMCInstrInfo());
            registers_.reset(target->createMCRegInfo(triple));
        }
    }

    bool has(const LlvmName &wanted) const {
        switch (wanted.kind) {
        case option:
            return llvm::cl::getRegisteredOptions().contains(wanted.name);
        case pass:
            return registry_.getPassInfo(wanted.name) != nullptr;
        case loop_pass:
            return has_loop_pass(wanted.name);
        case instruction:
            return has_instruction([&](StringRef name) { return name == wanted.name; });
        case instruction_prefix:
            return has_instruction([&](StringRef name) { return name.starts_with(wanted.name); });
        case instruction_part:
            return has_instruction([&](StringRef name) { return name.contains(wanted.name); });
        case register_name:
            return has_register(wanted.name);
        }
        return false;
    }

private:
    bool has_loop_pass(StringRef name) const {
        std::unique_ptr<llvm::Pass> reduction(llvm::createLoopStrengthReducePass());
        return reduction->getPassName() == name;
    }

    template <class Predicate> bool has_instruction(Predicate is_wanted) const {
        for (unsigned opcode = 0; instructions_ && opcode < instructions_->getNumOpcodes();
             ++opcode)
            if (is_wanted(instructions_->getName(opcode)))
                return true;
        return false;
    }

    bool has_register(StringRef name) const {
        for (unsigned id = 1; registers_ && id < registers_->getNumRegs(); ++id)
            if (registers_->getName(id) == name)
                return true;
        return false;
    }

    llvm::PassRegistry &registry_ = *llvm::PassRegistry::getPassRegistry();
    std::unique_ptr<llvm::MCInstrInfo> instructions_;
    std::unique_ptr<llvm::MCRegisterInfo> registers_;
};

} // namespace

llvm::ArrayRef<LlvmName> llvm_names_in_use() { return names_in_use; }

std::optional<std::string> find_missing_names(llvm::ArrayRef<LlvmName> names) {
    const Llvm llvm;
    std::string missing;
    for (const LlvmName &name : names)
        if (!llvm.has(name)) {
            const auto *text = llvm::find_if(
                kind_texts, [&](const KindText &row) { return row.kind == name.kind; });
            missing += llvm::formatv("this build of rivulet-cc expects of LLVM {} '{}'\n",
                                     text->in_messages, name.name);
        }
    if (missing.empty())
        return std::nullopt;
    return missing + llvm::formatv("rebuild rivulet-cc with the installed LLVM, or install LLVM "
                                   "{}, with which it was built",
                                   LLVM_VERSION_STRING)
                         .str();
}

std::optional<LlvmName> parse_llvm_name(StringRef text) {
    auto [kind, name] = text.split(':');
    for (const KindText &row : kind_texts)
        if (row.in_tests == kind && !name.empty())
            return LlvmName{row.kind, name};
    return std::nullopt;
}

} // namespace rivulet::compiler
