// SPDX-License-Identifier: Apache-2.0
//
// Conditions of two parts, which LLVM represents as `and`, as `or`, or as selects with a constant.
#ifndef RIVULET_COMPILER_ANALYSIS_CONDITIONS_H
#define RIVULET_COMPILER_ANALYSIS_CONDITIONS_H

#include <optional>

#include <llvm/IR/PatternMatch.h>

namespace rivulet::compiler {

// left && right, or left || right. In a select, `right` may be poison where `left` decides.
struct ConditionParts {
    llvm::Value *left = nullptr;
    llvm::Value *right = nullptr;
    bool is_and = false;
};

// The two parts of a condition that both have the value `holds` wherever the condition has it.
inline std::optional<ConditionParts> implied_parts(llvm::Value *condition, bool holds) {
    using namespace llvm::PatternMatch;
    ConditionParts parts{.is_and = holds};
    if (holds ? match(condition, m_LogicalAnd(m_Value(parts.left), m_Value(parts.right)))
              : match(condition, m_LogicalOr(m_Value(parts.left), m_Value(parts.right))))
        return parts;
    return std::nullopt;
}

inline std::optional<ConditionParts> parts_of(llvm::Value *condition) {
    const auto both = implied_parts(condition, true);
    return both ? both : implied_parts(condition, false);
}

} // namespace rivulet::compiler

#endif
