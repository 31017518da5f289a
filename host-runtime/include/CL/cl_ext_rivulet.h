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

#ifdef __cplusplus
}
#endif
#endif
