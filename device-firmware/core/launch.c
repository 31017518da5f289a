/* SPDX-License-Identifier: Apache-2.0
 *
 * Validates launches, and finds the addresses of their parts. */
#include "device-firmware/core/launch.h"

#include <string.h>

#include "device-firmware/core/arch.h"
#include "device-firmware/core/atomic.h"
#include "device-firmware/core/cache.h"
#include "device-firmware/core/hart_set.h"
#include "device-firmware/core/range.h"
#include "device-firmware/core/regions.h"
#include "device-firmware/core/seldom.h"
#include "device-firmware/core/unit.h"

static uint64_t align_up(uint64_t value, uint64_t grain) { return (value + grain - 1) & -grain; }

/* Extends a 32-bit page number to the address nearest to the heap: in the host build, addresses
 * are host pointers, whose upper page number bits don't fit. */
static uint64_t address_of_page(const firmware *f, uint32_t page) {
    uint64_t heap_page = f->heap / RVL_PAGE_BYTES;
    return (heap_page + (uint32_t)(page - (uint32_t)heap_page)) * RVL_PAGE_BYTES;
}

/* True if no kernel of the context can write to the record. */
static bool record_is_protected(const launch *launch) {
    return launch->command.record % RVL_PAGE_BYTES == 0 &&
           range_within(launch->command.record, RVL_PAGE_BYTES, launch->code,
                        launch_code_bytes(launch));
}

static bool in_second_arena(const launch *launch, uint64_t address, uint64_t bytes) {
    return range_within(address, bytes, launch_second(launch), launch_second_bytes(launch));
}

bool launch_may_write(const launch *launch, uint64_t address, uint64_t bytes) {
    const memory_range data = launch_data(launch);
    if (range_within(address, bytes, data.from, data.to - data.from))
        return true;
    return (range_within(address, bytes, launch->arena, launch_arena_bytes(launch)) ||
            in_second_arena(launch, address, bytes)) &&
           !range_overlaps(address, bytes, launch->code, launch_code_bytes(launch)) &&
           !range_overlaps(address, bytes, launch->command.record, RVL_PAGE_BYTES);
}

/* Isolation depends on these checks: a kernel can reach exactly what has passed them. */
static const char *memory_flaw(const firmware *f, const launch *launch) {
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
    return NULL;
}

static inline bool record_is_among(uint64_t record, const launch_kind *kind) {
    return record % RVL_PAGE_BYTES == 0 && record - kind->code < kind->code_bytes;
}

static inline void take_kind(const firmware *f, launch *launch, const launch_kind *kind) {
    launch_set_harts(launch, kind->harts);
    launch->arena = kind->arena;
    launch->code = kind->code;
    launch->kind = kind->number;
    launch->priority = kind->priority;
    launch->session = f->session;
    launch->unit = 0;
}

/* The harts that a command names; 0 are all. */
SELDOM static hart_set named_harts(firmware *f, const launch *launch) {
    hart_set harts = f->all_harts;
    const uint64_t named = launch->command.hart_mask;
    if (HART_WORDS == 1)
        harts.word[0] &= named ? named : ~0ull;
    if (HART_WORDS == 1 || !named)
        return harts;
    const bool is_range = launch->header.flags & RVL_FLAG_HART_RANGE;
    const uint32_t first = (uint32_t)named, count = (uint32_t)(named >> 32);
    FOR_ALL_HARTS(f, hart) {
        const bool is_named = is_range ? hart->index >= first && hart->index - first < count
                                       : hart->index < 64 && named >> hart->index & 1;
        if (!is_named)
            hart_set_remove(&harts, hart);
    }
    return harts;
}

SELDOM static const char *validate(firmware *f, launch *launch) {
    rvl_launch *command = &launch->command;
    launch->arena = address_of_page(f, command->arena_page);
    launch->code = address_of_page(f, command->code_page);
    launch->kind = ++f->last_kind;
    if (launch->header.service == RVL_LAUNCH_UNIT) {
        const hart *driver = unit_accept(f, launch);
        if (!driver)
            return "it is for a unit that does not exist";
        launch_set_harts(launch, hart_set_of(driver));
    } else {
        launch_set_harts(launch, named_harts(f, launch));
    }
    if (!command->launch)
        return "its number is 0";
    return hart_set_is_empty(launch_harts(launch)) ? "none of its harts exists"
                                                   : memory_flaw(f, launch);
}

/* A launch that is not of the latest kind, or that waits. Units' launches have kinds for
 * themselves. */
SELDOM static const char *accept_other(firmware *f, launch *launch) {
    launch->session = f->session;
    launch->kind = 0;
    launch->unit = launch->priority = 0;
    if (launch_is_wait(launch))
        return launch->wait.count > RVL_WAITS ? "it waits for too many launches" : NULL;
    if (launch->header.length < sizeof launch->command) /* what follows a short one means nothing */
        launch->command.second_page = launch->command.second_pages = 0;
    launch_kind made = {
        .command = {.header = common_part(launch->header), .launch = launch->command}};
    for (launch_kind *kind = f->kinds; kind < f->kinds + LAUNCH_KINDS; ++kind)
        if (kind->number && launch->command.launch &&
            header_bits(made.command.header) == header_bits(kind->command.header) &&
            is_of_kind((const word *)&made.command, kind) &&
            record_is_among(launch->command.record, kind)) {
            f->kind = kind;
            take_kind(f, launch, kind);
            return NULL;
        }
    const char *flaw = validate(f, launch);
    const bool is_protected = record_is_protected(launch);
    if (!flaw && !is_protected &&
        (launch->command.record % RVL_PAGE_BYTES ||
         !range_within(launch->command.record, RVL_LAUNCH_BYTES, launch->arena,
                       launch_arena_bytes(launch))))
        flaw = "its record is neither a page among its code nor two pages of its arena";
    launch->priority = launch->header.flags & RVL_FLAG_HIGH  ? 2
                       : launch->header.flags & RVL_FLAG_LOW ? 0
                                                             : 1;
    if (flaw || launch->unit || !is_protected)
        return flaw;
    made.harts = launch_harts(launch);
    made.arena = launch->arena;
    made.code = launch->code;
    made.code_bytes = launch_code_bytes(launch);
    made.priority = launch->priority;
    made.number = launch->kind;
    f->kind = &f->kinds[made.number % LAUNCH_KINDS];
    *f->kind = made;
    return NULL;
}

/* The slot is in memory that the host may write to at any time, so it is read only once. */
const char *launch_accept(firmware *f, launch *launch, rvl_header header, const rvl_slot *slot,
                          bool may_be_of_kind) {
    const word *from = (const word *)slot;
    const word command[COMMAND_WORDS] = {0,       from[1], from[2], from[3],
                                         from[4], from[5], from[6], from[7]};
    read_once();
    word *to = (word *)&launch->header;
    for (uint32_t i = 1; i < COMMAND_WORDS; ++i)
        to[i] = command[i];
    launch->header = header;
    launch->queue = NULL;
    launch->holds.first = NULL;
    launch->yield = launch->ending = launch->result = 0;
    launch->fault = RVL_FAULT_NONE;
    if (!may_be_of_kind || !is_of_kind(command, f->kind) ||
        !record_is_among(command[WORD_OF_RECORD], f->kind) ||
        !(uint32_t)command[WORD_OF_NUMBER_AND_STREAM])
        return accept_other(f, launch);
    take_kind(f, launch, f->kind);
    return NULL;
}

/* The firmware accesses the counters for the kernel, so they must be where the kernel itself
 * could. Checked at each access, because the record may have changed: kernels can write to records
 * of older hosts, and hosts to all. */
typedef struct counter {
    void *at; /* NULL: not valid */
    uint8_t bytes;
} counter;
static counter counter_of(const launch *launch, uint32_t i) {
    const rvl_launch_record *record = (const rvl_launch_record *)(uintptr_t)launch->command.record;
    const uint64_t address = record->counter_address[i];
    const uint8_t bytes = record->counter_bytes[i];
    read_once();
    const bool valid = (bytes == 4 || bytes == 8) && (address & (bytes - 1u)) == 0 &&
                       launch_may_write(launch, address, bytes);
    return (counter){valid ? (void *)(uintptr_t)address : NULL, bytes};
}

SELDOM static bool counters_are_valid(const launch *launch) {
    for (uint32_t i = 0; i < launch->counters; ++i)
        if (!counter_of(launch, i).at)
            return false;
    return true;
}

SELDOM static void read_counters(const launch *launch) {
    for (uint32_t i = 0; i < launch->counters; ++i) {
        const counter counter = counter_of(launch, i);
        if (counter.at)
            launch->words->counter[i] =
                counter.bytes == 8 ? *(const uint64_t *)counter.at : *(const uint32_t *)counter.at;
    }
}

SELDOM static void write_counters_back(const launch *launch) {
    for (uint32_t i = 0; i < launch->counters; ++i) {
        const counter counter = counter_of(launch, i);
        if (counter.at) /* little endian: a 4-byte counter is the lower half */
            memcpy(counter.at, &launch->words->counter[i], counter.bytes);
    }
}

/* Cleans the words too: the host may reuse the record without requesting it. */
void launch_write_back(const firmware *f, const launch *launch) {
    if (launch->counters && !load_relaxed(&launch->ending))
        write_counters_back(launch);
    CLEAN_FOR_HOST(f, *launch->words);
}

/* Of a hart's memory, with the least guard. */
static uint64_t needed_memory(const firmware *f, const launch *launch) {
    return (f->scratchpad ? 0 : (uint64_t)launch->local_bytes) + launch->saved_bytes +
           launch->stack_bytes + 3 * RVL_CACHE_BLOCK + RVL_PAGE_BYTES;
}

/* Aligned, and not among the code. */
SELDOM static bool words_are_in_arena(const launch *launch, uint64_t words) {
    const uint64_t bytes = sizeof *launch->words, last = bytes - 1;
    return words % RVL_CACHE_BLOCK == 0 &&
           (range_within(words, bytes, launch->arena, launch_arena_bytes(launch)) ||
            in_second_arena(launch, words, bytes)) &&
           words + last - launch->code >= launch_code_bytes(launch) + last;
}

static const char *groups_flaw(const firmware *f, uint32_t total_groups, uint32_t chunk) {
    if (total_groups && !chunk)
        return "it has chunks of no work-groups";
    if (total_groups >> 31)
        return "it has 2^31 work-groups or more";
    if (total_groups + (uint64_t)chunk * f->harts > UINT32_MAX)
        return "its chunks are so large that the number of the next group may wrap";
    return NULL;
}

/* Apart from the counters, these checks are not needed for isolation: a launch with a bad record
 * harms only itself. */
static const char *record_flaw(const firmware *f, const launch *launch, uint32_t version) {
    if (!words_are_in_arena(launch, (uintptr_t)launch->words))
        return "its words are not in its arena";
    if (launch->data_bytes &&
        ((launch->data | launch->data_bytes) % RVL_PAGE_BYTES != 0 ||
         !range_within(launch->data, launch->data_bytes, launch->code, launch_code_bytes(launch))))
        return "its image's data are not whole pages among its code";
    if (RVL_VERSION_MAJOR(version) != RVL_VERSION_MAJOR(RVL_PROTOCOL_VERSION))
        return "its record is of another version";
    const char *flaw = groups_flaw(f, launch->total_groups, launch->chunk);
    if (flaw)
        return flaw;
    if (launch->local_bytes > f->local_memory_bytes)
        return "it needs more local memory than there is";
    if (needed_memory(f, launch) > f->hart_memory_bytes)
        return "stack, saved values and local memory exceed a hart's memory";
    if (launch->counters > RVL_MAX_COUNTERS)
        return "it has too many atomic counters";
    if (launch->counters && !counters_are_valid(launch))
        return "an atomic counter is not in its arena, aligned, of 4 or 8 bytes";
    return NULL;
}

const char *launch_read_record(const firmware *f, launch *launch) {
    const rvl_launch_record *record = (const rvl_launch_record *)(uintptr_t)launch->command.record;
    INVALIDATE_FOR_DEVICE(f, *record);
    const uint32_t version = record->version;
    launch->start = record->start;
    launch->kernel = record->kernel;
    launch->image_base = record->image_base;
    launch->total_groups = record->total_groups;
    launch->chunk = record->chunk;
    launch->local_bytes = record->local_bytes;
    launch->saved_bytes = record->saved_bytes;
    launch->stack_bytes = record->stack_bytes;
    launch->argument_bytes = record->argument_bytes;
    launch->counters = record->counters;
    launch->words = (rvl_launch_words *)(uintptr_t)(launch->command.record + RVL_PAGE_BYTES);
    launch->data = launch->code;
    launch->data_bytes = 0;
    if (record_is_protected(launch)) {
        launch->words = (rvl_launch_words *)(uintptr_t)record->words;
        launch->data = record->data;
        launch->data_bytes = record->data_bytes;
    }
    read_once();
    return record_flaw(f, launch, version);
}

#define IS_PAIR(type, first, second)                                                               \
    (offsetof(type, first) % sizeof(word) == 0 &&                                                  \
     offsetof(type, second) == offsetof(type, first) + sizeof(uint32_t))
_Static_assert(IS_PAIR(rvl_launch_record, total_groups, chunk) &&
                   IS_PAIR(rvl_launch_record, local_bytes, saved_bytes) &&
                   IS_PAIR(rvl_launch_record, stack_bytes, argument_bytes) &&
                   IS_PAIR(launch, total_groups, chunk) &&
                   IS_PAIR(launch, local_bytes, saved_bytes) &&
                   IS_PAIR(launch, stack_bytes, argument_bytes),
               "they are neighbours");

/* Remembers the part of the arena without code around the words of a chain's launch. */
SELDOM static bool find_words(firmware *f, const launch *launch, uint64_t words) {
    const uint64_t bytes = sizeof *launch->words,
                   code_end = launch->code + launch_code_bytes(launch);
    uint64_t from = launch->arena, end = from + launch_arena_bytes(launch);
    if (!words_are_in_arena(launch, words))
        return false;
    if (launch->code > words && launch->code < end)
        end = launch->code;
    if (code_end <= words && code_end > from)
        from = code_end;
    if (launch->kind == f->chain_kind && range_within(words, bytes, from, end - from)) {
        f->words_from = from;
        f->words_range = end - from - bytes + 1;
    }
    return true;
}

/* Of a launch of the chain's kind. */
static inline bool words_are_as_before(const firmware *f, uint64_t words) {
    return words % RVL_CACHE_BLOCK == 0 && words - f->words_from < f->words_range;
}

/* Only what may differ between launches of a kernel is checked. */
ALWAYS_INLINE bool launch_repeats(firmware *f, uint64_t at, const launch *done, bool of_chain_kind,
                                  bool noncoherent, launch_repeat *repeat) {
    const rvl_launch_record *record = (const rvl_launch_record *)(uintptr_t)at;
    if (at % RVL_PAGE_BYTES != 0 || at - done->code >= launch_code_bytes(done))
        return false;
    if (noncoherent)
        INVALIDATE_FOR_DEVICE(f, *record);
    const uint32_t version = record->version, counters = record->counters;
    const uint64_t start = record->start, kernel = record->kernel, base = record->image_base;
    const word groups = pair_of(&record->total_groups);
    const word local = pair_of(&record->local_bytes), stack = pair_of(&record->stack_bytes);
    const uint64_t data = record->data, data_bytes = record->data_bytes, words = record->words;
    read_once();
    *repeat = (launch_repeat){(rvl_launch_words *)(uintptr_t)words, groups};
    return RVL_VERSION_MAJOR(version) == RVL_VERSION_MAJOR(RVL_PROTOCOL_VERSION) && !counters &&
           start == done->start && kernel == done->kernel && base == done->image_base &&
           local == pair_of(&done->local_bytes) && stack == pair_of(&done->stack_bytes) &&
           data == done->data && data_bytes == done->data_bytes &&
           ((of_chain_kind && words_are_as_before(f, words)) || find_words(f, done, words)) &&
           (groups == pair_of(&done->total_groups) ||
            !groups_flaw(f, (uint32_t)groups, (uint32_t)(groups >> 32)));
}

void launch_begin(const firmware *f, const launch *launch) {
    INVALIDATE_FOR_DEVICE(f, *launch->words);
    launch_clear_words(launch);
    if (launch->counters)
        read_counters(launch);
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

/* A launch's part of hart memory is drawn in hal/protocol/launch.h. Launches that the hart holds
 * come above the current one's:
 *
 *   low     +-----------------------------+
 *           | guard, at least a page      |
 *           | the current launch's        |
 *           | registers of the held one   | ◄ hart.memory_end; no access by either kernel
 *           | the held launch's           | ◄ its stack limit
 *   high    +-----------------------------+
 */
static uint64_t hart_memory_begin(const firmware *f, const hart *hart) {
    return f->hart_memory + hart->index * f->hart_memory_bytes;
}

/* Upper end of the saved values; local memory is above them or in the scratchpad. */
static uint64_t saved_end(const firmware *f, const hart *hart, const launch *launch) {
    const uint64_t local = f->scratchpad ? 0 : align_up(launch->local_bytes, RVL_CACHE_BLOCK);
    return hart->memory_end - local;
}

rvl_hart_frame *launch_frame(const firmware *f, const hart *hart, const launch *launch) {
    uint64_t saved = saved_end(f, hart, launch) - align_up(launch->saved_bytes, RVL_CACHE_BLOCK);
    return (rvl_hart_frame *)(uintptr_t)(saved - sizeof(rvl_hart_frame));
}

/* Lowest address of the hart's memory that the kernel may write to. One page below the declared
 * stack size, because padding of frames to large alignments is not counted there. */
static uint64_t stack_limit(const firmware *f, const hart *hart, const launch *launch,
                            const rvl_hart_frame *frame) {
    const uint64_t end = hart->memory_end;
    const uint64_t least = hart_memory_begin(f, hart) + RVL_PAGE_BYTES;
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

static void clear_local_memory(const firmware *f, const hart *hart) {
    if (f->scratchpad)
        arch_clear_hart(f, regions_local_memory(f, hart).from, f->local_memory_bytes);
}

/* Removes all data of another context from the hart. Kernels can't write below their stack
 * limit, so only memory above the lowest limit since the last time is cleared. What the hart holds
 * is above memory_end. */
SELDOM static void clear_hart(const firmware *f, hart *hart, const launch *launch) {
    uint64_t end = hart->memory_end;
    if (!hart->used_from) /* first use since power on: RAM contents are arbitrary */
        hart->used_from = hart_memory_begin(f, hart);
    if (hart->used_from > end)
        hart->used_from = end;
    arch_clear_hart(f, hart->used_from, end - hart->used_from);
    clear_local_memory(f, hart);
    hart->context = launch->command.context;
    hart->session = launch->session;
    hart->mixed = false;
    hart->used_from = end;
}

void launch_clear_hart(const firmware *f, hart *hart, const launch *launch) {
    if (hart->context != launch->command.context || hart->session != launch->session ||
        !hart->used_from || hart->mixed)
        clear_hart(f, hart, launch);
}

uint32_t launch_shared_local_bytes(const firmware *f, const launch *launch) {
    return f->scratchpad ? (uint32_t)align_up(launch->local_bytes, RVL_CACHE_BLOCK) : 0;
}

/* On a hart with a coarse stack, the memory below is as large as a power of two: a stack of up to
 * half of it is aligned to its size. */
SELDOM uint64_t launch_memory_end_below(const firmware *f, const hart *hart) {
    const uint64_t begin = hart_memory_begin(f, hart), available = hart->stack_limit - begin;
    const uint64_t kept = arch_register_bytes(f) + launch_shared_local_bytes(f, hart->launch);
    if (kept > available)
        return begin;
    const uint64_t end = (hart->stack_limit - kept) & -(uint64_t)RVL_PAGE_BYTES;
    if (!hart->coarse_stack)
        return end;
    uint64_t bytes = RVL_PAGE_BYTES;
    while (2 * bytes <= end - begin)
        bytes *= 2;
    return bytes <= end - begin ? begin + bytes : begin;
}

/* With a page for the alignment of the stack's end, and one for the padding of frames. */
SELDOM bool launch_fits(const firmware *f, const hart *hart, const launch *launch, uint64_t end) {
    const uint64_t available = end - hart_memory_begin(f, hart);
    uint64_t bytes = needed_memory(f, launch) + 2 * RVL_PAGE_BYTES;
    if (!hart->coarse_stack)
        return bytes <= available;
    uint64_t coarse = RVL_PAGE_BYTES;
    while (coarse < bytes)
        coarse *= 2;
    return coarse < available && (end & (coarse - 1)) == 0;
}

SELDOM void launch_keep_local_memory(const firmware *f, const hart *hart, const held_launch *held) {
    if (held->local_bytes)
        memcpy((void *)(uintptr_t)(held->registers + arch_register_bytes(f)),
               (const void *)(uintptr_t)regions_local_memory(f, hart).from, held->local_bytes);
}

/* What another context has left there is cleared first. */
SELDOM void launch_restore_local_memory(const firmware *f, const hart *hart,
                                        const held_launch *held) {
    if (hart->mixed)
        clear_local_memory(f, hart);
    if (held->local_bytes)
        memcpy((void *)(uintptr_t)regions_local_memory(f, hart).from,
               (const void *)(uintptr_t)(held->registers + arch_register_bytes(f)),
               held->local_bytes);
}

void launch_place_frame(const firmware *f, hart *hart, const launch *launch) {
    hart->frame = launch_frame(f, hart, launch);
    hart->local_memory =
        f->scratchpad ? regions_local_memory(f, hart).from : saved_end(f, hart, launch);
}

void launch_place(const firmware *f, hart *hart, const launch *launch) {
    launch_place_frame(f, hart, launch);
    hart->stack_limit = stack_limit(f, hart, launch, hart->frame);
}

rvl_hart_frame *launch_make_frame(hart *hart) {
    if (hart->stack_limit < hart->used_from)
        hart->used_from = hart->stack_limit;
    volatile uint32_t *reserved = hart->frame->reserved; /* else the loop calls memset */
    for (size_t i = 0; i < sizeof hart->frame->reserved / sizeof *reserved; ++i)
        reserved[i] = 0;
    return launch_renew_frame(hart);
}

/* Kernels may have written to it. */
rvl_hart_frame *launch_renew_frame(const hart *hart) {
    rvl_hart_frame *frame = hart->frame;
    frame->local_memory = hart->local_memory;
    frame->saved = (uintptr_t)(frame + 1);
    frame->hart = hart->index;
    frame->first_group = frame->groups = 0;
    return frame;
}
