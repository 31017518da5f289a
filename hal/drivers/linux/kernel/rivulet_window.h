/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
 *
 * What programs ask of the kernel module rivulet_window. Its nodes /dev/rivulet0, … serve one
 * process each:
 *
 *   mmap    the window, from offset 0: write-combining, or cached if the device is coherent
 *   write   8 bytes: a mask of lines to pulse (RIVULET_LINE_…); earlier stores to the window come
 *           first
 *   read    8 bytes: the number of interrupts since the last read; blocks until there is one,
 *           unless the node is non-blocking
 *   open    EBUSY while another process has the node, or dma-bufs of the window exist
 *   poll    POLLIN after an interrupt, POLLHUP once the device is gone
 */
#ifndef RIVULET_WINDOW_H
#define RIVULET_WINDOW_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define RIVULET_WINDOW_VERSION 1

#define RIVULET_LINE_BELL (1 << 0)    /* hart 0's doorbell      */
#define RIVULET_LINE_RESET (1 << 1)   /* stops the harts        */
#define RIVULET_LINE_RELEASE (1 << 2) /* lets them run          */

#define RIVULET_WINDOW_COHERENT (1 << 0)  /* the device sees the host's caches */
#define RIVULET_WINDOW_INTERRUPT (1 << 1) /* the device can interrupt */

struct rivulet_window_info {
    __u32 version;
    __u32 flags;
    __u32 lines; /* those that the device has */
    __u32 reserved;
    __u64 address; /* of the window, as the device sees it */
    __u64 bytes;
};

/* A dma-buf of whole pages of the window. The program must not use them for anything else
 * before the dma-buf has ended. */
struct rivulet_window_export {
    __u64 offset;
    __u64 bytes;
    __s32 fd; /* returned; closed on exec */
    __u32 reserved;
};

#define RIVULET_WINDOW_INFO _IOR('r', 0xa0, struct rivulet_window_info)
#define RIVULET_WINDOW_EXPORT _IOWR('r', 0xa1, struct rivulet_window_export)
/* Stores in fd 1 if a dma-buf of any of these pages exists, otherwise 0. */
#define RIVULET_WINDOW_EXPORTED _IOWR('r', 0xa2, struct rivulet_window_export)

#endif
