// SPDX-License-Identifier: Apache-2.0
//
// Helpers for tests of images: images of any type, and what an element means, by chapters 5.3.1 and
// 8.3, computed in double precision.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "on_device.h"

namespace rivulet::test {

using Size = std::array<size_t, 3>; // as origins and regions count
using Color = std::array<double, 4>;

class OnImages : public OnDevice {
protected:
    static constexpr Size start{0, 0, 0};

    static cl_image_desc description(cl_mem_object_type type, Size size) {
        cl_image_desc desc{};
        desc.image_type = type;
        desc.image_width = size[0];
        if (type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
            desc.image_array_size = size[1];
        else
            desc.image_height = size[1];
        if (type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
            desc.image_array_size = size[2];
        else
            desc.image_depth = size[2];
        return desc;
    }
    cl_mem create(const cl_image_desc &desc, cl_image_format format, cl_mem_flags flags, void *host,
                  cl_int &code) {
        return clCreateImage(context(), flags, &format, &desc, host, &code);
    }
    /// The wrapper of opencl.hpp does not mind the type.
    cl::Image2D image(const cl_image_desc &desc, cl_image_format format,
                      cl_mem_flags flags = CL_MEM_READ_WRITE, void *host = nullptr) {
        cl_int code = CL_SUCCESS;
        const cl_mem made = create(desc, format, flags, host, code);
        EXPECT_EQ(code, CL_SUCCESS)
            << std::hex << format.image_channel_order << ' ' << format.image_channel_data_type;
        return cl::Image2D(made);
    }
    cl::Image2D image(cl_mem_object_type type, cl_image_format format, Size size) {
        cl_image_desc desc = description(type, size);
        if (type != CL_MEM_OBJECT_IMAGE1D_BUFFER)
            return image(desc, format);
        cl::Buffer elements = buffer(std::vector<uint8_t>(size[0] * 16));
        desc.mem_object = elements();
        return image(desc, format);
    }
    template <class T> std::vector<T> read_image(const cl::Image &from, Size region) {
        std::vector<T> elements(region[0] * region[1] * region[2]);
        queue.enqueueReadImage(from, CL_TRUE, start, region, 0, 0, elements.data());
        return elements;
    }
    std::vector<cl_image_format> formats(cl_mem_object_type type,
                                         cl_mem_flags flags = CL_MEM_READ_WRITE) {
        cl_uint count = 0;
        EXPECT_EQ(clGetSupportedImageFormats(context(), flags, type, 0, nullptr, &count),
                  CL_SUCCESS);
        std::vector<cl_image_format> list(count);
        EXPECT_EQ(clGetSupportedImageFormats(context(), flags, type, count, list.data(), nullptr),
                  CL_SUCCESS);
        return list;
    }
};

inline constexpr cl_channel_type unorm_int_2_101010 = 0x10E5;

inline bool is_srgb(cl_image_format format) {
    return format.image_channel_order >= CL_sRGB && format.image_channel_order <= CL_sBGRA;
}
inline bool is_signed_integer(cl_image_format format) {
    return format.image_channel_data_type >= CL_SIGNED_INT8 &&
           format.image_channel_data_type <= CL_SIGNED_INT32;
}
inline bool is_unsigned_integer(cl_image_format format) {
    return format.image_channel_data_type >= CL_UNSIGNED_INT8 &&
           format.image_channel_data_type <= CL_UNSIGNED_INT32;
}

inline size_t channel_bytes(cl_image_format format) { // of integers
    const cl_channel_type type = format.image_channel_data_type;
    return size_t{1} << (type - (is_signed_integer(format) ? CL_SIGNED_INT8 : CL_UNSIGNED_INT8));
}

/// The source of each component of a color when it is read: a channel (x … w), 0 or 1.
inline std::string_view components(cl_channel_order order) {
    switch (order) {
    case CL_A:
        return "000x";
    case CL_RG:
        return "xy01";
    case CL_RA:
        return "x00y";
    case CL_RGBA:
    case CL_sRGBA:
        return "xyzw";
    case CL_BGRA:
    case CL_sBGRA:
        return "zyxw";
    case CL_ARGB:
        return "yzwx";
    case CL_ABGR:
        return "wzyx";
    case CL_INTENSITY:
        return "xxxx";
    case CL_LUMINANCE:
        return "xxx1";
    case CL_RGB:
        return "xyz1";
    default: // CL_R, CL_DEPTH
        return "x001";
    }
}

inline double half_value(uint16_t bits) {
    const int exponent = bits >> 10 & 31;
    const double fraction = bits & 1023;
    const double size =
        exponent ? std::ldexp(1024 + fraction, exponent - 25) : std::ldexp(fraction, -24);
    return bits & 0x8000 ? -size : size;
}

/// One channel of an element.
inline double channel(cl_channel_type type, const uint8_t *element, int index) {
    const auto as = [&]<class T>(T value) {
        std::memcpy(&value, element + static_cast<size_t>(index) * sizeof value, sizeof value);
        return value;
    };
    uint32_t word = 0;
    std::memcpy(&word, element, type == CL_UNORM_SHORT_565 || type == CL_UNORM_SHORT_555 ? 2 : 1);
    const auto field = [&](int shift, int width) {
        return (word >> shift & ((1u << width) - 1)) / ((1u << width) - 1.0);
    };
    switch (type) {
    case CL_SNORM_INT8:
        return std::max(as(int8_t{}) / 127.0, -1.0);
    case CL_SNORM_INT16:
        return std::max(as(int16_t{}) / 32767.0, -1.0);
    case CL_UNORM_INT8:
        return as(uint8_t{}) / 255.0;
    case CL_UNORM_INT16:
        return as(uint16_t{}) / 65535.0;
    case CL_UNORM_SHORT_565:
        return index == 0 ? field(11, 5) : index == 1 ? field(5, 6) : field(0, 5);
    case CL_UNORM_SHORT_555:
        return field(10 - 5 * index, 5);
    case CL_SIGNED_INT8:
        return as(int8_t{});
    case CL_SIGNED_INT16:
        return as(int16_t{});
    case CL_SIGNED_INT32:
        return as(int32_t{});
    case CL_UNSIGNED_INT8:
        return as(uint8_t{});
    case CL_UNSIGNED_INT16:
        return as(uint16_t{});
    case CL_UNSIGNED_INT32:
        return as(uint32_t{});
    case CL_HALF_FLOAT:
        return half_value(as(uint16_t{}));
    case CL_FLOAT:
        return as(float{});
    default: // of 32 bits: ten for each channel, two for alpha
        std::memcpy(&word, element, sizeof word);
        if (type == CL_UNORM_INT_101010_2)
            return index == 3 ? field(0, 2) : field(22 - 10 * index, 10);
        if (type == CL_UNORM_INT_101010)
            return field(20 - 10 * index, 10);
        return index == 0 ? field(30, 2) : field(30 - 10 * index, 10);
    }
}

/// Reads a color as it is stored: sRGB is not made linear.
inline Color stored_color(cl_image_format format, const uint8_t *element) {
    const std::string_view from = components(format.image_channel_order);
    Color color{};
    for (size_t i = 0; i < 4; ++i) {
        const size_t index = std::string_view("xyzw").find(from[i]);
        color[i] = index == std::string_view::npos
                       ? from[i] - '0'
                       : channel(format.image_channel_data_type, element, static_cast<int>(index));
    }
    return color;
}

inline double srgb(double linear) {
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

/// How far a color may be from what is stored for it: half a step, and a float's rounding.
inline double tolerance(cl_image_format format, double value, size_t component) {
    switch (format.image_channel_data_type) {
    case CL_FLOAT:
        return 0;
    case CL_HALF_FLOAT: // round to nearest
        return std::ldexp(std::abs(value), -11) + std::ldexp(1, -25);
    case CL_SNORM_INT8:
        return 0.5 / 127 + 1e-6;
    case CL_SNORM_INT16:
        return 0.5 / 32767 + 1e-6;
    case CL_UNORM_INT8: // 8.3: 0.6 of a step with sRGB
        return (is_srgb(format) ? 0.6 : 0.5) / 255 + 1e-6;
    case CL_UNORM_INT16:
        return 0.5 / 65535 + 1e-6;
    case CL_UNORM_SHORT_565:
    case CL_UNORM_SHORT_555:
        return 0.5 / 31 + 1e-6;
    default:
        return 0.5 / (component == 3 ? 3 : 1023) + 1e-6;
    }
}

/// True if an element has this color, saturated.
inline void expect_holds(cl_image_format format, const uint8_t *element, const Color &color) {
    const Color stored = stored_color(format, element);
    const std::string_view from = components(format.image_channel_order);
    const bool is_signed = format.image_channel_data_type == CL_SNORM_INT8 ||
                           format.image_channel_data_type == CL_SNORM_INT16;
    const bool is_real = format.image_channel_data_type == CL_HALF_FLOAT ||
                         format.image_channel_data_type == CL_FLOAT;
    for (size_t i = 0; i < 4; ++i) {
        if (from[i] == '0' || from[i] == '1')
            continue;
        // An intensity is written from the first component.
        double expected = from == "xxxx" || from == "xxx1" ? color[0] : color[i];
        if (!is_real)
            expected = std::clamp(expected, is_signed ? -1.0 : 0.0, 1.0);
        if (is_srgb(format) && i < 3)
            expected = srgb(expected);
        EXPECT_NEAR(stored[i], expected, tolerance(format, expected, i))
            << std::hex << "order " << format.image_channel_order << ", type "
            << format.image_channel_data_type << ", component " << i;
    }
}

} // namespace rivulet::test
