/* SPDX-License-Identifier: Apache-2.0
 *
 * Which fixed-function units there are, and which hart drives each. */
#include "device-firmware/core/unit.h"

uint32_t unit_count(const firmware *f) {
    return f->unit_count < RVL_MAX_UNITS ? f->unit_count : RVL_MAX_UNITS;
}

void unit_fill_hello(const firmware *f, rvl_hello *hello) {
    for (uint32_t i = 0; i < unit_count(f); ++i)
        hello->units[i] = f->units[i]->id;
}

/* From the last hart down, because hart 0 also serves the host. */
static const hart *hart_of(const firmware *f, uint32_t index) {
    return &f->hart[f->harts - 1 - index % f->harts];
}

const hart *unit_accept(const firmware *f, launch *launch) {
    const uint64_t id = launch->command.hart_mask;
    uint32_t index = 0;
    while (index < unit_count(f) && f->units[index]->id != id)
        ++index;
    if (index == unit_count(f))
        return NULL;
    launch->unit = (uint8_t)(index + 1);
    return hart_of(f, index);
}
