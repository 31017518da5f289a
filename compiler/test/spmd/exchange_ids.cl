// SPDX-License-Identifier: Apache-2.0
// Neighbouring rows with one border do it in columns, with lanes that are neighbours in y, as long
// as there are no more columns than rows, or work-items of a strip. So the interior takes the whole
// of what is between the borders. Limits of the interior are computed once for all rows.
// RUN: %cc %s --emit=spmd --vlen=512 | FileCheck %s
// RUN: %cc %s --emit=spmd | FileCheck --check-prefix=ANY %s
// CHECK-LABEL: @clamped(
// CHECK: call i64 @llvm.smin.i64
// CHECK: [[LEAST:%[0-9]+]] = call i32 @llvm.umin.i32(i32 {{%[0-9]+}}, i32 128)
// CHECK-NEXT: icmp ugt i32 {{%[0-9]+}}, [[LEAST]]
// CHECK: {{^}}part
// CHECK-NOT: @llvm.smin.i64
// CHECK: {{^}}column:
// CHECK-NOT: gather
// CHECK: vp.strided.load
// CHECK-NOT: gather
// CHECK: vp.strided.store
// ANY-LABEL: @clamped(
// ANY: [[STRIP:%[0-9]+]] = shl nuw nsw i32 {{.*}}, 4
// ANY: call i32 @llvm.umin.i32(i32 {{%[0-9]+}}, i32 [[STRIP]])
// ANY: {{^}}column:
kernel void clamped(global const float *a, global float *b, int width) {
    int x = get_global_id(0), y = get_global_id(1);
    global const float *row = a + y * width;
    b[y * width + x] = row[min(x + 1, width - 1)] - row[max(x - 1, 0)];
}
// So do parts of the rows for which a condition of the source says that they are outside.
// CHECK-LABEL: @outside(
// CHECK: {{^}}column:
// CHECK: strided.store
kernel void outside(global const float *a, global float *b, int width) {
    int x = get_global_id(0), y = get_global_id(1);
    int i = y * width + x;
    if (x < 2 || x >= width - 2)
        b[i] = 0;
    else
        b[i] = a[i - 2] + a[i + 2];
}
// CHECK-LABEL: @inside(
// CHECK: {{^}}column:
// CHECK: strided.store
kernel void inside(global const float *a, global float *b, int width) {
    int x = get_global_id(0), y = get_global_id(1);
    int i = y * width + x;
    if (x >= 2 && x < width - 2)
        b[i] = a[i - 2] + a[i + 2];
    else
        b[i] = 0;
}
// A single comparison doesn't tell which side is narrow.
// CHECK-LABEL: @halves(
// CHECK-NOT: {{^}}column
kernel void halves(global const float *a, global float *b, int width, int half_) {
    int x = get_global_id(0), y = get_global_id(1);
    int i = y * width + x;
    if (x < half_)
        b[i] = a[i];
    else
        b[i] = a[i] * 2;
}
// Borders of each row's own are no columns, nor are those of a kernel with one row.
// CHECK-LABEL: @slanted(
// CHECK: {{^}}part
// CHECK-NOT: {{^}}column
kernel void slanted(global const float *a, global float *b, int width) {
    int x = get_global_id(0), y = get_global_id(1);
    global const float *row = a + y * width;
    b[y * width + x] = row[min(x + 1, width - 1 - y)];
}
// CHECK-LABEL: @line(
// CHECK: {{^}}part
// CHECK-NOT: {{^}}column
kernel void line(global const float *a, global float *b, int width) {
    int x = get_global_id(0);
    b[x] = a[min(x + 1, width - 1)] - a[max(x - 1, 0)];
}
// Ids of columns are x + first id of x and so on, as always: an index is known not to wrap.
// CHECK-LABEL: @wide(
// CHECK: {{^}}column:
// CHECK-NOT: gather
// CHECK: vp.strided.load
// CHECK-NOT: gather
// CHECK: {{^}}column.done:
kernel void wide(global const float *a, global float *b) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x == 0)
        b[y * 1024 + x] = a[(y + 1) * 1024 + x];
    else
        b[y * 1024 + x] = 0;
}
