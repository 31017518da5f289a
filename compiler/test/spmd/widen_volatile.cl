// SPDX-License-Identifier: Apache-2.0
// Volatile accesses are vector accesses of RVV's intrinsics, as many and in the order of the source,
// with fences of this thread around each. The reasons are in spmd/codegen/widen_volatile.cpp.
// RUN: %cc %s --emit=spmd | FileCheck %s
// RUN: %cc %s --emit=asm | grep -v '[.]loc\|tmp' | FileCheck %s --check-prefix=ASM

// CHECK-LABEL: define {{.*}}@again(
// CHECK: fence syncscope("singlethread") seq_cst
// CHECK-NEXT: [[FIRST:%.*]] = call <vscale x {{[0-9]+}} x i32> @llvm.riscv.vle.nxv
// CHECK-NEXT: call void (...) @llvm.fake.use({{.*}} [[FIRST]])
// CHECK-NEXT: fence syncscope("singlethread") seq_cst
// CHECK: @llvm.riscv.vle.nxv
// CHECK: fence
// CHECK: call void @llvm.vp.store
// ASM-LABEL: again:
// ASM-COUNT-2: vle32.v
// ASM: vse32.v
kernel void again(volatile global const uint *a, global uint *b) {
    size_t i = get_global_id(0);
    uint before = a[i];
    b[i] = a[i] - before;
}

// That holds for loads without uses, strided ones, loads before a loop that needs registers, under
// a mask, and for all lanes at one address: those are indexed, because a stride of zero may do with
// one access.
// CHECK-LABEL: define {{.*}}@unused(
// CHECK: @llvm.riscv.vle.nxv
// CHECK: @llvm.riscv.vlse.nxv{{.*}}, i64 8, i64
// CHECK: @llvm.riscv.vlse.mask.nxv{{.*}}, i64 20, <vscale
// CHECK: @llvm.riscv.vsoxei.nxv{{.*}}i8{{.*}}zeroinitializer
// CHECK: @llvm.riscv.vluxei.nxv{{.*}}i8{{.*}}zeroinitializer
// CHECK-NOT: call {{.*}}@llvm.riscv.v{{[ls].*}}(
// CHECK: ret void
// ASM-LABEL: unused:
// ASM: vle32.v
// ASM: vlse32.v
// ASM: vlse32.v v{{[0-9]+}}, ({{[a-z0-9]+}}), {{[a-y][a-z0-9]+}}, v0.t
// ASM: vsoxei8.v
// ASM: vluxei8.v
kernel void unused(volatile global const uint *a, volatile global const float *b,
                   volatile global uint *c, global float *out, int n) {
    size_t i = get_global_id(0);
    (void)a[i];
    float late = b[2 * i];
    float sum = 0;
    for (int k = 0; k < n; ++k)
        sum = sum * 0.5f + out[i * n + k];
    if (sum > 1)
        (void)a[5 * i];
    c[0] = 3;
    (void)c[0];
    out[i] = sum + late;
}

// An element is read again in each iteration: no load moves before the loop, although no store that
// may change it is in sight.
// CHECK-LABEL: define {{.*}}@poll(
// CHECK: @llvm.riscv.vle.mask.nxv{{.*}}i8
// ASM-LABEL: poll:
// ASM: [[LOOP:[.]LBB[0-9_]+]]:{{[[:space:]]+}}#MEMBARRIER{{[[:space:]]+}}vle8.v {{.*}}v0.t
// ASM: bnez {{.*}}, [[LOOP]]
kernel void poll(volatile global const uchar *restrict flag, global uint *restrict b) {
    size_t i = get_global_id(0);
    uint turns = 0;
    while (!flag[i])
        ++turns;
    b[i] = turns;
}

// Where several lanes store to one address, one of the values stays: the scatter is ordered.
// CHECK-LABEL: define {{.*}}@scattered(
// CHECK: @llvm.riscv.vluxei.mask.nxv
// CHECK: @llvm.riscv.vsoxei.mask.nxv
// CHECK-NOT: load volatile {{.*}}addrspace
kernel void scattered(global const uint *at, volatile global ushort *a) {
    size_t i = get_global_id(0);
    if (at[i] < 1000)
        a[at[i]] += 1;
}

// Private and local memory.
// CHECK-LABEL: define {{.*}}@elsewhere(
// CHECK: @llvm.riscv.vse.nxv{{.*}}addrspace(3)
// CHECK: @llvm.riscv.vle.nxv{{.*}}addrspace(3)
kernel void elsewhere(local volatile uint *tile, global uint *b) {
    size_t i = get_local_id(0);
    tile[i] = i * i;
    b[get_global_id(0)] = tile[i];
}

// Lanes access memory one by one where their distance is known at run time only and may be zero.
// CHECK-LABEL: define {{.*}}@pitch(
// CHECK: load volatile i32
// CHECK: store volatile i32
kernel void pitch(volatile global uint *a, uint pitch) { a[get_global_id(0) * pitch] += 1; }

// So they do at addresses that were integers: a register of a device wants its accesses in order.
// CHECK-LABEL: define {{.*}}@registers(
// CHECK: store volatile i32
kernel void registers(ulong device) {
    ((volatile global uint *)device)[get_global_id(0)] = 1;
}

// So they do where elements aren't aligned.
// CHECK-LABEL: define {{.*}}@packed(
// CHECK: load volatile i32, {{.*}}align 1
struct __attribute__((packed)) pair {
    uchar first;
    uint second;
};
kernel void packed(volatile global const struct pair *a, global uint *b) {
    b[get_global_id(0)] = a[get_global_id(0)].second;
}
