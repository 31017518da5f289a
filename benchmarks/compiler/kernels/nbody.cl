// SPDX-License-Identifier: Apache-2.0
// One all-pairs step; pos.xyz = position, pos.w = mass.
__kernel void nbody(__global const float4 *pos, __global const float4 *vel,
                    __global float4 *new_pos, __global float4 *new_vel,
                    int n, float dt, float eps2)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float4 p = pos[i];
    float4 v = vel[i];
    float3 acc = (float3)(0.0f);
    for (int j = 0; j < n; j++) {
        float4 q = pos[j];
        float3 d = q.xyz - p.xyz;
        float r2 = d.x * d.x + d.y * d.y + d.z * d.z + eps2;
        float inv = rsqrt(r2);
        float s = q.w * inv * inv * inv;
        acc += d * s;
    }
    v.xyz += acc * dt;
    p.xyz += v.xyz * dt;
    new_pos[i] = p;
    new_vel[i] = v;
}
