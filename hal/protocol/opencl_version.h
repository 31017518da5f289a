/* SPDX-License-Identifier: Apache-2.0
 *
 * The version of OpenCL that devices and their platform report (CL_DEVICE_VERSION), and that the
 * compiler defines (__OPENCL_VERSION__), with a translator for SPIR-V; without one it is 3.0. */
#ifndef RIVULET_PROTOCOL_OPENCL_VERSION_H
#define RIVULET_PROTOCOL_OPENCL_VERSION_H

#define RVL_OPENCL_MAJOR 3
#define RVL_OPENCL_MINOR 1

#endif
