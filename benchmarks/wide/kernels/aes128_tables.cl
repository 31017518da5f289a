// SPDX-License-Identifier: Apache-2.0
// AES-128 in counter mode with one table of 256 words in local memory.
#define ROT(x, n) rotate(x, (uint)(n))
__kernel void aes128_tables(__global const uint *table, __global const uchar *sbox, __constant uint *keys,
                            uint4 nonce, __global uint4 *stream)
{
    __local uint t[256];
    for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
        t[i] = table[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint s0 = nonce.x ^ keys[0], s1 = nonce.y ^ keys[1], s2 = nonce.z ^ keys[2];
    uint s3 = (nonce.w + (uint)get_global_id(0)) ^ keys[3];
    for (int round = 1; round < 10; round++) {
        uint t0 = t[s0 >> 24] ^ ROT(t[s1 >> 16 & 255], 24) ^ ROT(t[s2 >> 8 & 255], 16) ^ ROT(t[s3 & 255], 8) ^ keys[4 * round];
        uint t1 = t[s1 >> 24] ^ ROT(t[s2 >> 16 & 255], 24) ^ ROT(t[s3 >> 8 & 255], 16) ^ ROT(t[s0 & 255], 8) ^ keys[4 * round + 1];
        uint t2 = t[s2 >> 24] ^ ROT(t[s3 >> 16 & 255], 24) ^ ROT(t[s0 >> 8 & 255], 16) ^ ROT(t[s1 & 255], 8) ^ keys[4 * round + 2];
        uint t3 = t[s3 >> 24] ^ ROT(t[s0 >> 16 & 255], 24) ^ ROT(t[s1 >> 8 & 255], 16) ^ ROT(t[s2 & 255], 8) ^ keys[4 * round + 3];
        s0 = t0; s1 = t1; s2 = t2; s3 = t3;
    }
#define LAST(a, b, c, d) ((uint)sbox[a >> 24] << 24 | (uint)sbox[b >> 16 & 255] << 16 | (uint)sbox[c >> 8 & 255] << 8 | sbox[d & 255])
    stream[get_global_id(0)] = (uint4)(LAST(s0, s1, s2, s3) ^ keys[40], LAST(s1, s2, s3, s0) ^ keys[41],
                                       LAST(s2, s3, s0, s1) ^ keys[42], LAST(s3, s0, s1, s2) ^ keys[43]);
}
