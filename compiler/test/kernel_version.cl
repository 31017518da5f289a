// SPDX-License-Identifier: Apache-2.0
// -rvl-kernel=: a program is reduced to one kernel, for launches of a known local size.
// RUN: %cc %s -o %t -rvl-kernel=sums -rvl-local-size=64,2,1
// RUN: %cc --dump %t | FileCheck --implicit-check-not=other %s
// CHECK: kernel sums
// CHECK: attributes reqd_work_group_size(64,2,1)
// RUN: %cc %s --emit=llvm -o - -rvl-kernel=sums -rvl-local-size=64,2,1 | FileCheck --check-prefix=CODE %s
// CODE-NOT: @other
// CODE: define {{.*}}@sums({{.*}}!reqd_work_group_size

// Another kernel that it calls is a function.
// RUN: %cc %s -o %t -rvl-kernel=caller -rvl-local-size=8,1,1
// RUN: %cc --dump %t | FileCheck --check-prefix=CALLER --implicit-check-not="kernel sums" %s
// CALLER: kernel caller

// Programs are linked with the same options.
// RUN: %cc %s --emit=object -o %t.o
// RUN: %cc %t.o -o %t -rvl-kernel=sums -rvl-local-size=64,2,1
// RUN: %cc --dump %t | FileCheck --implicit-check-not=other %s

// Other versions have to give the same results.
// RUN: not %cc %s -o %t -rvl-kernel=sums -rvl-local-size=8,1,1 -cl-mad-enable 2>&1 \
// RUN:   | FileCheck --check-prefix=OPEN %s
// RUN: not %cc %s -o %t -rvl-kernel=sums -rvl-local-size=8,1,1 -cl-no-signed-zeros 2>&1 \
// RUN:   | FileCheck --check-prefix=OPEN %s
// RUN: not %cc %s -o %t -rvl-kernel=sums -rvl-local-size=8,1,1 -cl-fast-relaxed-math 2>&1 \
// RUN:   | FileCheck --check-prefix=OPEN %s
// OPEN: error: -rvl-kernel=sums: the program's floating-point options leave its results open
// RUN: %cc %s -o %t -rvl-kernel=sums -rvl-local-size=8,1,1 -cl-finite-math-only

// So what may round once or twice rounds once in the general version, too, and only there.
// RUN: %cc %s --emit=llvm -o - | FileCheck --check-prefix=FUSED --implicit-check-not=fmuladd %s
// RUN: %cc %s --emit=llvm -o - -rvl-kernel=sums -rvl-local-size=64,2,1 \
// RUN:   | FileCheck --check-prefix=FUSED --implicit-check-not=fmuladd %s
// FUSED: call float @llvm.fma.f32
// RUN: echo 'kernel void flat(global float *a) { *a = *a * 2.0f + 1.0f; }' > %t.cl
// RUN: %cc %t.cl --emit=llvm -o - | FileCheck --check-prefix=FLAT %s
// FLAT: call float @llvm.fmuladd.f32
// A device without instructions for it has no versions of such kernels.
// RUN: not %cc %s -o %t --target=rv64imac -rvl-kernel=sums -rvl-local-size=8,1,1 2>&1 \
// RUN:   | FileCheck --check-prefix=OPEN %s

// RUN: not %cc %s -o %t -rvl-kernel=absent -rvl-local-size=8,1,1 2>&1 | FileCheck --check-prefix=ABSENT %s
// ABSENT: error: -rvl-kernel=absent: the program has no such kernel
// RUN: not %cc %s -o %t -rvl-kernel=fixed -rvl-local-size=8,1,1 2>&1 | FileCheck --check-prefix=FIXED %s
// FIXED: error: -rvl-kernel=fixed: its local size is known without -rvl-local-size=
// RUN: not %cc %s -o %t -rvl-kernel=sums 2>&1 | FileCheck --check-prefix=ALONE %s
// RUN: not %cc %s -o %t -rvl-local-size=8,1,1 2>&1 | FileCheck --check-prefix=ALONE %s
// RUN: not %cc %s -o %t -rvl-image=0,1,2,3 2>&1 | FileCheck --check-prefix=ALONE %s
// ALONE: build options: -rvl-kernel= needs -rvl-local-size=, -rvl-image= or -rvl-sampler=, and they need it
// RUN: not %cc %s -o %t -rvl-kernel= -rvl-local-size=8,1,1 2>&1 | FileCheck --check-prefix=NAME %s
// NAME: build options: -rvl-kernel= needs a name
// RUN: not %cc %s -o %t -rvl-kernel=sums -rvl-local-size=8,1 2>&1 | FileCheck --check-prefix=SIZES %s
// RUN: not %cc %s -o %t -rvl-kernel=sums -rvl-local-size=8,0,1 2>&1 | FileCheck --check-prefix=SIZES %s
// RUN: not %cc %s -o %t -rvl-kernel=sums -rvl-local-size=65536,65536,1 2>&1 \
// RUN:   | FileCheck --check-prefix=SIZES %s
// RUN: not %cc %s -o %t -rvl-kernel=sums -rvl-image=0,1,2 2>&1 | FileCheck --check-prefix=IMAGE %s
// IMAGE: build options: -rvl-image=0,1,2: four numbers are needed
// RUN: not %cc %s -o %t -rvl-kernel=sums -rvl-sampler=0,x 2>&1 | FileCheck --check-prefix=SAMPLER %s
// SAMPLER: build options: -rvl-sampler=0,x: two numbers are needed
// RUN: not %cc %s -o %t -rvl-kernel=sums -rvl-sampler=3,1 2>&1 | FileCheck --check-prefix=ARGUMENT %s
// ARGUMENT: error: -rvl-kernel=sums: it has fewer arguments
// SIZES: build options: -rvl-local-size={{.*}}: three sizes are needed

kernel void sums(global float *in, global float *out, local float *all) {
    all[get_local_id(0)] = in[get_global_id(0)] * 2.0f + 1.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int i = 0; i < (int)get_local_size(0); ++i)
        sum += all[i];
    out[get_global_id(0)] = sum;
}
kernel void caller(global float *in, global float *out, local float *all) { sums(in, out, all); }
kernel void other(global float *in) { in[0] = 1; }
kernel void __attribute__((reqd_work_group_size(8, 1, 1))) fixed(global float *in) { in[0] = 1; }
