/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel that runs the constructors of a program's variables (C++ for OpenCL, SPIR-V's
 * Initializer). It takes no arguments. The host runs it once, with one work-item, when it has
 * loaded the image and before any other of its kernels. It is not among the kernels that the
 * program tells of.
 */
#ifndef RIVULET_HAL_PROTOCOL_INITIALISER_H
#define RIVULET_HAL_PROTOCOL_INITIALISER_H

#define RVL_INITIALISER "__rivulet_initialise"

#endif
