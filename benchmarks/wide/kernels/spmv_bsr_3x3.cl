// SPDX-License-Identifier: Apache-2.0
// y = A x with blocks of 3 x 3 (finite elements).
__kernel void spmv_bsr_3x3(__global const int *starts, __global const int *columns,
                           __global const float *blocks, __global const float *x, __global float *y)
{
    int row = get_global_id(0);
    float3 sum = (float3)(0.0f);
    for (int j = starts[row]; j < starts[row + 1]; ++j) {
        float3 v = vload3(columns[j], x);
        sum.x += dot(vload3(3 * j, blocks), v);
        sum.y += dot(vload3(3 * j + 1, blocks), v);
        sum.z += dot(vload3(3 * j + 2, blocks), v);
    }
    vstore3(sum, row, y);
}
