// SPDX-License-Identifier: Apache-2.0
// Sums of blocks with OpenCL C 3.0's work-group function.
__kernel void scan_group_builtin(__global const uint *in, __global uint *out)
{
    size_t i = get_global_id(0);
    out[i] = work_group_scan_inclusive_add(in[i]);
}
