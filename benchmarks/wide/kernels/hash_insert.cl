// SPDX-License-Identifier: Apache-2.0
// Inserts keys in a hash table with compare-and-swap; counts how often each key comes.
__kernel void hash_insert(__global const uint *keys, volatile __global uint *table, volatile __global uint *counts,
                          uint mask)
{
    uint key = keys[get_global_id(0)];
    for (uint slot = (key ^ (key >> 7)) & mask;; slot = (slot + 1) & mask) {
        uint before = atomic_cmpxchg(&table[slot], 0u, key);
        if (before == 0 || before == key) {
            atomic_inc(&counts[key]);
            return;
        }
    }
}
