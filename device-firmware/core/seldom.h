/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIVULET_FIRMWARE_SELDOM_H
#define RIVULET_FIRMWARE_SELDOM_H

/* A function that is not on the way from one launch to the next: it is compiled for size, and not
 * inlined into one that is compiled for speed. */
#ifdef __clang__
#define SELDOM __attribute__((noinline, cold, minsize))
#else
#define SELDOM __attribute__((noinline, cold))
#endif

/* What is on the way from a launch to the next one, but would be a call by the compiler's choice.
 */
#define ALWAYS_INLINE __attribute__((always_inline))

#endif
