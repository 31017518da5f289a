/* SPDX-License-Identifier: Apache-2.0
 *
 * The device tree reader, on the machine's tree and on the board's own. */
#include <string.h>

#include "board.h"
#include "device-firmware/arch/riscv/device_tree.h"
#include "device-firmware/tests/target/target.h"

static device_tree tree;

static void given(firmware *f) {
    CHECK(device_tree_read(target_given_tree, BOARD_FIRMWARE_BASE, &tree));
    CHECK(tree.cpus.harts == f->harts && tree.cpus.harts == 4);
    CHECK(tree.cpus.timebase == 10000000);
    CHECK(tree.memory_base == 0x80000000 && tree.memory_bytes == 512 << 20);
    CHECK(strncmp(tree.cpus.isa, __riscv_xlen == 64 ? "rv64" : "rv32", 4) == 0 &&
          !tree.cpus.isa_differs);
}

static void own(firmware *f) {
    (void)f;
    CHECK(device_tree_read(riscv_board_tree, BOARD_FIRMWARE_BASE, &tree));
    CHECK(tree.cpus.harts >= 1 && tree.cpus.timebase == BOARD_TIMEBASE);
    CHECK(!device_tree_read(riscv_board_tree, 0x10, &tree)); /* no memory there */
}

static void broken(firmware *f) {
    uint8_t *copy = (uint8_t *)(uintptr_t)f->heap;
    CHECK(!device_tree_read(NULL, BOARD_FIRMWARE_BASE, &tree));
    CHECK(!device_tree_read((const uint8_t *)riscv_board_tree + 1, BOARD_FIRMWARE_BASE, &tree));
    for (uint32_t at = 0; at < 40; at += 4) { /* each word of the header */
        memcpy(copy, riscv_board_tree, 4096);
        memset(copy + at, 0xff, 4);
        (void)device_tree_read(copy, BOARD_FIRMWARE_BASE, &tree); /* comes back */
    }
    memcpy(copy, riscv_board_tree, 4096);
    copy[0] ^= 1;
    CHECK(!device_tree_read(copy, BOARD_FIRMWARE_BASE, &tree));
}

const target_test tree_tests[] = {
    {"the machine's device tree", given},
    {"the board's device tree", own},
    {"broken device trees", broken},
    {0},
};
