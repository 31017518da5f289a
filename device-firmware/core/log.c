/* SPDX-License-Identifier: Apache-2.0
 *
 * Log lines for the host: "[hart] text". A line that does not fit is dropped entirely, and counted.
 */
#include "device-firmware/core/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "device-firmware/core/arch.h"
#include "device-firmware/core/atomic.h"
#include "device-firmware/core/cache.h"

void firmware_log(firmware *f, uint32_t hart, const char *format, ...) {
    char line[LOG_LINE];
    va_list arguments;
    va_start(arguments, format);
    int prefix = snprintf(line, sizeof line, "[%u] ", (unsigned)hart);
    vsnprintf(line + prefix, sizeof line - (size_t)prefix - 1, format, arguments);
    va_end(arguments);
    arch_log(f, line);
    size_t length = strlen(line);
    line[length++] = '\n';

    arch_lock_take(&f->log_lock);
    rvl_mailbox *mailbox = &f->shared->mailbox;
    uint32_t tail = mailbox->log.tail.value;
    INVALIDATE_FOR_DEVICE(f, mailbox->log.head);
    uint32_t used = tail - load_acquire(&mailbox->log.head.value);
    if (used <= LOG_BYTES && length <= LOG_BYTES - used) {
        for (size_t i = 0; i < length; ++i)
            f->shared->log[(tail + i) % LOG_BYTES] = line[i];
        const size_t at = tail % LOG_BYTES, rest = LOG_BYTES - at;
        clean_for_host(f, &f->shared->log[at], length < rest ? length : rest);
        if (length > rest)
            clean_for_host(f, f->shared->log, length - rest);
        store_release(&mailbox->log.tail.value, tail + (uint32_t)length);
        CLEAN_FOR_HOST(f, mailbox->log.tail);
    } else {
        store_relaxed(&mailbox->log_lost, mailbox->log_lost + (uint32_t)length);
        CLEAN_FOR_HOST(f, mailbox->log_lost);
    }
    arch_lock_release(&f->log_lock);
}
