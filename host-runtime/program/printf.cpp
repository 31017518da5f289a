// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/program/printf.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "hal/protocol/launch.h"

namespace rivulet {
namespace {

using Bytes = std::span<const std::byte>;

/// Little endian, as devices and hosts are; what is missing is zero.
template <class T> T value_of(Bytes bytes) {
    T value{};
    std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
    return value;
}

double half_value(uint16_t bits) {
    const int exponent = bits >> 10 & 31;
    const int fraction = bits & 1023;
    const double value = exponent == 31 ? (fraction ? NAN : INFINITY)
                         : exponent     ? std::ldexp(fraction + 1024, exponent - 25)
                                        : std::ldexp(fraction, -24);
    return bits >> 15 ? -value : value;
}

double floating_value(Bytes bytes) {
    return bytes.size() == 2   ? half_value(value_of<uint16_t>(bytes))
           : bytes.size() == 4 ? static_cast<double>(value_of<float>(bytes))
                               : value_of<double>(bytes);
}

/// The string there, or nullptr: it does not lie in the image as a whole.
const char *string_at(Bytes image, uint64_t offset) {
    if (offset >= image.size() || !std::memchr(&image[offset], 0, image.size() - offset))
        return nullptr;
    return reinterpret_cast<const char *>(&image[offset]);
}

/// One argument after the other; empty after the last.
class Arguments {
public:
    explicit Arguments(Bytes bytes) : left_(bytes) {}

    Bytes next() {
        constexpr size_t head = sizeof(rvl_printf_argument);
        if (left_.size() < head)
            return {};
        const size_t bytes = value_of<rvl_printf_argument>(left_).bytes;
        left_ = left_.subspan(head);
        if (bytes > left_.size())
            return left_ = {};
        const Bytes value = left_.first(bytes);
        left_ = left_.subspan(std::min(left_.size(), (bytes + 7) / 8 * 8));
        return value;
    }

private:
    Bytes left_;
};

/// A conversion specification: % flags width .precision vector length conversion.
struct Specification {
    char host[32] = "%"; // for the C library: flags, width, precision; then length, conversion
    size_t host_length = 1;
    unsigned components = 0; // of a vector
    unsigned shorts = 0;     // h in the length modifier
    char conversion = 0;

    /// Behind it, or nullptr: it is not a specification.
    const char *parse(const char *at) {
        for (; *at && std::strchr("-+ #0.123456789", *at); ++at) {
            if (host_length > 16) // more than flags, width and precision may have
                return nullptr;
            host[host_length++] = *at;
        }
        if (*at == 'v')
            for (++at; *at >= '0' && *at <= '9' && components < 16; ++at)
                components = components * 10 + static_cast<unsigned>(*at - '0');
        for (; *at == 'h' || *at == 'l'; ++at)
            shorts += *at == 'h';
        if (shorts && at[-1] == 'l') // hl: components of 32 bits
            shorts = 0;
        conversion = *at;
        return conversion && std::strchr("diouxXfFeEgGaAcsp", conversion) ? at + 1 : nullptr;
    }

    void complete(const char *length) {
        std::snprintf(host + host_length, sizeof host - host_length, "%s%c", length, conversion);
    }

    void print(Bytes value, Bytes image, uint64_t image_base, std::FILE *to) {
        switch (conversion) {
        case 's': {
            const char *string = string_at(image, value_of<uint64_t>(value) - image_base);
            complete("");
            std::fprintf(to, host, string ? string : "(null)");
            return;
        }
        case 'p':
            complete("");
            std::fprintf(to, host, reinterpret_cast<void *>(value_of<uintptr_t>(value)));
            return;
        case 'c':
            complete("");
            std::fprintf(to, host, value_of<int>(value));
            return;
        default:
            break;
        }
        const size_t count = std::max(components, 1u);
        // 6.1.5: three components in the place of four.
        const size_t bytes = value.size() / (count == 3 ? 4 : count);
        const bool integer = std::strchr("diouxX", conversion);
        complete(integer ? "ll" : "");
        for (size_t index = 0; index < count; ++index) {
            if (index)
                std::fputc(',', to);
            Bytes component = value.subspan(index * bytes, bytes);
            if (!integer) {
                std::fprintf(to, host, floating_value(component));
                continue;
            }
            if (shorts)
                component = component.first(std::min<size_t>(bytes, shorts > 1 ? 1 : 2));
            auto number = value_of<uint64_t>(component);
            if (const size_t unused = 64 - 8 * std::clamp<size_t>(component.size(), 1, 8);
                conversion == 'd' || conversion == 'i')
                number = static_cast<uint64_t>(static_cast<int64_t>(number << unused) >> unused);
            std::fprintf(to, host, number);
        }
    }
};

} // namespace

void print_records(Bytes records, Bytes image, uint64_t image_base, std::FILE *to) {
    while (records.size() >= sizeof(rvl_printf_record)) {
        const auto record = value_of<rvl_printf_record>(records);
        const char *format = string_at(image, record.format);
        if (!format || record.bytes < sizeof record || record.bytes > records.size())
            return;
        Arguments arguments(records.first(record.bytes).subspan(sizeof record));
        records = records.subspan(record.bytes);
        while (*format) {
            if (*format != '%') {
                const size_t plain = std::strcspn(format, "%");
                std::fwrite(format, 1, plain, to);
                format += plain;
                continue;
            }
            Specification specification;
            const char *end = specification.parse(++format);
            const Bytes value = end ? arguments.next() : Bytes();
            if (!value.empty()) {
                specification.print(value, image, image_base, to);
                format = end;
            } else { // %%, or what is none: as it stands
                std::fputc('%', to);
                format += *format == '%';
            }
        }
    }
}

} // namespace rivulet
