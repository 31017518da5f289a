// SPDX-License-Identifier: Apache-2.0
// Laplacian in space, indices clamped at the borders.
#define AT(x, y, z) u[((z) * ny + (y)) * nx + (x)]
__kernel void laplace_7pt(__global const float *u, __global float *out, int nx, int ny, int nz)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    int xm = max(x - 1, 0), xp = min(x + 1, nx - 1);
    int ym = max(y - 1, 0), yp = min(y + 1, ny - 1);
    int zm = max(z - 1, 0), zp = min(z + 1, nz - 1);
    out[(z * ny + y) * nx + x] = AT(xm, y, z) + AT(xp, y, z) + AT(x, ym, z) + AT(x, yp, z) +
                                 AT(x, y, zm) + AT(x, y, zp) - 6.0f * AT(x, y, z);
}
