/* SPDX-License-Identifier: Apache-2.0 */
#include "device-firmware/arch/riscv/sbi.h"

typedef struct sbi_result {
    intptr_t error;
    uintptr_t value;
} sbi_result;

static sbi_result call(sbi_extension extension, uintptr_t function, uintptr_t a, uintptr_t b,
                       uintptr_t c) {
    register uintptr_t a0 __asm__("a0") = a;
    register uintptr_t a1 __asm__("a1") = b;
    register uintptr_t a2 __asm__("a2") = c;
    register uintptr_t a6 __asm__("a6") = function;
    register uintptr_t a7 __asm__("a7") = extension;
    __asm__ volatile("ecall" : "+r"(a0), "+r"(a1) : "r"(a2), "r"(a6), "r"(a7) : "memory");
    return (sbi_result){(intptr_t)a0, a1};
}

bool sbi_has(sbi_extension extension) {
    enum { PROBE_EXTENSION = 3 };
    const sbi_result found = call(SBI_BASE, PROBE_EXTENSION, extension, 0, 0);
    return found.error == SBI_SUCCESS && found.value != 0;
}

uintptr_t sbi_vendor_id(void) {
    enum { GET_MVENDORID = 4 };
    const sbi_result found = call(SBI_BASE, GET_MVENDORID, 0, 0, 0);
    return found.error == SBI_SUCCESS ? found.value : 0;
}

intptr_t sbi_set_timer(uint64_t time) {
    enum { SET_TIMER = 0 };
#if __riscv_xlen == 64
    return call(SBI_TIME, SET_TIMER, time, 0, 0).error;
#else
    return call(SBI_TIME, SET_TIMER, (uint32_t)time, (uint32_t)(time >> 32), 0).error;
#endif
}

intptr_t sbi_send_ipi(uint32_t hart_id) {
    enum { SEND_IPI = 0 };
    return call(SBI_IPI, SEND_IPI, 1 /* a mask that begins with this hart: */, hart_id, 0).error;
}

intptr_t sbi_hart_start(uint32_t hart_id, uintptr_t address) {
    enum { HART_START = 0 };
    return call(SBI_HSM, HART_START, hart_id, address, 0).error;
}

intptr_t sbi_hart_suspend(uint32_t type) {
    enum { HART_SUSPEND = 3 };
    return call(SBI_HSM, HART_SUSPEND, type, 0, 0).error;
}

void sbi_system_reset(void) {
    enum { RESET = 0, COLD_REBOOT = 1 };
    (void)call(SBI_SRST, RESET, COLD_REBOOT, 0, 0);
}
