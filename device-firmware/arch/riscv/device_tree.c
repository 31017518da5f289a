/* SPDX-License-Identifier: Apache-2.0
 *
 * This is not libfdt, which the generator of boards uses: Debian packages it for hosts, and not its
 * source, as it does newlib's; and the tree may be damaged or hostile. One pass without recursion
 * answers all questions in time that grows with the tree alone, where each lookup of libfdt walks
 * it again. tests/fuzz/device_tree.cpp fuzzes it. */
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

/* A node on the current path and the properties seen so far; properties precede child nodes. */
typedef struct node {
    const char *name;
    uint32_t address_cells, size_cells; /* for its children */
    const uint8_t *reg;
    uint32_t reg_bytes;
    const char *isa, *isa_base;
    const char *compatible; /* the first string of the list */
    const char *extensions; /* a string list: each NUL-terminated */
    uint32_t extension_bytes;
    uint32_t cache_block;
    bool disabled;
} node;

static bool is_named(const node *node, const char *name) {
    size_t length = strlen(name);
    return strncmp(node->name, name, length) == 0 &&
           (node->name[length] == '\0' || node->name[length] == '@');
}

/* Value of #address-cells or #size-cells, or 0 (so that nothing can be read with it) if invalid. */
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
        result->cpus.timebase = cell(property->value);
    else if (is(property, "riscv,isa") && is_text(property))
        node->isa = (const char *)property->value;
    else if (is(property, "compatible") && is_text(property))
        node->compatible = (const char *)property->value;
    else if (is(property, "riscv,isa-base") && is_text(property))
        node->isa_base = (const char *)property->value;
    else if (is(property, "riscv,isa-extensions") && is_text(property)) {
        node->extensions = (const char *)property->value;
        node->extension_bytes = property->bytes;
    } else if (is(property, "status") && is_text(property))
        node->disabled = strcmp((const char *)property->value, "okay") != 0;
    else if (is(property, "reg")) {
        node->reg = property->value;
        node->reg_bytes = property->bytes;
    }
}

/* An extension that does not fit is dropped entirely, never truncated. */
static void append(char *isa, const char *before, const char *name) {
    const size_t length = strlen(isa);
    if (length + strlen(before) + strlen(name) < DEVICE_TREE_ISA_BYTES) {
        strcpy(isa + length, before);
        strcat(isa, name);
    }
}

static bool has_extension(const node *hart, const char *name) {
    const char *end = hart->extensions + hart->extension_bytes;
    for (const char *at = hart->extensions; at < end; at += strlen(at) + 1)
        if (strcmp(at, name) == 0)
            return true;
    return false;
}

/* Prefers riscv,isa-extensions: in Linux's trees riscv,isa is a shorter legacy form. S-mode
 * extensions are dropped because kernels can't use them. */
static void write_isa(const node *hart, char *isa) {
    if (!hart->isa_base || !hart->extensions || strlen(hart->isa_base) < 4) {
        append(isa, "", hart->isa ? hart->isa : "");
        return;
    }
    strncat(isa, hart->isa_base, 4); /* rv64 */
    for (const char *letter = "iemafdqcbvh"; *letter; ++letter) {
        const char name[2] = {*letter, 0};
        if (has_extension(hart, name) || strchr(hart->isa_base + 4, *letter))
            append(isa, "", name);
    }
    const char *end = hart->extensions + hart->extension_bytes;
    for (const char *at = hart->extensions; at < end; at += strlen(at) + 1)
        if (strlen(at) > 1 && *at != 's')
            append(isa, "_", at);
}

static void write_core(const node *hart, char *core) {
    if (hart->compatible && strcmp(hart->compatible, "riscv") != 0 &&
        strlen(hart->compatible) < DEVICE_TREE_CORE_BYTES)
        strcpy(core, hart->compatible);
}

static bool same_text(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

static bool same_isa(const node *a, const node *b) {
    if (a->extensions || b->extensions)
        return same_text(a->isa_base, b->isa_base) && a->extension_bytes == b->extension_bytes &&
               memcmp(a->extensions, b->extensions, a->extension_bytes) == 0;
    return same_text(a->isa, b->isa);
}

static void read_hart(const node *hart, const node *cpus, node *first, device_tree *result) {
    uint32_t bytes = cpus->address_cells * 4;
    if (hart->disabled || !hart->reg || !bytes || hart->reg_bytes < bytes ||
        result->cpus.harts == MAX_HARTS)
        return;
    if (result->cpus.harts == 0) {
        *first = *hart;
        write_isa(hart, result->cpus.isa);
        write_core(hart, result->cpus.core);
        result->cpus.cache_block = hart->cache_block;
    }
    if (!same_isa(first, hart) && !result->cpus.isa_differs) {
        result->cpus.isa_differs = true;
        result->cpus.differing_hart_id = (uint32_t)cells(hart->reg, cpus->address_cells);
    }
    result->cpus.hart_id[result->cpus.harts++] = (uint32_t)cells(hart->reg, cpus->address_cells);
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

/* Returns false if the table is full. A range that contains `address` is our own memory,
 * reserved by the systems we share it with, so it is skipped. */
static bool reserve(uint64_t base, uint64_t bytes, uint64_t address, device_tree *result) {
    const bool is_ours = address >= base && address - base < bytes;
    if (is_ours || !bytes)
        return true;
    if (result->reserved_ranges == DEVICE_TREE_MAX_RESERVED)
        return false;
    result->reserved[result->reserved_ranges++] = (device_tree_range){base, bytes};
    return true;
}

static bool read_reserved(const node *range, const node *parent, uint64_t address,
                          device_tree *result) {
    uint32_t step = (parent->address_cells + parent->size_cells) * 4;
    bool has_room = true;
    for (uint32_t at = 0; step && range->reg && !range->disabled && at + step <= range->reg_bytes;
         at += step)
        has_room &= reserve(cells(range->reg + at, parent->address_cells),
                            cells(range->reg + at + parent->address_cells * 4, parent->size_cells),
                            address, result);
    return has_room;
}

static bool finish_node(const node *path, uint32_t depth, node *first_hart, uint64_t address,
                        device_tree *result) {
    if (depth == 2 && is_named(&path[1], "reserved-memory"))
        return read_reserved(&path[2], &path[1], address, result);
    if (depth == 1 && is_named(&path[1], "memory"))
        read_memory(&path[1], &path[0], address, result);
    if (depth == 2 && is_named(&path[1], "cpus") && is_named(&path[2], "cpu"))
        read_hart(&path[2], &path[1], first_hart, result);
    return true;
}

/* Parses the tokens between `at` and `end`; true if they form a complete tree. */
static bool walk(const uint8_t *at, const uint8_t *end, const char *strings, uint32_t string_bytes,
                 uint64_t address, device_tree *result) {
    node path[MAX_DEPTH], first_hart;
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
            if (!finish_node(path, --nodes, &first_hart, address, result))
                return false;
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

/* Memory reservation block (5.3): pairs of address and size, terminated by a pair of zeros. */
static bool read_reservations(const uint8_t *at, const uint8_t *end, uint64_t address,
                              device_tree *result) {
    for (; at + 16 <= end; at += 16) {
        const uint64_t base = cells(at, 2), bytes = cells(at + 8, 2);
        if (!base && !bytes)
            return true;
        if (!reserve(base, bytes, address, result))
            return false;
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
    const uint32_t reservations = cell(header + 16);
    if (reservations > bytes || reservations % 8 ||
        !read_reservations(header + reservations, header + bytes, address, result))
        return false;
    return walk(header + tokens, header + tokens + token_bytes, (const char *)header + strings,
                string_bytes, address, result) &&
           result->cpus.harts && result->memory_bytes;
}
