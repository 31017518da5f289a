/* SPDX-License-Identifier: Apache-2.0
 *
 * A made-up extension, Xacme, with instructions on vectors of 32-bit elements, for the tests of
 * rivulet_instruction: they trap, because QEMU's harts lack them, and are executed here, on behalf
 * of the one hart of this board.
 *
 *   31     26 25 24  20 19  15 14  12 11   7 6       0
 *   +--------+--+------+------+------+------+---------+
 *   | 000000 |vm| rs2  | rs1  |funct3| vd   | 0001011 |
 *   +--------+--+------+------+------+------+---------+
 *
 * vl, vtype, vstart and the mask in v0 have the meaning that they have for V's instructions;
 * elements of the tail and those that are masked off keep their values. */
#include "device-firmware/arch/riscv/arch_state.h"
#include "device-firmware/arch/riscv/csr.h"
#include "device-firmware/arch/riscv/riscv.h"
#include "device-firmware/drivers/platform.h"

enum {
    REGISTERS = 32,
    MOST_VECTOR_BYTES = 128, /* VLEN 1024 */
    VSTART = 0x008,
    VL = 0xc20,
    VTYPE = 0xc21,
    VTYPE_SEW = 7 << 3,
    VTYPE_E32 = 2 << 3,
};

/* Values of funct3. rs1 and rs2 are vectors where nothing else is said. */
enum {
    MAC_XV = 3,   /* MAC with rs1 in x */
    MAC = 4,      /* vd = (vd + rs1 * rs2) mod (2^31 - 1) */
    NOT_BODY = 5, /* vd = rs1 + 1: what no body in a table says */
    MIX_VX = 6,   /* MIX with rs2 in x */
    MIX = 7,      /* vd = rotate(rs1, 3) ^ rs2 */
};

static uint32_t vectors[REGISTERS * MOST_VECTOR_BYTES / sizeof(uint32_t)];

/* Whole registers, whatever vl and vtype are. */
#define TRANSFER(v0, v8, v16, v24)                                                                 \
    __asm__ volatile(".option push\n"                                                              \
                     ".option arch, +v\n"                                                          \
                     "csrr t0, vlenb\n"                                                            \
                     "slli t0, t0, 3\n"                                                            \
                     "mv t1, %0\n" v0 " (t1)\n"                                                    \
                     "add t1, t1, t0\n" v8 " (t1)\n"                                               \
                     "add t1, t1, t0\n" v16 " (t1)\n"                                              \
                     "add t1, t1, t0\n" v24 " (t1)\n"                                              \
                     ".option pop" ::"r"(vectors)                                                  \
                     : "t0", "t1", "memory")

static uint32_t result_of(uint32_t function, uint32_t before, uint32_t a, uint32_t b) {
    switch (function) {
    case MAC_XV:
    case MAC:
        return (uint32_t)((before + (uint64_t)a * b) % 0x7fffffff);
    case NOT_BODY:
        return a + 1;
    default: /* MIX, MIX_VX */
        return (a << 3 | a >> 29) ^ b;
    }
}

/* arch_hart.x[0] is the pc. */
static uint32_t scalar(const arch_hart *hart, uint32_t number) {
    return number ? (uint32_t)hart->x[number] : 0;
}

/* Executes the instruction at the kernel's pc. */
void acme_execute(const arch_hart *hart);
void acme_execute(const arch_hart *hart) {
    const uint16_t *pc = (const uint16_t *)csr_read(XEPC);
    const uint32_t code = pc[0] | (uint32_t)pc[1] << 16;
    const uint32_t function = code >> 12 & 7, vd = code >> 7 & 31, rs1 = code >> 15 & 31;
    const uint32_t rs2 = code >> 20 & 31;
    const bool masked = !(code >> 25 & 1);
    uintptr_t first = 0, end = 0, type = 0, bytes = 0;
    csr_try_read(VSTART, &first);
    csr_try_read(VL, &end);
    csr_try_read(VTYPE, &type);
    csr_try_read(VLENB, &bytes);
    firmware_assert(riscv_firmware(), (type & VTYPE_SEW) == VTYPE_E32 && function >= MAC_XV &&
                                          code >> 26 == 0 && bytes <= MOST_VECTOR_BYTES);
    csr_try_write(VSTART, 0); /* whole-register stores begin there, too */
    TRANSFER("vs8r.v v0,", "vs8r.v v8,", "vs8r.v v16,", "vs8r.v v24,");
    const uintptr_t words = bytes / sizeof *vectors;
    for (uintptr_t i = first; i < end; ++i) {
        if (masked && !(vectors[i / 32] >> i % 32 & 1))
            continue;
        uint32_t *to = &vectors[vd * words + i];
        const uint32_t a = function == MAC_XV ? scalar(hart, rs1) : vectors[rs1 * words + i];
        const uint32_t b = function == MIX_VX ? scalar(hart, rs2) : vectors[rs2 * words + i];
        *to = result_of(function, *to, a, b);
    }
    TRANSFER("vl8re8.v v0,", "vl8re8.v v8,", "vl8re8.v v16,", "vl8re8.v v24,");
}

/* In front of the firmware's own trap_entry: what is no instruction of ours is left to it, with all
 * registers as they were. */
extern const uint8_t acme_trap_entry[];
#define EACH_REGISTER(f)                                                                           \
    ".irp n, 1,3,4,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n" f  \
    ".endr\n"
#define TEXT(x) #x
#define VALUE(x) TEXT(x)
__asm__(
    ".text\n"
    ".balign 4\n"
    ".globl acme_trap_entry\n"
    "acme_trap_entry:\n"
    "csrrw sp, mscratch, sp\n" /* the arch_hart, or 0 from the firmware */
    "beqz sp, 2f\n"
    "sd t0, 5*8(sp)\n"
    "csrr t0, mcause\n"
    "addi t0, t0, -" VALUE(
        CAUSE_ILLEGAL) "\n"
                       "bnez t0, 1f\n"
                       "csrr t0, mepc\n"
                       "lhu t0, (t0)\n"
                       "andi t0, t0, 0x7f\n"
                       "addi t0, t0, -0x0b\n"
                       "bnez t0, 1f\n" EACH_REGISTER(
                           "sd x\\n, \\n*8(sp)\n") "csrrw t0, mscratch, zero\n"
                                                   "sd t0, 2*8(sp)\n"
                                                   "mv s0, sp\n"
                                                   "mv a0, sp\n"
                                                   "ld sp, 32*8(sp)\n" /* HART_FIRMWARE_SP */
                                                   "call acme_execute\n"
                                                   "mv sp, s0\n"
                                                   "csrw mscratch, sp\n"
                                                   "csrr t0, mepc\n"
                                                   "addi t0, t0, 4\n"
                                                   "csrw mepc, t0\n" EACH_REGISTER(
                                                       "ld x\\n, \\n*8(sp)\n") "ld t0, 5*8(sp)\n"
                                                                               "ld sp, 2*8(sp)\n"
                                                                               "mret\n"
                                                                               "1: ld t0, 5*8(sp)\n"
                                                                               "2: csrrw sp, "
                                                                               "mscratch, sp\n"
                                                                               "j trap_entry\n");
_Static_assert(HART_X(1) == 8 && HART_FIRMWARE_SP == 32 * 8, "offsets in the assembly above");

static void hart_init(void) { csr_write(XTVEC, (uintptr_t)acme_trap_entry); }

RIVULET_PLATFORM(acme_virt) = {.compatible = "rivulet,acme-virt", .hart_init = hart_init};
