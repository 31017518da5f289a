// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/program/printf.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/c_locale.h"
#include "base/error.h"
#include "hal/protocol/launch.h"
#include "hal/protocol/printf.h"

namespace rivulet {
namespace {

using Bytes = std::span<const std::byte>;

/// Little endian, like devices and hosts; missing bytes are zero.
template <class T> T value_of(Bytes bytes) {
    T value{};
    if (!bytes.empty()) // an empty span has no address that memcpy takes
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

/// The string at `offset`, or nullptr if it is not entirely within the image.
const char *string_at(Bytes image, uint64_t offset) {
    if (offset >= image.size() || !std::memchr(&image[offset], 0, image.size() - offset))
        return nullptr;
    return reinterpret_cast<const char *>(&image[offset]);
}

size_t rounded_up(size_t value, size_t grain) { return (value + grain - 1) / grain * grain; }

/// Removes bytes from the front, or nothing if there are too few.
Bytes take(Bytes &from, size_t bytes) {
    if (bytes > from.size())
        return {};
    const Bytes front = from.first(bytes);
    from = from.subspan(bytes);
    return front;
}

/// One call of printf.
struct Record {
    uint64_t format = 0; // from the image's base
    std::vector<Bytes> values;

    /// Reads the first record; returns false if there is none or it is invalid.
    bool take_from(Bytes &records) {
        if (records.size() < sizeof(rvl_printf_head))
            return false;
        const auto head = value_of<rvl_printf_head>(records);
        constexpr size_t sizes_at = offsetof(rvl_printf_head, bytes);
        const Bytes start = take(records, rounded_up(sizes_at + head.arguments, RVL_PRINTF_GRAIN));
        if (!head.format || start.empty())
            return false;
        format = head.format;
        values.clear();
        for (const std::byte size : start.subspan(sizes_at, head.arguments)) {
            const auto bytes = std::to_integer<size_t>(size);
            const Bytes value = take(records, rounded_up(bytes, RVL_PRINTF_GRAIN));
            if (value.empty())
                return false;
            values.push_back(value.first(bytes));
        }
        return true;
    }

    /// Reads a value in the format of kernel images of version 1.0.
    bool take_old_from(Bytes &records) {
        const auto head = value_of<rvl_printf_record>(records);
        Bytes left = take(records, head.bytes);
        if (take(left, sizeof head).empty())
            return false;
        format = head.format;
        values.clear();
        while (left.size() >= sizeof(rvl_printf_argument)) {
            const size_t bytes = value_of<rvl_printf_argument>(left).bytes;
            (void)take(left, sizeof(rvl_printf_argument));
            const Bytes value = take(left, rounded_up(bytes, 8));
            if (value.empty())
                return false;
            values.push_back(value.first(bytes));
        }
        return true;
    }
};

/// A conversion specification: % flags width .precision vector length conversion.
struct Specification {
    char host[32] = "%"; // for the C library: flags, width, precision; then length, conversion
    size_t host_length = 1;
    unsigned components = 0; // of a vector
    unsigned shorts = 0;     // h in the length modifier
    char conversion = 0;

    /// Returns the end of the specification, or nullptr if it is invalid.
    const char *parse(const char *at) {
        for (; *at && std::strchr("-+ #0.123456789", *at); ++at) {
            if (host_length > 16) // longer than flags, width and precision can be
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
        if (*at == 'z' || *at == 't') // the argument has its size with it
            ++at;
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
        // 6.1.5: three components are stored like four.
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

void print_records(Bytes records, PrintfRecords kind, Bytes image, uint64_t image_base,
                   std::FILE *to) {
    const CLocale c_locale;
    Record record;
    const auto take_next =
        kind == PrintfRecords::compact ? &Record::take_from : &Record::take_old_from;
    while ((record.*take_next)(records)) {
        const char *format = string_at(image, record.format);
        if (!format)
            return;
        auto next = record.values.begin();
        while (*format) {
            if (*format != '%') {
                const size_t plain = std::strcspn(format, "%");
                std::fwrite(format, 1, plain, to);
                format += plain;
                continue;
            }
            Specification specification;
            const char *end = specification.parse(++format);
            const Bytes value = end && next != record.values.end() ? *next++ : Bytes();
            if (!value.empty()) {
                specification.print(value, image, image_base, to);
                format = end;
            } else { // %% or an invalid specification: printed literally
                std::fputc('%', to);
                format += *format == '%';
            }
        }
    }
}

std::string more_printf(size_t mebibytes) {
    constexpr size_t most = 1024; // of RIVULET_PRINTF (base/environment.def)
    if (mebibytes >= most)
        return "the most that RIVULET_PRINTF allows: print less, or divide the work among several "
               "launches";
    return text({"which RIVULET_PRINTF=", std::min(mebibytes * 8, most), " makes more"});
}

} // namespace rivulet
