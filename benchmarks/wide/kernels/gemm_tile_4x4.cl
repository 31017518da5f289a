// SPDX-License-Identifier: Apache-2.0
// C = A B: 32 x 32 tiles through local memory, 4 x 4 results for each work-item.
#define TILE 32
#define PER 4
__attribute__((reqd_work_group_size(TILE / PER, TILE / PER, 1)))
__kernel void gemm_tile_4x4(__global const float *restrict a, __global const float *restrict b,
                            __global float *restrict c, int n)
{
    __local float as[TILE][TILE + 1], bs[TILE][TILE + 1];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int x0 = get_group_id(0) * TILE, y0 = get_group_id(1) * TILE;
    float sum[PER][PER];
    for (int i = 0; i < PER; ++i)
        for (int j = 0; j < PER; ++j)
            sum[i][j] = 0.0f;
    for (int k0 = 0; k0 < n; k0 += TILE) {
        for (int i = ly; i < TILE; i += TILE / PER)
            for (int j = lx; j < TILE; j += TILE / PER) {
                as[i][j] = a[(y0 + i) * n + k0 + j];
                bs[i][j] = b[(k0 + i) * n + x0 + j];
            }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; ++k) {
            float row[PER], column[PER];
            for (int i = 0; i < PER; ++i) {
                row[i] = as[ly + i * (TILE / PER)][k];
                column[i] = bs[k][lx + i * (TILE / PER)];
            }
            for (int i = 0; i < PER; ++i)
                for (int j = 0; j < PER; ++j)
                    sum[i][j] += row[i] * column[j];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = 0; i < PER; ++i)
        for (int j = 0; j < PER; ++j)
            c[(y0 + ly + i * (TILE / PER)) * n + x0 + lx + j * (TILE / PER)] = sum[i][j];
}
