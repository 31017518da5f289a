// SPDX-License-Identifier: Apache-2.0
// Decimal numbers of lines that end in a newline.
__kernel void parse_numbers(__global const char *text, __global const uint *starts, __global int *numbers)
{
    uint at = starts[get_global_id(0)];
    int sign = 1, value = 0;
    if (text[at] == '-') {
        sign = -1;
        at++;
    }
    for (char c = text[at]; c >= '0' && c <= '9'; c = text[++at])
        value = value * 10 + (c - '0');
    numbers[get_global_id(0)] = sign * value;
}
