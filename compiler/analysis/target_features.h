// SPDX-License-Identifier: Apache-2.0
//
// Extensions of the hart that a function's code is for.
#ifndef RIVULET_COMPILER_ANALYSIS_TARGET_FEATURES_H
#define RIVULET_COMPILER_ANALYSIS_TARGET_FEATURES_H

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Type.h>

namespace rivulet::compiler {

inline llvm::StringRef target_features(const llvm::Function &function) {
    return function.getFnAttribute("target-features").getValueAsString();
}

// `feature` is LLVM's name of the extension, such as zvfh.
inline bool has_feature(llvm::StringRef features, llvm::StringRef feature) {
    return llvm::any_of(llvm::split(features, ','), [&](llvm::StringRef one) {
        return one.consume_front("+") && one == feature;
    });
}

// Whether a multiply-add with a sum of `wide` takes factors of `narrow` and extends them itself.
inline bool has_widening_fma(const llvm::Function &function, const llvm::Type &narrow,
                             const llvm::Type &wide) {
    const llvm::StringRef features = target_features(function);
    if (wide.isFloatTy())
        return (narrow.isHalfTy() && has_feature(features, "zvfh")) ||
               (narrow.isBFloatTy() && has_feature(features, "zvfbfwma"));
    return wide.isDoubleTy() && narrow.isFloatTy() && has_feature(features, "zve64d");
}

} // namespace rivulet::compiler

#endif
