/* SPDX-License-Identifier: Apache-2.0
 *
 * Saves and restores f and v registers. The firmware itself uses neither. */
#include "device-firmware/arch/riscv/registers.h"

#include "device-firmware/arch/riscv/csr.h"
#include "device-firmware/core/arch.h"

enum { FCSR = 0x003, VSTART = 0x008, VL = 0xc20, VTYPE = 0xc21 };

/* rNUMBER for each f register: "OPERATION fN, 8 * N(REGISTER)" */
#define FOR_EACH_F(operation)                                                                      \
    ".irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,"  \
    "31\n" operation " f\\n, 8*\\n(%0)\n"                                                          \
    ".endr\n"

uint64_t arch_register_bytes(const firmware *f) {
    const uint64_t bytes = sizeof(riscv_registers) + 32 * (f->vlen / 8);
    return (bytes + RVL_CACHE_BLOCK - 1) / RVL_CACHE_BLOCK * RVL_CACHE_BLOCK;
}

static void save_floats(const firmware *f, riscv_registers *to) {
    to->fcsr = csr_read_number(FCSR);
    if (f->arch.has_double)
        __asm__ volatile(
            ".option push\n.option arch, +d\n" FOR_EACH_F("fsd") ".option pop" ::"r"(to->f)
            : "memory");
    else
        __asm__ volatile(
            ".option push\n.option arch, +f\n" FOR_EACH_F("fsw") ".option pop" ::"r"(to->f)
            : "memory");
}

static void restore_floats(const firmware *f, const riscv_registers *from) {
    if (f->arch.has_double)
        __asm__ volatile(
            ".option push\n.option arch, +d\n" FOR_EACH_F("fld") ".option pop" ::"r"(from->f)
            : "memory");
    else
        __asm__ volatile(
            ".option push\n.option arch, +f\n" FOR_EACH_F("flw") ".option pop" ::"r"(from->f)
            : "memory");
    csr_write_number(FCSR, from->fcsr);
}

/* An interrupt may have stopped an instruction at element vstart, from which it goes on. Whole
 * registers are stored and loaded from element vstart on, too, so it has to be 0 meanwhile. They
 * don't depend on vtype. */
static void save_vectors(const firmware *f, riscv_registers *to) {
    to->vstart = csr_read_number(VSTART);
    to->vcsr = csr_read_number(VCSR);
    to->vl = csr_read_number(VL);
    to->vtype = csr_read_number(VTYPE);
    csr_write_number(VSTART, 0);
    uintptr_t at = (uintptr_t)(to + 1);
    const uintptr_t eight = f->vlen; /* bytes of eight registers */
    __asm__ volatile(".option push\n"
                     ".option arch, +v\n"
                     ".irp n, 0, 8, 16, 24\n"
                     "vs8r.v v\\n, (%0)\n"
                     "add %0, %0, %1\n"
                     ".endr\n"
                     ".option pop"
                     : "+&r"(at)
                     : "r"(eight)
                     : "memory");
}

/* vl is at most what vtype allows, so vsetvl sets it to exactly that; an invalid vtype stays so.
 * Each vector instruction sets vstart to 0: it comes last. */
static void restore_vectors(const firmware *f, const riscv_registers *from) {
    csr_write_number(VSTART, 0);
    uintptr_t at = (uintptr_t)(from + 1);
    const uintptr_t eight = f->vlen;
    __asm__ volatile(".option push\n"
                     ".option arch, +v\n"
                     ".irp n, 0, 8, 16, 24\n"
                     "vl8re8.v v\\n, (%0)\n"
                     "add %0, %0, %1\n"
                     ".endr\n"
                     "vsetvl zero, %2, %3\n"
                     ".option pop"
                     : "+&r"(at)
                     : "r"(eight), "r"(from->vl), "r"(from->vtype)
                     : "memory");
    csr_write_number(VCSR, from->vcsr);
    csr_write_number(VSTART, from->vstart);
}

void registers_save(const firmware *f, riscv_registers *to) {
    if (f->arch.has_float)
        save_floats(f, to);
    if (f->arch.has_vector)
        save_vectors(f, to);
}

/* The store-conditional gives up a reservation of what ran in between, which a store-conditional of
 * this kernel must not take for its own. */
void registers_restore(const firmware *f, const riscv_registers *from) {
    csr_set(XSTATUS, XSTATUS_FS_INITIAL | XSTATUS_VS_INITIAL);
    if (f->arch.has_float)
        restore_floats(f, from);
    if (f->arch.has_vector)
        restore_vectors(f, from);
    uint32_t failed;
    __asm__ volatile("sc.w %0, zero, (%1)" : "=&r"(failed) : "r"(&from->reservation) : "memory");
    (void)failed;
}
