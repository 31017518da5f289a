/* SPDX-License-Identifier: Apache-2.0 */
/* The part of C's <stdint.h> that hal/protocol's headers need and OpenCL C lacks. */
#ifndef RIVULET_LIBRARY_STDINT_H
#define RIVULET_LIBRARY_STDINT_H

typedef uchar uint8_t;
typedef ushort uint16_t;
typedef uint uint32_t;
typedef ulong uint64_t;
typedef char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;

#endif
