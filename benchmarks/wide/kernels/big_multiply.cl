// SPDX-License-Identifier: Apache-2.0
// Products of numbers of 256 bits (curve arithmetic), mul_hi and carries.
__kernel void big_multiply(__global const uint *a, __global const uint *b, __global uint *out)
{
    size_t i = get_global_id(0);
    uint x[8], y[8], r[16] = {0};
    for (int j = 0; j < 8; j++) {
        x[j] = a[8 * i + j];
        y[j] = b[8 * i + j];
    }
    for (int j = 0; j < 8; j++) {
        ulong carry = 0;
        for (int k = 0; k < 8; k++) {
            carry += (ulong)x[j] * y[k] + r[j + k];
            r[j + k] = (uint)carry;
            carry >>= 32;
        }
        r[j + 8] = (uint)carry;
    }
    for (int j = 0; j < 16; j++)
        out[16 * i + j] = r[j];
}
