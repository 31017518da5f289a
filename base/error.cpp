// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include <cinttypes>
#include <cstdio>
#include <cstring>

namespace rivulet {

void Part::append_to(std::string &message) const {
    if (text_ != nullptr && text_ != hexadecimal) {
        message.append(text_, value_);
        return;
    }
    char digits[24];
    std::snprintf(digits, sizeof digits, text_ == nullptr ? "%" PRIu64 : "0x%" PRIx64, value_);
    message += digits;
}

std::string text(std::initializer_list<Part> parts) {
    std::string message;
    for (const Part &part : parts)
        part.append_to(message);
    return message;
}

std::unexpected<Error> fail(rvl_status status, std::string message) {
    return std::unexpected(Error{status, std::move(message)});
}

std::unexpected<Error> fail(rvl_status status, std::initializer_list<Part> message) {
    return fail(status, text(message));
}

std::string hex(uint64_t value) { return text({Hex{value}}); }

std::string bytes_text(uint64_t bytes) {
    constexpr struct {
        uint64_t bytes;
        const char *name;
    } units[] = {{1ull << 30, " GiB"}, {1ull << 20, " MiB"}, {1ull << 10, " KiB"}};
    for (const auto &unit : units)
        if (bytes != 0 && bytes % unit.bytes == 0)
            return text({bytes / unit.bytes, unit.name});
    return text({bytes, " bytes"});
}

std::string errno_text(int error) {
    const char *name = strerrorname_np(error);
    const char *description = strerrordesc_np(error);
    return text({description != nullptr ? description : "unknown error", " (",
                 name != nullptr ? name : "?", ")"});
}

const char *status_text(rvl_status status) {
    switch (status) {
    case RVL_OK:
        return "no error";
    case RVL_TIMEOUT:
        return "the operation timed out";
    case RVL_DEAD:
        return "the device is gone";
    case RVL_UNSUPPORTED:
        return "the driver cannot do this";
    case RVL_NOT_FOUND:
        return "not found";
    case RVL_INVALID:
        return "an argument is invalid";
    case RVL_NO_MEMORY:
        return "out of memory";
    case RVL_IO:
        return "the operating system reported an error";
    case RVL_BAD_VERSION:
        return "the versions are incompatible";
    }
    return "unknown status";
}

} // namespace rivulet
