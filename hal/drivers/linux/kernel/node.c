// SPDX-License-Identifier: GPL-2.0-only
//
// The node of a window: what rivulet_window.h promises to programs.
#include <linux/fs.h>
#include <linux/idr.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/platform_device.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/version.h>

#include "window.h"

static DEFINE_IDA(numbers);

static void window_free(struct kref *users) {
    struct rivulet_window *window = container_of(users, struct rivulet_window, users);
    put_device(window->dev);
    mutex_destroy(&window->lock);
    kfree(window);
}

void rivulet_window_put(struct rivulet_window *window) { kref_put(&window->users, window_free); }

struct rivulet_window *rivulet_window_new(struct device *dev) {
    struct rivulet_window *window = kzalloc(sizeof(*window), GFP_KERNEL);
    if (!window)
        return NULL;
    kref_init(&window->users);
    mutex_init(&window->lock);
    INIT_LIST_HEAD(&window->exports);
    spin_lock_init(&window->count_lock);
    init_waitqueue_head(&window->interrupted);
    window->dev = get_device(dev);
    return window;
}

irqreturn_t rivulet_window_interrupt(int irq, void *data) {
    struct rivulet_window *window = data;
    unsigned long flags;
    /* First, so that a later interrupt is not acknowledged with this one. */
    if (window->acknowledge.at)
        writel(window->acknowledge.value, window->acknowledge.at);
    spin_lock_irqsave(&window->count_lock, flags);
    window->interrupts++;
    spin_unlock_irqrestore(&window->count_lock, flags);
    wake_up_interruptible(&window->interrupted);
    return IRQ_HANDLED;
}

static u64 take_interrupts(struct rivulet_window *window) {
    unsigned long flags;
    u64 count;
    spin_lock_irqsave(&window->count_lock, flags);
    count = window->interrupts;
    window->interrupts = 0;
    spin_unlock_irqrestore(&window->count_lock, flags);
    return count;
}

static bool has_news(struct rivulet_window *window) {
    return READ_ONCE(window->interrupts) || READ_ONCE(window->is_gone);
}

static int node_open(struct inode *inode, struct file *file) {
    struct rivulet_window *window = container_of(file->private_data, struct rivulet_window, misc);
    int status = 0;
    mutex_lock(&window->lock);
    if (window->is_gone)
        status = -ENODEV;
    else if (window->is_open || !list_empty(&window->exports))
        status = -EBUSY;
    if (!status) {
        window->is_open = true;
        window->mapping = file->f_mapping;
        take_interrupts(window); /* those of the previous program */
        kref_get(&window->users);
        file->private_data = window;
    }
    mutex_unlock(&window->lock);
    return status ? status : nonseekable_open(inode, file);
}

static int node_release(struct inode *inode, struct file *file) {
    struct rivulet_window *window = file->private_data;
    mutex_lock(&window->lock);
    window->is_open = false;
    window->mapping = NULL;
    mutex_unlock(&window->lock);
    rivulet_window_put(window);
    return 0;
}

static ssize_t node_read(struct file *file, char __user *to, size_t bytes, loff_t *at) {
    struct rivulet_window *window = file->private_data;
    u64 count;
    if (bytes < sizeof(count))
        return -EINVAL;
    if (!has_news(window)) {
        if (file->f_flags & O_NONBLOCK)
            return -EAGAIN;
        if (wait_event_interruptible(window->interrupted, has_news(window)))
            return -ERESTARTSYS;
    }
    count = take_interrupts(window);
    if (!count)
        return window->is_gone ? -ENODEV : -EAGAIN;
    return copy_to_user(to, &count, sizeof(count)) ? -EFAULT : sizeof(count);
}

/* A reset controller has levels; registers of lines are pulsed. */
static int pulse(struct rivulet_window *window, unsigned int number) {
    const struct rivulet_line *line = &window->lines[number];
    if (line->at) {
        wmb(); /* stores to the window come first, even if it is write-combining */
        writel(line->value, line->at);
        return 0;
    }
    if (window->reset && number == 1)
        return reset_control_assert(window->reset);
    if (window->reset && number == 2)
        return reset_control_deassert(window->reset);
    return -EOPNOTSUPP;
}

static ssize_t node_write(struct file *file, const char __user *from, size_t bytes, loff_t *at) {
    struct rivulet_window *window = file->private_data;
    int status = 0;
    u64 lines;
    unsigned int number;
    if (bytes != sizeof(lines))
        return -EINVAL;
    if (copy_from_user(&lines, from, sizeof(lines)))
        return -EFAULT;
    if (lines >> RIVULET_LINES)
        return -EINVAL;
    mutex_lock(&window->lock); /* the registers go with the device */
    if (window->is_gone)
        status = -ENODEV;
    for (number = 0; number < RIVULET_LINES && !status; number++)
        if (lines >> number & 1)
            status = pulse(window, number);
    mutex_unlock(&window->lock);
    return status ? status : sizeof(lines);
}

static __poll_t node_poll(struct file *file, poll_table *table) {
    struct rivulet_window *window = file->private_data;
    poll_wait(file, &window->interrupted, table);
    if (READ_ONCE(window->is_gone))
        return EPOLLHUP | EPOLLERR;
    return READ_ONCE(window->interrupts) ? EPOLLIN | EPOLLRDNORM : 0;
}

/* Pages are mapped one fault at a time, so that they can be taken away when the device goes: an
 * access then raises SIGBUS. */
static vm_fault_t window_fault(struct vm_fault *fault) {
    struct rivulet_window *window = fault->vma->vm_private_data;
    const u64 offset = (u64)fault->pgoff << PAGE_SHIFT;
    vm_fault_t result = VM_FAULT_SIGBUS;
    mutex_lock(&window->lock);
    if (!window->is_gone && offset < window->bytes)
        result = vmf_insert_pfn(fault->vma, fault->address, PHYS_PFN(window->base + offset));
    mutex_unlock(&window->lock);
    return result;
}

static void area_open(struct vm_area_struct *area) {
    struct rivulet_window *window = area->vm_private_data;
    kref_get(&window->users);
}

static void area_close(struct vm_area_struct *area) { rivulet_window_put(area->vm_private_data); }

static const struct vm_operations_struct window_area = {
    .open = area_open,
    .close = area_close,
    .fault = window_fault,
};

int rivulet_window_map(struct rivulet_window *window, struct vm_area_struct *area, u64 first,
                       u64 bytes) {
    const u64 wanted = area->vm_end - area->vm_start;
    const u64 skipped = (u64)area->vm_pgoff << PAGE_SHIFT;
    if (skipped > bytes || wanted > bytes - skipped)
        return -EINVAL;
    if (!(area->vm_flags & VM_SHARED))
        return -EINVAL;
    area->vm_pgoff += first >> PAGE_SHIFT;
    if (!window->coherent)
        area->vm_page_prot = pgprot_writecombine(area->vm_page_prot);
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
    vm_flags_set(area, VM_PFNMAP | VM_IO | VM_DONTEXPAND | VM_DONTDUMP);
#else
    area->vm_flags |= VM_PFNMAP | VM_IO | VM_DONTEXPAND | VM_DONTDUMP;
#endif
    area->vm_private_data = window;
    area->vm_ops = &window_area;
    area_open(area);
    return 0;
}

static int node_mmap(struct file *file, struct vm_area_struct *area) {
    struct rivulet_window *window = file->private_data;
    return rivulet_window_map(window, area, 0, window->bytes);
}

static u32 known_lines(const struct rivulet_window *window) {
    u32 lines = 0;
    unsigned int number;
    for (number = 0; number < RIVULET_LINES; number++)
        if (window->lines[number].at || (window->reset && number > 0))
            lines |= 1u << number;
    return lines;
}

static long node_ioctl(struct file *file, unsigned int request, unsigned long argument) {
    struct rivulet_window *window = file->private_data;
    void __user *const at = (void __user *)argument;
    if (request == RIVULET_WINDOW_INFO) {
        const struct rivulet_window_info info = {
            .version = RIVULET_WINDOW_VERSION,
            .flags = (window->coherent ? RIVULET_WINDOW_COHERENT : 0) |
                     (window->has_interrupt ? RIVULET_WINDOW_INTERRUPT : 0),
            .lines = known_lines(window),
            .address = window->address,
            .bytes = window->bytes,
        };
        return copy_to_user(at, &info, sizeof(info)) ? -EFAULT : 0;
    }
    if (request == RIVULET_WINDOW_EXPORT || request == RIVULET_WINDOW_EXPORTED) {
        struct rivulet_window_export export;
        if (copy_from_user(&export, at, sizeof(export)))
            return -EFAULT;
        if (export.reserved)
            return -EINVAL;
        export.fd = request == RIVULET_WINDOW_EXPORT
                        ? rivulet_window_export(window, export.offset, export.bytes)
                        : rivulet_window_exported(window, export.offset, export.bytes);
        if (export.fd < 0)
            return export.fd;
        return copy_to_user(at, &export, sizeof(export)) ? -EFAULT : 0;
    }
    return -ENOTTY;
}

static const struct file_operations node_operations = {
    .owner = THIS_MODULE,
    .open = node_open,
    .release = node_release,
    .read = node_read,
    .write = node_write,
    .poll = node_poll,
    .mmap = node_mmap,
    .unlocked_ioctl = node_ioctl,
    .compat_ioctl = compat_ptr_ioctl,
};

int rivulet_window_register(struct rivulet_window *window) {
    int status;
    if (!window->bytes || (window->base | window->bytes) & ~PAGE_MASK)
        return dev_err_probe(window->dev, -EINVAL, "the window is not a number of whole pages\n");
    /* Linux would map it cached, and could use it for anything. */
    if (region_intersects(window->base, window->bytes, IORESOURCE_SYSTEM_RAM, IORES_DESC_NONE) !=
        REGION_DISJOINT)
        return dev_err_probe(window->dev, -EBUSY,
                             "the window is memory of Linux; its reserved memory needs no-map\n");
    window->number = ida_alloc(&numbers, GFP_KERNEL);
    if (window->number < 0)
        return window->number;
    snprintf(window->name, sizeof(window->name), "rivulet%d", window->number);
    window->misc = (struct miscdevice){
        .minor = MISC_DYNAMIC_MINOR,
        .name = window->name,
        .fops = &node_operations,
        .parent = window->dev,
        .mode = 0660,
    };
    /* On x86, mappings of pages are write-combining only if the range is known to be. */
    window->is_reserved =
        !window->coherent && !arch_io_reserve_memtype_wc(window->base, window->bytes);
    status = misc_register(&window->misc);
    if (status) {
        if (window->is_reserved)
            arch_io_free_memtype_wc(window->base, window->bytes);
        ida_free(&numbers, window->number);
        return status;
    }
    dev_info(window->dev, "%s: %llu KiB at %pa, %#llx on the device, lines %#x\n", window->name,
             window->bytes >> 10, &window->base, window->address, known_lines(window));
    return 0;
}

void rivulet_window_unregister(struct rivulet_window *window) {
    misc_deregister(&window->misc);
    mutex_lock(&window->lock);
    window->is_gone = true;
    if (window->mapping)
        unmap_mapping_range(window->mapping, 0, 0, 1);
    rivulet_window_unmap_exports(window);
    mutex_unlock(&window->lock);
    wake_up_interruptible(&window->interrupted);
    if (window->is_reserved)
        arch_io_free_memtype_wc(window->base, window->bytes);
    ida_free(&numbers, window->number);
    rivulet_window_put(window);
}

static int __init window_init(void) {
    int status = platform_driver_register(&rivulet_platform_driver);
    if (status)
        return status;
    status = pci_register_driver(&rivulet_pci_driver);
    if (status)
        platform_driver_unregister(&rivulet_platform_driver);
    return status;
}

static void __exit window_exit(void) {
    pci_unregister_driver(&rivulet_pci_driver);
    platform_driver_unregister(&rivulet_platform_driver);
}

module_init(window_init);
module_exit(window_exit);
MODULE_DESCRIPTION("Windows into the memory of devices that run Rivulet's firmware");
MODULE_AUTHOR("The Rivulet authors");
MODULE_LICENSE("GPL");
