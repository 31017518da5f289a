// SPDX-License-Identifier: Apache-2.0
// Sorts blocks of 256 keys with payload in local memory.
#define N 256
__kernel __attribute__((reqd_work_group_size(N / 2, 1, 1)))
void bitonic_local(__global uint *keys, __global uint *values)
{
    __local uint k[N], v[N];
    uint lid = get_local_id(0), base = get_group_id(0) * N;
    for (uint i = lid; i < N; i += N / 2) {
        k[i] = keys[base + i];
        v[i] = values[base + i];
    }
    for (uint size = 2; size <= N; size <<= 1) {
        uint up = (lid & (size / 2)) == 0;
        for (uint stride = size / 2; stride > 0; stride >>= 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint i = 2 * lid - (lid & (stride - 1)), j = i + stride;
            if ((k[i] > k[j]) == up) {
                uint t = k[i]; k[i] = k[j]; k[j] = t;
                t = v[i]; v[i] = v[j]; v[j] = t;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = lid; i < N; i += N / 2) {
        keys[base + i] = k[i];
        values[base + i] = v[i];
    }
}
