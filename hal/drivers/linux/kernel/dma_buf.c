// SPDX-License-Identifier: GPL-2.0-only
//
// Pages of a window as dma-bufs, which cameras, displays and other devices import: their drivers
// then read and write the device's memory itself.
#include <linux/dma-buf.h>
#include <linux/dma-mapping.h>
#include <linux/fs.h>
#include <linux/io.h>
#include <linux/iosys-map.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/version.h>

#include "window.h"

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
MODULE_IMPORT_NS("DMA_BUF");
#else
MODULE_IMPORT_NS(DMA_BUF);
#endif

struct pages {
    struct list_head others; /* of the window */
    struct rivulet_window *window;
    struct inode *inode; /* of the dma-buf; programs' mappings hang on it */
    u64 offset;
    u64 bytes;
};

static phys_addr_t address_of(const struct pages *pages) {
    return pages->window->base + pages->offset;
}

static bool is_gone(struct rivulet_window *window) {
    bool gone;
    mutex_lock(&window->lock);
    gone = window->is_gone;
    mutex_unlock(&window->lock);
    return gone;
}

/* The pages are not Linux's memory (PCI, or no-map), so they have no struct page. Importers that
 * follow the rules use the DMA address alone, as for any other device's memory. */
static struct sg_table *buffer_map(struct dma_buf_attachment *attachment,
                                   enum dma_data_direction direction) {
    const struct pages *pages = attachment->dmabuf->priv;
    struct sg_table *table;
    dma_addr_t address;
    int status;
    if (is_gone(pages->window))
        return ERR_PTR(-ENODEV);
    table = kzalloc(sizeof(*table), GFP_KERNEL);
    if (!table)
        return ERR_PTR(-ENOMEM);
    status = sg_alloc_table(table, 1, GFP_KERNEL);
    if (status)
        goto no_table;
    address = dma_map_resource(attachment->dev, address_of(pages), pages->bytes, direction,
                               DMA_ATTR_SKIP_CPU_SYNC);
    status = dma_mapping_error(attachment->dev, address);
    if (status)
        goto no_address;
    sg_set_page(table->sgl, NULL, pages->bytes, 0);
    sg_dma_address(table->sgl) = address;
    sg_dma_len(table->sgl) = pages->bytes;
    return table;

no_address:
    sg_free_table(table);
no_table:
    kfree(table);
    return ERR_PTR(status);
}

static void buffer_unmap(struct dma_buf_attachment *attachment, struct sg_table *table,
                         enum dma_data_direction direction) {
    dma_unmap_resource(attachment->dev, sg_dma_address(table->sgl), sg_dma_len(table->sgl),
                       direction, DMA_ATTR_SKIP_CPU_SYNC);
    sg_free_table(table);
    kfree(table);
}

/* The caching must be that of programs' mappings. */
static int buffer_vmap(struct dma_buf *buffer, struct iosys_map *map) {
    const struct pages *pages = buffer->priv;
    void *at;
    if (is_gone(pages->window))
        return -ENODEV;
    at = memremap(address_of(pages), pages->bytes,
                  pages->window->coherent ? MEMREMAP_WB : MEMREMAP_WC);
    if (!at)
        return -ENOMEM;
    iosys_map_set_vaddr(map, at);
    return 0;
}

static void buffer_vunmap(struct dma_buf *buffer, struct iosys_map *map) { memunmap(map->vaddr); }

static int buffer_mmap(struct dma_buf *buffer, struct vm_area_struct *area) {
    const struct pages *pages = buffer->priv;
    return rivulet_window_map(pages->window, area, pages->offset, pages->bytes);
}

static void buffer_release(struct dma_buf *buffer) {
    struct pages *pages = buffer->priv;
    mutex_lock(&pages->window->lock);
    list_del(&pages->others);
    mutex_unlock(&pages->window->lock);
    iput(pages->inode);
    rivulet_window_put(pages->window);
    kfree(pages);
}

static const struct dma_buf_ops operations = {
    .map_dma_buf = buffer_map,
    .unmap_dma_buf = buffer_unmap,
    .vmap = buffer_vmap,
    .vunmap = buffer_vunmap,
    .mmap = buffer_mmap,
    .release = buffer_release,
};

int rivulet_window_export(struct rivulet_window *window, u64 offset, u64 bytes) {
    DEFINE_DMA_BUF_EXPORT_INFO(info);
    struct dma_buf *buffer;
    struct pages *pages;
    int descriptor;
    if (!bytes || (offset | bytes) & ~PAGE_MASK || offset > window->bytes ||
        bytes > window->bytes - offset)
        return -EINVAL;
    if (bytes > UINT_MAX) /* the length in a scatterlist */
        return -EFBIG;
    pages = kmalloc(sizeof(*pages), GFP_KERNEL);
    if (!pages)
        return -ENOMEM;
    *pages = (struct pages){.window = window, .offset = offset, .bytes = bytes};
    info.ops = &operations;
    info.size = bytes;
    info.flags = O_RDWR | O_CLOEXEC;
    info.priv = pages;
    mutex_lock(&window->lock);
    buffer = window->is_gone ? ERR_PTR(-ENODEV) : dma_buf_export(&info);
    if (!IS_ERR(buffer)) {
        kref_get(&window->users);
        pages->inode = file_inode(buffer->file);
        ihold(pages->inode); /* the file is gone before buffer_release is called */
        list_add(&pages->others, &window->exports);
    }
    mutex_unlock(&window->lock);
    if (IS_ERR(buffer)) {
        kfree(pages);
        return PTR_ERR(buffer);
    }
    descriptor = dma_buf_fd(buffer, O_CLOEXEC);
    if (descriptor < 0)
        dma_buf_put(buffer);
    return descriptor;
}

bool rivulet_window_exported(struct rivulet_window *window, u64 offset, u64 bytes) {
    const struct pages *pages;
    bool found = false;
    mutex_lock(&window->lock);
    list_for_each_entry(pages, &window->exports, others) found |=
        pages->offset < offset + bytes && offset < pages->offset + pages->bytes;
    mutex_unlock(&window->lock);
    return found;
}

void rivulet_window_unmap_exports(struct rivulet_window *window) {
    const struct pages *pages;
    list_for_each_entry(pages, &window->exports, others)
        unmap_mapping_range(pages->inode->i_mapping, 0, 0, 1);
}
