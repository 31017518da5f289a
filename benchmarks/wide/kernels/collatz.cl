// SPDX-License-Identifier: Apache-2.0
// Steps of the Collatz sequence until 1.
__kernel void collatz(__global const uint *starts, __global uint *steps)
{
    uint n = starts[get_global_id(0)], count = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        ++count;
    }
    steps[get_global_id(0)] = count;
}
