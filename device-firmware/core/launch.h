/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIVULET_FIRMWARE_LAUNCH_H
#define RIVULET_FIRMWARE_LAUNCH_H

#include "device-firmware/core/atomic.h"
#include "device-firmware/core/firmware.h"
#include "device-firmware/core/range.h"

/* All under the lock. */
static inline uint64_t launch_arena_bytes(const launch *launch) {
    return (uint64_t)launch->command.arena_pages * RVL_PAGE_BYTES;
}
/* The context's memory in the second heap; the page number difference equals the address
 * difference. */
static inline uint64_t launch_second(const launch *launch) {
    const int32_t pages = (int32_t)(launch->command.second_page - launch->command.arena_page);
    return launch->arena + (uint64_t)((int64_t)pages * RVL_PAGE_BYTES);
}
static inline uint64_t launch_second_bytes(const launch *launch) {
    return (uint64_t)launch->command.second_pages * RVL_PAGE_BYTES;
}
static inline uint64_t launch_code_bytes(const launch *launch) {
    return (uint64_t)launch->command.code_pages * RVL_PAGE_BYTES;
}
static inline memory_range launch_data(const launch *launch) { /* which the kernel may write */
    return (memory_range){launch->data, launch->data + launch->data_bytes};
}
static inline void launch_clear_words(const launch *launch) {
    rvl_launch_words *words = launch->words;
    store_relaxed(&words->next_group, 0);
    store_relaxed(&words->yield, 0);
}
static inline bool launch_is_wait(const launch *launch) {
    return launch->header.service == RVL_LAUNCH_WAIT;
}
/* Harts that may take part. */
static inline hart_set launch_harts(const launch *launch) {
#if MAX_HARTS > 64
    return launch->allowed;
#else
    return (hart_set){{launch->command.hart_mask}};
#endif
}
static inline void launch_set_harts(launch *launch, hart_set harts) {
#if MAX_HARTS > 64
    launch->allowed = harts;
#else
    launch->command.hart_mask = harts.word[0];
#endif
}
static inline void launch_set_yield(launch *launch, bool yield) {
    if (launch->yield != yield)
        store_relaxed(&launch->words->yield, launch->yield = yield);
}
/* What 64 bits of a command or a record are taken for. */
typedef uint64_t __attribute__((may_alias)) word;
static inline uint64_t header_bits(rvl_header header) { return *(const word *)&header; }
/* The part of a header that all launches of a kind have. */
static inline rvl_header common_part(rvl_header header) {
    header.flags &= RVL_FLAG_BARRIER | RVL_FLAG_LOW | RVL_FLAG_HIGH | RVL_FLAG_HART_RANGE;
    header.token = 0;
    return header;
}
/* Commands in words of 64 bits, so that comparisons take few instructions. */
enum {
    WORD_OF_HEADER,
    WORD_OF_NUMBER_AND_STREAM,
    WORD_OF_RECORD,
    WORD_OF_HARTS,
    WORD_OF_ARENA,
    WORD_OF_CODE,
    WORD_OF_LIMIT_AND_CONTEXT,
    WORD_OF_SECOND,
    COMMAND_WORDS
};
#define IS_AT(field, word_) (offsetof(rvl_slot, field) == (word_) * sizeof(word))
_Static_assert(sizeof(rvl_slot) == COMMAND_WORDS * sizeof(word) && IS_AT(header, WORD_OF_HEADER) &&
                   IS_AT(launch.launch, WORD_OF_NUMBER_AND_STREAM) &&
                   IS_AT(launch.record, WORD_OF_RECORD) && IS_AT(launch.hart_mask, WORD_OF_HARTS) &&
                   IS_AT(launch.arena_page, WORD_OF_ARENA) &&
                   IS_AT(launch.code_page, WORD_OF_CODE) &&
                   IS_AT(launch.time_limit, WORD_OF_LIMIT_AND_CONTEXT) &&
                   offsetof(rvl_slot, launch.context) ==
                       WORD_OF_LIMIT_AND_CONTEXT * sizeof(word) + 4 &&
                   IS_AT(launch.second_page, WORD_OF_SECOND),
               "layout of a launch's command");
_Static_assert(offsetof(launch, command) == offsetof(launch, header) + sizeof(word),
               "a launch has its command as in the ring");

/* Apart from the header. */
static inline bool is_of_kind(const word *command, const launch_kind *kind) {
    const word *common = (const word *)&kind->command;
    return command[WORD_OF_HARTS] == common[WORD_OF_HARTS] &&
           command[WORD_OF_ARENA] == common[WORD_OF_ARENA] &&
           command[WORD_OF_CODE] == common[WORD_OF_CODE] &&
           command[WORD_OF_SECOND] == common[WORD_OF_SECOND] &&
           ((const rvl_slot *)command)->launch.context == kind->command.launch.context;
}
/* Whether it is a launch of this kind and stream, but for its record. */
static inline bool launch_is_like(const launch_kind *kind, uint32_t stream, const rvl_slot *slot) {
    return header_bits(common_part(slot->header)) == header_bits(kind->command.header) &&
           slot->launch.stream == stream && is_of_kind((const word *)slot, kind);
}
/* These return why the launch can't run, or NULL. */
/* `may_be_of_kind`: its header is that of firmware.kind. */
const char *launch_accept(firmware *, launch *, rvl_header, const rvl_slot *, bool may_be_of_kind);
const char *launch_read_record(const firmware *, launch *);
/* What may differ between launches of one kernel with the same memory of the hart. */
typedef struct launch_repeat {
    rvl_launch_words *words;
    word groups; /* total_groups and chunk */
} launch_repeat;
/* Two neighbouring fields of 32 bits. */
static inline word pair_of(const uint32_t *first) { return *(const word *)first; }
/* Reads the record of a launch of the same kind as one that a hart has just finished. True if it is
 * valid and for the same kernel, with the same memory of the hart. */
bool launch_repeats(firmware *, uint64_t record, const launch *done, bool of_chain_kind,
                    bool noncoherent, launch_repeat *);
void launch_begin(const firmware *, const launch *); /* writes its words */
rvl_hart_frame *launch_frame(const firmware *, const hart *, const launch *);
/* Choose the part of the hart's memory that a launch on it uses, or only its frame. */
void launch_place(const firmware *, hart *, const launch *);
void launch_place_frame(const firmware *, hart *, const launch *);
/* These return the hart's frame, for the kernel to start with. */
rvl_hart_frame *launch_make_frame(hart *);
rvl_hart_frame *launch_renew_frame(const hart *); /* for a launch that repeats the last one */
/* removes another context's data */
void launch_clear_hart(const firmware *, hart *, const launch *);
/* Where a launch's memory would end on this hart if its kernel were left in the middle. */
uint64_t launch_memory_end_below(const firmware *, const hart *);
/* Whether stack, saved values and local memory fit into the hart's memory below `end`. */
bool launch_fits(const firmware *, const hart *, const launch *, uint64_t end);
/* Bytes of local memory that the next launch would use, too; it is kept and brought back. */
uint32_t launch_shared_local_bytes(const firmware *, const launch *);
void launch_keep_local_memory(const firmware *, const hart *, const held_launch *);
void launch_restore_local_memory(const firmware *, const hart *, const held_launch *);
/* writes back what the host reads */
void launch_write_back(const firmware *, const launch *);
/* for a launch with harts inside */
uint64_t launch_deadline(const firmware *, const launch *);
uint32_t launch_groups_left(const launch *); /* also 0 if it has to end */
/* M mode writes on behalf of a kernel only where the kernel itself may write. */
bool launch_may_write(const launch *, uint64_t address, uint64_t bytes);

#endif
