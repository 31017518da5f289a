// SPDX-License-Identifier: Apache-2.0
// PageRank, pulling from the nodes that link here.
__kernel void pagerank(__global const uint *starts, __global const uint *sources, __global const float *rank,
                       __global const float *inverse_degree, __global float *next, float damping, float base)
{
    uint node = get_global_id(0);
    float sum = 0;
    for (uint e = starts[node]; e < starts[node + 1]; e++) {
        uint s = sources[e];
        sum += rank[s] * inverse_degree[s];
    }
    next[node] = base + damping * sum;
}
