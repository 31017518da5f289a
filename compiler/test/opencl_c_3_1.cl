// SPDX-License-Identifier: Apache-2.0
// OpenCL C 3.1 is 3.0 with functions that were extensions before, without their pragmas. (The
// length modifiers z and t of printf are in restrictions_test.py.)
// RUN: %cc %s -o %t -cl-std=CL3.1 -Werror
// RUN: %cc %s -o %t -cl-std=CL3.1 -Werror --target=rv32imafc
#if __OPENCL_C_VERSION__ != 310 || __OPENCL_C_VERSION__ < CL_VERSION_3_1
#error "another version"
#endif
#if __opencl_c_subgroups != 1 || __opencl_c_integer_dot_product_input_4x8bit != 1 ||               \
    __opencl_c_integer_dot_product_input_4x8bit_packed != 1
#error "a feature is missing"
#endif

kernel void extended_bit_operations(global uint *a) {
    a[0] = bitfield_insert(a[1], a[2], 3, 4);
    a[3] = bitfield_extract_unsigned(a[4], 5, 6) + bitfield_extract_signed(a[5], 7, 8);
    a[6] = bit_reverse(a[7]);
    vstore4(bit_reverse(vload4(2, a)), 3, a);
}

kernel void integer_dot_product(global int *a, global uint *b, global char4 *c, global uchar4 *d) {
    a[0] = dot(c[0], c[1]) + dot(c[2], d[2]) + dot_acc_sat(d[3], c[3], a[1]);
    b[0] = dot(d[0], d[1]) + dot_acc_sat(d[4], d[5], b[1]);
    a[2] = dot_4x8packed_ss_int(b[2], b[3]) + dot_4x8packed_us_int(b[4], b[5]);
    a[3] = dot_acc_sat_4x8packed_su_int(b[6], b[7], a[4]);
    b[8] = dot_4x8packed_uu_uint(b[9], b[10]);
}

kernel void subgroup_extended_types(global char *a, global ushort *b, global float4 *c) {
    a[get_global_id(0)] = sub_group_broadcast(a[get_global_id(0)], 1);
    b[get_global_id(0)] = sub_group_reduce_add(b[get_global_id(0)]);
    c[get_global_id(0)] = sub_group_broadcast(c[get_global_id(0)], 0);
}

kernel void subgroup_rotate(global int *a, global uchar *b) {
    a[get_global_id(0)] = sub_group_rotate(a[get_global_id(0)], 3);
    b[get_global_id(0)] = sub_group_clustered_rotate(b[get_global_id(0)], 1, 4);
}

kernel void subgroup_shuffles(global int *a, global short *b, global float *c, global long *d) {
    const size_t id = get_global_id(0);
    a[id] = sub_group_shuffle(a[id], 2);
    b[id] = sub_group_shuffle_xor(b[id], 1);
    c[id] = sub_group_shuffle_up(c[id], 1);
    d[id] = sub_group_shuffle_down(d[id], 1);
}
