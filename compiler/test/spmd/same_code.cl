// SPDX-License-Identifier: Apache-2.0
// Code doesn't depend on where the compiler's own data lie, which is another place in each process.
// A random kernel with more values than registers: choices are close there.
// RUN: %cc %s -cl-std=CL3.0 -w -o %t && %cc %s -cl-std=CL3.0 -w -o %t.1 && cmp %t %t.1
// RUN: %cc %s -cl-std=CL3.0 -w -o %t.2 && cmp %t %t.2
// RUN: %cc %s -cl-std=CL3.0 -w -o %t.3 && cmp %t %t.3
// RUN: %cc %s -cl-std=CL3.0 -w -o %t.4 && cmp %t %t.4
// RUN: %cc %s -cl-std=CL3.0 -w -o %t.5 && cmp %t %t.5
#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void k18(global uint *out, global float *fout, global uchar *bout, global ushort *sout,
                global uint *sums, global const uint *in, global const float *fin,
                global const uchar *bin, global const ulong *lin, uint n, uint u) {
    uint x = get_global_id(0), y = get_global_id(1);
    uint gid = get_global_linear_id();
    uint total = get_global_size(0) * get_global_size(1) * get_global_size(2);
    local uint shared_[512], tally[16];
    local ulong shared_2_[512];
    uint lid = get_local_linear_id();
    uint items = get_local_size(0) * get_local_size(1) * get_local_size(2);
    uint a = in[gid & 1023], b = x * 3 + y;
    float f = fin[gid & 1023];
    uchar c = bin[(gid + 1) & 1023];
    ulong l = lin[b & 1023];
    ushort s = (ushort)(a >> 3);
    int j = (int)b - 5;
    uint array[8] = {a, 1, b, 3, 4, 5, 6, 7};
    l = (ulong)(((ulong)((ulong)(((ulong)(l)) != 0 ? (ulong)(l) / ((ulong)(l)) : 3))) != 0
                    ? (ulong)((ulong)((ulong)(l) / ((ulong)(l) | 1))) %
                          ((ulong)((ulong)(((ulong)(l)) != 0 ? (ulong)(l) / ((ulong)(l)) : 3)))
                    : 3);
    {
        uint first = 0, last = items, count = items;
        float g = (in[x] & 1 ? fabs(f) : (f - f)), r;
        g = g > -1e6f && g < 1e6f && g != 0 ? g : 1;
        const bool takes_part = true;
#ifdef REFERENCE
        local float *e = (local float *)shared_2_;
        e[lid] = g;
        barrier(CLK_LOCAL_MEM_FENCE);
        r = 0;
        for (uint k = first; k < last; ++k)
            r = r || e[k] > 7;
        barrier(CLK_LOCAL_MEM_FENCE);
#else
        r = (float)work_group_any(g > 7);
#endif
        a ^= (uint)as_uint(r);
    }
    l += (ulong)((ushort)((uint)(s) * (uint)(s)));
    if ((x & 1) == 0 && in[x] & 1)
        f += fin[400u - x * (2147483649u + (u >> 4))];
    switch ((u) & 3) {
    case 0:
        l = (ulong)rotate((ulong)((u == 5 ? l : l)), (ulong)(l));
    case 1:
        if (x < u) {
            uint i0 = 0;
            if (fin[x + u] > 0.5f)
                goto middle_i0;
        first_i0:;
            f = f;
        middle_i0:;
            j = (int)((uint)((int)((uint)(j) >> ((uint)(j) & 15))) & (uint)(j));
            if (++i0 < (u & 3))
                goto first_i0;
        end_i0:;
        } else {
            b ^= (uint)((uint)((uint)((uint)(a) - (uint)(b))) |
                        (uint)((uint)max((uint)(a), (uint)(a))));
            for (int i1 = get_global_id(0); i1 <= u; i1 += 24 + u) {
                a += in[i1];
                for (uint i2 = 0; i2 < ((u & 3) + 1); ++i2) {
                    l ^= (ulong)((ulong)((ulong)((ulong)(l) + (ulong)(l))) *
                                 (ulong)((ulong)((ulong)(l) + (ulong)(l))));
                    atomic_add(&sums[0 + (u & 3)], (uint)((uint)(a) ^ (uint)(i2)));
                    atomic_max(&sums[8 + (u & 3)], u);
                }
            }
            uint16 q3 = vload16((gid + n) % 64u, in);
        }
        break;
    case 2:
        s += (fin[x + u] > 0.5f ? s : (ushort)((uint)(s) << ((uint)(s) & 15)));
        break;
    default:;
    }
    {
        uint first = 0, last = items, count = items;
        uint g = in[(gid + 0) & 1023], r;
        const bool takes_part = true;
#ifdef REFERENCE
        local uint *e = (local uint *)shared_2_;
        e[lid] = g;
        barrier(CLK_LOCAL_MEM_FENCE);
        r = UINT_MAX;
        for (uint k = first; k < last; ++k) {
            uint o = e[k];
            r = min(r, o);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#else
        r = work_group_reduce_min(g);
#endif
        a ^= r;
    }
    uint i4 = 0;
    if (in[x] & 1)
        goto middle_i4;
first_i4:;
    f = f;
    if (x < u)
        goto end_i4;
middle_i4:;
    l = lin[(gid + 0) & 1023];
    if (++i4 < (u & 3)) {
        if ((x & 3) != 1 && u > 2)
            goto first_i4;
        goto middle_i4;
    }
end_i4:;
    out[gid] ^= a + b * 3 + (uint)l + c + s + (uint)j + array[a & 7];
    fout[gid * 4] = f;
}
