// SPDX-License-Identifier: Apache-2.0
// A switch may have several edges to a block. What is made there for each phi node is one value for
// all of them, else the code is invalid (RIVULET_VERIFY).
// RUN: %cc %s -o %t --vlen=512
// RUN: %cc %s -o %t --vlen=512 -rvl-vectorize=off
// RUN: %cc %s -o %t --target=rv64gc
// RUN: %cc %s -o %t --target=rv32imafdc_zve32f --vlen=128

// Vectors of bits that live across a barrier are bytes in memory.
kernel void bits(global uint *out, global const uchar *in, uint n) {
    const uint gid = get_global_id(0), lid = get_local_id(0);
    int4 a = convert_int4(vload4(gid % 8u, in)), b = convert_int4(vload4((gid * 3u) % 8u, in));
    int4 less = a < b, equal = a == b.yxwz;
    local uint s[16];
    s[lid] = gid;
    barrier(CLK_LOCAL_MEM_FENCE);
    int4 r;
    switch (n % 23u) {
    case 0:
    case 5:
    case 9:
    case 13:
        r = less;
        break;
    default:
        r = equal;
    }
    uint4 q = as_uint4(r);
    out[gid * 8] = q.x + 3 * q.y + 5 * q.z + 7 * q.w + s[15 - lid];
}

// Rows that are computed side by side have a y each.
kernel void rows(global uint *out, global const uchar *in, uint n, uint m) {
    const uint x = get_global_id(0), y = get_global_id(1), ly = get_local_id(1);
    uint sum = 0, t;
    for (uint i = 0; i < (m & 31u); ++i)
        sum += in[(y * 16u + i) & 255u] * in[i * 7u + x];
    switch ((n + m) % 23u) {
    case 0:
    case 5:
    case 9:
    case 13:
        t = ly;
        break;
    case 8:
        t = sum >> 3;
        break;
    default:
        t = sum;
    }
    out[(x + y * 32u) * 8u] = t * 3u + sum;
}

// Integers of odd widths, and such as are computed in 16 bits.
kernel void widths(global uint *out, global const uchar *in, uint n, ulong w) {
    const uint x = get_global_id(0);
    uchar narrow = in[x] * 3 + 1;
    uint t;
    ulong wide;
    switch (n % 29u) {
    case 0:
    case 7:
    case 11:
    case 17:
        t = narrow, wide = w & 0xfffffffffful;
        break;
    case 23:
        t = in[x + 1], wide = x;
        break;
    default:
        t = in[x + 2], wide = w >> 30;
    }
    out[x] = t + (uint)(wide * wide >> 20);
}
