// SPDX-License-Identifier: Apache-2.0
// A loop that lanes leave in different iterations runs until no lane is left.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @collatz(
// CHECK: %live{{.*}} = phi <vscale x {{[0-9]+}} x i1>
// CHECK: [[ANY:%[0-9]+]] = call i1 @llvm.vp.reduce.or
// CHECK: br i1 [[ANY]]
kernel void collatz(global uint *a) {
    uint i = get_global_id(0), n = a[i], steps = 0;
    while (n > 1) {
        n = n & 1 ? n * 3 + 1 : n >> 1;
        ++steps;
    }
    a[i] = steps;
}
// A small body that may run without active lanes is emitted twice between two tests for active lanes.
// The counter leaves the loop by its own phi; another exit value needs a second one.
// CHECK-LABEL: @counted(
// CHECK: %aside{{.*}} = phi
// CHECK: %live{{.*}} = phi
// CHECK-COUNT-2: mul {{.*}}, splat (i32 5)
// CHECK: vp.reduce.or
kernel void counted(global uint *a, global uint *b) {
    uint i = get_global_id(0), v = a[i], steps = 0, last = 0;
    while (v > 3) {
        last = v ^ steps;
        v = v * 5 >> 3;
        ++steps;
    }
    a[i] = steps;
    b[i] = last;
}
// CHECK-LABEL: @held(
// CHECK-NOT: %aside
// CHECK: call void @llvm.vp.store
kernel void held(global const uint *a, global uint *b) {
    uint i = get_global_id(0), v = a[i], last = 0;
    while (v > 3) {
        last = v ^ last;
        v = v * 5 >> 3;
    }
    b[i] = last;
}
// Lanes that leave one by one all do so with the same value from before the loop: nothing is kept, and
// lanes that reach the end together get theirs behind the loop.
// CHECK-LABEL: define {{.*}}@one_value(
// CHECK-NOT: %aside
// CHECK: %live{{.*}} = phi
// CHECK-NOT: %aside
// CHECK: %found{{.*}} = phi <vscale {{.*}} [ [[ALL:%.*]], %leave ], [ splat (i32 9), %stay
// CHECK: leave:
// CHECK-NEXT: [[ALL]] = select <vscale {{.*}} %live, <vscale {{.*}} splat (i32 7), {{.*}} splat (i32 9)
kernel void one_value(global uint *a, global uint *b) {
    uint i = get_global_id(0), v = a[i], found = 7;
    for (uint k = 0; k < 100; ++k) {
        v = v * 5 >> 3;
        if ((v & 3) == 1) {
            found = 9;
            break;
        }
    }
    b[i] = found;
}
// A value that lanes leave with by one exit is kept from the beginning; where they leave by the other
// one, the mask of those that do is exact.
// CHECK-LABEL: define {{.*}}@usual(
// CHECK: phi <vscale {{.*}} [ splat (i32 77), %
// CHECK: [[EMPTY:%.*]] = icmp {{.*}}, zeroinitializer
// CHECK: vp.reduce.or
kernel void usual(global const uint *keys, global const uint *table, global uint *values) {
    uint key = keys[get_global_id(0)], slot = key, value = 77;
    for (;;) {
        uint entry = table[slot & 255];
        if (entry == 0)
            break;
        slot += 5;
        if (entry < slot) {
            value = slot;
            break;
        }
    }
    values[get_global_id(0)] = value;
}
// A loop with rare code isn't, however small that is: it is behind a branch, so what it computes is
// poison where no lane comes there, and the next iteration may branch on it.
// CHECK-LABEL: define {{.*}}@rarely(
// CHECK: mul {{.*}}, splat (i32 5)
// CHECK-NOT: mul {{.*}}, splat (i32 5)
// CHECK: ret void
kernel void rarely(global const uint *a, global const uint *b, global uint *c) {
    uint i = get_global_id(0), v = a[i], steps = 0;
    while (v > 3) {
        if (__builtin_expect(b[v & 255] != 7, 1))
            break;
        v = v * 5 >> 3;
        ++steps;
    }
    c[i] = steps;
}
