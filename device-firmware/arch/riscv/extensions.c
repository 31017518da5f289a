/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels are compiled for the ISA string, so it must not claim anything that a hart lacks.
 * Each hart executes one instruction of every extension known here (extension_rows.S). */
#include <string.h>

#include "device-firmware/arch/riscv/csr.h"
#include "device-firmware/arch/riscv/riscv.h"

enum { ROW_BYTES = 12 };
extern const uint8_t riscv_extension_rows[], riscv_extension_rows_end[];
extern const char riscv_extension_names[]; /* string list, terminated by an empty string */

uint64_t riscv_missing_extensions(void) {
    uint64_t word = 0, missing = 0;
    csr_set(XSTATUS, XSTATUS_FS_INITIAL | XSTATUS_VS_INITIAL);
    (void)csr_try_write(0x003, 0); /* fcsr: an invalid rounding mode would trap, too */
    (void)csr_try_write(0x008, 0); /* vstart */
    uintptr_t row = (uintptr_t)riscv_extension_rows;
    for (uint64_t bit = 1; row < (uintptr_t)riscv_extension_rows_end; row += ROW_BYTES, bit <<= 1)
        if (!riscv_succeeds((void (*)(uintptr_t))row, (uintptr_t)&word))
            missing |= bit;
    return missing;
}

bool riscv_has_extension(uint64_t extensions, const char *name) {
    for (const char *at = riscv_extension_names; *at; at += strlen(at) + 1, extensions >>= 1)
        if (strcmp(at, name) == 0)
            return extensions & 1;
    return false;
}

/* "2p1" in "zba2p1" */
static size_t version_length(const char *at) {
    const size_t major = strspn(at, "0123456789");
    if (!major || at[major] != 'p')
        return 0;
    return major + 1 + strspn(at + major + 1, "0123456789");
}

static bool erase(char *from, const char *to) {
    memmove(from, to, strlen(to) + 1);
    return true;
}

static bool drop_letter(char *at, char letter) {
    for (size_t length; *at && *at != '_'; at += length) {
        length = 1 + version_length(at + 1);
        if (*at == letter)
            return erase(at, at + length);
    }
    return false;
}

bool riscv_drop_extension(char *isa, const char *name) {
    const size_t base = strlen("rv64"), length = strlen(name);
    if (strlen(isa) <= base)
        return false;
    if (length == 1)
        return drop_letter(isa + base, *name);
    for (char *at = isa; (at = strchr(at, '_')) != NULL; ++at) {
        const char *end = at + 1 + length;
        if (strncmp(at + 1, name, length) != 0)
            continue;
        end += version_length(end);
        if (*end == '\0' || *end == '_')
            return erase(at, end);
    }
    return false;
}

static uint32_t number_at(const char *at) {
    uint32_t number = 0;
    for (; *at >= '0' && *at <= '9'; ++at)
        number = 10 * number + (uint32_t)(*at - '0');
    return number;
}

/* Drops vector extensions the hart does not have, and zvl* lengths beyond its VLEN. */
static void drop_vectors(char *isa, uint32_t vlen) {
    for (char *at = isa; (at = strchr(at, '_')) != NULL;) {
        const bool is_long = strncmp(at, "_zvl", 4) == 0 && number_at(at + 4) > vlen;
        if (is_long || (!vlen && strncmp(at, "_zv", 3) == 0))
            erase(at, at + 1 + strcspn(at + 1, "_"));
        else
            ++at;
    }
}

void riscv_drop_missing(char *isa, uint64_t missing, uint32_t vlen, char *dropped, size_t bytes) {
    *dropped = '\0';
    for (const char *name = riscv_extension_names; *name; name += strlen(name) + 1, missing >>= 1)
        if (missing & 1 && riscv_drop_extension(isa, name) &&
            strlen(dropped) + 1 + strlen(name) < bytes) {
            strcat(dropped, " ");
            strcat(dropped, name);
        }
    drop_vectors(isa, vlen);
}
