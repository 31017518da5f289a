/* SPDX-License-Identifier: Apache-2.0
 *
 * A model of a fixed-function unit, for tests and to copy from: its hart does what hardware would
 * do, a piece at each look. A real driver writes job.argument into the unit's registers in `begin`,
 * reads its status in `step`, and resets it in `stop`.
 *
 *   0  copy2d   source, its row pitch, destination, its row pitch; a rectangle of global_size bytes
 *   1  crc32    data, bytes, result: CRC-32 as in IEEE 802.3
 *   2  fail     code: fails with this code; never answers if it is 0 */
#include <string.h>

#include "device-firmware/core/unit_driver.h"
#include "hal/protocol/mailbox.h"

enum { COPY2D, CRC32, FAIL };
enum { PIECE = 4096 }; /* bytes at a time */

/* Bytes from the first row's start to the last row's end. The model refuses 2^31 and more of
 * anything, so that nothing overflows. */
static uint64_t extent(uint64_t row, uint64_t rows, uint64_t pitch) {
    if ((row | rows | pitch) >> 31)
        return UINT64_MAX;
    return row && rows ? (uint64_t)(uint32_t)(rows - 1) * (uint32_t)pitch + row : 0;
}

static unit_state begin_copy(unit_job *job) {
    const uint64_t row = job->global_size[0], rows = job->global_size[1];
    const bool allowed =
        unit_memory(job, job->argument[0], extent(row, rows, job->argument[1]), RVL_FAULT_LOAD) &&
        unit_memory(job, job->argument[2], extent(row, rows, job->argument[3]), RVL_FAULT_STORE);
    return allowed ? UNIT_BUSY : UNIT_FAILED;
}

static uintptr_t piece(uintptr_t left) { return left < PIECE ? left : PIECE; }

static unit_state copy_piece(unit_job *job) {
    const uintptr_t width = (uintptr_t)job->global_size[0], height = (uintptr_t)job->global_size[1];
    const uintptr_t row = (uintptr_t)job->own[0], column = (uintptr_t)job->own[1];
    const uintptr_t bytes = piece(width - column);
    if (row >= height || !bytes)
        return UNIT_DONE;
    const uintptr_t from = (uintptr_t)job->argument[0] + row * (uintptr_t)job->argument[1];
    const uintptr_t to = (uintptr_t)job->argument[2] + row * (uintptr_t)job->argument[3];
    memmove((char *)to + column, (const char *)from + column, bytes);
    job->own[0] = row + (column + bytes == width);
    job->own[1] = column + bytes == width ? 0 : column + bytes;
    return UNIT_BUSY;
}

static unit_state begin_crc(unit_job *job) {
    job->own[0] = 0xffffffff;
    return unit_memory(job, job->argument[0], job->argument[1], RVL_FAULT_LOAD) &&
                   unit_memory(job, job->argument[2], sizeof(uint32_t), RVL_FAULT_STORE)
               ? UNIT_BUSY
               : UNIT_FAILED;
}

static unit_state crc_piece(unit_job *job) {
    uint32_t crc = (uint32_t)job->own[0];
    const uintptr_t done = (uintptr_t)job->own[1],
                    bytes = piece((uintptr_t)job->argument[1] - done);
    const uint8_t *data = (const uint8_t *)(uintptr_t)job->argument[0] + done;
    for (uintptr_t i = 0; i < bytes; ++i) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; ++bit)
            crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
    }
    job->own[0] = crc;
    job->own[1] = done + bytes;
    if (done + bytes < (uintptr_t)job->argument[1])
        return UNIT_BUSY;
    crc = ~crc;
    memcpy((void *)(uintptr_t)job->argument[2], &crc, sizeof crc);
    return UNIT_DONE;
}

static unit_state begin(unit_job *job) {
    switch (job->function) {
    case COPY2D:
        return begin_copy(job);
    case CRC32:
        return begin_crc(job);
    case FAIL:
        job->value = (uint32_t)job->argument[0];
        return job->value ? UNIT_FAILED : UNIT_BUSY;
    default:
        job->value = UINT32_MAX;
        return UNIT_FAILED;
    }
}

static unit_state step(unit_job *job) {
    return job->function == COPY2D  ? copy_piece(job)
           : job->function == CRC32 ? crc_piece(job)
                                    : UNIT_BUSY;
}

static bool stop(unit_job *job) {
    (void)job;
    return true;
}

const unit_driver model_unit = {RVL_MODEL_UNIT, begin, step, stop};
RIVULET_UNIT(model_unit);
