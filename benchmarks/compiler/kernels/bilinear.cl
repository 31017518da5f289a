// SPDX-License-Identifier: Apache-2.0
// Bilinear resize of an RGBA8 image held in a buffer; pixel centres at +0.5, edges clamped.
// sx = src_w / dst_w, sy = src_h / dst_h.
__kernel void bilinear(__global const uchar4 *src, __global uchar4 *dst,
                       int src_w, int src_h, int dst_w, int dst_h, float sx, float sy)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= dst_w || y >= dst_h)
        return;
    float fx = clamp((x + 0.5f) * sx - 0.5f, 0.0f, (float)(src_w - 1));
    float fy = clamp((y + 0.5f) * sy - 0.5f, 0.0f, (float)(src_h - 1));
    int x0 = (int)fx, y0 = (int)fy;
    int x1 = min(x0 + 1, src_w - 1), y1 = min(y0 + 1, src_h - 1);
    float ax = fx - x0, ay = fy - y0;
    float4 p00 = convert_float4(src[y0 * src_w + x0]);
    float4 p01 = convert_float4(src[y0 * src_w + x1]);
    float4 p10 = convert_float4(src[y1 * src_w + x0]);
    float4 p11 = convert_float4(src[y1 * src_w + x1]);
    float4 top = mix(p00, p01, ax);
    float4 bot = mix(p10, p11, ax);
    dst[y * dst_w + x] = convert_uchar4_sat_rte(mix(top, bot, ay));
}
