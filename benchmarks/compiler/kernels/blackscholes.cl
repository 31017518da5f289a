// SPDX-License-Identifier: Apache-2.0
// European call and put, one option per work-item.
float cnd(float d)
{
    const float A1 = 0.31938153f, A2 = -0.356563782f, A3 = 1.781477937f;
    const float A4 = -1.821255978f, A5 = 1.330274429f, RSQRT2PI = 0.39894228040143267794f;
    float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
    float c = RSQRT2PI * exp(-0.5f * d * d) * (k * (A1 + k * (A2 + k * (A3 + k * (A4 + k * A5)))));
    return d > 0.0f ? 1.0f - c : c;
}
__kernel void blackscholes(__global const float *S, __global const float *K, __global const float *T,
                           __global float *call, __global float *put, float R, float V, uint n)
{
    uint i = get_global_id(0);
    if (i >= n)
        return;
    float s = S[i], k = K[i], t = T[i];
    float st = sqrt(t);
    float d1 = (log(s / k) + (R + 0.5f * V * V) * t) / (V * st);
    float d2 = d1 - V * st;
    float c1 = cnd(d1), c2 = cnd(d2);
    float e = exp(-R * t);
    call[i] = s * c1 - k * e * c2;
    put[i] = k * e * (1.0f - c2) - s * (1.0f - c1);
}
