// SPDX-License-Identifier: Apache-2.0
// Breadth-first search: a level, a frontier of flags. Buffers are volatile, as OpenCL 1.x's atomics want them.
__kernel void bfs_volatile(__global const int *starts, __global const int *edges, volatile __global int *levels,
                           volatile __global int *changed, int nodes, int level)
{
    int node = get_global_id(0);
    if (node >= nodes || levels[node] != level)
        return;
    for (int e = starts[node]; e < starts[node + 1]; e++) {
        int other = edges[e];
        if (levels[other] < 0) {
            levels[other] = level + 1;
            *changed = 1;
        }
    }
}
