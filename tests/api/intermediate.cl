// SPDX-License-Identifier: Apache-2.0
// Kernels that intermediate.cpp runs, as SPIR-V.
int __attribute__((overloadable)) __spirv_SpecConstant(int, int);
float __attribute__((overloadable)) __spirv_SpecConstant(int, float);

kernel void scale(global int *data) {
    size_t i = get_global_id(0);
    data[i] = data[i] * __spirv_SpecConstant(3, 2) + (int)(__spirv_SpecConstant(7, 1.5f) * 2);
}

kernel void reverse(global const int *from, global int *to, local int *lane) {
    size_t i = get_local_id(0);
    lane[i] = from[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    to[get_global_id(0)] = lane[get_local_size(0) - 1 - i];
}

kernel void built_ins(global const float4 *from, global float4 *to, global uint *count) {
    size_t i = get_global_id(0);
    float4 v = from[i];
    to[i] = clamp(sqrt(fabs(v)), 0.0f, 9.0f) + (float4)(dot(v, v)) + convert_float4_rtz(convert_int4(v));
    if (any(isless(v, (float4)(0.0f))))
        atomic_inc(count);
}
