// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace rivulet {

struct Hash {
    uint64_t low = 0;
    uint64_t high = 0;
    friend bool operator==(const Hash &, const Hash &) = default;
};

/// 128 bits of xxHash (XXH64 with two seeds), stable across machines and versions.
Hash hash_of(const void *data, size_t bytes);

} // namespace rivulet
