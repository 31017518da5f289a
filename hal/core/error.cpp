// SPDX-License-Identifier: Apache-2.0
#include "hal/core/error.h"

#include <charconv>
#include <cstring>

namespace rivulet::hal {

std::string hex(uint64_t value) {
    char text[20] = "0x";
    const auto end = std::to_chars(text + 2, text + sizeof text, value, 16).ptr;
    return {text, end};
}

std::string bytes_text(uint64_t bytes) {
    constexpr struct {
        uint64_t bytes;
        const char *name;
    } units[] = {{1ull << 30, " GiB"}, {1ull << 20, " MiB"}, {1ull << 10, " KiB"}};
    for (const auto &unit : units)
        if (bytes != 0 && bytes % unit.bytes == 0)
            return std::to_string(bytes / unit.bytes) + unit.name;
    return std::to_string(bytes) + " bytes";
}

std::string version_text(uint32_t version) {
    return std::to_string(RVL_VERSION_MAJOR(version)) + "." +
           std::to_string(RVL_VERSION_MINOR(version));
}

std::string errno_text(int error) {
    const char *name = strerrorname_np(error);
    const char *text = strerrordesc_np(error);
    return std::string(text != nullptr ? text : "unknown error") + " (" +
           (name != nullptr ? name : std::to_string(error)) + ")";
}

const char *status_text(rvl_status status) {
    switch (status) {
    case RVL_OK:
        return "no error";
    case RVL_TIMEOUT:
        return "nothing happened in the time given";
    case RVL_DEAD:
        return "the device is gone";
    case RVL_UNSUPPORTED:
        return "the driver cannot do this";
    case RVL_NOT_FOUND:
        return "not found";
    case RVL_INVALID:
        return "an argument makes no sense";
    case RVL_NO_MEMORY:
        return "out of memory";
    case RVL_IO:
        return "the operating system refused";
    case RVL_BAD_VERSION:
        return "versions do not fit together";
    }
    return "unknown status";
}

} // namespace rivulet::hal
