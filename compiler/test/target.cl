// SPDX-License-Identifier: Apache-2.0
// Targets: named by a device's ISA string, of which unknown extensions are left out.
// RUN: %cc %s -o %t && %cc --dump %t | FileCheck --check-prefix=DEFAULT %s
// DEFAULT: isa rv64imafdcv_zicsr_zifencei_zvfh_zba_zbb_zbs_zicond, VLEN any from 128
// RUN: %cc %s -o %t --vlen=512 && %cc --dump %t | FileCheck --check-prefix=EXACT %s
// EXACT: VLEN 512
// RUN: %cc %s -o %t --target=rv64imafdcvh_zba_sstc_svfuture_zicbom_xnonsense && %cc --dump %t | FileCheck --check-prefix=DEVICE %s
// DEVICE: isa rv64imafdcvh_zba_sstc_zicbom, VLEN any from 128
// RUN: %cc %s -o %t --target=RV64IMAFDCV_Zba && %cc --dump %t | FileCheck --check-prefix=CAPITALS %s
// CAPITALS: isa rv64imafdcv_zba, VLEN any from 128
// RUN: %cc %s -o %t --target=rv64gc && %cc --dump %t | FileCheck --check-prefix=SCALAR %s
// SCALAR: isa rv64imafdc_zicsr_zifencei, VLEN none needed
// RUN: %cc %s -o %t --target=rv32imafc_zve32f && %cc --dump %t | FileCheck --check-prefix=SMALL %s
// SMALL: isa rv32imafc_zve32f, VLEN none needed
// RUN: %cc %s -o %t --target=rv32imafc_zve32f --vlen=128
// A vector unit without floats is not used, nor one without elements of a pointer's size.
// RUN: %cc %s -o %t --target=rv64gc_zve64x --vlen=128 && %cc --dump %t | FileCheck --check-prefix=UNUSED %s
// RUN: %cc %s -o %t --target=rv64gc_zve32f --vlen=128 && %cc --dump %t | FileCheck --check-prefix=UNUSED %s
// UNUSED: VLEN none needed
// RUN: %cc %s -o %t --target=host && %cc --dump %t | FileCheck --check-prefix=HOST %s
// HOST: VLEN none needed
// RUN: %cc %s -o %t --target=x86_64 && %readelf -h %t | FileCheck --check-prefix=X86 %s
// X86: Machine: Advanced Micro Devices X86-64
// RUN: %cc %s -o %t --target=aarch64 && %readelf -h %t | FileCheck --check-prefix=AARCH64 %s
// AARCH64: Machine: AArch64

// RUN: not %cc %s -o %t --target=mips 2>&1 | FileCheck --check-prefix=MIPS %s
// MIPS: 'mips' is neither a RISC-V ISA nor a host: host, x86_64, aarch64
// RUN: not %cc %s -o %t --target=rv64im 2>&1 | FileCheck --check-prefix=ATOMICS %s
// ATOMICS: ISA 'rv64im': kernels need atomics (A)
// RUN: not %cc %s -o %t --vlen=100 2>&1 | FileCheck --check-prefix=LENGTH %s
// LENGTH: VLEN 100 is no power of two from 128 to 65536
// RUN: not %cc %s -o %t --target=rv64gc --vlen=128 2>&1 | FileCheck --check-prefix=NOVECTOR %s
// NOVECTOR: a vector length needs a vector extension
kernel void f(global int *a) { a[get_global_id(0)] = 1; }
kernel void sub_groups(global float *a) {
    a[get_global_id(0)] = sub_group_reduce_add(a[get_global_id(0)]);
}
