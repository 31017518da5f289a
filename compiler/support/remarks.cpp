// SPDX-License-Identifier: Apache-2.0
#include "compiler/support/remarks.h"

#include <algorithm>

#include <llvm/IR/DebugInfoMetadata.h>

namespace rivulet::compiler {

void Remarks::add(std::string kernel, const llvm::DebugLoc &location, std::string message) {
    Remark remark{std::move(kernel), "", 0, std::move(message)};
    if (location) {
        remark.file = location->getFilename().str();
        remark.line = location.getLine();
    }
    add(std::move(remark));
}

void Remarks::group_by(const std::vector<std::string> &kernels) {
    std::ranges::stable_sort(remarks_, {}, [&](const Remark &remark) {
        return std::ranges::find(kernels, remark.kernel) - kernels.begin();
    });
}

std::string Remarks::totals() const {
    return std::to_string(regions) + " regions, " + std::to_string(scalar) + " of them scalar";
}

} // namespace rivulet::compiler
