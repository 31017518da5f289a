/* SPDX-License-Identifier: Apache-2.0
 *
 * The kinds of failure, as drivers return them and Error holds them. Plain C; hal/hal.h includes
 * it.
 */
#ifndef RIVULET_STATUS_H
#define RIVULET_STATUS_H

typedef enum rvl_status {
    RVL_OK = 0,
    RVL_TIMEOUT = 1,     /* the time limit has expired */
    RVL_DEAD = 2,        /* the device is gone; only reset and close make sense         */
    RVL_UNSUPPORTED = 3, /* the driver does not implement this; the common code does without */
    RVL_NOT_FOUND = 4,   /* machine, firmware, tool or device not found */
    RVL_INVALID = 5,     /* invalid argument, profile or file */
    RVL_NO_MEMORY = 6,
    RVL_IO = 7,          /* an operating system error; the log has details */
    RVL_BAD_VERSION = 8, /* different major version of HAL or protocol */
} rvl_status;

#endif
