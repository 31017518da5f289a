// SPDX-License-Identifier: GPL-2.0-only
//
// Windows of a chip: nodes of the device tree that rivulet,window.yaml describes.
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/of_address.h>
#include <linux/of_reserved_mem.h>
#include <linux/platform_device.h>
#include <linux/property.h>
#include <linux/version.h>

#include "window.h"

static const char *const line_properties[RIVULET_LINES] = {
    "rivulet,bell",
    "rivulet,reset",
    "rivulet,release",
};

/* The memory that memory-region names. */
static int find_memory(struct rivulet_window *window) {
    struct device_node *node = of_parse_phandle(window->dev->of_node, "memory-region", 0);
    struct reserved_mem *memory = node ? of_reserved_mem_lookup(node) : NULL;
    struct resource range;
    int status = 0;
    if (memory) {
        window->base = memory->base;
        window->bytes = memory->size;
    } else if (node && !of_address_to_resource(node, 0, &range)) {
        window->base = range.start; /* of memory that Linux was never told of */
        window->bytes = resource_size(&range);
    } else {
        status = dev_err_probe(window->dev, -EINVAL, "memory-region names no memory\n");
    }
    of_node_put(node);
    return status;
}

/* NAME = <offset value>: a register in reg. */
static int find_line(struct device *dev, const char *name, void __iomem *registers, u64 bytes,
                     struct rivulet_line *line) {
    u32 cells[2];
    if (device_property_read_u32_array(dev, name, cells, 2))
        return 0;
    if (cells[0] % sizeof(u32) || bytes < sizeof(u32) || cells[0] > bytes - sizeof(u32))
        return dev_err_probe(dev, -EINVAL, "%s is not in reg\n", name);
    *line = (struct rivulet_line){registers + cells[0], cells[1]};
    return 0;
}

static int find_lines(struct platform_device *device, struct rivulet_window *window) {
    void __iomem *registers = NULL;
    u64 bytes = 0;
    unsigned int number;
    int status;
    struct resource *range = platform_get_resource(device, IORESOURCE_MEM, 0);
    if (range) {
        registers = devm_ioremap_resource(&device->dev, range);
        if (IS_ERR(registers))
            return PTR_ERR(registers);
        bytes = resource_size(range);
    }
    for (number = 0; number < RIVULET_LINES; number++) {
        status = find_line(&device->dev, line_properties[number], registers, bytes,
                           &window->lines[number]);
        if (status)
            return status;
    }
    status = find_line(&device->dev, "rivulet,acknowledge", registers, bytes, &window->acknowledge);
    if (status)
        return status;
    window->reset = devm_reset_control_get_optional_exclusive(&device->dev, NULL);
    return PTR_ERR_OR_ZERO(window->reset);
}

/* A level that nothing ends would interrupt for ever. */
static int request_interrupt(struct rivulet_window *window, int interrupt) {
    if (irq_get_trigger_type(interrupt) & IRQ_TYPE_LEVEL_MASK && !window->acknowledge.at)
        return dev_err_probe(window->dev, -EINVAL,
                             "the interrupt is a level, which needs rivulet,acknowledge\n");
    return request_irq(interrupt, rivulet_window_interrupt, 0, "rivulet", window);
}

static int window_probe(struct platform_device *device) {
    struct rivulet_window *window = rivulet_window_new(&device->dev);
    int interrupt;
    int status;
    if (!window)
        return -ENOMEM;
    platform_set_drvdata(device, window);
    status = find_memory(window);
    if (!status)
        status = find_lines(device, window);
    if (status)
        goto failed;
    window->coherent = device_property_read_bool(&device->dev, "dma-coherent");
    window->address = window->base; /* most chips have one map of addresses */
    device_property_read_u64(&device->dev, "rivulet,address", &window->address);
    interrupt = platform_get_irq_optional(device, 0);
    if (interrupt == -EPROBE_DEFER) {
        status = interrupt;
        goto failed;
    }
    if (interrupt > 0) {
        window->has_interrupt = true;
        status = request_interrupt(window, interrupt);
        if (status)
            goto failed;
    }
    status = rivulet_window_register(window);
    if (!status)
        return 0;
    if (window->has_interrupt)
        free_irq(interrupt, window);
failed:
    rivulet_window_put(window);
    return status;
}

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
static void window_remove(struct platform_device *device) {
#else
static int window_remove(struct platform_device *device) {
#endif
    struct rivulet_window *window = platform_get_drvdata(device);
    if (window->has_interrupt)
        free_irq(platform_get_irq(device, 0), window);
    rivulet_window_unregister(window);
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 11, 0)
    return 0;
#endif
}

static const struct of_device_id nodes[] = {
    {.compatible = "rivulet,window"},
    {},
};
MODULE_DEVICE_TABLE(of, nodes);

struct platform_driver rivulet_platform_driver = {
    .driver = {.name = "rivulet_window", .of_match_table = nodes},
    .probe = window_probe,
    .remove = window_remove,
};
