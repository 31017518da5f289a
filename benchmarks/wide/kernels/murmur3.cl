// SPDX-License-Identifier: Apache-2.0
// MurmurHash3 of strings of words, lengths differ.
__kernel void murmur3(__global const uint *words, __global const uint *starts, __global uint *hashes, uint seed)
{
    size_t i = get_global_id(0);
    uint h = seed, first = starts[i], last = starts[i + 1];
    for (uint j = first; j < last; ++j) {
        uint k = words[j] * 0xcc9e2d51u;
        h ^= rotate(k, 15u) * 0x1b873593u;
        h = rotate(h, 13u) * 5 + 0xe6546b64u;
    }
    h ^= 4 * (last - first);
    h ^= h >> 16; h *= 0x85ebca6bu; h ^= h >> 13; h *= 0xc2b2ae35u; h ^= h >> 16;
    hashes[i] = h;
}
