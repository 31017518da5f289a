// SPDX-License-Identifier: Apache-2.0
// Triangles of a graph: intersects sorted lists of neighbours.
__kernel void triangle_count(__global const int *starts, __global const int *edges, __global const int2 *pairs,
                             __global int *counts)
{
    int2 pair = pairs[get_global_id(0)];
    int i = starts[pair.x], j = starts[pair.y], iend = starts[pair.x + 1], jend = starts[pair.y + 1];
    int count = 0;
    while (i < iend && j < jend) {
        int a = edges[i], b = edges[j];
        if (a == b)
            count++;
        if (a <= b)
            i++;
        if (b <= a)
            j++;
    }
    counts[get_global_id(0)] = count;
}
