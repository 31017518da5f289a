/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RIVULET_BOOT_PRINT_H
#define RIVULET_BOOT_PRINT_H

__attribute__((format(printf, 1, 2))) void boot_print(const char *format, ...);

#endif
