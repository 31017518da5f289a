// SPDX-License-Identifier: Apache-2.0
// One compare-exchange step of a bitonic sort; launched for every (k, j).
__kernel void bitonic(__global uint *data, uint j, uint k)
{
    uint i = get_global_id(0);
    uint p = i ^ j;
    if (p > i) {
        uint a = data[i], b = data[p];
        bool up = (i & k) == 0;
        if ((a > b) == up) {
            data[i] = b;
            data[p] = a;
        }
    }
}
