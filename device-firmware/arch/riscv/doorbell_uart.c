/* SPDX-License-Identifier: Apache-2.0
 *
 * A byte over a 16550 UART, in both directions: what the smallest system has. All bells from the
 * host come to hart 0, through the PLIC. */
#include "board.h"
#include "device-firmware/arch/riscv/mmio.h"
#include "device-firmware/arch/riscv/riscv.h"

enum { DATA = 0, INTERRUPT_ENABLE = 1, FIFO_CONTROL = 2, LINE_STATUS = 5 }; /* registers */
enum { RECEIVED = 1, FIFO_ENABLE_AND_CLEAR = 7, DATA_READY = 1, TRANSMITTER_EMPTY = 0x20 };
enum {
    PLIC_ENABLE = 0x2000,
    PLIC_CONTEXT = 0x200000,
    PLIC_CLAIM = 4,
    BELL = 0x07, /* whatever it is: only its coming counts */
};

static uintptr_t uart(uint32_t number) {
    return BOARD_UART_BASE + ((uintptr_t)number << BOARD_UART_REG_SHIFT);
}

static uint8_t uart_read(uint32_t number) {
    return BOARD_UART_IO_WIDTH == 4 ? (uint8_t)mmio_read32(uart(number)) : mmio_read8(uart(number));
}

static void uart_write(uint32_t number, uint8_t value) {
    if (BOARD_UART_IO_WIDTH == 4)
        mmio_write32(uart(number), value);
    else
        mmio_write8(uart(number), value);
}

/* Hart 0 is the board's first, and M mode its first context. */
static bool start(firmware *f) {
    (void)f;
    uart_write(FIFO_CONTROL, FIFO_ENABLE_AND_CLEAR);
    uart_write(INTERRUPT_ENABLE, RECEIVED);
    mmio_write32(BOARD_PLIC_BASE + 4 * BOARD_UART_INTERRUPT, 1);
    mmio_write32(BOARD_PLIC_BASE + PLIC_ENABLE + BOARD_UART_INTERRUPT / 32 * 4,
                 1u << BOARD_UART_INTERRUPT % 32);
    mmio_write32(BOARD_PLIC_BASE + PLIC_CONTEXT, 0); /* threshold */
    return true;
}

static void start_hart(hart *hart) { (void)hart; }

static void acknowledge(void) {
    uint32_t source = mmio_read32(BOARD_PLIC_BASE + PLIC_CONTEXT + PLIC_CLAIM);
    while (uart_read(LINE_STATUS) & DATA_READY)
        (void)uart_read(DATA);
    if (source)
        mmio_write32(BOARD_PLIC_BASE + PLIC_CONTEXT + PLIC_CLAIM, source);
}

/* One that does not fit is not needed: those before it are on their way. */
static void ring_host(void) {
    if (uart_read(LINE_STATUS) & TRANSMITTER_EMPTY)
        uart_write(DATA, BELL);
}

const doorbell doorbell_uart = {"uart", start, start_hart, acknowledge, ring_host};
