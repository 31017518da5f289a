// SPDX-License-Identifier: Apache-2.0
// Which pointers a kernel provably doesn't write through: the host copies what was written from one
// device of a context to the others. Const neither proves it nor is needed.
// RUN: %cc %s -o %t -cl-std=CL3.0 && %cc --dump %t | FileCheck %s
// RUN: %cc %s -o %t -cl-std=CL3.0 --target=rv32imafc && %cc --dump %t | FileCheck %s

uint sum(const uint *p, uint n) {
    uint all = 0;
    for (uint i = 0; i < n; ++i)
        all += p[i];
    return all;
}
void put(uint *p) { *p = 1; }

// CHECK: kernel reads at
// CHECK: argument 0 {{.*}}uint* a {{.*}}unwritten
// CHECK: argument 1 {{.*}}uint* b {{.*}}unwritten
// CHECK: argument 2 {{.*}}uint* c {{.*}}unwritten
// CHECK: argument 3 {{.*}}uint* d {{.*}}unwritten
// CHECK: argument 4 {{.*}}uint* e {{.*}}unwritten
// CHECK-NOT: unwritten
kernel void reads(global const uint *a, global uint *b, global uint *c, global volatile uint *d,
                  constant uint *e, global uint *out) {
    size_t i = get_global_id(0);
    local uint shared[64];
    uint own[64];
    own[i & 63] = 3;
    event_t event = async_work_group_copy(shared, c, 64, 0);
    wait_group_events(1, &event);
    global uint *p = i > 3 ? b : c;
    out[i] = sum(a, i) + vload4(i, p).y + *d + e[i] + shared[i & 63] + own[(i * 7) & 63] + (b == out);
}

// CHECK: kernel writes at
// CHECK-NOT: unwritten
kernel void writes(global const uint *a, global const uint *b, global uint *c, global uint *d,
                   global const uint *e, global uint *f, global const uint *g, local uint *h) {
    ((global uint *)a)[1] = 1;
    put((global uint *)b);
    atomic_inc(c);
    vstore4((uint4)(1), 0, d);
    event_t event = async_work_group_copy((global uint *)e, h, 64, 0);
    wait_group_events(1, &event);
    global uint *either = get_global_id(0) > 2 ? f : (global uint *)g;
    for (int i = 0; i < 4; ++i)
        *either++ = 1;
    h[0] = 1;
}

// A pointer that becomes an integer or goes to memory may come back anywhere.
// CHECK: kernel escapes at
// CHECK-NOT: unwritten
kernel void escapes(global const uint *a, global ulong *out, global const uint *b) {
    global uint *kept[8];
    for (int i = 0; i < 8; ++i)
        kept[i] = (global uint *)a + out[i];
    *kept[out[8] & 7] = 1;
    out[0] = (size_t)b;
}

struct node {
    global struct node *next;
    uint value;
};
// Shared memory holds pointers to itself.
// CHECK: kernel follows at
// CHECK-NOT: unwritten
kernel void follows(global const struct node *list, global const uint *a) {
    list->next->value = a[1];
}

// Assembly stores where a number points that was loaded.
// CHECK: kernel assembly at
// CHECK-NOT: unwritten
kernel void assembly(global const ulong *addresses, global const uint *a) {
    __asm__ volatile("sw %0, (%1)" : : "r"(a[0]), "r"((size_t)addresses[0]) : "memory");
}

// What an image's descriptor says is no pointer of the program's.
// CHECK: kernel images at
// CHECK: argument 0 {{.*}} a {{.*}}unwritten
kernel void images(global const uint *a, write_only image2d_t image) {
    write_imageui(image, (int2)(0), (uint4)(a[get_global_id(0)]));
}
