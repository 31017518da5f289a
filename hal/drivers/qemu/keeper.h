/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages from QEMU's keeper to the driver; both are from the same build.
 */
#ifndef RIVULET_QEMU_KEEPER_H
#define RIVULET_QEMU_KEEPER_H

enum rvl_keeper_event {
    rvl_keeper_started, /* value: the program's process id */
    rvl_keeper_failed,  /* value: errno                   */
    rvl_keeper_ended,   /* value: the status, as from wait */
};

struct rvl_keeper_message {
    enum rvl_keeper_event event;
    int value;
};

#endif
