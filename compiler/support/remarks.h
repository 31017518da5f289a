// SPDX-License-Identifier: Apache-2.0
//
// Messages of the passes about a kernel: `rivulet-cc --remarks`.
#ifndef RIVULET_COMPILER_SUPPORT_REMARKS_H
#define RIVULET_COMPILER_SUPPORT_REMARKS_H

#include <string>
#include <utility>
#include <vector>

#include <llvm/IR/DebugLoc.h>

namespace rivulet::compiler {

struct Remark {
    std::string kernel;
    std::string file; // "" when unknown
    unsigned line = 0;
    std::string message; // "region not vectorised: calls through a pointer"
};

class Remarks {
public:
    void add(Remark remark) { remarks_.push_back(std::move(remark)); }
    void add(std::string kernel, const llvm::DebugLoc &location, std::string message);
    // Groups the remarks by kernel, with the kernels in this order. Each kernel's remarks keep
    // theirs.
    void group_by(const std::vector<std::string> &kernels);
    const std::vector<Remark> &all() const { return remarks_; }
    std::string totals() const; // "8 regions, 1 of them scalar"

    unsigned regions = 0; // between barriers, that were to become lanes
    unsigned scalar = 0;  // … and run one work-item after the other

private:
    std::vector<Remark> remarks_;
};

} // namespace rivulet::compiler

#endif
