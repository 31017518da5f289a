/* SPDX-License-Identifier: Apache-2.0 */
/* cl_khr_kernel_clock. The time is the same on all harts; cycles are counted per hart, and a
 * work-group stays on its hart. */
#include "builtin.h"

/* clang's built-ins return long long, which has 128 bits here. */
ulong time(void) __asm("llvm.readsteadycounter");
ulong cycles(void) __asm("llvm.readcyclecounter");

OVERLOAD ulong clock_read_device(void) { return time(); }
OVERLOAD ulong clock_read_work_group(void) { return cycles(); }
OVERLOAD ulong clock_read_sub_group(void) { return cycles(); }
OVERLOAD uint2 clock_read_hilo_device(void) { return as_uint2(time()); }
OVERLOAD uint2 clock_read_hilo_work_group(void) { return as_uint2(cycles()); }
OVERLOAD uint2 clock_read_hilo_sub_group(void) { return as_uint2(cycles()); }
