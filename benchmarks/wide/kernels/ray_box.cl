// SPDX-License-Identifier: Apache-2.0
// Slab test of rays against one box.
__kernel void ray_box(__global const float4 *origins, __global const float4 *directions, __global uchar *hits,
                      float4 low, float4 high)
{
    size_t i = get_global_id(0);
    float3 inverse = 1.0f / directions[i].xyz, o = origins[i].xyz;
    float3 a = (low.xyz - o) * inverse, b = (high.xyz - o) * inverse;
    float3 near = fmin(a, b), far = fmax(a, b);
    float enter = fmax(fmax(near.x, near.y), near.z), leave = fmin(fmin(far.x, far.y), far.z);
    hits[i] = leave >= fmax(enter, 0.0f);
}
