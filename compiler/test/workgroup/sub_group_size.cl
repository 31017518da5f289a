// SPDX-License-Identifier: Apache-2.0
// What a kernel without an attribute says about the size of its sub-groups.
// RUN: %cc %s -o %t -cl-std=CL3.0 --vlen=512 && %cc --dump %t | FileCheck %s
// RUN: %cc %s -o %t -cl-std=CL3.0 --vlen=128 && %cc --dump %t | FileCheck --check-prefix=SHORT %s

// It reduces and never asks, so the group is one sub-group: as large as the group, or any.
// CHECK: kernel whole_group
// CHECK: sub-group 128
// SHORT: kernel whole_group
// SHORT: sub-group 32
kernel void whole_group(global float *a, int n) {
    float sum = 0;
    for (int i = get_local_id(0); i < n; i += get_local_size(0))
        sum += a[i];
    sum = sub_group_reduce_add(sum);
    for (int i = get_local_id(0); i < n; i += get_local_size(0))
        a[i] /= sum;
}
// CHECK: kernel required
// CHECK: sub-group 64
kernel __attribute__((reqd_work_group_size(16, 4, 1))) void required(global float *a) {
    a[get_global_id(0)] = sub_group_scan_inclusive_add(a[get_global_id(0)]);
}
// No sub-group holds this group.
// CHECK: kernel larger
// CHECK: sub-group 128
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void larger(global float *a) {
    a[get_global_id(0)] = sub_group_reduce_add(a[get_global_id(0)]);
}
// A kernel that asks, or elects, is for any size; one that votes gains nothing.
// CHECK: kernel asks
// CHECK: sub-group 32
// SHORT: kernel asks
// SHORT: sub-group 8
kernel void asks(global float *a) {
    float sum = sub_group_reduce_add(a[get_global_id(0)]);
    if (get_sub_group_local_id() == 0)
        a[get_sub_group_id()] = sum;
}
// CHECK: kernel votes
// CHECK: sub-group 32
kernel void votes(global float *a) {
    if (sub_group_any(a[get_global_id(0)] > 0))
        a[get_global_id(0)] = 1;
}

// Shuffles over 1, 2, 4 and 8 lanes combine 16, written out or as a loop that halves or doubles.
// CHECK: kernel butterfly
// CHECK: sub-group 16
// SHORT: kernel butterfly
// SHORT: sub-group 16
kernel void butterfly(global float *a) {
    float x = a[get_global_id(0)];
    x += sub_group_shuffle_xor(x, 8);
    x += sub_group_shuffle_xor(x, 4);
    x += sub_group_shuffle_xor(x, 2);
    x += sub_group_shuffle_xor(x, 1);
    a[get_global_id(0)] = x;
}
// CHECK: kernel halving
// CHECK: sub-group 64
// A device without that size has its usual one.
// SHORT: kernel halving
// SHORT: sub-group 8
kernel void halving(global float *a) {
    float x = a[get_global_id(0)];
    for (int s = 32; s > 0; s /= 2)
        x += sub_group_shuffle_down(x, s);
    a[get_global_id(0)] = x;
}
// CHECK: kernel doubling
// CHECK: sub-group 64
kernel void doubling(global float *a) {
    float x = a[get_global_id(0)];
    for (uint s = 1; s < 64; s *= 2)
        x += sub_group_shuffle_xor(x, s);
    a[get_global_id(0)] = x;
}
// A loop over the size that there is, a neighbour, and a square of four are for any size.
// CHECK: kernel any_size
// CHECK: sub-group 32
kernel void any_size(global float *a) {
    float x = a[get_global_id(0)];
    for (uint s = get_max_sub_group_size() / 2; s > 0; s >>= 1)
        x += sub_group_shuffle_xor(x, s);
    a[get_global_id(0)] = x;
}
// CHECK: kernel square
// CHECK: sub-group 32
kernel void square(global float *a) {
    float x = a[get_global_id(0)];
    x += sub_group_shuffle_xor(x, 1);
    x += sub_group_shuffle_xor(x, 2);
    a[get_global_id(0)] = x;
}
// 1, 3 and 4 are no butterfly.
// CHECK: kernel uneven
// CHECK: sub-group 32
kernel void uneven(global float *a) {
    float x = a[get_global_id(0)];
    a[get_global_id(0)] = sub_group_shuffle_down(x, 1) + sub_group_shuffle_down(x, 3) +
                          sub_group_shuffle_down(x, 4);
}

// Lanes that must be there.
// CHECK: kernel far
// CHECK: sub-group 64
kernel void far(global float *a) {
    float x = a[get_global_id(0)];
    a[get_global_id(0)] = x + sub_group_shuffle_xor(x, 32);
}
// CHECK: kernel last
// CHECK: sub-group 128
kernel void last(global float *a) {
    float x = a[get_global_id(0)];
    a[get_global_id(0)] = x + sub_group_broadcast(x, 64);
}
// No sub-group has a lane 200.
// CHECK: kernel beyond
// CHECK: sub-group 32
kernel void beyond(global float *a) {
    float x = a[get_global_id(0)];
    a[get_global_id(0)] = x + sub_group_broadcast(x, 200);
}

// The number times a size, plus the lane, counts work-items; 33 is no size, but a padded row.
// CHECK: kernel places
// CHECK: sub-group 64
kernel void places(global float *a) {
    local float all[256];
    uint lane = get_sub_group_local_id();
    local float *own = all + get_sub_group_id() * 64;
    own[lane] = a[get_global_id(0)];
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = own[lane ^ 1];
}
// CHECK: kernel index
// CHECK: sub-group 16
kernel void index(global float *a) {
    uint i = get_sub_group_id() * 16 + get_sub_group_local_id();
    a[i] += sub_group_reduce_add(a[i]);
}
// CHECK: kernel padded
// CHECK: sub-group 32
kernel void padded(global float *a) {
    uint i = get_sub_group_id() * 33 + get_sub_group_local_id();
    a[i] += sub_group_reduce_add(a[i]);
}
// A shuffle from lane 63 needs more than 16.
// CHECK: kernel contradiction
// CHECK: sub-group 64
kernel void contradiction(global float *a) {
    uint i = get_sub_group_id() * 16 + get_sub_group_local_id();
    a[i] += sub_group_broadcast(a[i], 63);
}
// The attribute decides.
// CHECK: kernel told
// CHECK: sub-group 8
kernel __attribute__((intel_reqd_sub_group_size(8))) void told(global float *a) {
    a[get_global_id(0)] = sub_group_reduce_add(a[get_global_id(0)]);
}

// Local ids taken apart by 32 tell the size, also to a kernel that does not ask.
// CHECK: kernel by_parts
// CHECK: sub-group 32
// SHORT: kernel by_parts
// SHORT: sub-group 32
kernel void by_parts(global float *a, local float *part) {
    float sum = sub_group_reduce_add(a[get_global_id(0)]);
    uint l = get_local_id(0);
    if ((l & 31) == 0)
        part[l >> 5] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = part[0] + part[1];
}
// Code that asks how many sub-groups there are works with several sizes: no smaller ones than usual,
// which could be more than the lanes that combine their results.
// CHECK: kernel two_levels
// CHECK: sub-group 32
// SHORT: kernel two_levels
// SHORT: sub-group 8
kernel void two_levels(global float *a, local float *part) {
    uint lane = get_sub_group_local_id();
    if (lane < 4)
        a[get_sub_group_id() * 4 + lane] = 1;
    part[get_sub_group_id()] = sub_group_reduce_add(a[get_global_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = sub_group_reduce_add(lane < get_num_sub_groups() ? part[lane] : 0);
}
// A quarter of what any device has is part of something larger.
// CHECK: kernel pairs
// CHECK: sub-group 32
// SHORT: kernel pairs
// SHORT: sub-group 8
kernel void pairs(global float *a) {
    a[2 * get_sub_group_id() + get_sub_group_local_id()] = 1;
}
