/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies the firmware from the slot to its link address, and validates the header. */
#include <stddef.h>

#include "device-firmware/loader/payload.h"

extern rvl_payload payload; /* begins where the loader ends */

/* Defined by boards that have to initialise DRAM; false if that failed. */
int loader_bring_up_memory(void);
__attribute__((weak)) int loader_bring_up_memory(void) { return 1; }

static uint32_t crc32(const uint8_t *at, size_t bytes) {
    uint32_t crc = UINT32_MAX;
    for (; bytes; --bytes) {
        crc ^= *at++;
        for (int bit = 0; bit < 8; ++bit)
            crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
    }
    return ~crc;
}

static uint64_t refuse(uint32_t state) {
    payload.state = state;
    return 0;
}

/* Returns the entry point, or 0 on failure. */
uint64_t load_payload(void);
uint64_t load_payload(void) {
    const uint8_t *from = (const uint8_t *)(&payload + 1);
    if (payload.magic != RVL_PAYLOAD_MAGIC)
        return refuse(RVL_PAYLOAD_NO_PAYLOAD);
    if (crc32(from, payload.bytes) != payload.crc)
        return refuse(RVL_PAYLOAD_DAMAGED);
    if (!loader_bring_up_memory())
        return refuse(RVL_PAYLOAD_NO_MEMORY);
    volatile uint8_t *to = (volatile uint8_t *)payload.destination;
    for (size_t i = 0; i < payload.bytes; ++i)
        to[i] = from[i];
    __asm__ volatile("fence rw, rw" ::: "memory");
    if (crc32((const uint8_t *)payload.destination, payload.bytes) != payload.crc)
        return refuse(RVL_PAYLOAD_NO_MEMORY);
    payload.state = RVL_PAYLOAD_ENTERED;
    return payload.entry;
}
