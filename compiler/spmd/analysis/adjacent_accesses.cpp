// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/analysis/adjacent_accesses.h"

#include <llvm/IR/DataLayout.h>

namespace rivulet::compiler {

using namespace llvm;

std::pair<const Value *, int64_t> base_and_offset(const Value *pointer, const DataLayout &layout) {
    APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
    const Value *base = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
    return {base, offset.getSExtValue()};
}

SmallVector<LoadInst *, 8> loads_of_fields(LoadInst &first) {
    const DataLayout &layout = first.getDataLayout();
    auto bytes = int64_t(layout.getTypeStoreSize(first.getType()).getFixedValue());
    auto [base, start] = base_and_offset(first.getPointerOperand(), layout);
    SmallVector<LoadInst *, 8> fields(most_fields, nullptr);
    fields[0] = &first;
    for (Instruction *next = first.getNextNode(); next && !next->mayWriteToMemory();
         next = next->getNextNode()) {
        auto *load = dyn_cast<LoadInst>(next);
        if (!load || !load->isSimple() || load->getType() != first.getType() ||
            load->getAlign() < Align(uint64_t(bytes)))
            continue;
        auto [other, offset] = base_and_offset(load->getPointerOperand(), layout);
        int64_t field = (offset - start) / bytes;
        if (other == base && field > 0 && field < most_fields && offset == start + field * bytes &&
            !fields[size_t(field)])
            fields[size_t(field)] = load;
    }
    fields.erase(find(fields, nullptr), fields.end());
    return fields;
}

} // namespace rivulet::compiler
