// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/object/hash.h"

#define XXH_INLINE_ALL
#define XXH_NO_INLINE_HINTS 1 // size over speed: sources are small
#include <xxhash.h>

namespace rivulet {

Hash hash_of(const void *data, size_t bytes) {
    const XXH128_hash_t hash = XXH3_128bits(data, bytes);
    return {hash.low64, hash.high64};
}

} // namespace rivulet
