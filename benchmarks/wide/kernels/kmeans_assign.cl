// SPDX-License-Identifier: Apache-2.0
// Nearest of k centres for each point, structure of arrays, counts in global memory.
__kernel void kmeans_assign(__global const float *points, __global const float *centres, __global int *nearest,
                            __global int *counts, int dimensions, int k)
{
    int i = get_global_id(0), n = get_global_size(0), best = 0;
    float least = MAXFLOAT;
    for (int c = 0; c < k; c++) {
        float sum = 0;
        for (int d = 0; d < dimensions; d++) {
            float difference = points[d * n + i] - centres[c * dimensions + d];
            sum += difference * difference;
        }
        if (sum < least) {
            least = sum;
            best = c;
        }
    }
    nearest[i] = best;
    atomic_inc(&counts[best]);
}
