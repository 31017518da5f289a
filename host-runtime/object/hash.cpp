// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/object/hash.h"

#define XXH_INLINE_ALL
#define XXH_NO_INLINE_HINTS 1 // optimise for size: sources are small
#include <xxhash.h>

namespace rivulet {

Hash hash_of(const void *data, size_t bytes) {
    // XXH64 twice, which takes a third of the code size of XXH3's 128 bits.
    const auto half = [&](XXH64_hash_t seed) { return XXH64(data, bytes, seed); };
    return {half(0), half(1)};
}

} // namespace rivulet
