/* SPDX-License-Identifier: Apache-2.0
 *
 * Versions of everything that crosses a boundary: major.minor in one word. Versions with the
 * same major are compatible; a newer minor only appends. */
#ifndef RIVULET_PROTOCOL_VERSION_H
#define RIVULET_PROTOCOL_VERSION_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define RVL_STATIC_ASSERT(condition, reason) static_assert(condition, reason)
#else
#define RVL_STATIC_ASSERT(condition, reason) _Static_assert(condition, reason)
#endif

#define RVL_VERSION(major, minor) ((uint32_t)(major) << 16 | (uint32_t)(minor))
#define RVL_VERSION_MAJOR(version) ((uint32_t)(version) >> 16)
#define RVL_VERSION_MINOR(version) ((uint32_t)(version) & 0xffffu)

/* Mailbox, launch record and fault report. */
#define RVL_PROTOCOL_VERSION RVL_VERSION(1, 8)
/* The note in a kernel image. */
#define RVL_KERNEL_IMAGE_VERSION RVL_VERSION(1, 3)
/* Frames between host runtime and rivulet-cc. */
#define RVL_COMPILE_VERSION RVL_VERSION(1, 2)

/* Alignment of all shared data with one writer, so that non-coherent caches lose nothing. */
#define RVL_CACHE_BLOCK 64
/* Granularity of PMP regions and of memory given to kernels. */
#define RVL_PAGE_BYTES 4096

#endif
