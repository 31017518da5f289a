// SPDX-License-Identifier: Apache-2.0
// Bilateral filter of bytes, radius 2, weights of differences from a table.
__kernel void bilateral(__global const uchar *in, __global uchar *out, __constant float *near,
                        __constant float *alike, int width, int height)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    const int centre = in[y * width + x];
    float sum = 0.0f, total = 0.0f;
    for (int dy = -2; dy <= 2; dy++) {
        for (int dx = -2; dx <= 2; dx++) {
            int sx = x + dx, sy = y + dy;
            if (sx < 0 || sy < 0 || sx >= width || sy >= height)
                continue;
            int value = in[sy * width + sx];
            float weight = near[(dy + 2) * 5 + dx + 2] * alike[abs(value - centre)];
            sum += weight * value;
            total += weight;
        }
    }
    out[y * width + x] = (uchar)(sum / total + 0.5f);
}
