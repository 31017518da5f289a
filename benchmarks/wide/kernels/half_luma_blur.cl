// SPDX-License-Identifier: Apache-2.0
// Three-tap blur of half pixels along a row of a picture with a padded pitch.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void half_luma_blur(__global const half *in, __global half *out, int pitch)
{
    int x = get_global_id(0), y = get_global_id(1);
    __global const half *p = in + y * pitch + x;
    out[y * pitch + x] = p[0] * 0.25h + p[1] * 0.5h + p[2] * 0.25h;
}
