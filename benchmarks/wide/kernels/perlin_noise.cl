// SPDX-License-Identifier: Apache-2.0
// Perlin's noise, four octaves, permutation in constant memory.
float fade(float t) { return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f); }
float grad(int hash, float x, float y)
{
    float u = (hash & 4) ? y : x, v = (hash & 4) ? x : y;
    return ((hash & 1) ? -u : u) + ((hash & 2) ? -2.0f * v : 2.0f * v);
}
__kernel void perlin_noise(__constant uchar *p, __global float *out, float scale)
{
    int w = get_global_size(0);
    float x = get_global_id(0) * scale, y = get_global_id(1) * scale, sum = 0.0f, amplitude = 1.0f;
    for (int octave = 0; octave < 4; octave++) {
        int xi = (int)floor(x), yi = (int)floor(y);
        float xf = x - xi, yf = y - yi, u = fade(xf), v = fade(yf);
        int a = p[xi & 255] + yi, b = p[(xi + 1) & 255] + yi;
        sum += amplitude * mix(mix(grad(p[a & 255], xf, yf), grad(p[b & 255], xf - 1, yf), u),
                               mix(grad(p[(a + 1) & 255], xf, yf - 1), grad(p[(b + 1) & 255], xf - 1, yf - 1), u), v);
        amplitude *= 0.5f;
        x *= 2.0f;
        y *= 2.0f;
    }
    out[get_global_id(1) * w + get_global_id(0)] = sum;
}
