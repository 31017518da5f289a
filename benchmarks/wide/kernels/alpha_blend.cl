// SPDX-License-Identifier: Apache-2.0
// One picture over another, RGBA bytes, alpha not premultiplied.
__kernel void alpha_blend(__global const uchar4 *over, __global const uchar4 *under, __global uchar4 *out)
{
    size_t i = get_global_id(0);
    ushort4 o = convert_ushort4(over[i]), u = convert_ushort4(under[i]);
    ushort a = o.w;
    ushort4 mixed = (ushort4)(o * a + u * (ushort)(255 - a) + (ushort)127);
    uchar4 result = convert_uchar4(mixed / (ushort)255);
    result.w = 255;
    out[i] = result;
}
