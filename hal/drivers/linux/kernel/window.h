/* SPDX-License-Identifier: GPL-2.0-only
 *
 * A window: memory that the host's kernel does not use, shared with harts that run Rivulet's
 * firmware. probe_platform.c and probe_pci.c find them.
 */
#ifndef RIVULET_KERNEL_WINDOW_H
#define RIVULET_KERNEL_WINDOW_H

#include <linux/interrupt.h>
#include <linux/kref.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/reset.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include "rivulet_window.h"

#define RIVULET_LINES 3

/* A register that pulses a line when a value is written to it. */
struct rivulet_line {
    void __iomem *at; /* NULL: the device has no such register */
    u32 value;
};

struct rivulet_window {
    struct miscdevice misc;
    struct device *dev;
    struct kref users; /* the device, its open node, its dma-bufs */
    char name[16];
    int number;

    phys_addr_t base;
    u64 bytes;
    u64 address; /* as the device sees it */
    bool coherent;
    bool has_interrupt;
    struct rivulet_line lines[RIVULET_LINES];
    struct rivulet_line acknowledge; /* ends an interrupt that is a level */
    struct reset_control *reset;     /* in place of registers */

    bool is_reserved;  /* its range, as write-combining */
    struct mutex lock; /* guards what follows */
    bool is_open;
    bool is_gone;
    struct address_space *mapping; /* of the node, while it is open */
    struct list_head exports;      /* pages that are dma-bufs */

    wait_queue_head_t interrupted;
    spinlock_t count_lock;
    u64 interrupts; /* not yet read; guarded by count_lock */
};

/* Allocates a window; the caller fills in the fields above `lock` and registers it. */
struct rivulet_window *rivulet_window_new(struct device *dev);
int rivulet_window_register(struct rivulet_window *window);
void rivulet_window_unregister(struct rivulet_window *window);
void rivulet_window_put(struct rivulet_window *window);
irqreturn_t rivulet_window_interrupt(int irq, void *window);

/* Maps the window's pages from `first` on, as the node and its dma-bufs do. */
int rivulet_window_map(struct rivulet_window *window, struct vm_area_struct *area, u64 first,
                       u64 bytes);
/* Returns a descriptor or an error. */
int rivulet_window_export(struct rivulet_window *window, u64 offset, u64 bytes);
/* Takes the pages of all dma-bufs away from programs. Called with the window's lock. */
void rivulet_window_unmap_exports(struct rivulet_window *window);
/* True if a dma-buf of any of these pages exists. */
bool rivulet_window_exported(struct rivulet_window *window, u64 offset, u64 bytes);

extern struct platform_driver rivulet_platform_driver;
extern struct pci_driver rivulet_pci_driver;

#endif
