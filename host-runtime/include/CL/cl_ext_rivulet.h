/* SPDX-License-Identifier: Apache-2.0
 *
 * What Rivulet adds to OpenCL, and names that older OpenCL headers lack. */
#ifndef CL_EXT_RIVULET_H
#define CL_EXT_RIVULET_H

#include <CL/cl_ext.h>

#ifdef __cplusplus
extern "C" {
#endif

/* clGetEventProfilingInfo of a kernel's event.
 *
 * Instructions: cl_ulong, retired by the kernel, summed over the harts that ran it.
 * CL_PROFILING_INFO_NOT_AVAILABLE unless the device counts instructions exactly.
 *
 * Harts: cl_ulong, bit n set when hart n took part. */
#define CL_PROFILING_COMMAND_INSTRUCTIONS_RIVULET 0x4F01
#define CL_PROFILING_COMMAND_HARTS_RIVULET 0x4F02

/* clGetDeviceInfo.
 *
 * VLEN: cl_uint, bits of a vector register; 0 without vector unit.
 * Instruction set: char[], as the device tree says it.
 * Harts: cl_ulong, mask of the harts of this (sub-)device. */
#define CL_DEVICE_VLEN_RIVULET 0x4F10
#define CL_DEVICE_ISA_RIVULET 0x4F11
#define CL_DEVICE_HARTS_RIVULET 0x4F12

/* cl_khr_initialize_memory */
#ifndef CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR
#define CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR (1 << 0)
#define CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR (1 << 1)
#endif

/* cl_khr_kernel_clock */
#ifndef cl_khr_kernel_clock
#define cl_khr_kernel_clock 1
#define CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR 0x1076
typedef cl_bitfield cl_device_kernel_clock_capabilities_khr;
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR (1 << 0)
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR (1 << 1)
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR (1 << 2)
#endif

#ifdef __cplusplus
}
#endif
#endif
