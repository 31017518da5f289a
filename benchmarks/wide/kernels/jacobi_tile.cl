// SPDX-License-Identifier: Apache-2.0
// Jacobi's iteration for Poisson's equation on a tile with halo in local memory.
#define T 16
__kernel __attribute__((reqd_work_group_size(T, T, 1)))
void jacobi_tile(__global const float *u, __global const float *f, __global float *out, int pitch)
{
    __local float tile[T + 2][T + 2];
    int lx = get_local_id(0), ly = get_local_id(1);
    int x = get_global_id(0) + 1, y = get_global_id(1) + 1;
    tile[ly + 1][lx + 1] = u[y * pitch + x];
    if (lx == 0) tile[ly + 1][0] = u[y * pitch + x - 1];
    if (lx == T - 1) tile[ly + 1][T + 1] = u[y * pitch + x + 1];
    if (ly == 0) tile[0][lx + 1] = u[(y - 1) * pitch + x];
    if (ly == T - 1) tile[T + 1][lx + 1] = u[(y + 1) * pitch + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * pitch + x] = 0.25f * (tile[ly][lx + 1] + tile[ly + 2][lx + 1] + tile[ly + 1][lx] +
                                  tile[ly + 1][lx + 2] - f[y * pitch + x]);
}
