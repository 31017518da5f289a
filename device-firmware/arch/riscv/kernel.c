/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs kernels in U mode: entry, traps, and the count of their instructions. */
#include <string.h>

#include "device-firmware/arch/riscv/copy.h"
#include "device-firmware/arch/riscv/csr.h"
#include "device-firmware/arch/riscv/ipi.h"
#include "device-firmware/arch/riscv/registers.h"
#include "device-firmware/arch/riscv/riscv.h"
#include "device-firmware/core/atomic.h"
#include "device-firmware/core/launch.h"
#include "device-firmware/core/range.h"
#include "device-firmware/core/regions.h"
#include "device-firmware/core/schedule.h"
#include "device-firmware/core/seldom.h"
#include "device-firmware/core/work.h"

enum { A0 = 10, A1 = 11, A2 = 12, A3 = 13, A4 = 14, A7 = 17 };

void arch_icache_sync(firmware *f) {
    (void)f;
    __asm__ volatile("fence.i" ::: "memory"); /* order: code.fetch */
}

bool arch_stopping(const firmware *f) {
    (void)f;
    return false;
}

/* Nothing to do here: each hart executes its own fence.i. */
void arch_code_written(void *code, size_t bytes) {
    (void)code;
    (void)bytes;
}

/* Sets the reset values of what kernels can change: round to nearest, no flags, vstart 0. */
static inline void reset_user_csrs(const arch_machine *machine) {
    if (machine->has_float)
        csr_write_number(0x003, 0); /* fcsr */
    if (machine->has_vector) {
        csr_write_number(0x008, 0); /* vstart */
        csr_write_number(VCSR, 0);
    }
}

/* U mode is next, with the units that there are. */
static void init_user_csrs(const arch_machine *machine) {
    csr_clear(XSTATUS, XSTATUS_XPP | XSTATUS_FS | XSTATUS_VS);
    if (machine->has_float)
        csr_set(XSTATUS, XSTATUS_FS_INITIAL);
    if (machine->has_vector)
        csr_set(XSTATUS, XSTATUS_VS_INITIAL);
    reset_user_csrs(machine);
}

static void clear_words(uint64_t memory, uint64_t bytes) {
    volatile uintptr_t *end = (volatile uintptr_t *)(uintptr_t)(memory + bytes);
    for (volatile uintptr_t *word = (volatile uintptr_t *)(uintptr_t)memory; word < end;
         word += 8) {
        word[0] = word[1] = word[2] = word[3] = 0;
        word[4] = word[5] = word[6] = word[7] = 0;
    }
}

/* Clears vector registers first, because the memory is then cleared by storing a register group.
 * The integer registers are set when a kernel is entered. */
void arch_clear_hart(const firmware *f, uint64_t memory, uint64_t bytes) {
    csr_set(XSTATUS, XSTATUS_FS_INITIAL | XSTATUS_VS_INITIAL);
    if (f->arch.has_float)
        __asm__ volatile(".option push\n"
                         ".option arch, +f\n"
                         ".irp r, f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, "
                         "f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28, "
                         "f29, f30, f31\n"
                         "fmv.w.x \\r, zero\n"
                         ".endr\n"
                         ".option pop");
    if (!f->arch.has_vector) {
        clear_words(memory, bytes);
        return;
    }
    uintptr_t at = (uintptr_t)memory, left = (uintptr_t)bytes;
    __asm__ volatile(".option push\n"
                     ".option arch, +v\n"
                     "vsetvli t0, zero, e8, m8, ta, ma\n"
                     ".irp r, v0, v8, v16, v24\n"
                     "vmv.v.i \\r, 0\n"
                     ".endr\n"
                     "1: vsetvli t0, %1, e8, m8, ta, ma\n"
                     "vse8.v v0, (%0)\n"
                     "add %0, %0, t0\n"
                     "sub %1, %1, t0\n"
                     "bnez %1, 1b\n"
                     ".option pop"
                     : "+r"(at), "+r"(left)::"t0", "memory");
}

static uintptr_t minus(uintptr_t a, uintptr_t b) { return a > b ? a - b : 0; }

static uint64_t instructions(const firmware *f, const arch_hart *state, bool by_call) {
    uintptr_t overhead = by_call ? f->arch.call_overhead : f->arch.interrupt_overhead;
    return minus(state->instructions_after - state->instructions_before, overhead);
}

SELDOM void arch_describe_kernel(const hart *hart, rvl_fault *fault) {
    fault->cause = csr_read(XCAUSE);
    fault->value = csr_read(XTVAL);
    fault->pc = hart->arch.x[0];
    for (int i = 1; i < 32; ++i)
        fault->x[i] = hart->arch.x[i];
}

uint64_t arch_kernel_pc(const hart *hart) { return hart->arch.x[0]; }

/* Indexed by XCAUSE; exceptions only. */
static const uint8_t fault_kinds[16] = {
    [0] = RVL_FAULT_FETCH,      [1] = RVL_FAULT_FETCH,      [2] = RVL_FAULT_ILLEGAL,
    [3] = RVL_FAULT_OTHER,      [4] = RVL_FAULT_MISALIGNED, [5] = RVL_FAULT_LOAD,
    [6] = RVL_FAULT_MISALIGNED, [7] = RVL_FAULT_STORE,      [12] = RVL_FAULT_FETCH,
    [13] = RVL_FAULT_LOAD,      [15] = RVL_FAULT_STORE,
};

SELDOM static rvl_fault_kind fault_kind(const firmware *f, const hart *hart,
                                        const rvl_fault *fault) {
    uint8_t kind = fault->cause < sizeof fault_kinds ? fault_kinds[fault->cause] : 0;
    uint64_t guard = f->hart_memory + hart->index * f->hart_memory_bytes;
    bool in_guard = fault->value >= guard && fault->value < hart->stack_limit;
    if (in_guard && (kind == RVL_FAULT_LOAD || kind == RVL_FAULT_STORE))
        return RVL_FAULT_STACK;
    return kind ? kind : RVL_FAULT_OTHER;
}

bool riscv_kernel_may_write(const firmware *f, const hart *hart, uint64_t address, uint64_t bytes) {
    const uint64_t own = hart->stack_limit;
    if (range_within(address, bytes, own, hart->memory_end - own))
        return true; /* local or private memory */
    const memory_range local = regions_local_memory(f, hart);
    if (f->scratchpad && range_within(address, bytes, local.from, local.to - local.from))
        return true;
    return launch_may_write(hart->launch, address, bytes);
}

bool riscv_kernel_may_read(const firmware *f, const hart *hart, uint64_t address, uint64_t bytes) {
    const launch *launch = hart->launch;
    return range_within(address, bytes, launch->code, launch_code_bytes(launch)) ||
           riscv_kernel_may_write(f, hart, address, bytes);
}

SELDOM void riscv_kernel_fault(firmware *f, hart *hart, rvl_fault_kind kind, uint64_t value) {
    rvl_fault fault = {0};
    arch_describe_kernel(hart, &fault);
    fault.kind = kind;
    fault.value = value;
    firmware_fault(f, hart, &fault);
}

static bool compare_exchange(firmware *f, hart *hart) {
    uintptr_t *x = hart->arch.x;
    if (x[A0] % 8 != 0 || !riscv_kernel_may_write(f, hart, x[A0], 8)) {
        riscv_kernel_fault(f, hart, RVL_FAULT_STORE, x[A0]);
        return false;
    }
    uint64_t *word = (uint64_t *)x[A0];
    arch_lock_take(&f->exchange_lock);
    uint64_t before = *word;
    if (before == (((uint64_t)x[A2] << 32) | (uint32_t)x[A1]))
        *word = ((uint64_t)x[A4] << 32) | (uint32_t)x[A3];
    arch_lock_release(&f->exchange_lock);
    x[A0] = (uint32_t)before;
    x[A1] = (uint32_t)(before >> 32);
    x[0] += 4; /* skip the ecall */
    return true;
}

static bool read_counter(uint32_t which, uint64_t *count) { /* 0: cycles, else instructions */
#if __riscv_xlen == 64
    return which ? csr_try_read(XINSTRET, count) : csr_try_read(XCYCLE, count);
#else
    uintptr_t high, low, again;
    do {
        if (which ? !csr_try_read(XINSTRETH, &high) : !csr_try_read(XCYCLEH, &high))
            return false;
        (void)(which ? csr_try_read(XINSTRET, &low) : csr_try_read(XCYCLE, &low));
        (void)(which ? csr_try_read(XINSTRETH, &again) : csr_try_read(XCYCLEH, &again));
    } while (high != again);
    *count = (uint64_t)high << 32 | low;
    return true;
#endif
}

/* Emulates a counter read (csrrs rd, csr, x0) that U mode may not do, because the hart lacks
 * Zicntr or earlier software locked the counters. Returns false if the instruction is a
 * different one. */
SELDOM static bool emulate_counter(const firmware *f, hart *hart) {
    const uint16_t *pc = (const uint16_t *)hart->arch.x[0];
    enum { CSRRS = 0x2073, CSRRS_MASK = 0xff07f, CYCLE = 0xc00, HIGH = 0x80 };
    if ((pc[0] & 3) != 3)
        return false; /* 2-byte instruction: memory may end right after it */
    const uint32_t code = pc[0] | (uint32_t)pc[1] << 16, csr = code >> 20;
    if ((code & CSRRS_MASK) != CSRRS || (csr & ~(HIGH | 3u)) != CYCLE || (csr & 3) == 3 ||
        (csr & HIGH && __riscv_xlen == 64))
        return false;
    uint64_t count = arch_time(f);
    if ((csr & 3) != 1 && !read_counter(csr & 3, &count))
        return false;
    const uint32_t to = code >> 7 & 31;
    if (to)
        hart->arch.x[to] = (uintptr_t)(csr & HIGH ? count >> 32 : count);
    hart->arch.x[0] += 4;
    return true;
}

static riscv_registers *registers_at(uint64_t address) {
    return (riscv_registers *)(uintptr_t)address;
}

static void save_registers(const firmware *f, const hart *hart) {
    riscv_registers *to = registers_at(hart->held[hart->levels - 1].registers);
    memcpy(to->x, hart->arch.x, sizeof to->x);
    registers_save(f, to);
}

/* Called after a trap other than the kernel's exit. Returns true if the kernel continues. */
static bool handle_trap(firmware *f, hart *hart, uintptr_t cause) {
    if (cause & CAUSE_INTERRUPT) {
        arch_acknowledge_interrupts(f, hart);
        const bool leaves = firmware_interrupt(f, hart);
        if (leaves)
            save_registers(f, hart);
        return !leaves;
    }
    if (cause == CAUSE_ECALL_FROM_U && hart->arch.x[A7] == RVL_ECALL_COMPARE_EXCHANGE)
        return compare_exchange(f, hart);
    if (cause == CAUSE_ECALL_FROM_U && copy_is_call(hart->arch.x[A7])) {
        const uintptr_t before = csr_read(XINSTRET);
        const bool goes_on = copy_call(f, hart);
        hart->instructions += (uintptr_t)(csr_read(XINSTRET) - before); /* made for the kernel */
        return goes_on;
    }
    if (cause == CAUSE_ILLEGAL && emulate_counter(f, hart))
        return true;
    rvl_fault fault = {0};
    arch_describe_kernel(hart, &fault);
    fault.kind = fault_kind(f, hart, &fault);
    firmware_fault(f, hart, &fault);
    return false;
}

/* The cause of the trap that ended U mode; its instructions are counted. */
static uintptr_t left_user(const firmware *f, hart *hart) {
    riscv_allow_traps(f);
    const uintptr_t cause = csr_read(XCAUSE);
    hart->instructions += instructions(f, &hart->arch, cause == CAUSE_ECALL_FROM_U);
    return cause;
}

/* Resumes the kernel after each trap, until it ends. Most kernels exit without one, so this is
 * apart from arch_run_kernel, which then saves few registers. */
__attribute__((noinline)) static void resume_kernel(firmware *f, hart *hart, bool exits) {
    const launch *launch = hart->launch;
    for (;;) {
        const uintptr_t cause = left_user(f, hart);
        if (exits || !handle_trap(f, hart, cause) || load_acquire(&launch->ending))
            break;
        csr_clear(XSTATUS, XSTATUS_XPP); /* so that XRET goes to U mode */
        exits = user_resume(&hart->arch);
    }
    if (hart->launch) /* otherwise it holds the kernel */
        copy_leave(hart);
}

/* Apart from its caller, so that its variables stay in registers.
 *
 * A launch that repeats another needs less. XSTATUS is as that kernel's trap has left it: U mode is
 * next, and its units are still on, since U mode can't turn them off. Nor is `ending` checked: a
 * hart that ends the launch after schedule_repeat holds the lock and sends this hart an interrupt,
 * which is taken as soon as this hart enters U mode. */
__attribute__((noinline)) void arch_run_kernel(firmware *f, hart *hart, rvl_hart_frame *frame) {
    const launch *launch = hart->launch;
    protection_switch_to(f, hart, launch);
    init_user_csrs(&f->arch);
    if (load_acquire(&launch->ending))
        return;
    for (;;) {
        copy_enter(hart);
        const bool exits =
            user_begin(&hart->arch, (uintptr_t)launch->start, (uintptr_t)frame,
                       (uintptr_t[]){(uintptr_t)launch->command.record, (uintptr_t)launch->words,
                                     (uintptr_t)launch->kernel});
        if (exits) {
            riscv_allow_traps(f);
            hart->instructions += instructions(f, &hart->arch, true);
        } else {
            resume_kernel(f, hart, false);
            if (!hart->launch) /* it holds the kernel */
                return;
        }
        const schedule_repeated repeated = schedule_repeat(f, hart);
        if (repeated == NOT_REPEATED)
            return;
        if (repeated == REPEATED) {
            frame = launch_renew_frame(hart);
        } else {
            frame = launch_make_frame(hart);
            protection_switch_to(f, hart, launch);
        }
        reset_user_csrs(&f->arch);
    }
}

static void clobber(const firmware *f, hart *hart) {
    arch_clear_hart(f, 0, 0);
    init_user_csrs(&f->arch);
    memset(hart->arch.x, 0x5a, sizeof hart->arch.x);
}

SELDOM void arch_resume_kernel(firmware *f, hart *hart, uint64_t address) {
    const launch *launch = hart->launch;
    const riscv_registers *from = registers_at(address);
    protection_switch_to(f, hart, launch);
    if (load_acquire(&launch->ending))
        return;
    if (f->preempt_ticks) /* tests: if no other launch has changed them, either */
        clobber(f, hart);
    memcpy(hart->arch.x, from->x, sizeof from->x);
    registers_restore(f, from);
    copy_resume(hart);
    csr_clear(XSTATUS, XSTATUS_XPP);
    resume_kernel(f, hart, user_resume(&hart->arch));
}

SELDOM uintptr_t riscv_vector_bytes(void) {
    uintptr_t bytes;
    csr_set(XSTATUS, XSTATUS_VS_INITIAL);
    return csr_try_read(VLENB, &bytes) ? bytes : 0;
}

SELDOM void probe_fp_vector(firmware *f) {
    uintptr_t fcsr, satp, mstatush;
    csr_set(XSTATUS, XSTATUS_FS_INITIAL | XSTATUS_VS_INITIAL);
    f->arch.has_float = csr_try_read(0x003, &fcsr);
    const uintptr_t vector_bytes = riscv_vector_bytes();
    f->arch.has_vector = vector_bytes != 0;
    f->arch.has_paging = csr_try_read(SATP, &satp);
    f->arch.has_mstatush = csr_try_read(MSTATUSH, &mstatush);
    f->vlen = (uint32_t)vector_bytes * 8;
}

SELDOM static void run_in_user_mode(hart *hart, void (*code)(void), uintptr_t argument) {
    const uintptr_t pc = protection_allow_calibration(hart, (uintptr_t)code);
    csr_clear(XSTATUS, XSTATUS_XPP);
    user_begin(&hart->arch, pc, 0, (uintptr_t[]){argument, 0, 0});
    riscv_allow_traps(hart->firmware);
}

/* Returns XCAUSE of the trap that ends the code. Interrupts are disabled so that none comes
 * first. */
static uintptr_t cause_of(hart *hart, void (*code)(void), uintptr_t argument) {
    const uintptr_t enabled = csr_read(XIE);
    csr_write(XIE, 0);
    run_in_user_mode(hart, code, argument);
    csr_write(XIE, enabled);
    return csr_read(XCAUSE);
}

bool riscv_has_user_mode(hart *hart) {
    return cause_of(hart, riscv_calibration_call, 0) == CAUSE_ECALL_FROM_U;
}

SELDOM bool riscv_is_fenced(hart *hart) {
    static uint32_t word; /* the firmware's memory */
    const uintptr_t address = (uintptr_t)&word, outside = (uintptr_t)riscv_calibration_outside;
    return cause_of(hart, riscv_calibration_load, address) == CAUSE_LOAD_DENIED &&
           cause_of(hart, riscv_calibration_store, address) == CAUSE_STORE_DENIED &&
           cause_of(hart, riscv_calibration_jump, outside) == CAUSE_FETCH_DENIED;
}

/* Probes by execution: QEMU's harts without S mode advertise the extension but trap anyway. */
bool riscv_kernels_may_zero_blocks(hart *hart) {
    return cause_of(hart, riscv_calibration_zero, 0) != CAUSE_ILLEGAL;
}
bool riscv_kernels_may_clean_blocks(hart *hart) {
    return cause_of(hart, riscv_calibration_clean, 0) != CAUSE_ILLEGAL;
}

static uintptr_t measure(hart *hart) {
    run_in_user_mode(hart, riscv_calibration_call, 0);
    return hart->arch.instructions_after - hart->arch.instructions_before;
}

/* Measures two round trips that execute no kernel instruction: one ended by an ecall (which does
 * not count as the kernel's), one by an interrupt that is already pending. */
SELDOM void riscv_measure_overhead(firmware *f, hart *hart) {
    enum { LOOKS = 100000 };
    f->arch.interrupt_overhead = f->arch.call_overhead = measure(hart);
    if (!ipi_is_there(&hart->arch.route))
        return; /* this hart will be rejected anyway */
    arch_interrupt(f, hart);
    for (uint32_t look = 0; look < LOOKS && !ipi_is_pending(&hart->arch.route); ++look)
        arch_pause();
    const uintptr_t overhead = measure(hart);
    ipi_clear(&hart->arch.route);
    if (csr_read(XCAUSE) & CAUSE_INTERRUPT)
        f->arch.interrupt_overhead = overhead;
}
