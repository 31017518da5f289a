// SPDX-License-Identifier: Apache-2.0
// Even-odd rule for points and one polygon.
__kernel void point_in_polygon(__global const float2 *points, __constant float2 *polygon, int corners, __global int *inside)
{
    float2 p = points[get_global_id(0)];
    int odd = 0;
    for (int i = 0, j = corners - 1; i < corners; j = i++) {
        float2 a = polygon[i], b = polygon[j];
        if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x)
            odd = !odd;
    }
    inside[get_global_id(0)] = odd;
}
