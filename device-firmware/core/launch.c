/* SPDX-License-Identifier: Apache-2.0
 *
 * Validates launches, and finds the addresses of their parts. */
#include "device-firmware/core/launch.h"

#include <string.h>

#include "device-firmware/core/arch.h"
#include "device-firmware/core/atomic.h"
#include "device-firmware/core/cache.h"
#include "device-firmware/core/log.h"
#include "device-firmware/core/range.h"
#include "device-firmware/core/regions.h"

static uint64_t align_up(uint64_t value, uint64_t grain) { return (value + grain - 1) & -grain; }

/* Extends a 32-bit page number to the address nearest to the heap: in the host build, addresses
 * are host pointers, whose upper page number bits don't fit. */
static uint64_t address_of_page(const firmware *f, uint32_t page) {
    uint64_t heap_page = f->heap / RVL_PAGE_BYTES;
    return (heap_page + (uint32_t)(page - (uint32_t)heap_page)) * RVL_PAGE_BYTES;
}

/* True if no kernel of the context can write to the record. */
static bool record_is_protected(const launch *launch) {
    return range_within(launch->command.record, RVL_PAGE_BYTES, launch->code,
                        launch_code_bytes(launch));
}

memory_range launch_data(const launch *launch) {
    const rvl_launch_record *record = (const rvl_launch_record *)(uintptr_t)launch->command.record;
    return launch->has_data ? (memory_range){record->data, record->data + record->data_bytes}
                            : (memory_range){0, 0};
}

static bool in_second_arena(const launch *launch, uint64_t address, uint64_t bytes) {
    return range_within(address, bytes, launch_second(launch), launch_second_bytes(launch));
}

bool launch_may_write(const launch *launch, uint64_t address, uint64_t bytes) {
    const memory_range data = launch_data(launch);
    if (range_within(address, bytes, data.from, data.to - data.from) ||
        in_second_arena(launch, address, bytes))
        return true;
    /* Neither range extends beyond an end of the other: both are aligned to at least `bytes`. */
    return range_within(address, bytes, launch->arena, launch_arena_bytes(launch)) &&
           !range_within(address, bytes, launch->code, launch_code_bytes(launch)) &&
           !range_within(address, bytes, launch->command.record, RVL_PAGE_BYTES);
}

/* Isolation depends on these checks: a kernel can reach exactly what has passed them. */
static const char *command_flaw(const firmware *f, const launch *launch) {
    const rvl_launch *command = &launch->command;
    if (command->launch == 0)
        return "its number is 0";
    if (!launch_harts(launch))
        return "none of its harts exists";
    if (!launch_arena_bytes(launch) ||
        !range_within(launch->arena, launch_arena_bytes(launch), f->heap, f->heap_bytes))
        return "its arena is not in the heap";
    if (!launch_code_bytes(launch) ||
        !range_within(launch->code, launch_code_bytes(launch), f->heap, f->heap_bytes))
        return "its code is not in the heap";
    if (launch_second_bytes(launch) &&
        !range_within(launch_second(launch), launch_second_bytes(launch), f->second_heap,
                      f->second_heap_bytes) &&
        !(regions_can_be_protected(f) &&
          range_within(launch_second(launch), launch_second_bytes(launch), f->heap, f->heap_bytes)))
        return "its second arena is in neither heap";
    if (command->record % RVL_PAGE_BYTES ||
        (!record_is_protected(launch) && !range_within(command->record, RVL_LAUNCH_BYTES,
                                                       launch->arena, launch_arena_bytes(launch))))
        return "its record is neither a page among its code nor two pages of its arena";
    return NULL;
}

bool launch_accept(firmware *f, launch *launch, const rvl_slot *slot) {
    memset(launch, 0, sizeof *launch);
    launch->session = f->session;
    launch->header = slot->header;
    launch->command = slot->launch;
    if (slot->header.length < sizeof slot->launch)
        launch->command.second_page = launch->command.second_pages = 0;
    launch->fault = RVL_FAULT_NONE;
    launch->begun = launch->ended = arch_time(f);

    uint64_t all = f->harts == 64 ? ~0ull : (1ull << f->harts) - 1;
    const uint64_t asked = launch->command.hart_mask;
    launch->command.hart_mask = asked ? asked & all : all;
    launch->arena = address_of_page(f, launch->command.arena_page);
    launch->code = address_of_page(f, launch->command.code_page);

    const char *flaw = command_flaw(f, launch);
    if (flaw)
        firmware_log(f, 0, "launch %u refused: %s", (unsigned)launch->command.launch, flaw);
    return flaw == NULL;
}

/* The firmware accesses the counters for the kernel, so they must be where the kernel itself
 * could. Checked on entry, because another kernel of the context may have changed these
 * addresses while the launch was waiting. */
static bool counter_is_valid(const launch *launch, uint32_t i) {
    uint8_t bytes = launch->counter_bytes[i];
    uint64_t address = launch->counter_address[i];
    return (bytes == 4 || bytes == 8) && (address & (bytes - 1u)) == 0 &&
           launch_may_write(launch, address, bytes);
}

static void read_counters(launch *launch) {
    for (uint32_t i = 0; i < launch->counters; ++i) {
        const void *counter = (const void *)(uintptr_t)launch->counter_address[i];
        launch->words->counter[i] =
            launch->counter_bytes[i] == 8 ? *(const uint64_t *)counter : *(const uint32_t *)counter;
    }
}

static void write_counters_back(const launch *launch) {
    for (uint32_t i = 0; i < launch->counters; ++i)
        memcpy((void *)(uintptr_t)launch->counter_address[i], &launch->words->counter[i],
               launch->counter_bytes[i]); /* little endian: a 4-byte counter is the lower half */
}

/* Cleans the words too: the host may reuse the record without requesting it. */
void launch_write_back(const firmware *f, const launch *launch) {
    if (!load_relaxed(&launch->ending))
        write_counters_back(launch);
    CLEAN_FOR_HOST(f, *launch->words);
}

/* Apart from the counters, these checks are not needed for isolation: a launch with a bad record
 * harms only itself. */
static const char *record_flaw(const firmware *f, const launch *launch,
                               const rvl_launch_record *record) {
    const uint64_t words = (uintptr_t)launch->words;
    if ((!range_within(words, sizeof *launch->words, launch->arena, launch_arena_bytes(launch)) &&
         !in_second_arena(launch, words, sizeof *launch->words)) ||
        words % RVL_CACHE_BLOCK ||
        (words < launch->code + launch_code_bytes(launch) &&
         launch->code < words + sizeof *launch->words))
        return "its words are not in its arena";
    if (launch->has_data &&
        ((record->data | record->data_bytes) % RVL_PAGE_BYTES ||
         !range_within(record->data, record->data_bytes, launch->code, launch_code_bytes(launch))))
        return "its image's data are not whole pages among its code";
    if (RVL_VERSION_MAJOR(record->version) != RVL_VERSION_MAJOR(RVL_PROTOCOL_VERSION))
        return "its record is of another version";
    if (launch->total_groups && !launch->chunk)
        return "it has chunks of no work-groups";
    if (launch->total_groups >> 31)
        return "it has 2^31 work-groups or more";
    if (launch->total_groups + (uint64_t)launch->chunk * f->harts > UINT32_MAX)
        return "its chunks are so large that the number of the next group may wrap";
    if (launch->local_bytes > f->local_memory_bytes)
        return "it needs more local memory than there is";
    if ((f->scratchpad ? 0 : (uint64_t)launch->local_bytes) + launch->saved_bytes +
            launch->stack_bytes + 3 * RVL_CACHE_BLOCK + RVL_PAGE_BYTES >
        f->hart_memory_bytes)
        return "stack, saved values and local memory exceed a hart's memory";
    if (launch->counters > RVL_MAX_COUNTERS)
        return "it has too many atomic counters";
    for (uint32_t i = 0; i < launch->counters; ++i)
        if (!counter_is_valid(launch, i))
            return "an atomic counter is not in its arena, aligned, of 4 or 8 bytes";
    return NULL;
}

bool launch_prepare(firmware *f, launch *launch) {
    const rvl_launch_record *record = (const rvl_launch_record *)(uintptr_t)launch->command.record;
    INVALIDATE_FOR_DEVICE(f, *record);
    launch->start = record->start;
    launch->kernel = record->kernel;
    launch->image_base = record->image_base;
    launch->total_groups = record->total_groups;
    launch->chunk = record->chunk;
    launch->local_bytes = record->local_bytes;
    launch->saved_bytes = record->saved_bytes;
    launch->stack_bytes = record->stack_bytes;
    launch->counters = record->counters;
    if (launch->counters) {
        memcpy(launch->counter_address, record->counter_address, sizeof launch->counter_address);
        memcpy(launch->counter_bytes, record->counter_bytes, sizeof launch->counter_bytes);
    }
    launch->words = (rvl_launch_words *)(uintptr_t)(launch->command.record + RVL_PAGE_BYTES);
    if (record_is_protected(launch)) {
        launch->words = (rvl_launch_words *)(uintptr_t)record->words;
        launch->has_data = record->data_bytes != 0;
    }
    const char *flaw = record_flaw(f, launch, record);
    if (flaw) {
        firmware_log(f, 0, "launch %u refused: %s", (unsigned)launch->command.launch, flaw);
        return false;
    }
    INVALIDATE_FOR_DEVICE(f, *launch->words);
    store_relaxed(&launch->words->next_group, 0);
    store_relaxed(&launch->words->yield, 0);
    read_counters(launch);
    return true;
}

uint32_t launch_groups_left(const launch *launch) {
    uint32_t next = load_relaxed(&launch->words->next_group);
    if (next >= launch->total_groups || load_relaxed(&launch->ending))
        return 0;
    return launch->total_groups - next;
}

uint64_t launch_deadline(const firmware *f, const launch *launch) {
    if (!launch->command.time_limit)
        return NEVER;
    return launch->since + launch->command.time_limit * (f->timebase / 1000) - launch->ran;
}

/* Hart memory is drawn in launch.h. */
static uint64_t hart_memory_end(const firmware *f, const hart *hart) {
    return f->hart_memory + (hart->index + 1) * f->hart_memory_bytes;
}

/* Upper end of the saved values; local memory is above them or in the scratchpad. */
static uint64_t saved_end(const firmware *f, const hart *hart, const launch *launch) {
    const uint64_t local = f->scratchpad ? 0 : align_up(launch->local_bytes, RVL_CACHE_BLOCK);
    return hart_memory_end(f, hart) - local;
}

rvl_hart_frame *launch_frame(const firmware *f, const hart *hart, const launch *launch) {
    uint64_t saved = saved_end(f, hart, launch) - align_up(launch->saved_bytes, RVL_CACHE_BLOCK);
    return (rvl_hart_frame *)(uintptr_t)(saved - sizeof(rvl_hart_frame));
}

/* Lowest address of the hart's memory that the kernel may write to. One page below the declared
 * stack size, because padding of frames to large alignments is not counted there. */
static uint64_t stack_limit(const firmware *f, const hart *hart, const launch *launch,
                            const rvl_hart_frame *frame) {
    const uint64_t end = hart_memory_end(f, hart);
    const uint64_t least = end - f->hart_memory_bytes + RVL_PAGE_BYTES;
    uint64_t limit =
        (((uintptr_t)frame - launch->stack_bytes) & -(uint64_t)RVL_PAGE_BYTES) - RVL_PAGE_BYTES;
    if (limit < least)
        limit = least;
    if (!hart->coarse_stack)
        return limit;
    uint64_t bytes = RVL_PAGE_BYTES;
    while (bytes < end - limit)
        bytes *= 2;
    return end - bytes;
}

/* Removes all data of another context from the hart. Kernels can't write below their stack
 * limit, so only memory above the lowest limit since the last time is cleared. */
void launch_clear_hart(const firmware *f, hart *hart, const launch *launch) {
    if (hart->context == launch->command.context && hart->session == launch->session &&
        hart->used_from)
        return;
    uint64_t end = hart_memory_end(f, hart);
    if (!hart->used_from) /* first use since power on: RAM contents are arbitrary */
        hart->used_from = end - f->hart_memory_bytes;
    arch_clear_hart(f, hart->used_from, end - hart->used_from);
    if (f->scratchpad)
        arch_clear_hart(f, regions_local_memory(f, hart).from, f->local_memory_bytes);
    hart->context = launch->command.context;
    hart->session = launch->session;
    hart->used_from = end;
}

rvl_hart_frame *launch_make_frame(const firmware *f, hart *hart, const launch *launch) {
    rvl_hart_frame *frame = launch_frame(f, hart, launch);
    hart->stack_limit = stack_limit(f, hart, launch, frame);
    if (hart->stack_limit < hart->used_from)
        hart->used_from = hart->stack_limit;
    frame->local_memory =
        f->scratchpad ? regions_local_memory(f, hart).from : saved_end(f, hart, launch);
    frame->saved = (uintptr_t)(frame + 1);
    frame->hart = hart->index;
    frame->first_group = frame->groups = 0;
    for (size_t i = 0; i < sizeof frame->reserved / sizeof *frame->reserved; ++i)
        frame->reserved[i] = 0;
    return frame;
}
