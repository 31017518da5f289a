// SPDX-License-Identifier: Apache-2.0
// Zve32f has no elements of 64 bits: they are carried in two words each, and what has no short form
// on those runs lane after lane.
// RUN: %cc %s -o %t --target=rv32imafdc_zve32f_zba --vlen=128 -cl-std=CL3.0 --emit=spmd --remarks 2> %t.remarks
// RUN: FileCheck %s < %t && not grep 'one work-item after the other' %t.remarks
// RUN: %cc %s -o %t.rvk --target=rv32imafdc_zve32f_zba --vlen=128 -cl-std=CL3.0
// RUN: %cc %s -o %t.rvk --target=rv32imafdcv_zba --vlen=128 -cl-std=CL3.0
// RUN: not grep -E 'vscale x [0-9]+ x (i64|double)' %t

// CHECK-LABEL: define {{.*}}@sum(
// CHECK: icmp ult <vscale x {{[0-9]+}} x i32>
kernel void sum(global ulong *a, ulong b) { a[get_global_id(0)] += b; }

// CHECK-LABEL: define {{.*}}@quotient(
// CHECK: udiv i64
kernel void quotient(global ulong *a, global ulong *b) {
    a[get_global_id(0)] /= b[get_global_id(0)] | 1;
}

// CHECK-LABEL: define {{.*}}@fraction(
// CHECK: and <vscale x {{[0-9]+}} x i32> {{.*}}, splat (i32 2147483647)
// CHECK: fmul double
kernel void fraction(global double *a, double b) {
    size_t i = get_global_id(0);
    a[i] = fabs(a[i]) * b;
}

// A uniform value is stored to the lanes' addresses as two words, without a loop over lanes.
// CHECK-LABEL: define {{.*}}@same(
// CHECK-NOT: {{lane:}}
// CHECK: {{^}}}
kernel void same(global ulong *a, global const ulong *b, uint n) { a[get_global_id(0) * n] = *b; }

// Sub-groups take values from lane to lane in two words, and sum them up one after the other.
// CHECK-LABEL: define {{.*}}@shuffled(
// CHECK-COUNT-2: @llvm.riscv.vrgatherei16
// CHECK: fadd double
kernel void shuffled(global double *a) {
    size_t i = get_global_id(0);
    a[i] = sub_group_shuffle_xor(a[i], 1u) + sub_group_reduce_add(a[i]);
}

// A comparison of 2 · v demands the lower 63 bits of v, for which LLVM makes an i63.
// CHECK-LABEL: define {{.*}}@doubled(
// CHECK-NOT: i63
// CHECK: {{^}}}
kernel void doubled(global uint *a, global const ulong *b, uint n) {
    size_t i = get_global_id(0);
    ulong v = b[i];
    for (uint k = 0; k < n; ++k) {
        a[i] ^= v + v > 0x3fe0000000000000 ? k : 3;
        if (a[i] & 1)
            v = b[i + k];
    }
}

// A uniform value counts once for each lane.
// CHECK-LABEL: define {{.*}}@total_of_one(
// CHECK: iteration{{.*}}:
kernel void total_of_one(global ulong *a, ulong b) {
    a[get_global_id(0)] = sub_group_reduce_add(b);
}

// Addresses use the lower 32 bits of an i64, as pointers have.
// CHECK-LABEL: define {{.*}}@offset(
// CHECK: trunc i64 %{{[0-9]+}} to i32
// CHECK: call void @llvm.vp.store
kernel void offset(global int *a, long n) { a[n + get_global_id(0)] = 1; }

// A uniform half is splat as bits, though LLVM would rather bitcast the vector.
// RUN: %cc %s --target=rv32imafdc_zve32f_zba --vlen=128 -cl-std=CL3.0 --emit=asm | FileCheck %s --check-prefix=HALF
// HALF-LABEL: shared_half:
// HALF: vmv.v.x
// HALF: vse16.v
kernel void shared_half(global half *a, float b) { vstore_half(b, get_global_id(0), a); }
