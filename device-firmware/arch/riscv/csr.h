/* SPDX-License-Identifier: Apache-2.0
 *
 * Control and status registers, with the names and numbers of the privileged manual. */
#ifndef RIVULET_FIRMWARE_CSR_H
#define RIVULET_FIRMWARE_CSR_H

#include <stdbool.h>
#include <stdint.h>

#include "device-firmware/arch/riscv/privilege.h"

#define MSTATUS_XL (0xful << 32) /* SXL and UXL */
#define MSTATUS_XL_64 (0xaul << 32)
#define MSTATUS_MDT (1ul << 42) /* Smdbltrp; on RV32 it is bit 10 of mstatush */
#define MSTATUSH 0x310
#define MSTATUS_TW (1ul << 21)
#define XSTATUS_VS (3ul << 9)
#define XSTATUS_VS_INITIAL (1ul << 9)
#define XSTATUS_FS (3ul << 13)
#define XSTATUS_FS_INITIAL (1ul << 13)

#define MIP_STI (1ul << 5)
#define MIP_MTI (1ul << 7)

#define CAUSE_INTERRUPT (1ul << (__riscv_xlen - 1))

/* AIA */
#define IMSIC_EIDELIVERY 0x70
#define IMSIC_DELIVERS 1
#define IMSIC_WIRES_DELIVER 0x40000000
#define IMSIC_EITHRESHOLD 0x72
#define IMSIC_EIP0 0x80
#define IMSIC_EIE0 0xc0

#define SATP 0x180
#define SCOUNTEREN 0x106
#define SSTATEEN0 0x10c
#define SSTATUS_UXL (3ul << 32)
#define SSTATUS_UXL_64 (2ul << 32)
#define STIMECMP 0x14d
#define STIMECMPH 0x15d
#define MEDELEG 0x302
#define MIDELEG 0x303
#define MSTATEEN0 0x30c
#define MSECCFG 0x747
#define MSECCFG_MML 1
#define MSECCFG_MMWP 2
#define TSELECT 0x7a0
#define TDATA1 0x7a1
#define VCSR 0x00f
#define VLENB 0xc22
#define MENVCFG 0x30a
#define MENVCFGH 0x31a
#define SENVCFG 0x10a
#define ENVCFG_CBCFE (1ul << 6)
#define ENVCFG_CBZE (1ul << 7)

#define csr_name_(csr) #csr
#define CSR_TEXT(csr) csr_name_(csr) /* the name as text, of macros their value's */
#define csr_read(csr)                                                                              \
    ({                                                                                             \
        uintptr_t value_;                                                                          \
        __asm__ volatile("csrr %0, " csr_name_(csr) : "=r"(value_)::"memory");                     \
        value_;                                                                                    \
    })
#define csr_write(csr, value)                                                                      \
    __asm__ volatile("csrw " csr_name_(csr) ", %0" ::"rK"((uintptr_t)(value)) : "memory")
#define csr_set(csr, bits)                                                                         \
    __asm__ volatile("csrs " csr_name_(csr) ", %0" ::"rK"((uintptr_t)(bits)) : "memory")
#define csr_clear(csr, bits)                                                                       \
    __asm__ volatile("csrc " csr_name_(csr) ", %0" ::"rK"((uintptr_t)(bits)) : "memory")
/* For the CSRs above whose numbers the assembler has no name for. */
#define csr_read_number(number)                                                                    \
    ({                                                                                             \
        uintptr_t value_;                                                                          \
        __asm__ volatile("csrr %0, %1" : "=r"(value_) : "i"(number) : "memory");                   \
        value_;                                                                                    \
    })
#define csr_write_number(number, value)                                                            \
    __asm__ volatile("csrw %0, %1" ::"i"(number), "rK"((uintptr_t)(value)) : "memory")
#define csr_clear_number(number, bits)                                                             \
    __asm__ volatile("csrc %0, %1" ::"i"(number), "r"((uintptr_t)(bits)) : "memory")
#define csr_exchange_number(number, value)                                                         \
    ({                                                                                             \
        uintptr_t before_;                                                                         \
        __asm__ volatile("csrrw %0, %1, %2"                                                        \
                         : "=r"(before_)                                                           \
                         : "i"(number), "rK"((uintptr_t)(value))                                   \
                         : "memory");                                                              \
        before_;                                                                                   \
    })

/* Writes a CSR that may not exist. The trap is caught (probe.S), and the result is false. */
#define csr_try_write(number, value)                                                               \
    ({                                                                                             \
        register uintptr_t there_ __asm__("t5") = 1;                                               \
        uintptr_t vector_;                                                                         \
        __asm__ volatile("la %1, riscv_probe_trap\n"                                               \
                         "csrrw %1, " CSR_TEXT(XTVEC) ", %1\n"                                     \
                                                      "csrw %2, %3\n"                              \
                                                      "csrw " CSR_TEXT(XTVEC) ", %1\n"             \
                         : "+r"(there_), "=&r"(vector_)                                            \
                         : "i"(number), "r"((uintptr_t)(value))                                    \
                         : "memory");                                                              \
        there_ != 0;                                                                               \
    })
/* Reads a CSR that may not exist. */
#define csr_try_read(number, to)                                                                   \
    ({                                                                                             \
        register uintptr_t there_ __asm__("t5") = 1;                                               \
        uintptr_t vector_, value_ = 0;                                                             \
        __asm__ volatile("la %1, riscv_probe_trap\n"                                               \
                         "csrrw %1, " CSR_TEXT(XTVEC) ", %1\n"                                     \
                                                      "csrr %2, %3\n"                              \
                                                      "csrw " CSR_TEXT(XTVEC) ", %1\n"             \
                         : "+r"(there_), "=&r"(vector_), "+&r"(value_)                             \
                         : "i"(number)                                                             \
                         : "memory");                                                              \
        *(to) = value_;                                                                            \
        there_ != 0;                                                                               \
    })

#endif
