// SPDX-License-Identifier: Apache-2.0
#include "compiler/analysis/alias_queries.h"

#include <llvm/IR/IntrinsicInst.h>

namespace rivulet::compiler {

using namespace llvm;

namespace {

// An upper bound: the access touches as many lanes as its type has, or as its VL asks for.
LocationSize most_bytes(const VPIntrinsic &access, const VectorType &type) {
    const uint64_t bytes = access.getDataLayout().getTypeStoreSize(type.getElementType());
    if (auto *length = dyn_cast<ConstantInt>(access.getVectorLengthParam()))
        return LocationSize::upperBound(length->getZExtValue() * bytes);
    const Attribute range = access.getFunction()->getFnAttribute(Attribute::VScaleRange);
    const std::optional<unsigned> most =
        range.isValid() ? range.getVScaleRangeMax() : std::optional<unsigned>();
    return most
               ? LocationSize::upperBound(type.getElementCount().getKnownMinValue() * *most * bytes)
               : LocationSize::afterPointer();
}

// Returns nothing if the instruction is more than an access.
std::optional<MemoryLocation> location_of(const Instruction &access) {
    if (auto *vector = dyn_cast<VPIntrinsic>(&access))
        if (const Value *pointer = vector->getMemoryPointerParam();
            pointer && pointer->getType()->isPointerTy()) {
            const Intrinsic::ID id = vector->getIntrinsicID();
            const AAMDNodes known = access.getAAMetadata();
            if (id != Intrinsic::vp_load && id != Intrinsic::vp_store)
                return MemoryLocation::getBeforeOrAfter(pointer, known);
            const Value *stored = vector->getMemoryDataParam();
            auto *type = cast<VectorType>((stored ? stored : vector)->getType());
            return MemoryLocation(pointer, most_bytes(*vector, *type), known);
        }
    if (auto *load = dyn_cast<LoadInst>(&access); load && load->isSimple())
        return MemoryLocation::get(load);
    if (auto *store = dyn_cast<StoreInst>(&access); store && store->isSimple())
        return MemoryLocation::get(store);
    return std::nullopt;
}

} // namespace

AliasQueries::AliasQueries(Function &function, DominatorTree &dominators)
    : names_(function.getParent()->getTargetTriple()), library_(names_), assumptions_(function),
      basic_(function.getDataLayout(), function, library_, assumptions_, &dominators),
      all_(library_) {
    all_.addAAResult(basic_);
    all_.addAAResult(scopes_);
}

bool AliasQueries::conflict(const Instruction &one, const Instruction &other) {
    const std::optional<MemoryLocation> of_one = location_of(one);
    const std::optional<MemoryLocation> of_other = location_of(other);
    if (!of_one || !of_other)
        return true;
    return (one.mayWriteToMemory() || other.mayWriteToMemory()) &&
           !all_.isNoAlias(*of_one, *of_other);
}

} // namespace rivulet::compiler
