// SPDX-License-Identifier: Apache-2.0
//
// The bytes with which memory is filled.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

namespace rivulet {

/// The pattern repeated to fill `bytes`, or a convenient smaller size.
inline std::vector<std::byte> pattern_run(std::span<const std::byte> pattern, size_t bytes) {
    constexpr size_t longest_run = 64 * 1024;
    std::vector<std::byte> run(std::min(bytes, longest_run / pattern.size() * pattern.size()));
    for (size_t at = 0; at < run.size(); at += pattern.size())
        std::memcpy(run.data() + at, pattern.data(), std::min(pattern.size(), run.size() - at));
    return run;
}

} // namespace rivulet
