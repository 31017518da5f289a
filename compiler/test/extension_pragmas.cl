// SPDX-License-Identifier: Apache-2.0
// #pragma OPENCL EXTENSION: not a word of what the target offers, in every version of the language
// and however the pragma is written; of all else what clang says.
// RUN: %cc %s -o %t --target=rv64gcv_zvfh 2>&1 | FileCheck %s
// RUN: %cc %s -o %t -cl-std=CL1.0 --target=rv64gcv_zvfh 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: %cc %s -o %t -cl-std=CL2.0 -DOFFERED --target=rv64gcv_zvfh 2>&1 \
// RUN:     | FileCheck %s --check-prefix=NOTE
// RUN: %cc %s -o %t -cl-std=CL3.0 -Werror -DOFFERED --target=rv64gcv_zvfh
// RUN: %cc %s -o %t -cl-std=CL1.1 -Werror -DOFFERED --target=host
// RUN: not %cc %s -o %t -Werror -DOFFERED --target=rv64gcv 2>&1 | FileCheck %s --check-prefix=HALF
// RUN: %cc %s -o %t -w --target=rv64gcv 2>&1 | FileCheck %s --allow-empty --check-prefix=SILENT
// SILENT-NOT: {{.}}
// OLD-NOT: cl_khr_subgroup_rotate'
// NOTE: note: -cl-std=CL2.0
// NOTE-NOT: warning
// HALF: error: unsupported OpenCL extension 'cl_khr_fp16'
// HALF-NOT: error:
#pragma OPENCL EXTENSION all : disable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION \
    cl_intel_required_subgroup_size : enable
#pragma OPENCL EXTENSION cl_khr_icd : enable
#pragma OPENCL EXTENSION cl_khr_icd : disable
#define ROTATE _Pragma("OPENCL EXTENSION cl_khr_subgroup_rotate : enable")
ROTATE ROTATE
#ifndef OFFERED
// CHECK-DAG: [[#@LINE+1]]:26: warning: expected 'disable' - ignoring
#pragma OPENCL EXTENSION all : enable
// CHECK-DAG: [[#@LINE+1]]:39: warning: expected 'enable', 'disable', 'begin' or 'end' - ignoring
#pragma OPENCL EXTENSION cl_khr_icd : sometimes
// CHECK-DAG: [[#@LINE+1]]:26: warning: OpenCL extension 'cl_khr_icds' unknown or does not require pragma
#pragma OPENCL EXTENSION cl_khr_icds : enable
// CHECK-DAG: [[#@LINE+1]]:26: warning: OpenCL extension '__opencl_c_images' unknown or does not
#pragma OPENCL EXTENSION __opencl_c_images : enable
// The compiler uses this one for itself.
// CHECK-DAG: [[#@LINE+1]]:26: warning: unsupported OpenCL extension 'cl_khr_gl_msaa_sharing'
#pragma OPENCL EXTENSION cl_khr_gl_msaa_sharing : enable
#define WRONG _Pragma("OPENCL EXTENSION cl_khr_subgroup_wrong : enable")
// CHECK-DAG: [[#@LINE+1]]:8: warning: OpenCL extension 'cl_khr_subgroup_wrong' unknown
ROTATE WRONG ROTATE
// Not one more:
// CHECK: 6 warnings generated
#endif
kernel void k(global int *out) { out[get_global_id(0)] = 1; }
