/* SPDX-License-Identifier: Apache-2.0
 *
 * K230's system DMA: the four channels of the block at 0x80800000 that copy from memory to memory.
 * (PDMA, the chip's other engine, always has a peripheral at one end.) Registers are as in the
 * technical reference manual, 10.2, and as the vendor's U-Boot uses them. Never run on hardware.
 *
 *   channel                                      descriptor in memory, 32 bytes apart
 *   0x00 control: 1 starts, 2 stops              0x00 flags: two dimensions, pause, interrupt
 *   0x04 status: 1 busy                          0x04 from
 *   0x08 configuration: fill, byte order, …      0x08 bytes
 *   0x10 address of the first descriptor         0x0c lines and their distance
 *                                                0x10 to
 *                                                0x14 the next descriptor, or 0
 *
 * Addresses have 32 bits. The engine bypasses the harts' caches, so it copies whole cache blocks,
 * in pieces whose maintenance takes microseconds. Lines are transfers of their own. */
#include "device-firmware/drivers/copy_engine.h"
#include "device-firmware/drivers/mmio.h"

enum {
    ENABLED = 0x00, /* channels */
    MASKED = 0x04,  /* interrupts, as in STATE */
    STATE = 0x08,   /* channel n: 1 << n done, 16 << n item, 256 << n pause; writing 1 clears */
    CHANNEL = 0x50, /* the first one's registers */
    CHANNEL_BYTES = 0x30,
    CONTROL = 0x00,
    START = 1,
    STOP = 2,
    STATUS = 0x04,
    BUSY = 1,
    CONFIGURATION = 0x08,
    DESCRIPTOR = 0x10,

    /* The decompressor uses channels 0 and 1. */
    FIRST_CHANNEL = 2,
    CHANNELS = 2,
    BLOCK_BYTES = 64, /* of C908's caches */
    BEAT_BYTES = 8,   /* of the engine's bus */
    PIECE_BYTES = 16384,
    /* Looks at a channel that is neither busy nor done before the transfer counts as failed: the
     * manual doesn't say how soon after START it is busy. */
    PATIENCE = 1000,
};

typedef struct descriptor {
    uint32_t flags, from, bytes, lines, to, next;
} __attribute__((aligned(BLOCK_BYTES))) descriptor;
static descriptor descriptors[CHANNELS];

/* copy_job.own */
enum { LINE, BYTES_DONE, PIECE, IDLE_LOOKS };

static uint32_t bits_of(uint32_t channel) { return 0x111u << (FIRST_CHANNEL + channel); }
static uint32_t done_bit(uint32_t channel) { return 1u << (FIRST_CHANNEL + channel); }

static uintptr_t register_of(const device *device, uint32_t channel, uint32_t offset) {
    return device->base[0] + CHANNEL + (FIRST_CHANNEL + channel) * CHANNEL_BYTES + offset;
}

static bool is_busy(const device *device, uint32_t channel) {
    return mmio_read32(register_of(device, channel, STATUS)) & BUSY;
}

static void set_bits(const device *device, uint32_t offset, uint32_t bits) {
    mmio_write32(device->base[0] + offset, mmio_read32(device->base[0] + offset) | bits);
}

/* Emulators of the chip without this block read 0 there, and buses may answer with all ones. A
 * transfer may be under way that was begun before the harts were reset. */
static bool is_there(const device *device) {
    const uint32_t status = mmio_read32(register_of(device, 0, STATUS));
    if (status == UINT32_MAX)
        return false;
    if (status & BUSY)
        return true;
    const uintptr_t at = register_of(device, 0, DESCRIPTOR);
    mmio_write32(at, BLOCK_BYTES);
    return mmio_read32(at) == BLOCK_BYTES;
}

static uint32_t start(const device *device) {
    if (!is_there(device))
        return 0;
    for (uint32_t channel = 0; channel < CHANNELS; ++channel)
        set_bits(device, MASKED, bits_of(channel));
    return CHANNELS;
}

static uintptr_t destination(const copy_job *job) {
    return job->to + job->own[LINE] * job->to_pitch + job->own[BYTES_DONE];
}

/* Blocks of the destination that are dirty would be written back over what the engine stores, so
 * they are dropped before it starts; those that harts fetch meanwhile, after it has finished. */
static void start_piece(const device *device, uint32_t channel, copy_job *job) {
    const uintptr_t rest = job->bytes - job->own[BYTES_DONE];
    const uintptr_t bytes = rest < PIECE_BYTES ? rest : PIECE_BYTES;
    const uintptr_t from = job->from + job->own[LINE] * job->from_pitch + job->own[BYTES_DONE];
    job->own[PIECE] = bytes;
    job->own[IDLE_LOOKS] = 0;
    descriptor *descriptor = &descriptors[channel];
    descriptor->from = (uint32_t)from;
    descriptor->bytes = (uint32_t)bytes;
    descriptor->to = (uint32_t)destination(job);
    copy_cache_clean(from, bytes);
    copy_cache_clean((uintptr_t)descriptor, sizeof *descriptor);
    copy_cache_invalidate(destination(job), bytes);
    mmio_write32(device->base[0] + STATE, bits_of(channel));
    mmio_write32(register_of(device, channel, CONFIGURATION), 0);
    set_bits(device, ENABLED, done_bit(channel)); /* which the engine clears when it has finished */
    mmio_write32(register_of(device, channel, DESCRIPTOR), (uint32_t)(uintptr_t)descriptor);
    mmio_write32(register_of(device, channel, CONTROL), START);
}

static bool has_32_bit_addresses(uintptr_t first, const copy_job *job, uintptr_t pitch) {
    return first + (job->lines - 1) * pitch + job->bytes - 1 <= UINT32_MAX;
}

static bool begin(const device *device, uint32_t channel, copy_job *job) {
    const uintptr_t to = job->to | job->bytes | (job->lines > 1 ? job->to_pitch : 0);
    const uintptr_t from = job->from | (job->lines > 1 ? job->from_pitch : 0);
    if (to % BLOCK_BYTES || from % BEAT_BYTES ||
        !has_32_bit_addresses(job->to, job, job->to_pitch) ||
        !has_32_bit_addresses(job->from, job, job->from_pitch))
        return false;
    start_piece(device, channel, job);
    return true;
}

static copy_state step(const device *device, uint32_t channel, copy_job *job) {
    if (!(mmio_read32(device->base[0] + STATE) & done_bit(channel))) {
        if (is_busy(device, channel) || ++job->own[IDLE_LOOKS] < PATIENCE)
            return COPY_BUSY;
        return COPY_FAILED;
    }
    copy_cache_invalidate(destination(job), job->own[PIECE]);
    job->own[BYTES_DONE] += job->own[PIECE];
    if (job->own[BYTES_DONE] == job->bytes) {
        job->own[BYTES_DONE] = 0;
        ++job->own[LINE];
    }
    if (job->own[LINE] == job->lines)
        return COPY_DONE;
    start_piece(device, channel, job);
    return COPY_BUSY;
}

static bool stop(const device *device, uint32_t channel, copy_job *job) {
    (void)job; /* begins again with this piece */
    mmio_write32(register_of(device, channel, CONTROL), STOP);
    return !is_busy(device, channel);
}

static const char *const compatible[] = {"canaan,k230-sdma", 0};
const copy_driver copy_engine = {compatible, start, begin, step, stop};
