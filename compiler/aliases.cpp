// SPDX-License-Identifier: Apache-2.0
#include "compiler/aliases.h"

#include <llvm/IR/IntrinsicInst.h>

namespace rivulet::compiler {

using namespace llvm;

namespace {

// Of accesses that are nothing else.
std::optional<MemoryLocation> location_of(const Instruction &access) {
    if (auto *vector = dyn_cast<VPIntrinsic>(&access))
        if (const Value *pointer = vector->getMemoryPointerParam();
            pointer && pointer->getType()->isPointerTy())
            return MemoryLocation::getBeforeOrAfter(pointer, access.getAAMetadata());
    if (auto *load = dyn_cast<LoadInst>(&access); load && load->isSimple())
        return MemoryLocation::get(load);
    if (auto *store = dyn_cast<StoreInst>(&access); store && store->isSimple())
        return MemoryLocation::get(store);
    return std::nullopt;
}

} // namespace

Aliases::Aliases(Function &function, DominatorTree &dominators)
    : names_(function.getParent()->getTargetTriple()), library_(names_), assumptions_(function),
      basic_(function.getDataLayout(), function, library_, assumptions_, &dominators),
      types_(false), all_(library_) {
    all_.addAAResult(basic_);
    all_.addAAResult(scopes_);
    all_.addAAResult(types_);
}

bool Aliases::conflict(const Instruction &one, const Instruction &other) {
    const std::optional<MemoryLocation> of_one = location_of(one);
    const std::optional<MemoryLocation> of_other = location_of(other);
    if (!of_one || !of_other)
        return true;
    return (one.mayWriteToMemory() && isModSet(all_.getModRefInfo(&one, of_other))) ||
           (other.mayWriteToMemory() && isModSet(all_.getModRefInfo(&other, of_one)));
}

} // namespace rivulet::compiler
