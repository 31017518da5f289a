// SPDX-License-Identifier: Apache-2.0
// Kernels with images of any format are marked: a version for the formats replaces their code. Those
// versions, and kernels without images, are not.
// RUN: %cc %s --emit=spmd | FileCheck %s
// RUN: %cc %s --emit=spmd -rvl-kernel=shift -rvl-image=0,4277,4306,16 -rvl-image=1,4277,4306,16 | FileCheck --check-prefix=VERSION %s
// CHECK: define {{.*}}void @shift({{.*}} #[[SHIFT:[0-9]+]]
// CHECK: define {{.*}}void @plain({{.*}} #[[PLAIN:[0-9]+]]
// CHECK: attributes #[[SHIFT]] = { {{.*}}"rivulet.any-image"
// CHECK-NOT: attributes #[[PLAIN]] = { {{.*}}"rivulet.any-image"
// VERSION: define {{.*}}void @shift(
// VERSION-NOT: "rivulet.any-image"
kernel void shift(read_only image2d_t from, write_only image2d_t to) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(to, at, read_imagef(from, at) * 0.5f);
}
kernel void plain(global float *a) { a[get_global_id(0)] *= 0.5f; }
