// SPDX-License-Identifier: Apache-2.0
// All shortest paths through node k.
__kernel void floyd_warshall(__global int *d, int n, int k)
{
    int x = get_global_id(0), y = get_global_id(1);
    int through = d[y * n + k] + d[k * n + x];
    if (through < d[y * n + x])
        d[y * n + x] = through;
}
