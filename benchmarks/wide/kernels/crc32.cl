// SPDX-License-Identifier: Apache-2.0
// CRC-32 of messages of 64 bytes, table of 256 entries.
__kernel void crc32(__global const uchar *in, __constant uint *table, __global uint *out, int length)
{
    size_t i = get_global_id(0);
    uint crc = ~0u;
    for (int j = 0; j < length; j++)
        crc = table[(crc ^ in[i * length + j]) & 0xff] ^ (crc >> 8);
    out[i] = ~crc;
}
