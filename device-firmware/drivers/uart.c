/* SPDX-License-Identifier: Apache-2.0
 *
 * 16550-compatible UARTs as console and as doorbell: DesignWare's, and Intel XScale's and its
 * descendants, which are off unless a bit of the interrupt enable register is set. Baud rate and
 * pins stay as the boot chain set them. */
#include "device-firmware/drivers/drivers.h"
#include "device-firmware/drivers/mmio.h"

enum { RBR_THR = 0, IER = 1, IIR_FCR = 2, LCR = 3, LSR = 5, DW_USR = 31 };
enum {
    IER_RECEIVED = 1 << 0,
    XSCALE_IER_TIMEOUT = 1 << 4, /* a byte that stays below the FIFO's threshold */
    XSCALE_IER_UNIT_ENABLE = 1 << 6,
    FCR_ENABLE = 1,
    FCR_CLEAR = 6,
    LCR_DIVISOR = 1 << 7,
    LSR_DATA_READY = 1 << 0,
    LSR_THRE = 1 << 5,
    IIR_ID = 0x0f,
    IIR_DW_BUSY = 7,
    IIR_TIMEOUT = 0x0c,
    FIFO_BYTES = 256,   /* larger FIFOs are not known */
    MOST_POLLS = 50000, /* a byte at 9600 baud takes 1 ms */
    BELL = 0x07,        /* the value is arbitrary: only its arrival counts */
};

static const char *const names[] = {
    "ns16550a",          "ns16550",       "snps,dw-apb-uart", "spacemit,k1-uart",
    "intel,xscale-uart", "mrvl,mmp-uart", "mrvl,pxa-uart",    NULL};

static bool is_xscale(const device *d) {
    static const char *const xscales[] = {"spacemit,k1-uart", "intel,xscale-uart", "mrvl,mmp-uart",
                                          "mrvl,pxa-uart", NULL};
    return device_is_any(d, xscales);
}

static uintptr_t address(const device *d, uint32_t number) {
    return d->base[0] + ((uintptr_t)number << d->reg_shift);
}

static uint8_t get(const device *d, uint32_t number) {
    return d->io_width == 4 ? (uint8_t)mmio_read32(address(d, number))
                            : mmio_read8(address(d, number));
}

static void set(const device *d, uint32_t number, uint8_t value) {
    if (d->io_width == 4)
        mmio_write32(address(d, number), value);
    else
        mmio_write8(address(d, number), value);
}

static uint8_t unit_enable(const device *d) { return is_xscale(d) ? XSCALE_IER_UNIT_ENABLE : 0; }

/* Earlier software may have left DLAB set, so that the divisor appears in place of IER. LCR is
 * written only if necessary, because a DesignWare UART ignores writes to it while busy. */
static void show_registers(const device *d) {
    const uint8_t control = get(d, LCR);
    if (control & LCR_DIVISOR)
        set(d, LCR, (uint8_t)(control & ~LCR_DIVISOR));
}

/* Keeps the bytes that are still being sent. */
static void start_console(const device *d) {
    show_registers(d);
    set(d, IER, unit_enable(d));
    set(d, IIR_FCR, FCR_ENABLE);
}

static void put(const device *d, char c) {
    for (uint32_t polls = 0; polls < MOST_POLLS; ++polls)
        if (get(d, LSR) & LSR_THRE) {
            set(d, RBR_THR, (uint8_t)c);
            return;
        }
}

static void start_bell(const device *d) {
    show_registers(d);
    set(d, IIR_FCR, FCR_ENABLE | FCR_CLEAR);
    set(d, IER, (uint8_t)(IER_RECEIVED | unit_enable(d) | (is_xscale(d) ? XSCALE_IER_TIMEOUT : 0)));
}

/* DesignWare: a timeout without a byte, and a write to LCR while busy, are each acknowledged by
 * a read. */
static void acknowledge(const device *d) {
    const uint8_t cause = get(d, IIR_FCR) & IIR_ID;
    if (cause == IIR_DW_BUSY && device_is(d, "snps,dw-apb-uart"))
        (void)get(d, DW_USR);
    if (cause == IIR_TIMEOUT)
        (void)get(d, RBR_THR);
    for (uint32_t bytes = 0; bytes < FIFO_BYTES && get(d, LSR) & LSR_DATA_READY; ++bytes)
        (void)get(d, RBR_THR);
}

/* If the FIFO is full, the byte is not needed: earlier ones are already on their way. */
static void ring(const device *d) {
    if (get(d, LSR) & LSR_THRE)
        set(d, RBR_THR, BELL);
}

const console_driver uart_console = {names, start_console, put};
const bell_driver uart_bell = {names, start_bell, acknowledge, ring};
