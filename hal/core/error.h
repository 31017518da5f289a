// SPDX-License-Identifier: Apache-2.0
//
// Small helpers for messages. No std::format: it alone would be a third of the library.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "hal/device.h"

namespace rivulet::hal {

inline std::unexpected<Error> fail(rvl_status status, std::string message) {
    return std::unexpected(Error{status, std::move(message)});
}

/// "0x80000000"
std::string hex(uint64_t value);
/// "512 MiB", "4096 bytes"
std::string bytes_text(uint64_t bytes);
/// "1.0"
std::string version_text(uint32_t version);
/// "no such file or directory (ENOENT)"
std::string errno_text(int error);
/// What a driver's status means when it said nothing itself.
const char *status_text(rvl_status status);

} // namespace rivulet::hal
