// SPDX-License-Identifier: Apache-2.0
// Moeller and Trumbore: nearest hit of rays and a list of triangles.
__kernel void ray_triangle(__global const float4 *origins, __global const float4 *directions,
                           __global const float4 *corners, __global int *hits, __global float *distances, int triangles)
{
    int ray = get_global_id(0), hit = -1;
    float3 o = origins[ray].xyz, d = directions[ray].xyz;
    float nearest = 1e30f;
    for (int t = 0; t < triangles; t++) {
        float3 a = corners[3 * t].xyz, e1 = corners[3 * t + 1].xyz - a, e2 = corners[3 * t + 2].xyz - a;
        float3 p = cross(d, e2);
        float det = dot(e1, p);
        if (fabs(det) < 1e-6f)
            continue;
        float inverse = 1.0f / det;
        float3 s = o - a;
        float u = dot(s, p) * inverse;
        if (u < 0.0f || u > 1.0f)
            continue;
        float3 q = cross(s, e1);
        float v = dot(d, q) * inverse;
        if (v < 0.0f || u + v > 1.0f)
            continue;
        float distance = dot(e2, q) * inverse;
        if (distance > 0.0f && distance < nearest) {
            nearest = distance;
            hit = t;
        }
    }
    hits[ray] = hit;
    distances[ray] = nearest;
}
