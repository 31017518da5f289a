// SPDX-License-Identifier: Apache-2.0
// Functions that are called once for a sub-group use the hart's vectors themselves.
// RUN: %cc %s -cl-std=CL3.0 --vlen=256 --emit=asm -o - | FileCheck %s
// RUN: %cc %s -cl-std=CL1.2 --target=rv32gcv --emit=asm -o - | FileCheck %s
// RUN: %cc %s -cl-std=CL3.0 --target=rv64gc --emit=asm -o - | FileCheck --check-prefix=NONE %s
// RUN: %cc %s -cl-std=CL3.0 --target=host --emit=asm -o - | FileCheck --check-prefix=NONE %s
// RUN: %cc %s -cl-std=CL3.0 -cl-opt-disable --emit=asm -o - | FileCheck %s
// RUN: %cc %s -cl-std=CL3.0 -g -cl-opt-disable --emit=asm -o - | FileCheck %s
// NONE-NOT: {{vadd.vi|vle32}}
#ifdef __riscv_vector
#include <riscv_vector.h>
#endif

__attribute__((rivulet_sub_group)) void add_three(global int *p, local const int *q, uint n) {
#ifdef __riscv_vector
    size_t vl = __riscv_vsetvl_e32m1(n);
    vint32m1_t v = __riscv_vle32_v_i32m1(p, vl), w;
    v = __riscv_vadd(v, __riscv_vle32_v_i32m1(q, vl), vl);
    __asm__("vsetvli zero, %2, e32, m1, ta, ma\n\tvadd.vi %0, %1, 3"
            : "=vr"(w) : "vr"(v), "r"(vl) : "vl", "vtype", "v8", "t0");
    __riscv_vse32(p, w, vl);
#else
    for (uint i = 0; i < n; ++i)
        p[i] += q[i] + 3;
#endif
}

// The vector length is set again behind assembly, and behind the function.
// CHECK-LABEL: test:
// CHECK: vle32.v
// CHECK: #APP
// CHECK-NEXT: vsetvli zero, [[VL:[ats][0-9]+]], e32, m1, ta, ma
// CHECK-NEXT: vadd.vi v{{[0-9]+}}, v{{[0-9]+}}, 3
// CHECK-NEXT: #NO_APP
// CHECK: vset{{i?}}vli
// CHECK: vse32.v
// CHECK: vset{{i?}}vli zero, {{.*}}, e32, m{{[0-9f]+}}
// CHECK: vmul
kernel void test(global int *p) {
    local int q[256];
    q[get_local_id(0)] = p[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    add_three(p + get_group_id(0), q, get_sub_group_size());
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    p[get_global_id(0)] *= p[get_global_id(0) + 1];
}

#ifdef ERROR
__attribute__((rivulet_sub_group)) int f(int n) { return n + CALL; }
kernel void wrong(global int *p) {
    int x = p[get_global_id(0)];
    ERROR;
}
#endif
// RUN: not %cc %s -cl-std=CL3.0 -DCALL=0 '-DERROR=*p=f(x)' -o %t 2>&1 | FileCheck --check-prefix=ARGUMENT %s
// ARGUMENT: error: kernel 'wrong' uses sub-groups, whose work-items can't run together because of: line 52: a call of 'f', whose argument 1 differs between work-items
// RUN: not %cc %s -cl-std=CL3.0 -DCALL=0 '-DERROR=if(x>3)*p=f(1)' -o %t 2>&1 | FileCheck --check-prefix=BRANCH %s
// BRANCH: error: kernel 'wrong' {{.*}}: line 52: a call of 'f', which not all work-items of the sub-group make
// RUN: not %cc %s -cl-std=CL3.0 -DCALL=0 '-DERROR=while(x-->0)*p+=f(1)' -o %t 2>&1 | FileCheck --check-prefix=BRANCH %s
// RUN: not %cc %s -cl-std=CL3.0 '-DCALL=get_global_id(0)' '-DERROR=*p=f(1)' -o %t 2>&1 | FileCheck --check-prefix=ID %s
// ID: sub_group_functions.cl:49: error: a function of a sub-group has no work-item, and can't call 'get_global_id'
// RUN: not %cc %s -cl-std=CL3.0 -DCALL=0 '-DERROR=vint32m1_t v=__riscv_vmv_v_x_i32m1(x,4);__riscv_vse32(p,v,4)' -o %t 2>&1 | FileCheck --check-prefix=OUTSIDE %s
// OUTSIDE: sub_group_functions.cl:52: error: the hart's vectors belong to all work-items of a sub-group
// RUN: not %cc %s -cl-std=CL3.0 -DCALL=0 '-DERROR=__asm__("vadd.vi %%0,%%1,3":"=vr"(x):"vr"(x));*p=x' -o %t 2>&1 | FileCheck --check-prefix=OUTSIDE %s
// RUN: not %cc %s -cl-std=CL3.0 '-DCALL=({int x;__asm__("vadd.vi %%0,%%1,3":"=vr"(x):"vr"(n));x;})' '-DERROR=*p=f(1)' -o %t 2>&1 | FileCheck --check-prefix=TYPE %s
// TYPE: sub_group_functions.cl:49: error: operands of vr, vd and vm are vectors of the hart
// RUN: not %cc %s -cl-std=CL3.0 -DCALL=0 '-DERROR=__attribute__((rivulet_sub_group)) int y=1;*p=y' -o %t 2>&1 | FileCheck --check-prefix=VARIABLE %s
// VARIABLE: error: rivulet_sub_group is for functions that kernels call

// A ballot is the same for all: the function knows who is meant.
// RUN: %cc %s -cl-std=CL3.0 -DCALL=0 '-DERROR=*p=f(sub_group_ballot(x>3).x)' -o %t
