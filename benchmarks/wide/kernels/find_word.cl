// SPDX-License-Identifier: Apache-2.0
// Where a word begins in each line, or -1.
__kernel void find_word(__global const char *text, __global const int *starts, __constant char *word, int length,
                        __global int *found)
{
    int line = get_global_id(0);
    int end = starts[line + 1];
    for (int at = starts[line]; at + length <= end; ++at) {
        int i = 0;
        while (i < length && text[at + i] == word[i])
            ++i;
        if (i == length) {
            found[line] = at - starts[line];
            return;
        }
    }
    found[line] = -1;
}
