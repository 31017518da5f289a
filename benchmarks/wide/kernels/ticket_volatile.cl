// SPDX-License-Identifier: Apache-2.0
// Appends events to per-class lists through volatile counters, with an overflow mark.
__kernel void ticket_volatile(__global const uchar *classes, volatile __global int *heads, volatile __global int *lists,
                              int room)
{
    int i = get_global_id(0), c = classes[i];
    int place = atomic_add(&heads[c], 1);
    if (place < room)
        lists[c * room + place] = 1;
    else
        atomic_or(&heads[15], 1 << 30);
}
