// SPDX-License-Identifier: Apache-2.0
// Normal deviates: Philox 4x32-10 and Box-Muller.
__kernel void philox_normals(__global float4 *out, uint2 key)
{
    uint4 c = (uint4)(get_global_id(0), 0, 0, 0);
    for (int i = 0; i < 10; i++) {
        uint high0 = mul_hi(0xD2511F53u, c.x), low0 = 0xD2511F53u * c.x;
        uint high1 = mul_hi(0xCD9E8D57u, c.z), low1 = 0xCD9E8D57u * c.z;
        c = (uint4)(high1 ^ c.y ^ key.x, low1, high0 ^ c.w ^ key.y, low0);
        key += (uint2)(0x9E3779B9u, 0xBB67AE85u);
    }
    float2 u = (convert_float2(c.xy >> 8) + 0.5f) * 0x1p-24f, v = convert_float2(c.zw >> 8) * (2 * M_PI_F * 0x1p-24f);
    float2 radius = sqrt(-2.0f * log(u)), sine, cosine;
    sine = sincos(v, &cosine);
    out[get_global_id(0)] = (float4)(radius * cosine, radius * sine);
}
