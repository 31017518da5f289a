// SPDX-License-Identifier: Apache-2.0
// Strips take their length as the elements are wide; where the vector length is known, four full
// strips of a small kernel run at a time, at constant distances.
// RUN: %cc %s --emit=spmd | FileCheck %s
// RUN: %cc %s --emit=spmd --vlen 128 | FileCheck %s --check-prefix=KNOWN
// CHECK-LABEL: @scale(
// CHECK: call range(i64 1, 0) i64 @llvm.riscv.vsetvli.i64(i64 %{{.*}}, i64 2, i64 3)
// KNOWN-LABEL: @scale(
// KNOWN: full_strips{{(\.i[0-9]*)*[0-9]*}}:
// KNOWN: getelementptr i8, ptr addrspace(1) [[FIRST:%[0-9]+]], i64 128
// KNOWN: getelementptr i8, ptr addrspace(1) [[FIRST]], i64 256
// KNOWN: llvm.riscv.vsetvli
kernel void scale(global float *a, float by) { a[get_global_id(0)] *= by; }
// A row of a work-group is a few strips long: one loop, without a test before it.
// KNOWN-LABEL: @step(
// KNOWN: strip{{.*}}:
// KNOWN-NOT: full_strips
// KNOWN: llvm.riscv.vsetvli
kernel void step(local float *s, global float *out, uint half_) {
    uint l = get_local_id(0);
    s[l] += s[l + half_];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        *out = s[0];
}
// Groups of a known size have full strips, unrolled; a single strip if it holds the row.
// KNOWN-LABEL: @sixty_four(
// KNOWN: br i1 %{{.*}}, label %full_strips.done{{.*}}, label %full_strips{{.*}}, !llvm.loop
// KNOWN-LABEL: @eight(
// KNOWN-NOT: {{full_strips|vsetvli}}
// KNOWN: {{^}}}
#define REVERSED(size)                                                                             \
    uint l = get_local_id(0);                                                                      \
    s[l] += s[l ^ h];                                                                              \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
    out[l] = s[size - 1 - l];
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void
sixty_four(local float *s, global float *out, uint h) { REVERSED(64) }
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void
eight(local float *s, global float *out, uint h) { REVERSED(8) }
// Groups with rows are mostly short in x: strips have no more lanes than that.
// RUN: %cc %s --emit=spmd --vlen=256 | FileCheck %s --check-prefix=ROWS
// ROWS-LABEL: @rows(
// ROWS: call <vscale x 8 x float> @llvm.vp.load
kernel void rows(local float *s, global float *out, uint h) {
    uint l = get_local_id(0), y = get_local_id(1);
    s[y * h + l] += h;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * h + l] = s[l * h + y];
}
// A region of which nothing is left, as its work-items only read the same value, has no strips.
// RUN: %cc %s --emit=asm --vlen=512 | FileCheck %s --check-prefix=REGIONS
// REGIONS-LABEL: one_value:
// REGIONS: vle32.v
// REGIONS: flw
// REGIONS-NOT: vsetvli {{.*}}, e8
// REGIONS: vse32.v
kernel void one_value(global float *a, local float *t) {
    int l = get_local_id(0);
    t[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    float first = t[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = first + l;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = t[l ^ 1];
}
