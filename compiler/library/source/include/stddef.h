/* SPDX-License-Identifier: Apache-2.0 */
/* The part of C's <stddef.h> that hal/protocol's headers need and OpenCL C lacks. */
#ifndef RIVULET_LIBRARY_STDDEF_H
#define RIVULET_LIBRARY_STDDEF_H

#define offsetof(type, member) __builtin_offsetof(type, member)

#endif
