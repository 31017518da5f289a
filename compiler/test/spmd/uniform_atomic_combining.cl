// SPDX-License-Identifier: Apache-2.0
// One atomic addition for all lanes, under masks too; each lane gets its share in order.
// RUN: %cc %s --target=rv64gcv --vlen=256 --emit=spmd | FileCheck %s

// CHECK-LABEL: define hidden void @all
// CHECK: atomicrmw add ptr addrspace(1) %{{.*}}, i64 32 monotonic
// CHECK-NOT: {{^}}lane
kernel void all(counter64_t counter, global ulong *out) {
    out[get_global_id(0)] = atomic_inc(counter);
}

// CHECK-LABEL: define hidden void @some
// CHECK-DAG: call i64 @llvm.riscv.vcpop
// CHECK-DAG: atomicrmw sub ptr addrspace(1)
// CHECK-DAG: @llvm.riscv.viota
// CHECK-NOT: {{^}}lane
kernel void some(counter32_t counter, global uint *out, const global int *in) {
    size_t i = get_global_id(0);
    if (in[i] > 3)
        out[i] = atomic_dec(counter);
}

// CHECK-LABEL: define hidden void @memory
// CHECK: call i64 @llvm.riscv.vcpop
// CHECK-NOT: @llvm.riscv.viota
// CHECK: atomicrmw add ptr addrspace(1)
// CHECK-NOT: {{^}}lane
kernel void memory(global int *total, const global int *in, int by) {
    if (in[get_global_id(0)] > 3)
        atomic_add(total, by);
}
