// SPDX-License-Identifier: Apache-2.0
// Follows parents to the root.
__kernel void union_find(__global const int *parents, __global int *roots)
{
    int node = get_global_id(0), parent = parents[node];
    while (parent != node) {
        node = parent;
        parent = parents[node];
    }
    roots[get_global_id(0)] = node;
}
