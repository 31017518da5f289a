// SPDX-License-Identifier: Apache-2.0
// cl_ext_float_atomics: features follow the target, and every one of them can build what it has.
// RUN: %cc %s -o %t -cl-std=CL3.0 -DHALF -DDOUBLE --target=rv64gcv_zvfh
// RUN: %cc %s -o %t -cl-std=CL3.0 -DHALF -DDOUBLE --target=host
// RUN: %cc %s -o %t -cl-std=CL3.0 -DDOUBLE --target=rv64gcv
// RUN: %cc %s -o %t -cl-std=CL3.0 -DDOUBLE --target=rv64gc
// RUN: %cc %s -o %t -cl-std=CL3.0 -DDOUBLE --target=rv32gc
// RUN: %cc %s -o %t -cl-std=CL3.0 --target=rv64imafc_zve32f
// RUN: %cc %s -o %t -cl-std=CL3.0 --target=rv32imafc
// Orders are those of the calls; the one hart that has local memory needs none. Lanes update one after the other, as if each work-item came alone:
// a sum of several lanes would be rounded once instead of each time.
// RUN: %cc %s -cl-std=CL3.0 -DHALF -DDOUBLE --target=rv64gcv_zvfh --emit=spmd | FileCheck %s
#ifndef __opencl_c_ext_fp32_local_atomic_min_max
#error "no atomics of float"
#endif
#if defined HALF != defined __opencl_c_ext_fp16_global_atomic_load_store ||                        \
    defined HALF != defined __opencl_c_ext_fp16_local_atomic_add
#error "atomics of half"
#endif
#if defined DOUBLE != defined __opencl_c_ext_fp64_global_atomic_add
#error "atomics of double"
#endif

#define FETCH(operation, T)                                                                        \
    kernel void operation##_##T(global atomic_##T *g, local atomic_##T *l, global T *out) {        \
        size_t i = get_global_id(0);                                                               \
        T x = out[i];                                                                              \
        atomic_##T *any = i % 2 ? (atomic_##T *)g : (atomic_##T *)l;                               \
        x += atomic_fetch_##operation(g, x);                                                       \
        x += atomic_fetch_##operation(any, x);                                                     \
        x += atomic_fetch_##operation(l, 1);                                                       \
        x += atomic_fetch_##operation##_explicit(&g[i], x, memory_order_relaxed);                  \
        atomic_fetch_##operation##_explicit(&l[i], x, memory_order_acquire,                        \
                                            memory_scope_work_group);                              \
        atomic_store(g, x);                                                                        \
        out[i] = atomic_load(l) + atomic_exchange(g, x);                                           \
    }
#define TYPE(T) FETCH(add, T) FETCH(sub, T) FETCH(min, T) FETCH(max, T)
// CHECK-LABEL: define hidden void @add_float
// CHECK-NOT: vp.reduce.fadd
// CHECK: atomicrmw fadd ptr addrspace(1) %{{.*}}, float %{{.*}} seq_cst
// CHECK: atomicrmw fadd ptr addrspace(4) %{{.*}}, float %{{.*}} seq_cst
// CHECK: atomicrmw fadd ptr addrspace(1) %{{.*}}, float %{{.*}} monotonic
TYPE(float)
#ifdef DOUBLE
TYPE(double)
#endif
#ifdef HALF
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
// CHECK-LABEL: define hidden void @max_half
// CHECK: atomicrmw fmax ptr addrspace(1) %{{.*}}, half %{{.*}} seq_cst
TYPE(half)
#endif
