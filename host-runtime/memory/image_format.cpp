// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/memory/image_format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "host-runtime/device/limits.h"

namespace rivulet {
namespace {

enum class Encoding : uint8_t { snorm, unorm, signed_integer, unsigned_integer, half, single };

/// Table 5.7. A packed element is one number with a field for each channel.
struct ChannelType {
    cl_channel_type type;
    Encoding encoding;
    uint8_t bytes; // per channel, or per packed element
    struct Field {
        uint8_t shift, width;
    } fields[4] = {};
    [[nodiscard]] bool is_packed() const { return fields[0].width != 0; }
};
constexpr ChannelType channel_types[] = {
    {CL_SNORM_INT8, Encoding::snorm, 1},
    {CL_SNORM_INT16, Encoding::snorm, 2},
    {CL_UNORM_INT8, Encoding::unorm, 1},
    {CL_UNORM_INT16, Encoding::unorm, 2},
    {CL_UNORM_SHORT_565, Encoding::unorm, 2, {{11, 5}, {5, 6}, {0, 5}}},
    {CL_UNORM_SHORT_555, Encoding::unorm, 2, {{10, 5}, {5, 5}, {0, 5}}},
    {CL_UNORM_INT_101010, Encoding::unorm, 4, {{20, 10}, {10, 10}, {0, 10}}},
    {CL_SIGNED_INT8, Encoding::signed_integer, 1},
    {CL_SIGNED_INT16, Encoding::signed_integer, 2},
    {CL_SIGNED_INT32, Encoding::signed_integer, 4},
    {CL_UNSIGNED_INT8, Encoding::unsigned_integer, 1},
    {CL_UNSIGNED_INT16, Encoding::unsigned_integer, 2},
    {CL_UNSIGNED_INT32, Encoding::unsigned_integer, 4},
    {CL_HALF_FLOAT, Encoding::half, 2},
    {CL_FLOAT, Encoding::single, 4},
    {CL_UNORM_INT_101010_2, Encoding::unorm, 4, {{22, 10}, {12, 10}, {2, 10}, {0, 2}}},
    {unorm_int_2_101010, Encoding::unorm, 4, {{30, 2}, {20, 10}, {10, 10}, {0, 10}}},
};

constexpr uint32_t bit(cl_channel_type type) { return uint32_t{1} << (type - CL_SNORM_INT8); }
template <class... T> constexpr uint32_t set(T... types) {
    return (bit(static_cast<cl_channel_type>(types)) | ...);
}
constexpr uint32_t packed = set(CL_UNORM_SHORT_565, CL_UNORM_SHORT_555, CL_UNORM_INT_101010);
constexpr uint32_t bytes = set(CL_SNORM_INT8, CL_UNORM_INT8, CL_SIGNED_INT8, CL_UNSIGNED_INT8);
constexpr uint32_t real =
    set(CL_SNORM_INT8, CL_SNORM_INT16, CL_UNORM_INT8, CL_UNORM_INT16, CL_HALF_FLOAT, CL_FLOAT);
constexpr uint32_t any =
    real | bytes | set(CL_SIGNED_INT16, CL_SIGNED_INT32, CL_UNSIGNED_INT16, CL_UNSIGNED_INT32);

/// Table 5.6: the color component of each channel.
struct Order {
    cl_channel_order order;
    std::string_view components;
    uint32_t types; // supported with it
    bool supported = true;
    [[nodiscard]] bool is_srgb() const { return order >= CL_sRGB && order <= CL_sBGRA; }
};
constexpr Order orders[] = {
    {CL_R, "r", any},
    {CL_A, "a", any},
    {CL_RG, "rg", any},
    {CL_RA, "ra", any},
    {CL_RGBA, "rgba", any | set(CL_UNORM_INT_101010_2)},
    {CL_BGRA, "bgra", bytes},
    {CL_ARGB, "argb", bytes | set(unorm_int_2_101010)},
    {CL_ABGR, "abgr", bytes},
    {CL_INTENSITY, "r", real},
    {CL_LUMINANCE, "r", real},
    {CL_RGB, "rgb", packed},
    {CL_RGBx, "rgb", packed, false},
    {CL_DEPTH, "r", set(CL_UNORM_INT16, CL_FLOAT)},
    {CL_sRGBA, "rgba", set(CL_UNORM_INT8)},
    {CL_sBGRA, "bgra", set(CL_UNORM_INT8)},
    {CL_sRGB, "rgb", set(CL_UNORM_INT8), false},
    {CL_sRGBx, "rgbr", set(CL_UNORM_INT8), false},
    {CL_Rx, "r", any, false},
    {CL_RGx, "rg", any, false},
};

const ChannelType *type_of(const cl_image_format &format) {
    const auto *found =
        std::ranges::find(channel_types, format.image_channel_data_type, &ChannelType::type);
    return found == std::end(channel_types) ? nullptr : found;
}
const Order *order_of(const cl_image_format &format) {
    const auto *found = std::ranges::find(orders, format.image_channel_order, &Order::order);
    return found == std::end(orders) ? nullptr : found;
}

bool is_supported(const Order &order, cl_mem_flags flags, cl_mem_object_type type) {
    const bool is_2d = type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    return order.supported && (is_2d || order.order != CL_DEPTH) &&
           (srgb_writes || flags & CL_MEM_READ_ONLY || !order.is_srgb());
}

/// IEC 61966-2-1.
float srgb(float linear) {
    return linear <= 0.0031308f ? 12.92f * linear : 1.055f * std::pow(linear, 1 / 2.4f) - 0.055f;
}

/// Converts to binary16, rounding to nearest even. Not every host's compiler library can.
uint16_t half_of(float real) {
    const auto bits = std::bit_cast<uint32_t>(real);
    const uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    uint32_t half = 0;
    if (magnitude > 0x7f800000) // NaN, made quiet
        half = 0x7e00 | (magnitude >> 13 & 0x1ff);
    else if (magnitude >= 0x477ff000) // infinite from 65520 on
        half = 0x7c00;
    else if (magnitude < 0x38800000) // below 2^-14, where adding 0.5 aligns the last place
        half = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000;
    else // a carry out of the fraction increments the exponent
        half = (magnitude + 0xfff + (magnitude >> 13 & 1) - (uint32_t{127 - 15} << 23)) >> 13;
    return static_cast<uint16_t>(sign | half);
}

/// Encodes one channel; `value` is a component of the color.
uint32_t encoded(Encoding encoding, unsigned width, uint32_t value) {
    const auto real = std::bit_cast<float>(value);
    const auto greatest = [&](unsigned bits) { return uint32_t{0xffffffff} >> (32 - bits); };
    // 8.3.1.2: saturates; NaN becomes 0 (6.2.3.3).
    const auto scaled = [&](float low, uint32_t scale) {
        const float factor = static_cast<float>(scale);
        const float wanted = std::isnan(real) ? 0 : real * factor;
        return static_cast<uint32_t>(std::lrint(std::clamp(wanted, low, factor)));
    };
    switch (encoding) {
    case Encoding::unorm:
        return scaled(0, greatest(width));
    case Encoding::snorm:
        return scaled(-static_cast<float>(greatest(width - 1)) - 1, greatest(width - 1));
    case Encoding::signed_integer: {
        const auto most = static_cast<int32_t>(greatest(width - 1));
        return static_cast<uint32_t>(std::clamp(static_cast<int32_t>(value), -most - 1, most));
    }
    case Encoding::unsigned_integer:
        return std::min(value, greatest(width));
    case Encoding::half:
        return half_of(real);
    default:
        return value;
    }
}

} // namespace

size_t element_bytes(const cl_image_format &format) {
    const ChannelType *type = type_of(format);
    const Order *order = order_of(format);
    if (!type || !order || !(order->types & bit(type->type)))
        return 0;
    return type->is_packed() ? type->bytes : type->bytes * order->components.size();
}

std::vector<cl_image_format> supported_formats(cl_mem_flags flags, cl_mem_object_type type) {
    std::vector<cl_image_format> formats;
    for (const Order &order : orders)
        if (is_supported(order, flags, type))
            for (const ChannelType &channel_type : channel_types)
                if (order.types & bit(channel_type.type))
                    formats.push_back({order.order, channel_type.type});
    return formats;
}

bool is_supported(const cl_image_format &format, cl_mem_flags flags, cl_mem_object_type type) {
    return is_supported(*order_of(format), flags, type);
}

bool may_look_at(const cl_image_format &other, const cl_image_format &as) {
    constexpr cl_channel_order pairs[][2] = {{CL_RGBA, CL_sRGBA},
                                             {CL_BGRA, CL_sBGRA},
                                             {CL_RGB, CL_sRGB},
                                             {CL_RGBx, CL_sRGBx},
                                             {CL_R, CL_DEPTH}};
    return other.image_channel_data_type == as.image_channel_data_type &&
           std::ranges::any_of(pairs, [&](const auto &pair) {
               return (pair[0] == other.image_channel_order && pair[1] == as.image_channel_order) ||
                      (pair[1] == other.image_channel_order && pair[0] == as.image_channel_order);
           });
}

std::array<std::byte, 16> encoded(const cl_image_format &format, const void *color) {
    const ChannelType &type = *type_of(format);
    const Order &order = *order_of(format);
    std::array<std::byte, 16> element{};
    uint32_t packed_element = 0;
    for (size_t channel = 0; channel < order.components.size(); ++channel) {
        const size_t component = std::string_view("rgba").find(order.components[channel]);
        uint32_t value = 0;
        std::memcpy(&value, static_cast<const std::byte *>(color) + component * 4, 4);
        if (order.is_srgb() && component < 3)
            value = std::bit_cast<uint32_t>(srgb(std::bit_cast<float>(value)));
        const ChannelType::Field &field = type.fields[channel];
        const unsigned width = type.is_packed() ? field.width : type.bytes * 8u;
        const uint32_t bits = encoded(type.encoding, width, value);
        packed_element |= bits << field.shift;
        std::memcpy(element.data() + channel * type.bytes, &bits, type.bytes);
    }
    if (type.is_packed())
        std::memcpy(element.data(), &packed_element, type.bytes);
    return element;
}

} // namespace rivulet
