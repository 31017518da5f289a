// SPDX-License-Identifier: Apache-2.0
// Generic pointers whose address space can be found out cost nothing; program-scope variables are
// counted in the note; contexts may ask for zeroed memory.
// RUN: %cc %s -cl-std=CL3.0 --emit=asm -o - --vlen=256 | FileCheck %s
// RUN: %cc %s -cl-std=CL3.0 --emit=llvm -o - | FileCheck --check-prefix=SPACES %s
// RUN: %cc %s -cl-std=CL3.0 -o %t && %cc --dump %t | FileCheck --check-prefix=VARIABLES %s
// RUN: %cc %s -cl-std=CL3.0 -rvl-initialize-local --emit=spmd -o - | FileCheck --check-prefix=ZERO %s

// VARIABLES: global variables 4004 bytes
global int count = 1;
global float kept[1000];

float sum(const float *p, int n) {
    float total = 0;
    for (int i = 0; i < n; ++i)
        total += p[i];
    return total;
}

// CHECK-LABEL: apart:
// CHECK: vle32.v
// CHECK-NOT: vluxei
// CHECK: ret
// SPACES-LABEL: define {{.*}}@apart
// SPACES-NOT: addrspace(4)
// SPACES: ret void
kernel void apart(global const float *a, global float *out) {
    int i = get_global_id(0);
    out[i] = sum(a + i, 4) + kept[i];
}

// ZERO-LABEL: define {{.*}}@shared
// ZERO: call void @llvm.memset{{.*}}, i8 0,
kernel void shared(local float *s, global float *out) {
    int i = get_local_id(0);
    s[i] = out[i] + count;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = sum(s + i, 2);
}
