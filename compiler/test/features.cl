// SPDX-License-Identifier: Apache-2.0
// Extensions and features follow the target; the language knows those that are there.
// RUN: %cc %s -o %t -DDOUBLE -DHALF -DATOMIC --target=rv64gcv_zvfh
// RUN: %cc %s -o %t -DDOUBLE -DATOMIC --target=rv64gcv
// RUN: %cc %s -o %t -cl-std=CL3.0 -DDOUBLE -DFEATURE --target=rv64gcv
// RUN: %cc %s -o %t --target=rv32imafc
// RUN: %cc %s -o %t -DDOUBLE -DHALF -DATOMIC --target=host
// RUN: env RIVULET_LLVM_SPIRV=%t.absent %cc %s -o %t -DALONE --target=rv32imafc
// RUN: not %cc %s -o %t -DUSE --target=rv32imafc 2>&1 | FileCheck %s
// CHECK: error: use of type 'double' requires cl_khr_fp64
#if defined DOUBLE != defined cl_khr_fp64
#error "cl_khr_fp64"
#endif
#if !defined HALF != !defined cl_khr_fp16
#ifndef FEATURE
#error "cl_khr_fp16"
#endif
#endif
#if defined FEATURE != defined __opencl_c_fp64
#error "__opencl_c_fp64"
#endif
#if defined ATOMIC && !defined cl_khr_int64_base_atomics
#error "cl_khr_int64_base_atomics"
#endif
#if defined ALONE && defined cl_intel_subgroup_local_block_io
#error "an extension that needs SPIR-V"
#endif
#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void wide(global double *a) { a[0] = sqrt(a[1]); }
#endif
#ifdef HALF
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void narrow(global half *a) { a[0] = a[1] + a[2]; }
#endif
#ifdef ATOMIC
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void count(global long *a) { atom_add(a, 1); }
#endif
#ifdef USE
kernel void use(global double *a) { a[0] = 1; }
#endif
