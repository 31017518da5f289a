/* SPDX-License-Identifier: Apache-2.0
 *
 * Limits that the compiler and the host runtime have in common, the same on all devices. */
#ifndef RIVULET_PROTOCOL_LIMITS_H
#define RIVULET_PROTOCOL_LIMITS_H

#define RVL_MAX_WORK_GROUP_SIZE 1024 /* work-items, along all axes together */

#endif
