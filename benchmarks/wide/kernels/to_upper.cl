// SPDX-License-Identifier: Apache-2.0
// ASCII letters to upper case.
__kernel void to_upper(__global uchar *text, uint n)
{
    uint i = get_global_id(0);
    if (i < n) {
        uchar c = text[i];
        if (c >= 'a' && c <= 'z')
            text[i] = c - 32;
    }
}
