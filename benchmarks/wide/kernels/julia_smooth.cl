// SPDX-License-Identifier: Apache-2.0
// Julia set with smooth colouring and an early exit.
__kernel void julia_smooth(__global float *out, int width, int height, float cx, float cy, int most)
{
    int px = get_global_id(0), py = get_global_id(1);
    if (px >= width || py >= height)
        return;
    float x = 3.0f * px / width - 1.5f, y = 2.0f * py / height - 1.0f, value = 0.0f;
    for (int i = 0; i < most; i++) {
        float x2 = x * x, y2 = y * y;
        if (x2 + y2 > 64.0f) {
            value = i + 1 - log2(log2(x2 + y2) * 0.5f);
            break;
        }
        y = 2.0f * x * y + cy;
        x = x2 - y2 + cx;
    }
    out[py * width + px] = value;
}
