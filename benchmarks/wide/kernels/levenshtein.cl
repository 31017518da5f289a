// SPDX-License-Identifier: Apache-2.0
// Edit distance of a word to each word of a list; a row of the table in private memory.
#define MOST 16
__kernel void levenshtein(__global const uchar *words, __global const uchar *lengths, __constant uchar *query,
                          int query_length, __global int *distances)
{
    int w = get_global_id(0), n = lengths[w];
    __global const uchar *word = words + w * MOST;
    uchar row[MOST + 1];
    for (int i = 0; i <= query_length; i++)
        row[i] = i;
    for (int j = 0; j < n; j++) {
        uchar diagonal = row[0];
        row[0] = j + 1;
        for (int i = 0; i < query_length; i++) {
            uchar cost = diagonal + (word[j] != query[i]);
            diagonal = row[i + 1];
            row[i + 1] = min(cost, (uchar)(min(row[i], row[i + 1]) + 1));
        }
    }
    distances[w] = row[query_length];
}
