/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface between damaging_driver.c and its test.
 */
#ifndef RIVULET_DAMAGING_DRIVER_H
#define RIVULET_DAMAGING_DRIVER_H

#include "hal/hal.h"
#include "hal/protocol/mailbox.h"

#ifdef __cplusplus
#include <atomic>
using rvl_flag = std::atomic<int>;
#else
#include <stdatomic.h>
typedef atomic_int rvl_flag;
#endif

struct rvl_damage {
    rvl_mailbox *mailbox; /* the device's own, since loopback's memory is the test's         */
    const rvl_host *host; /* whose `died` the test may call                                  */
    void (*before_write)(void); /* while a write of 8 bytes or more is under way; unmapped only */
    rvl_flag writing; /* such a write is under way                                       */
    rvl_flag reset_while_writing;
    rvl_flag deaf; /* bells don't reach the device */
};

#endif
