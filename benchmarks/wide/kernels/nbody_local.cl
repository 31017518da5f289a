// SPDX-License-Identifier: Apache-2.0
// Gravity, all pairs, positions in tiles through local memory.
__kernel void nbody_local(__global const float4 *bodies, __global float4 *forces, int n, __local float4 *tile)
{
    int i = get_global_id(0), lid = get_local_id(0), size = get_local_size(0);
    float4 me = bodies[i];
    float3 force = (float3)(0.0f);
    for (int t = 0; t < n; t += size) {
        tile[lid] = bodies[t + lid];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < size; j++) {
            float3 d = tile[j].xyz - me.xyz;
            float inverse = rsqrt(dot(d, d) + 0.01f);
            force += d * (tile[j].w * inverse * inverse * inverse);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    forces[i] = (float4)(force, 0.0f);
}
