// SPDX-License-Identifier: Apache-2.0
// Looks keys up in a hash table with open addressing.
__kernel void hash_probe(__global const uint *keys, __global const uint2 *table, __global uint *values, uint mask)
{
    uint key = keys[get_global_id(0)];
    uint slot = (key * 2654435761u) & mask;
    uint value = ~0u;
    while (table[slot].x != 0) {
        if (table[slot].x == key) {
            value = table[slot].y;
            break;
        }
        slot = (slot + 1) & mask;
    }
    values[get_global_id(0)] = value;
}
