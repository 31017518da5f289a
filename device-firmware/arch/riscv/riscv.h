/* SPDX-License-Identifier: Apache-2.0
 *
 * Declarations shared by the files of arch/riscv. */
#ifndef RIVULET_FIRMWARE_RISCV_H
#define RIVULET_FIRMWARE_RISCV_H

#include "board.h"
#include "device-firmware/arch/riscv/csr.h"
#include "device-firmware/core/arch.h"

#ifndef BOARD_WATCHDOG_MS /* rivulet,watchdog-ms of /chosen */
#define BOARD_WATCHDOG_MS 0
#endif

/* How host and harts wake each other. `start` probes for the hardware and returns whether it
 * exists; `start_hart` runs on each hart; `acknowledge` runs after an external interrupt, and where
 * the hart takes messages, after one of IMSIC_BELL that has been claimed. */
typedef struct doorbell {
    const char *name;
    bool (*start)(firmware *);
    void (*start_hart)(hart *);
    void (*acknowledge)(void);
    void (*ring_host)(void);
    bool polls; /* nothing interrupts hart 0: it polls on a timer */
} doorbell;

extern const doorbell doorbell_ivshmem;

/* board_key.c */
const uint8_t *riscv_kernel_key(void); /* NULL: kernels need no signature */

/* boot_report.c */
void riscv_report_health(firmware *);

/* cache.c */
bool riscv_has_cache_operations(const char *isa);

/* doorbell.c */
void riscv_start_doorbell(firmware *);

/* extensions.c */
uint64_t riscv_missing_extensions(void); /* bit mask of the extensions that this
                                          * hart lacks */
/* Whether a set of them, such as the missing ones, has the extension. */
bool riscv_has_extension(uint64_t extensions, const char *name);
bool riscv_drop_extension(char *isa, const char *name); /* false: not in the string */
/* Drops all `missing` extensions and vector lengths above `vlen`; `dropped` gets their names,
 * for messages. */
void riscv_drop_missing(char *isa, uint64_t missing, uint32_t vlen, char *dropped, size_t bytes);

/* interrupt.c */
void riscv_take_registers(firmware *, hart *); /* of timer and inter-hart interrupt */
void riscv_start_watchdog(firmware *);
/* For loops that end by themselves; the watchdog's time is for what has no end. Only hart 0 kicks
 * the watchdog, because it would hang unnoticed otherwise, and any hart while the firmware fails.
 */
void riscv_kick_present_watchdog(const firmware *);
static inline void riscv_kick_watchdog(const firmware *f) {
    if (BOARD_WATCHDOG_MS)
        riscv_kick_present_watchdog(f);
}
void riscv_start_interrupts(firmware *, hart *);
void riscv_wake_other_harts(firmware *);
/* `own`: this hart's, as ipi_own_route found it. */
void riscv_use_route(hart *, const ipi_route *own);
/* From now on, external interrupts of this hart are messages to its IMSIC. */
void riscv_take_messages(hart *);

/* panic.c */
extern uint32_t riscv_panicking; /* atomic: all harts must stop */
void riscv_stop_if_panicking(void);
/* 0 if the clock is a device that can't be accessed. */
uint64_t riscv_try_time(firmware *);
/* Appends a trap's CSRs to `text`. */
void riscv_describe_trap(char *text, size_t bytes, uintptr_t cause, uintptr_t pc, uintptr_t value);
_Noreturn void riscv_park(void);

/* stop_devices.c */
enum { STOP_TEXT_BYTES = 192 };
/* Stops all units and copy engines: at boot, because earlier software, or this firmware before a
 * reset of the harts alone, may have left them at work; and after riscv_panicking was set. False if
 * one goes on; the text says which. */
bool riscv_stop_devices(firmware *, char *text);
/* On a hart that stops because another one has failed. */
void riscv_stop_own_unit(firmware *, const hart *);
/* Stops a channel of the copy engine, or fails. */
void riscv_stop_channel(firmware *, uint32_t channel);

/* machine_mode.c or supervisor_mode.c */
void riscv_sanitise_hart(void);
void riscv_prepare_user_mode(void);
uintptr_t riscv_isa_register(void); /* misa, as far as this mode can read it; else 0 */
/* Waits for an interrupt in a state that saves more power than wfi, as far as there is one. */
void riscv_suspend_hart(void);
/* Has the harts of the device tree enter at _start, unless they do so by themselves. */
void riscv_start_other_harts(const firmware *);

/* kernel.c */
uintptr_t riscv_vector_bytes(void); /* 0: the hart has no vector unit */
void probe_fp_vector(firmware *);
void riscv_measure_overhead(firmware *, hart *);
bool riscv_has_user_mode(hart *);
bool riscv_is_fenced(hart *); /* U mode can't load, store or jump where that is forbidden */
/* Ends the hart's kernel with a fault at its present instruction. */
void riscv_kernel_fault(firmware *, hart *, rvl_fault_kind, uint64_t value);
/* What the firmware may access on behalf of the hart's kernel. */
bool riscv_kernel_may_write(const firmware *, const hart *, uint64_t address, uint64_t bytes);
bool riscv_kernel_may_read(const firmware *, const hart *, uint64_t address, uint64_t bytes);
bool riscv_kernels_may_zero_blocks(hart *);
bool riscv_kernels_may_clean_blocks(hart *);

/* pmp.c or paging.c: what kernels can access */
#ifdef BOARD_SUPERVISOR
/* What page tables can map: the lower half of Sv39's virtual addresses or all of Sv32's, less the
 * last page, which paging.c uses. */
#define PAGED_END ((__riscv_xlen == 64 ? 1ull << 38 : 1ull << 32) - RVL_PAGE_BYTES)
#endif
const char *protection_check(const firmware *, hart *); /* NULL if kernels can be fenced */
void protection_change_to(const firmware *, hart *, const launch *);
/* Lets U mode execute the firmware's first page, and access nothing else. Returns the address at
 * which it finds that code. */
uintptr_t protection_allow_calibration(hart *, uintptr_t code);
void pmp_guard_stack(const arch_hart *);
static inline void protection_switch_to(const firmware *f, hart *of, const launch *launch) {
    const arch_hart *hart = &of->arch; /* it keeps the rights of the launch before, if they suit */
    if (!hart->has_rights || hart->kind != launch->kind || hart->stack_limit != of->stack_limit ||
        hart->memory_end != of->memory_end || hart->data != launch->data ||
        hart->data_bytes != launch->data_bytes)
        protection_change_to(f, of, launch);
}

/* After a handled trap, on harts with Smdbltrp. That is M mode's: start.S clears S mode's SDT,
 * which nothing sets again. */
static inline void riscv_allow_traps(const firmware *f) {
    (void)f;
#ifndef BOARD_SUPERVISOR
#if __riscv_xlen == 64
    csr_clear(mstatus, MSTATUS_MDT);
#else
    if (f->arch.has_mstatush)
        csr_write_number(MSTATUSH, 0);
#endif
#endif
}

/* main.c */
firmware *riscv_firmware(void);

/* start.S */
extern uint8_t hart_stacks[];
void _start(void);
void riscv_save_registers(uintptr_t x[32]);
void riscv_calibration_call(void);
void riscv_calibration_zero(void);
void riscv_calibration_clean(void);
void riscv_calibration_load(void);
void riscv_calibration_store(void);
void riscv_calibration_jump(void);
extern const uint8_t riscv_calibration_outside[];
typedef struct riscv_trial {
    uintptr_t succeeds; /* 0: a trap ended the code, and XCAUSE and XTVAL are those of it */
    uintptr_t pc;       /* of that trap */
} riscv_trial;
riscv_trial riscv_try(void (*code)(uintptr_t), uintptr_t argument);
static inline bool riscv_succeeds(void (*code)(uintptr_t), uintptr_t argument) {
    return riscv_try(code, argument).succeeds;
}
extern const uint8_t riscv_board_tree[];

/* Both change all registers but sp, so calls to them are statements of their own: callers keep only
 * what they need. No register of a kernel is used afterwards. True if the kernel has ended by
 * itself. */
#define RISCV_USER_CLOBBERS                                                                        \
    "ra", "t1", "t2", "t3", "t4", "t5", "t6", "a6", "a7", "s0", "s1", "s2", "s3", "s4", "s5",      \
        "s6", "s7", "s8", "s9", "s10", "s11", "memory"
static inline bool user_begin(arch_hart *state, uintptr_t pc, uintptr_t frame,
                              const uintptr_t arguments[3]) {
    register uintptr_t a0 __asm__("a0") = (uintptr_t)state, a1 __asm__("a1") = arguments[1];
    register uintptr_t a2 __asm__("a2") = frame, a3 __asm__("a3") = pc;
    register uintptr_t a4 __asm__("a4") = arguments[0], a5 __asm__("a5") = arguments[2];
    register uintptr_t trapped __asm__("t0");
    __asm__ volatile("call riscv_begin_user"
                     : "+r"(a0), "+r"(a1), "+r"(a2), "+r"(a3), "+r"(a4), "+r"(a5),
                       "=r"(trapped)::RISCV_USER_CLOBBERS);
    return !trapped;
}
static inline bool user_resume(arch_hart *state) {
    register uintptr_t a0 __asm__("a0") = (uintptr_t)state;
    register uintptr_t trapped __asm__("t0");
    __asm__ volatile("call riscv_enter_user"
                     : "+r"(a0), "=r"(trapped)::RISCV_USER_CLOBBERS, "a1", "a2", "a3", "a4", "a5");
    return !trapped;
}

/* The id that start.S has left on the stack with this address. */
static inline uint32_t riscv_hart_id_on(uintptr_t sp) {
    const uintptr_t into = (sp - (uintptr_t)hart_stacks) % HART_STACK_BYTES;
    return *(const uint32_t *)(sp - into + HART_STACK_BYTES - HART_STACK_TOP_BYTES);
}

/* This hart's id, which S mode has no register for. */
static inline uint32_t riscv_hart_id(void) {
    uintptr_t sp;
    __asm__("mv %0, sp" : "=r"(sp));
    return riscv_hart_id_on(sp);
}

#endif
