// SPDX-License-Identifier: Apache-2.0
// Shortest paths: relaxes each edge with an atomic minimum.
__kernel void sssp_relax(__global const int4 *edges, __global const int *from_distance, volatile __global int *distance,
                         int count)
{
    int i = get_global_id(0);
    if (i >= count)
        return;
    int4 edge = edges[i];
    int before = from_distance[edge.x];
    if (before == INT_MAX)
        return;
    int found = before + edge.z;
    if (found < distance[edge.y])
        atomic_min(&distance[edge.y], found);
}
