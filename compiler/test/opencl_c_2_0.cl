// SPDX-License-Identifier: Apache-2.0
// -cl-std=CL2.0 (5.6.4.5) is not among the versions that the device lists. Programs pass it all the
// same, opencl.hpp by default: what OpenCL C 3.0 has of 2.0 is there, and the log says what is not.
// RUN: %cc %s -o %t -cl-std=CL2.0 2>&1 | FileCheck --check-prefix=NOTE %s
// NOTE: note: -cl-std=CL2.0 is built as OpenCL C 3.0, without 2.0's pipes and device-side enqueue
// NOTE-NOT: error
// RUN: %cc %s -o %t -cl-std=CL2.0 -Werror
// RUN: not %cc %s -o %t -cl-std=CL2.0 -DPIPES 2>&1 | FileCheck --check-prefix=PIPES %s
// PIPES: opencl_c_2_0.cl:[[# @LINE + 8]]:{{[0-9]+}}: error:
// RUN: not %cc %s -o %t -cl-std=CL2.0 -DENQUEUE 2>&1 | FileCheck --check-prefix=ENQUEUE %s
// ENQUEUE: opencl_c_2_0.cl:[[# @LINE + 19]]:{{[0-9]+}}: error:
#if __OPENCL_C_VERSION__ != 200 || __OPENCL_VERSION__ < 300
#error "another version"
#endif

#ifdef PIPES
kernel void reads(read_only pipe int p, global int *out) { read_pipe(p, out); }
#endif

global int counter = 7;
global atomic_int shared_counter = ATOMIC_VAR_INIT(0);

int of_any_space(int *p) { return *p; }

kernel void f(global int *out, local int *scratch) {
    int own = 3;
    scratch[get_local_id(0)] = own;
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
#ifdef ENQUEUE
    out[0] = enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ });
#endif
    out[get_global_id(0)] = of_any_space(out) + of_any_space(scratch) + of_any_space(&own) + counter +
                            work_group_reduce_add(own) + atomic_fetch_add(&shared_counter, 1);
}
