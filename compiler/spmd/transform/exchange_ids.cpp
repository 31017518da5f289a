// SPDX-License-Identifier: Apache-2.0
#include "compiler/spmd/transform/exchange_ids.h"

#include <utility>

#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/work_items/parameters.h"
#include "compiler/work_items/work_item_loop.h"

namespace rivulet::compiler {

using namespace llvm;

void exchange_ids(MutableArrayRef<Value *> arguments) {
    for (unsigned of_x = parameter::id; of_x < parameter::work_dim; of_x += 3)
        std::swap(arguments[of_x], arguments[of_x + 1]);
}

Function *exchange_ids(Function &work_item) {
    auto *clone = Function::Create(work_item.getFunctionType(), GlobalValue::InternalLinkage,
                                   work_item.getAddressSpace(), work_item.getName() + ".exchanged",
                                   work_item.getParent());
    ValueToValueMapTy map;
    keep_subprogram(work_item, map);
    SmallVector<Value *, 48> parameters;
    for (llvm::Argument &argument : clone->args())
        parameters.push_back(&argument);
    exchange_ids(parameters);
    for (llvm::Argument &argument : work_item.args()) {
        parameters[argument.getArgNo()]->setName(argument.getName());
        map[&argument] = parameters[argument.getArgNo()];
    }
    SmallVector<ReturnInst *> returns;
    CloneFunctionInto(clone, &work_item, map, CloneFunctionChangeType::LocalChangesOnly, returns);
    return clone;
}

} // namespace rivulet::compiler
