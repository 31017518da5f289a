// SPDX-License-Identifier: Apache-2.0
// Over a barrier, what work-items don't share lies in memory by local id; what is cheap is
// computed again.
// RUN: %cc %s --emit=spmd -rvl-vectorize=off | FileCheck %s
// CHECK-LABEL: @live(
// CHECK: getelementptr inbounds nuw i8, ptr %frame, i64 8
// CHECK: store i32 %{{.*}}, ptr %
// CHECK: load i32, ptr %
// CHECK-LABEL: @cheap(
// CHECK-NOT: getelementptr inbounds nuw i8, ptr %frame, i64 8
kernel void live(global uint *a, local uint *t) {
    uint mine = a[get_global_id(0)];
    t[get_local_id(0)] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = mine + t[0];
}
kernel void cheap(global uint *a, local uint *t) {
    uint mine = get_local_id(0) * 3;
    t[get_local_id(0)] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = mine + t[0];
}
// A value that a region leaves unchanged is not saved again. Saved bits take bytes.
// CHECK-LABEL: @kept(
// CHECK: zext i1 %{{.*}} to i8
// CHECK-NEXT: {{%.*}} = {{.*}}
// CHECK: store i8 %
// CHECK-NOT: store i8 %
kernel void kept(global uint *a, local uint *t) {
    uint l = get_local_id(0);
    bool odd = a[l] % 3 == 1;
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    t[63 - l] += t[l ^ 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (odd)
        a[l] = t[l];
}
// Vectors of i1 take bytes, too.
// CHECK-LABEL: @last(
// CHECK: zext <4 x i1> %{{.*}} to <4 x i8>
// CHECK: store <4 x i8> %
// CHECK-NOT: <4 x i1>, ptr
kernel void last(global const int4 *a, global int4 *b, local int4 *t) {
    const int l = get_local_id(0);
    const int4 less = a[l] < b[l];
    t[l] = a[l] + b[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    b[l] = select(t[l ^ 1], t[l ^ 2], less);
}
// In groups of known size, values of work-items are in variables of the kernel, so that a value stays
// in registers where a strip is the whole group, and nothing stores what is not loaded again.
// RUN: %cc %s --vlen=512 -cl-std=CL3.0 --emit=asm | FileCheck %s --check-prefix=ASM
// RUN: %cc %s --vlen=512 -cl-std=CL3.0 -o %t && %cc --dump %t | FileCheck %s --check-prefix=SAVED
// ASM-LABEL: known:
// ASM: vfsqrt.v [[ROOT:v[0-9]+]],
// ASM-NOT: vs{{[1248]}}r.v [[ROOT]]
// ASM: {{^}}.Lfunc_end
// SAVED: kernel known at
// SAVED-NEXT: saved 0,
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void known(global float *a, global float *b,
                                                                  local float *t) {
    int l = get_local_id(0);
    float root = sqrt(b[l]);
    t[l] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] += t[l ^ 1] * 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = t[l ^ 2] * root;
}
// Up to 2 KiB of them: two values of 256 work-items.
// SAVED: kernel three_values at
// SAVED-NEXT: saved 4,
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void three_values(global float *a,
                                                                          local float *t) {
    int l = get_local_id(0);
    float x = a[l], y = a[l + 1], z = a[l + 2];
    t[l] = x * y + z;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = t[l ^ 1] + x * y * z;
}
// What a collective takes is in saved memory, and so is a private array that something points to.
// SAVED: kernel collective at
// SAVED-NEXT: saved 4,
// SAVED: kernel pointed_to at
// SAVED-NEXT: saved 16,
#if __OPENCL_C_VERSION__ >= 300
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void collective(global int *a) {
    int x = a[get_global_id(0)];
    a[get_global_id(0)] = work_group_scan_inclusive_add(x);
}
#endif
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void pointed_to(global int *a, local int *t,
                                                                       int n) {
    int l = get_local_id(0), values[4];
    for (int i = 0; i < 4; ++i)
        values[i] = a[l * 4 + i];
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = values[t[l ^ 1] & 3];
}
// A flag that a work-item has returned is such a value, too.
// SAVED: kernel early_known at
// SAVED-NEXT: saved 0,
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void early_known(global uint *b, local uint *t) {
    uint l = get_local_id(0);
    if (b[l] == 3)
        return;
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    b[l] = t[63 - l];
}
