/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIVULET_FIRMWARE_LAUNCH_LIST_H
#define RIVULET_FIRMWARE_LAUNCH_LIST_H

#include "device-firmware/core/firmware.h"

static inline void launch_append(launch_list *list, launch *launch) {
    launch->next = NULL;
    launch->previous = list->last;
    *(list->last ? &list->last->next : &list->first) = launch;
    list->last = launch;
}
static inline void launch_remove(launch_list *list, launch *launch) {
    *(launch->previous ? &launch->previous->next : &list->first) = launch->next;
    *(launch->next ? &launch->next->previous : &list->last) = launch->previous;
}
static inline void launch_remove_first(launch_list *list) {
    list->first = list->first->next;
    *(list->first ? &list->first->previous : &list->last) = NULL;
}
static inline void launch_free(firmware *f, launch *launch) {
    launch->next = f->free;
    f->free = launch;
    ++f->free_launches;
}

#endif
