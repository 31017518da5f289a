/* SPDX-License-Identifier: Apache-2.0
 *
 * The facts that the firmware takes from a flattened device tree (Devicetree Specification 0.4,
 * chapter 5). */
#ifndef RIVULET_FIRMWARE_DEVICE_TREE_H
#define RIVULET_FIRMWARE_DEVICE_TREE_H

#include <stdbool.h>
#include <stdint.h>

enum { DEVICE_TREE_MAX_HARTS = 64, DEVICE_TREE_MAX_RESERVED = 32, DEVICE_TREE_ISA_BYTES = 512 };

typedef struct device_tree_range {
    uint64_t base, bytes;
} device_tree_range;

/* What /cpus says. */
typedef struct device_tree_cpus {
    uint32_t harts;
    uint32_t hart_id[DEVICE_TREE_MAX_HARTS];
    /* The first hart's, "" if it is not said: riscv,isa-base with riscv,isa-extensions, as far as
     * they are for U mode, else riscv,isa. */
    char isa[DEVICE_TREE_ISA_BYTES];
    bool isa_differs; /* … and another hart's is not the same */
    uint32_t differing_hart_id;
    uint32_t timebase;
    uint32_t cache_block;
} device_tree_cpus;

typedef struct device_tree {
    uint64_t bytes; /* of the tree itself */
    device_tree_cpus cpus;
    uint64_t memory_base; /* the range that holds the address asked for */
    uint64_t memory_bytes;
    uint32_t reserved_ranges; /* for others: not those that hold the address asked for */
    device_tree_range reserved[DEVICE_TREE_MAX_RESERVED];
} device_tree;

/* False when there is no tree at that address, or it names no hart or not the memory that holds
 * `address`, or reserves more ranges than can be kept. */
bool device_tree_read(const void *tree, uint64_t address, device_tree *result);

#endif
