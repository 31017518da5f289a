// SPDX-License-Identifier: Apache-2.0
// Means of rows of a table picked by indices.
__kernel void embedding_bag(__global const float *table, __global const int *indices, __global const int *starts,
                            __global float *out, int width)
{
    int d = get_global_id(0), bag = get_global_id(1), begin = starts[bag], end = starts[bag + 1];
    float sum = 0;
    for (int j = begin; j < end; j++)
        sum += table[indices[j] * width + d];
    out[bag * width + d] = end > begin ? sum / (end - begin) : 0.0f;
}
