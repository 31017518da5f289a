// SPDX-License-Identifier: Apache-2.0
// Words of a text, counted by a work-item for each 16 characters and one atomic for each group.
__kernel void count_words(__global const uchar *text, int n, __global int *total)
{
    __local int here;
    if (get_local_id(0) == 0)
        here = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int begin = get_global_id(0) * 16, count = 0;
    for (int i = begin; i < begin + 16 && i < n; i++)
        count += text[i] > ' ' && (i == 0 || text[i - 1] <= ' ');
    atomic_add(&here, count);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_add(total, here);
}
