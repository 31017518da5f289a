// SPDX-License-Identifier: Apache-2.0
// One butterfly step of the fast Walsh-Hadamard transform, in place.
__kernel void walsh_hadamard(__global float *data, int step)
{
    int t = get_global_id(0), i = t % step + 2 * step * (t / step);
    float a = data[i], b = data[i + step];
    data[i] = a + b;
    data[i + step] = a - b;
}
