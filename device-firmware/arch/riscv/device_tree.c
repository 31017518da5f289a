/* SPDX-License-Identifier: Apache-2.0 */
#include "device-firmware/arch/riscv/device_tree.h"

#include <string.h>

enum { MAGIC = 0xd00dfeed, BEGIN_NODE = 1, END_NODE = 2, PROPERTY = 3, NOP = 4, END = 9 };
enum { MAX_DEPTH = 16, MAX_CELLS = 4, MAX_BYTES = 1 << 20 };

typedef struct property {
    const char *name;
    const uint8_t *value;
    uint32_t bytes;
} property;

static uint32_t cell(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static uint64_t cells(const uint8_t *bytes, uint32_t count) {
    uint64_t value = 0;
    for (uint32_t i = 0; i < count; ++i)
        value = value << 32 | cell(bytes + 4 * i);
    return value;
}

static bool is(const property *property, const char *name) {
    return strcmp(property->name, name) == 0;
}

static bool is_text(const property *property) {
    return property->bytes && property->value[property->bytes - 1] == '\0';
}

/* A node and what is known of it so far; its properties come before its children. */
typedef struct node {
    const char *name;
    uint32_t address_cells, size_cells; /* of its children */
    const uint8_t *reg;
    uint32_t reg_bytes;
    const char *isa;
    uint32_t cache_block;
    bool disabled;
} node;

static bool is_named(const node *node, const char *name) {
    size_t length = strlen(name);
    return strncmp(node->name, name, length) == 0 &&
           (node->name[length] == '\0' || node->name[length] == '@');
}

/* #address-cells or #size-cells; 0, which nothing can be read with, when it makes no sense. */
static uint32_t cell_count(const property *property) {
    uint32_t count = cell(property->value);
    return count <= MAX_CELLS ? count : 0;
}

static void read_property(node *node, const property *property, device_tree *result) {
    bool has_cell = property->bytes >= 4;
    if (is(property, "#address-cells") && has_cell)
        node->address_cells = cell_count(property);
    else if (is(property, "#size-cells") && has_cell)
        node->size_cells = cell_count(property);
    else if (is(property, "riscv,cbom-block-size") && has_cell)
        node->cache_block = cell(property->value);
    else if (is(property, "timebase-frequency") && has_cell)
        result->timebase = cell(property->value);
    else if (is(property, "riscv,isa") && is_text(property))
        node->isa = (const char *)property->value;
    else if (is(property, "status") && is_text(property))
        node->disabled = strcmp((const char *)property->value, "okay") != 0;
    else if (is(property, "reg")) {
        node->reg = property->value;
        node->reg_bytes = property->bytes;
    }
}

static void read_hart(const node *hart, const node *cpus, device_tree *result) {
    uint32_t bytes = cpus->address_cells * 4;
    if (hart->disabled || !hart->reg || !bytes || hart->reg_bytes < bytes ||
        result->harts == DEVICE_TREE_MAX_HARTS)
        return;
    if (result->harts == 0) {
        result->isa = hart->isa;
        result->cache_block = hart->cache_block;
    }
    bool same =
        result->isa && hart->isa ? strcmp(result->isa, hart->isa) == 0 : result->isa == hart->isa;
    if (!same && !result->isa_differs) {
        result->isa_differs = true;
        result->differing_hart_id = (uint32_t)cells(hart->reg, cpus->address_cells);
    }
    result->hart_id[result->harts++] = (uint32_t)cells(hart->reg, cpus->address_cells);
}

static void read_memory(const node *memory, const node *root, uint64_t address,
                        device_tree *result) {
    uint32_t step = (root->address_cells + root->size_cells) * 4;
    for (uint32_t at = 0; step && memory->reg && at + step <= memory->reg_bytes; at += step) {
        uint64_t base = cells(memory->reg + at, root->address_cells);
        uint64_t bytes = cells(memory->reg + at + root->address_cells * 4, root->size_cells);
        if (address >= base && address - base < bytes) {
            result->memory_base = base;
            result->memory_bytes = bytes;
        }
    }
}

static void finish_node(const node *path, uint32_t depth, uint64_t address, device_tree *result) {
    if (depth == 1 && is_named(&path[1], "memory"))
        read_memory(&path[1], &path[0], address, result);
    if (depth == 2 && is_named(&path[1], "cpus") && is_named(&path[2], "cpu"))
        read_hart(&path[2], &path[1], result);
}

/* The tokens between `at` and `end`; true if they are a whole tree. */
static bool walk(const uint8_t *at, const uint8_t *end, const char *strings, uint32_t string_bytes,
                 uint64_t address, device_tree *result) {
    node path[MAX_DEPTH];
    uint32_t nodes = 0; /* in path */
    while (at + 4 <= end) {
        uint32_t token = cell(at);
        at += 4;
        if (token == BEGIN_NODE) {
            const uint8_t *name = at;
            const uint8_t *zero = memchr(at, 0, (size_t)(end - at));
            if (!zero || nodes == MAX_DEPTH)
                return false;
            path[nodes++] = (node){.name = (const char *)name, .address_cells = 2, .size_cells = 1};
            at += ((size_t)(zero - at) + 4) & ~(size_t)3;
        } else if (token == END_NODE && nodes) {
            finish_node(path, --nodes, address, result);
        } else if (token == PROPERTY && nodes && at + 8 <= end) {
            uint32_t bytes = cell(at), name = cell(at + 4);
            at += 8;
            if (bytes > (size_t)(end - at) || name >= string_bytes)
                return false;
            property property = {strings + name, at, bytes};
            read_property(&path[nodes - 1], &property, result);
            at += (bytes + 3u) & ~3u;
        } else if (token == END) {
            return nodes == 0;
        } else if (token != NOP) {
            return false;
        }
    }
    return false;
}

bool device_tree_read(const void *tree, uint64_t address, device_tree *result) {
    const uint8_t *header = tree;
    *result = (device_tree){0};
    if (!header || (uintptr_t)header % 4 || cell(header) != MAGIC)
        return false;
    uint32_t bytes = cell(header + 4), tokens = cell(header + 8), strings = cell(header + 12);
    uint32_t string_bytes = cell(header + 32), token_bytes = cell(header + 36);
    if (bytes > MAX_BYTES || tokens > bytes || token_bytes > bytes - tokens || strings > bytes ||
        string_bytes > bytes - strings || !string_bytes ||
        header[strings + string_bytes - 1] != '\0')
        return false;
    result->bytes = bytes;
    return walk(header + tokens, header + tokens + token_bytes, (const char *)header + strings,
                string_bytes, address, result) &&
           result->harts && result->memory_bytes;
}
