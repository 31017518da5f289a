// SPDX-License-Identifier: Apache-2.0
// With -rvl-large-buffers each kernel is there twice: for buffers of 2 GiB at most, exactly as
// without the option, and for any others.
// RUN: %cc %s --vlen=512 --emit=asm -o - | FileCheck --check-prefix=SMALL --implicit-check-not=.large_buffers %s
// RUN: %cc %s --vlen=512 --emit=asm -rvl-large-buffers -o - | FileCheck --check-prefixes=SMALL,LARGE %s
// RUN: %cc %s --vlen=512 -rvl-large-buffers -o %t && %cc --dump %t | FileCheck --check-prefix=NOTE %s
// RUN: %cc %s --vlen=512 -o %t && %cc --dump %t | FileCheck --check-prefix=WITHOUT %s
// Kernels without lanes don't count on small buffers.
// RUN: %cc %s --target=rv64gc -rvl-large-buffers --emit=asm -o - | FileCheck --check-prefix=SCALAR %s
// RUN: %cc %s --target=rv64gc -rvl-large-buffers -o %t && %cc --dump %t | FileCheck --check-prefix=NOTE %s
// NOTE: kernel gathers {{.*}}
// NOTE-NEXT: large-buffers
// NOTE-NOT: .large_buffers
// WITHOUT: kernel gathers {{.*}}
// WITHOUT-NOT: large-buffers
// SCALAR-NOT: large_buffers:

// Offsets of lanes.
// SMALL-LABEL: {{^}}gathers:
// SMALL: v{{lu|lo}}xei32
// SMALL-NOT: xei64
// LARGE-LABEL: {{^}}gathers.large_buffers:
// LARGE-NOT: xei32
// LARGE: v{{lu|lo}}xei64
kernel void gathers(global const float *a, global const uint *table, global float *b) {
    size_t i = get_global_id(0);
    b[i] = a[table[i]];
}

// An index that may wrap between two lanes.
// SMALL-LABEL: {{^}}wraps:
// SMALL: vse32
// SMALL-NOT: xei
// LARGE-LABEL: {{^}}wraps.large_buffers:
// LARGE: vsoxei64
kernel void wraps(global float *a, uint first) {
    a[first + (uint)get_global_id(0)] = 1;
}

// An index that may wrap while others go on.
// SMALL-LABEL: {{^}}strides:
// SMALL-NOT: v0.t
// SMALL: vse32
// LARGE-LABEL: {{^}}strides.large_buffers:
// LARGE: v0.t
kernel void strides(global float *a, uint n) {
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        a[i] += 1;
}

// What doesn't count on small buffers stays as it is: ids, signed sums, 64 bits, local memory.
// LARGE-LABEL: {{^}}plain.large_buffers:
// LARGE-NOT: xei
// LARGE-NOT: v0.t
kernel void plain(global float *a, int first, ulong far, local float *near, uint lag) {
    int i = get_global_id(0);
    a[first + i] = a[i] + near[lag + (uint)get_local_id(0)];
    for (size_t k = get_global_id(0); k < far; k += get_global_size(0))
        a[k] += 1;
}
