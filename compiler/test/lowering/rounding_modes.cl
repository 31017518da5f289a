// SPDX-License-Identifier: Apache-2.0
// cl_khr_select_fprounding_mode: what the pragma reaches, what is refused, and what it costs.
// RUN: %cc %s -o - --emit=asm --vlen=256 | FileCheck %s
// RUN: %cc %s -o - --emit=asm --vlen=256 -cl-fast-relaxed-math | FileCheck %s
// RUN: %cc %s -o - --emit=asm --target=rv64gc | FileCheck --check-prefix=SCALAR %s
// RUN: %cc %s -o - --emit=llvm | FileCheck --check-prefix=CODE %s
// RUN: %cc %s -o %t.object --emit=object && %cc %t.object -o - --emit=llvm \
// RUN:     | FileCheck --check-prefix=CODE %s
// RUN: not %cc %s -o %t -DUNKNOWN 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: not %cc %s -o %t -DMISSING 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: not %cc %s -o %t -DBLOCK -cl-std=CL3.0 2>&1 | FileCheck --check-prefix=BLOCK %s
// RUN: %cc %s -o %t --target=rv64imac 2>&1 | FileCheck --check-prefix=ABSENT %s
// ABSENT: warning: unknown pragma ignored
#ifndef cl_khr_select_fprounding_mode
#pragma OPENCL SELECT_ROUNDING_MODE rtz
#else

// CHECK-LABEL: {{^}}up:
// CHECK-NOT: vfsub
// CHECK: fsrmi {{.*}}3
// CHECK: vfadd.vv
// CHECK: fsrm
// SCALAR-LABEL: {{^}}up:
// SCALAR: fadd.s {{.*}}, rup
kernel void up(global float *a) {
    size_t i = get_global_id(0);
#pragma OPENCL SELECT_ROUNDING_MODE rtp
    a[i] += a[i + 1];
}

// Constants aren't folded in a directed mode, either.
// CODE-LABEL: @scopes(
// CODE: store float 0x3FB99999A0000000
// CODE: call float @rivulet.directed.fdiv.rup.f(float 1.000000e+00, float 3.000000e+00)
// CODE: call float @rivulet.directed.fadd.rtz.f(
// CODE: call float @rivulet.directed.fsub.rup.f(
// CODE: fmul float
// CODE: ret void
kernel void scopes(global float *a) {
    a[0] = 0.1f;
#pragma OPENCL SELECT_ROUNDING_MODE rtp
    a[1] = 1.0f / 3.0f;
    {
#pragma OPENCL SELECT_ROUNDING_MODE rtz
        a[2] += a[6];
    }
    a[3] -= a[7];
#pragma OPENCL SELECT_ROUNDING_MODE rte
    a[4] *= a[8];
}

// CODE-LABEL: @before(
// CODE: fadd float
kernel void before(global float *a) { a[0] += a[1]; }
#pragma OPENCL SELECT_ROUNDING_MODE rtn
float callee(float x, float y) { return x - y; }
// CODE-LABEL: @after(
// CODE: directed.fsub.rdn
// CODE: directed.fadd.rdn
kernel void after(global float *a) { a[0] += callee(a[1], a[2]) - 0.0f; }
#pragma OPENCL SELECT_ROUNDING_MODE rte
float nearest(float x, float y) { return x - y; }
// A function rounds in its own mode, and mathematical functions to nearest.
// CODE-LABEL: @callers(
// CODE: fsub float
// CODE: call {{.*}}float @llvm.sqrt.f32
// CODE-NOT: directed
// CODE: ret void
kernel void callers(global float *a) {
#pragma OPENCL SELECT_ROUNDING_MODE rtz
    a[0] = nearest(a[1], a[2]);
    a[1] = sqrt(a[3]);
}

// The pragma costs nothing where the mode is the default one.
// CHECK-LABEL: {{^}}free_of_cost:
// CHECK-NOT: {{fsrm|frrm}}
// CHECK: .Lfunc_end
kernel void free_of_cost(global float *a) {
#pragma OPENCL SELECT_ROUNDING_MODE rte
    a[get_global_id(0)] = convert_float(as_int(a[get_global_id(0)])) * 3 + 1;
}

// CODE-LABEL: @names(
// CODE: store i32 1234
kernel void names(global int *a) {
#define rte 1
#define rtz 2
#define rtp 3
#define rtn 4
    int digits = __ROUNDING_MODE__;
    {
#pragma OPENCL SELECT_ROUNDING_MODE rtz
        digits = 10 * digits + __ROUNDING_MODE__;
        if (digits) {
#pragma OPENCL SELECT_ROUNDING_MODE rtp
            digits = 10 * digits + __ROUNDING_MODE__;
        }
        digits = digits * (__ROUNDING_MODE__ == 2);
    }
    digits *= __ROUNDING_MODE__;
#pragma OPENCL SELECT_ROUNDING_MODE rtn
    a[0] = 10 * digits + __ROUNDING_MODE__;
}

// UNKNOWN: error: #pragma OPENCL SELECT_ROUNDING_MODE takes one of rte, rtz, rtp, rtn
#ifdef UNKNOWN
#pragma OPENCL SELECT_ROUNDING_MODE up
#endif
#ifdef MISSING
#pragma OPENCL SELECT_ROUNDING_MODE
#endif
// BLOCK: error: in a block all rounding is to nearest even; call a function
#ifdef BLOCK
kernel void block(global float *a) {
#pragma OPENCL SELECT_ROUNDING_MODE rtz
    float (^add)(float) = ^(float x) { return x + a[1]; };
    a[0] = add(a[2]);
}
#endif
#endif
