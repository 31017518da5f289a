// SPDX-License-Identifier: Apache-2.0
// Marches rays to the surface of a field of spheres.
float field(float3 p)
{
    float3 q = p - floor(p) - 0.5f;
    return length(q) - 0.3f;
}
__kernel void sphere_march(__global float *depth, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    float3 direction = normalize((float3)((x - 0.5f * width) / height, (y - 0.5f * height) / height, 1.0f));
    float3 origin = (float3)(0.0f, 0.0f, -1.0f);
    float t = 0.0f;
    for (int i = 0; i < 32; i++) {
        float d = field(origin + t * direction);
        if (d < 0.001f || t > 10.0f)
            break;
        t += d;
    }
    depth[y * width + x] = t;
}
