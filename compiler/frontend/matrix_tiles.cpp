// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/matrix_tiles.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/Support/FormatVariadic.h>

namespace rivulet::compiler {

using namespace llvm;

namespace {

// What names of XSfmm's instructions begin with, in assembly and in names of intrinsics.
constexpr StringLiteral instructions_of_tiles[] = {
    "sf.mm.", "sf.vlte", "sf.vste", "sf.vtzero", "sf.vtmv", "sf.vtdiscard", "sf.vsett",
};

// The first instruction of tiles that the text names; empty without one.
StringRef instruction_of_tiles(StringRef text) {
    size_t first = StringRef::npos;
    for (StringRef instruction : instructions_of_tiles)
        first = std::min(first, text.find_insensitive(instruction));
    return text.substr(first).take_while(
        [](char letter) { return isAlnum(letter) || letter == '.'; });
}

StringRef instruction_of_tiles(const Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!call)
        return {};
    if (auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand()))
        return instruction_of_tiles(assembly->getAsmString());
    const Function *callee = call->getCalledFunction();
    if (!callee || !callee->isIntrinsic())
        return {};
    return instruction_of_tiles(Intrinsic::getBaseName(callee->getIntrinsicID()));
}

std::unexpected<std::string> tile_error(StringRef instruction, const DILocation *place) {
    return std::unexpected(
        formatv("{}error: {}: kernels can't use matrix tiles (XSfmm): the firmware doesn't clear "
                "them between contexts, so others could read what is left there\n",
                place ? formatv("{}:{}:{}: ", place->getFilename(), place->getLine(),
                                place->getColumn())
                            .str()
                      : "",
                instruction)
            .str());
}

} // namespace

std::expected<void, std::string> check_tiles(const Module &module) {
    if (StringRef found = instruction_of_tiles(module.getModuleInlineAsm()); !found.empty())
        return tile_error(found, nullptr);
    for (const Function &function : module)
        for (const Instruction &instruction : instructions(function))
            if (StringRef found = instruction_of_tiles(instruction); !found.empty())
                return tile_error(found, instruction.getDebugLoc().get());
    return {};
}

} // namespace rivulet::compiler
