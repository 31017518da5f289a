// SPDX-License-Identifier: Apache-2.0
// Reaction and diffusion of two substances.
__kernel void gray_scott(__global const float2 *uv, __global float2 *next, float feed, float kill)
{
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
    int left = (x + w - 1) % w, right = (x + 1) % w, up = (y + h - 1) % h, down = (y + 1) % h;
    float2 c = uv[y * w + x];
    float2 lap = uv[y * w + left] + uv[y * w + right] + uv[up * w + x] + uv[down * w + x] - 4.0f * c;
    float reaction = c.x * c.y * c.y;
    next[y * w + x] = c + (float2)(0.16f, 0.08f) * lap +
                      (float2)(feed * (1.0f - c.x) - reaction, reaction - (feed + kill) * c.y);
}
