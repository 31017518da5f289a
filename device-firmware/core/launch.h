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
    const uint64_t from = launch->code + (uint64_t)launch->data_page * RVL_PAGE_BYTES;
    return (memory_range){from, from + (uint64_t)launch->data_pages * RVL_PAGE_BYTES};
}
static inline bool launch_is_wait(const launch *launch) {
    return launch->header.service == RVL_LAUNCH_WAIT;
}
static inline uint64_t launch_harts(const launch *launch) { /* harts that may take part */
    return launch->command.hart_mask;
}
static inline void launch_set_yield(launch *launch, uint32_t yield) {
    if (launch->yield != yield)
        store_relaxed(&launch->words->yield, launch->yield = yield);
}
/* These return why the launch can't run, or NULL. */
const char *launch_accept(firmware *, launch *, const rvl_header *, const rvl_slot *);
const char *launch_read_record(const firmware *, launch *);
void launch_begin(const firmware *, const launch *); /* writes its words */
rvl_hart_frame *launch_frame(const firmware *, const hart *, const launch *);
rvl_hart_frame *launch_make_frame(const firmware *, hart *, const launch *);
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
