// SPDX-License-Identifier: Apache-2.0
// FFT of 64 points for each group of 8 work-items, two radix-8 passes through local memory.
#define C 0.70710678f
void fft8(float2 *v)
{
    for (int i = 0; i < 4; i++) {
        float2 t = v[i] - v[i + 4];
        v[i] += v[i + 4];
        v[i + 4] = t;
    }
    v[5] = C * (float2)(v[5].x + v[5].y, v[5].y - v[5].x);
    v[6] = (float2)(v[6].y, -v[6].x);
    v[7] = C * (float2)(v[7].y - v[7].x, -v[7].x - v[7].y);
    for (int h = 0; h < 8; h += 4) {
        float2 a = v[h] + v[h + 2], b = v[h] - v[h + 2], c = v[h + 1] + v[h + 3], d = v[h + 1] - v[h + 3];
        d = (float2)(d.y, -d.x);
        v[h] = a + c;
        v[h + 1] = a - c;
        v[h + 2] = b + d;
        v[h + 3] = b - d;
    }
}
__constant int reversed[8] = {0, 4, 2, 6, 1, 5, 3, 7};
__kernel __attribute__((reqd_work_group_size(8, 1, 1)))
void fft_radix8_local(__global const float2 *in, __global float2 *out)
{
    __local float2 t[64];
    int lid = get_local_id(0);
    in += get_group_id(0) * 64;
    out += get_group_id(0) * 64;
    float2 v[8];
    for (int i = 0; i < 8; i++)
        v[i] = in[lid + 8 * i];
    fft8(v);
    for (int i = 0; i < 8; i++) {
        int k = reversed[i];
        float c = native_cos(-2.0f * M_PI_F / 64.0f * (k * lid)), s = native_sin(-2.0f * M_PI_F / 64.0f * (k * lid));
        t[lid + 8 * k] = (float2)(v[i].x * c - v[i].y * s, v[i].x * s + v[i].y * c);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 8; i++)
        v[i] = t[lid * 8 + i];
    fft8(v);
    for (int i = 0; i < 8; i++)
        out[lid + 8 * reversed[i]] = v[i];
}
