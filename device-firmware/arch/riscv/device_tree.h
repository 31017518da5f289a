/* SPDX-License-Identifier: Apache-2.0
 *
 * The facts that the firmware takes from a flattened device tree (Devicetree Specification 0.4,
 * chapter 5). */
#ifndef RIVULET_FIRMWARE_DEVICE_TREE_H
#define RIVULET_FIRMWARE_DEVICE_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "device-firmware/arch/riscv/max_harts.h"

enum {
    DEVICE_TREE_MAX_RESERVED = 32,
    DEVICE_TREE_ISA_BYTES = 512,
    DEVICE_TREE_CORE_BYTES = 64,
};

typedef struct device_tree_range {
    uint64_t base, bytes;
} device_tree_range;

/* Contents of /cpus. */
typedef struct device_tree_cpus {
    uint32_t harts;
    uint32_t hart_id[MAX_HARTS];
    /* The first hart's ISA, "" if unspecified: riscv,isa-base with those riscv,isa-extensions
     * that matter to U mode, otherwise riscv,isa. */
    char isa[DEVICE_TREE_ISA_BYTES];
    /* The first hart's first compatible string; "" if that is only "riscv", or too long. */
    char core[DEVICE_TREE_CORE_BYTES];
    bool isa_differs; /* another hart's ISA differs from it */
    uint32_t differing_hart_id;
    uint32_t timebase;
    uint32_t cache_block;
} device_tree_cpus;

typedef struct device_tree {
    uint64_t bytes; /* size of the tree itself */
    device_tree_cpus cpus;
    uint64_t memory_base; /* the memory range that contains the requested address */
    uint64_t memory_bytes;
    uint32_t reserved_ranges; /* reserved for others: excludes ranges that contain the requested
                               * address */
    device_tree_range reserved[DEVICE_TREE_MAX_RESERVED];
} device_tree;

/* Returns false if there is no device tree at that address, if it lists no hart or no memory
 * containing `address`, or if it reserves more ranges than can be stored. */
bool device_tree_read(const void *tree, uint64_t address, device_tree *result);

#endif
