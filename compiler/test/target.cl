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

// Extensions that LLVM calls experimental, or has never heard of, are left out with a note, in any
// order, case and version; letters that run into a longer name are still letters.
// RUN: %cc %s -o %t --target=rv64imafdcv_zicfilp_zicfiss1p0_zvqdotq_svukte_zvkg_zvkgs_zvfh_xacme2p0 2>&1 | FileCheck --check-prefix=NOTE %s
// RUN: %cc --dump %t | FileCheck --check-prefix=EXPERIMENTAL %s
// NOTE: rivulet-cc: note: compiled without extensions that LLVM doesn't support: zicfilp, zicfiss, svukte, zvkgs, xacme
// Zvqdotq is one that code is made for (lowering/dot_products.h).
// EXPERIMENTAL: isa rv64imafdcv_zvqdotq_zvkg_zvfh, VLEN any from 128
// RUN: %cc %s -o %t --target=RV64i2p1_m2a_zvfh1p0_v1p0_FDCzba_zba && %cc --dump %t | FileCheck --check-prefix=ORDER %s
// ORDER: isa rv64imafdcv_zvfh_zba, VLEN any from 128
// RUN: %cc %s -o %t --target=rv64gcv 2>&1 | FileCheck --allow-empty --check-prefix=NO_NOTE %s
// NO_NOTE-NOT: note
// Typing errors would cost the vector unit in silence.
// RUN: not %cc %s -o %t --target=rv64gc_zve64dd 2>&1 | FileCheck --check-prefix=TYPING_V %s
// TYPING_V: ISA 'rv64gc_zve64dd': there is no extension 'zve64dd'; did you mean 'zve64d'?
// RUN: not %cc %s -o %t --target=rv64gcv_zvfhh 2>&1 | FileCheck --check-prefix=TYPING_HALF %s
// TYPING_HALF: there is no extension 'zvfhh'; did you mean 'zvfh'?
// RUN: not %cc %s -o %t --target=rv64gc_foo 2>&1 | FileCheck --check-prefix=FORM %s
// FORM: ISA 'rv64gc_foo': 'oo' is not an extension name

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
