// SPDX-License-Identifier: Apache-2.0
// Binary search in a sorted array.
__kernel void lower_bound(__global const int *sorted, int n, __global const int *keys, __global int *places)
{
    int key = keys[get_global_id(0)], low = 0, high = n;
    while (low < high) {
        int middle = (low + high) >> 1;
        if (sorted[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    places[get_global_id(0)] = low;
}
