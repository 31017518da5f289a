// SPDX-License-Identifier: Apache-2.0
// ChaCha20: a block of key stream for each work-item.
#define QUARTER(a, b, c, d) \
    a += b; d = rotate(d ^ a, 16u); c += d; b = rotate(b ^ c, 12u); \
    a += b; d = rotate(d ^ a, 8u); c += d; b = rotate(b ^ c, 7u);
__kernel void chacha20(__constant uint *state, __global const uint *in, __global uint *out)
{
    uint x[16];
    for (int i = 0; i < 16; i++)
        x[i] = state[i];
    x[12] += get_global_id(0);
    for (int round = 0; round < 10; round++) {
        QUARTER(x[0], x[4], x[8], x[12])
        QUARTER(x[1], x[5], x[9], x[13])
        QUARTER(x[2], x[6], x[10], x[14])
        QUARTER(x[3], x[7], x[11], x[15])
        QUARTER(x[0], x[5], x[10], x[15])
        QUARTER(x[1], x[6], x[11], x[12])
        QUARTER(x[2], x[7], x[8], x[13])
        QUARTER(x[3], x[4], x[9], x[14])
    }
    for (int i = 0; i < 16; i++) {
        uint first = state[i] + (i == 12 ? (uint)get_global_id(0) : 0);
        out[get_global_id(0) * 16 + i] = in[get_global_id(0) * 16 + i] ^ (x[i] + first);
    }
}
