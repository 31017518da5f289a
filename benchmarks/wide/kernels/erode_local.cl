// SPDX-License-Identifier: Apache-2.0
// Erosion with a 5 x 5 square through local memory.
#define T 16
#define R 2
__kernel void erode_local(__global const uchar *in, __global uchar *out, int width, int height)
{
    __local uchar tile[(T + 2 * R) * (T + 2 * R)];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int x0 = get_group_id(0) * T - R, y0 = get_group_id(1) * T - R;
    for (int i = ly * T + lx; i < (T + 2 * R) * (T + 2 * R); i += T * T) {
        int x = x0 + i % (T + 2 * R), y = y0 + i / (T + 2 * R);
        tile[i] = x >= 0 && y >= 0 && x < width && y < height ? in[y * width + x] : 255;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uchar least = 255;
    for (int j = 0; j <= 2 * R; j++)
        for (int i = 0; i <= 2 * R; i++)
            least = min(least, tile[(ly + j) * (T + 2 * R) + lx + i]);
    if (get_global_id(0) < width && get_global_id(1) < height)
        out[get_global_id(1) * width + get_global_id(0)] = least;
}
