// SPDX-License-Identifier: Apache-2.0
// Three bytes to four characters.
__constant char digits[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
__kernel void base64_encode(__global const uchar *in, __global char *out)
{
    size_t i = get_global_id(0);
    uint bits = in[3 * i] << 16 | in[3 * i + 1] << 8 | in[3 * i + 2];
    out[4 * i] = digits[bits >> 18];
    out[4 * i + 1] = digits[bits >> 12 & 63];
    out[4 * i + 2] = digits[bits >> 6 & 63];
    out[4 * i + 3] = digits[bits & 63];
}
