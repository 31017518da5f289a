// SPDX-License-Identifier: Apache-2.0
// Escape-time iteration count, at most max_iter.  One work-item per pixel.
__kernel void mandelbrot(__global int *out, int width, int height,
                         float x0, float y0, float dx, float dy, int max_iter)
{
    int px = get_global_id(0);
    int py = get_global_id(1);
    if (px >= width || py >= height)
        return;
    float cr = x0 + px * dx;
    float ci = y0 + py * dy;
    float zr = 0.0f, zi = 0.0f;
    int it = 0;
    while (it < max_iter && zr * zr + zi * zi <= 4.0f) {
        float t = zr * zr - zi * zi + cr;
        zi = 2.0f * zr * zi + ci;
        zr = t;
        it++;
    }
    out[py * width + px] = it;
}
