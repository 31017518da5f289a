/* SPDX-License-Identifier: Apache-2.0
 *
 * Limits shared by the compiler and the host runtime, the same for all devices. */
#ifndef RIVULET_PROTOCOL_LIMITS_H
#define RIVULET_PROTOCOL_LIMITS_H

#define RVL_MAX_WORK_GROUP_SIZE 1024 /* work-items, over all dimensions */

#endif
