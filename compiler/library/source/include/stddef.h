/* SPDX-License-Identifier: Apache-2.0 */
/* What hal/protocol's headers need of C's <stddef.h>, which OpenCL C lacks. */
#ifndef RIVULET_LIBRARY_STDDEF_H
#define RIVULET_LIBRARY_STDDEF_H

#define offsetof(type, member) __builtin_offsetof(type, member)

#endif
