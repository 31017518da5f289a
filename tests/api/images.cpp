// SPDX-License-Identifier: Apache-2.0
//
// OpenCL 5.3, 6.12.14, chapter 8: images and samplers in kernels.
#include <random>

#include "images.h"

#include <CL/cl_ext.h>

namespace rivulet::test {
namespace {

using Image = OnImages;

constexpr cl_image_format red_uint{CL_R, CL_UNSIGNED_INT32};
constexpr cl_image_format red_float{CL_R, CL_FLOAT};

struct Type {
    cl_mem_object_type type;
    const char *name;
    const char *coordinates; // of the work-item
    Size size;
};
constexpr Type types[] = {
    {CL_MEM_OBJECT_IMAGE1D, "image1d_t", "x", {37, 1, 1}},
    {CL_MEM_OBJECT_IMAGE1D_BUFFER, "image1d_buffer_t", "x", {37, 1, 1}},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, "image1d_array_t", "(int2)(x, y)", {37, 5, 1}},
    {CL_MEM_OBJECT_IMAGE2D, "image2d_t", "(int2)(x, y)", {37, 11, 1}},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, "image2d_array_t", "(int4)(x, y, z, 0)", {37, 11, 3}},
    {CL_MEM_OBJECT_IMAGE3D, "image3d_t", "(int4)(x, y, z, 0)", {37, 11, 3}},
};

// The value of each element is 1 + x + 100 y + 10,000 z.
uint32_t at(size_t x, size_t y, size_t z) {
    return static_cast<uint32_t>(1 + x + 100 * y + 10000 * z);
}
std::vector<uint32_t> all_of(Size size) {
    std::vector<uint32_t> values;
    for (size_t z = 0; z < size[2]; ++z)
        for (size_t y = 0; y < size[1]; ++y)
            for (size_t x = 0; x < size[0]; ++x)
                values.push_back(at(x, y, z));
    return values;
}

TEST_F(Image, EveryTypeIsWrittenAndReadWhereItsCoordinatesSay) {
    for (const Type &type : types) {
        SCOPED_TRACE(type.name);
        const std::string declarations =
            "int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n";
        const std::string name = type.name, coordinates = type.coordinates;
        const std::string index = "out[(z * get_global_size(1) + y) * get_global_size(0) + x] = ";
        const cl::Program program =
            build("kernel void put(write_only " + name + " i) {" + declarations +
                      "write_imageui(i, " + coordinates +
                      ", (uint4)(1 + x + 100 * y + 10000 * z));}\n" + "kernel void get(read_only " +
                      name + " i, global uint *out) {" + declarations + index + "read_imageui(i, " +
                      coordinates + ").x;}\n" + "kernel void change(read_write " + name + " i) {" +
                      declarations + "write_imageui(i, " + coordinates + ", read_imageui(i, " +
                      coordinates + ") * 2);}\n",
                  "-cl-std=CL3.0");
        const cl::NDRange range(type.size[0], type.size[1], type.size[2]);
        const auto expected = all_of(type.size);

        const cl::Image2D written = image(type.type, red_uint, type.size);
        cl::Kernel put(program, "put");
        put.setArg(0, written);
        queue.enqueueNDRangeKernel(put, {}, range);
        EXPECT_EQ(read_image<uint32_t>(written, type.size), expected);

        const cl::Image2D given = image(type.type, red_uint, type.size);
        queue.enqueueWriteImage(given, CL_TRUE, start, type.size, 0, 0, expected.data());
        const cl::Buffer out = buffer(std::vector<uint32_t>(expected.size()));
        cl::Kernel change(program, "change"), get(program, "get");
        change.setArg(0, given);
        get.setArg(0, given);
        get.setArg(1, out);
        queue.enqueueNDRangeKernel(change, {}, range);
        queue.enqueueNDRangeKernel(get, {}, range);
        auto doubled = expected;
        for (uint32_t &value : doubled)
            value *= 2;
        EXPECT_EQ(read<uint32_t>(out, doubled.size()), doubled);
    }
}

TEST_F(Image, EveryFormatStoresAndGivesWhatKernelsWriteAndRead) {
    constexpr size_t colors = 64;
    const cl::Program program = build(R"(
        kernel void put_f(write_only image2d_t i, global const float4 *c) {
            int x = get_global_id(0);
            write_imagef(i, (int2)(x, 0), c[x]);
        }
        kernel void put_i(write_only image2d_t i, global const float4 *c) {
            int x = get_global_id(0);
            write_imagei(i, (int2)(x, 0), convert_int4_sat(c[x] * 0x1p31f));
        }
        kernel void put_u(write_only image2d_t i, global const float4 *c) {
            int x = get_global_id(0);
            write_imageui(i, (int2)(x, 0), convert_uint4_sat(c[x] * 0x1p32f));
        }
        kernel void put_d(write_only image2d_depth_t i, global const float4 *c) {
            int x = get_global_id(0);
            write_imagef(i, (int2)(x, 0), c[x].x);
        }
        kernel void get_f(read_only image2d_t i, global float4 *c) {
            int x = get_global_id(0);
            c[x] = read_imagef(i, (int2)(x, 0));
        }
        kernel void get_i(read_only image2d_t i, global float4 *c) {
            int x = get_global_id(0);
            c[x] = as_float4(read_imagei(i, (int2)(x, 0)));
        }
        kernel void get_u(read_only image2d_t i, global float4 *c) {
            int x = get_global_id(0);
            c[x] = as_float4(read_imageui(i, (int2)(x, 0)));
        }
        kernel void get_d(read_only image2d_depth_t i, global float4 *c) {
            int x = get_global_id(0);
            c[x] = (float4)(read_imagef(i, (int2)(x, 0)), 0, 0, 1);
        })",
                                      "-cl-std=CL3.0");
    std::mt19937 random(5);
    std::uniform_real_distribution<float> some(-1.2f, 1.2f);
    std::vector<float> given(4 * colors);
    for (float &value : given)
        value = some(random);
    const cl::Buffer in = buffer(given), out = buffer(std::vector<float>(4 * colors));

    for (const cl_image_format format : formats(CL_MEM_OBJECT_IMAGE2D)) {
        SCOPED_TRACE(testing::Message() << std::hex << format.image_channel_order << ' '
                                        << format.image_channel_data_type);
        const bool is_signed = is_signed_integer(format), is_unsigned = is_unsigned_integer(format);
        const std::string kind = format.image_channel_order == CL_DEPTH ? "d"
                                 : is_signed                            ? "i"
                                 : is_unsigned                          ? "u"
                                                                        : "f";
        const cl::Image2D target = image(CL_MEM_OBJECT_IMAGE2D, format, {colors, 1, 1});
        cl::Kernel put(program, ("put_" + kind).c_str()), get(program, ("get_" + kind).c_str());
        put.setArg(0, target);
        put.setArg(1, in);
        get.setArg(0, target);
        get.setArg(1, out);
        launch(put, colors);
        launch(get, colors);
        const size_t bytes = target.getImageInfo<CL_IMAGE_ELEMENT_SIZE>();
        std::vector<uint8_t> elements(colors * bytes);
        queue.enqueueReadImage(target, CL_TRUE, start, {colors, 1, 1}, 0, 0, elements.data());
        const auto result = read<std::array<uint32_t, 4>>(out, colors);
        for (size_t i = 0; i < colors && !HasFailure(); ++i) {
            const uint8_t *element = elements.data() + i * bytes;
            Color color = {given[4 * i], given[4 * i + 1], given[4 * i + 2], given[4 * i + 3]};
            const Color stored = stored_color(format, element);
            if (is_signed || is_unsigned) {
                const double range = std::ldexp(1.0, static_cast<int>(8 * channel_bytes(format)));
                const std::string_view from = components(format.image_channel_order);
                for (size_t c = 0; c < 4; ++c) {
                    const double read = is_signed ? static_cast<int32_t>(result[i][c])
                                                  : static_cast<double>(result[i][c]);
                    EXPECT_EQ(read, stored[c]);
                    const double low = is_signed ? -range / 2 : 0,
                                 high = (is_signed ? range / 2 : range) - 1;
                    const double wanted = std::trunc(color[c] * (is_signed ? 0x1p31 : 0x1p32));
                    if (from[c] != '0' && from[c] != '1')
                        EXPECT_EQ(stored[c], std::clamp(wanted, low, high));
                }
            } else {
                expect_holds(format, element, color);
                for (size_t c = 0; c < 4; ++c) {
                    double read = std::bit_cast<float>(result[i][c]);
                    if (is_srgb(format) && c < 3) // 8.3: half a step
                        EXPECT_NEAR(srgb(read), stored[c], 0.5 / 255);
                    else
                        EXPECT_NEAR(read, stored[c], 2e-7);
                }
            }
        }
        if (HasFailure())
            return;
    }
}

// ---- samplers ----

struct Mode {
    cl_bool normalized;
    cl_addressing_mode addressing;
    cl_filter_mode filter;
    const char *literal;
};
#define MODE(normalized, coordinates, addressing, filter)                                          \
    {normalized, CL_ADDRESS_##addressing, CL_FILTER_##filter,                                      \
     "CLK_NORMALIZED_COORDS_" #coordinates " | CLK_ADDRESS_" #addressing " | CLK_FILTER_" #filter}
constexpr Mode modes[] = {
    MODE(CL_FALSE, FALSE, NONE, NEAREST),
    MODE(CL_FALSE, FALSE, CLAMP_TO_EDGE, NEAREST),
    MODE(CL_FALSE, FALSE, CLAMP, NEAREST),
    MODE(CL_FALSE, FALSE, NONE, LINEAR),
    MODE(CL_FALSE, FALSE, CLAMP_TO_EDGE, LINEAR),
    MODE(CL_FALSE, FALSE, CLAMP, LINEAR),
    MODE(CL_TRUE, TRUE, NONE, NEAREST),
    MODE(CL_TRUE, TRUE, CLAMP_TO_EDGE, NEAREST),
    MODE(CL_TRUE, TRUE, CLAMP, NEAREST),
    MODE(CL_TRUE, TRUE, REPEAT, NEAREST),
    MODE(CL_TRUE, TRUE, MIRRORED_REPEAT, NEAREST),
    MODE(CL_TRUE, TRUE, NONE, LINEAR),
    MODE(CL_TRUE, TRUE, CLAMP_TO_EDGE, LINEAR),
    MODE(CL_TRUE, TRUE, CLAMP, LINEAR),
    MODE(CL_TRUE, TRUE, REPEAT, LINEAR),
    MODE(CL_TRUE, TRUE, MIRRORED_REPEAT, LINEAR),
};

/// 8.2: the elements that a coordinate takes, and their weights.
struct Taps {
    int at[2];
    double weight[2];
};
Taps taps(double coordinate, int size, const Mode &mode) {
    const auto folded = [&](int i) {
        switch (mode.addressing) {
        case CL_ADDRESS_CLAMP:
            return std::clamp(i, -1, size);
        case CL_ADDRESS_REPEAT:
            return (i % size + size) % size;
        default:
            return std::clamp(i, 0, size - 1);
        }
    };
    if (mode.addressing == CL_ADDRESS_REPEAT)
        coordinate -= std::floor(coordinate);
    if (mode.addressing == CL_ADDRESS_MIRRORED_REPEAT)
        coordinate = std::fabs(coordinate - 2 * std::nearbyint(0.5 * coordinate));
    if (mode.normalized)
        coordinate *= size;
    if (mode.filter == CL_FILTER_NEAREST)
        return {{folded(static_cast<int>(std::floor(coordinate))), 0}, {1, 0}};
    const int i = static_cast<int>(std::floor(coordinate - 0.5));
    const double fraction = coordinate - 0.5 - i;
    return {{folded(i), folded(i + 1)}, {1 - fraction, fraction}};
}

TEST_F(Image, SamplersAreAsChapterEightSaysAsArgumentAndInTheSource) {
    constexpr size_t width = 13, height = 7, samples = 256;
    std::mt19937 random(3);
    std::uniform_real_distribution<float> values(0.5f, 1);
    std::vector<float> elements(width * height);
    for (float &value : elements)
        value = values(random);
    const cl::Image2D source = image(CL_MEM_OBJECT_IMAGE2D, red_float, {width, height, 1});
    queue.enqueueWriteImage(source, CL_TRUE, start, {width, height, 1}, 0, 0, elements.data());

    std::string text = "kernel void argument(read_only image2d_t i, sampler_t s,"
                       "    global const float2 *c, global float *out) {"
                       "    int n = get_global_id(0);"
                       "    out[n] = read_imagef(i, s, c[n]).x;"
                       "}\n";
    for (size_t m = 0; m < std::size(modes); ++m)
        text += "kernel void literal" + std::to_string(m) +
                "(read_only image2d_t i, global const float2 *c, global float *out) {"
                "    const sampler_t s = " +
                modes[m].literal +
                ";   int n = get_global_id(0);"
                "    out[n] = read_imagef(i, s, c[n]).x;"
                "}\n";
    const cl::Program program = build(text);
    const cl::Buffer out = buffer(std::vector<float>(samples));
    for (size_t m = 0; m < std::size(modes); ++m) {
        const Mode &mode = modes[m];
        SCOPED_TRACE(mode.literal);
        std::vector<float> coordinates;
        const auto coordinate = [&](double size) {
            for (;;) {
                const bool inside = mode.addressing == CL_ADDRESS_NONE;
                const double low = inside ? 0.51 : -1.6 * size,
                             high = inside ? size - 0.51 : 2.7 * size;
                const double at = std::uniform_real_distribution<double>(low, high)(random);
                // Nearest sampling jumps at whole numbers: float and double may differ.
                if (std::fabs(at - std::nearbyint(at)) > 1e-3)
                    return static_cast<float>(mode.normalized ? at / size : at);
            }
        };
        for (size_t i = 0; i < samples; ++i) {
            coordinates.push_back(coordinate(width));
            coordinates.push_back(coordinate(height));
        }
        const cl::Buffer in = buffer(coordinates);
        const cl::Sampler sampler(context, mode.normalized, mode.addressing, mode.filter);
        cl::Kernel argument(program, "argument"),
            literal(program, ("literal" + std::to_string(m)).c_str());
        argument.setArg(0, source);
        argument.setArg(1, sampler);
        argument.setArg(2, in);
        argument.setArg(3, out);
        launch(argument, samples);
        const auto by_argument = read<float>(out, samples);
        literal.setArg(0, source);
        literal.setArg(1, in);
        literal.setArg(2, out);
        launch(literal, samples);
        EXPECT_EQ(read<float>(out, samples), by_argument);
        for (size_t i = 0; i < samples; ++i) {
            const Taps x = taps(coordinates[2 * i], width, mode),
                       y = taps(coordinates[2 * i + 1], height, mode);
            double sum = 0;
            for (int t = 0; t < 4; ++t) {
                const int column = x.at[t & 1], row = y.at[t >> 1];
                const double weight = x.weight[t & 1] * y.weight[t >> 1];
                if (weight != 0 && column >= 0 && row >= 0 && column < int(width) &&
                    row < int(height))
                    sum += weight * elements[size_t(row) * width + size_t(column)];
            }
            // Coordinates are floats around 30: an error of 2^-20 in each.
            ASSERT_NEAR(by_argument[i], sum, 1e-5)
                << coordinates[2 * i] << ", " << coordinates[2 * i + 1];
        }
    }
}

TEST_F(Image, MipLevelsAreApartAndSampledByLevelOfDetail) {
    constexpr cl_uint levels = 4;
    const cl::Program program = build(R"(
        kernel void test(read_only image2d_t i, sampler_t s, global float *out) {
            int n = get_global_id(0);
            float2 middle = (float2)(0.5f, 0.5f);
            out[n] = read_imagef(i, s, middle, n * 0.25f - 1).x;
            if (n == 0)
                out[64] = get_image_num_mip_levels(i);
            if (n == 1) // two elements of the first level to each step
                out[65] = read_imagef(i, s, middle, (float2)(2.0f / 16, 0),
                                      (float2)(0, 2.0f / 8)).x;
        }
        kernel void put(write_only image2d_t i, int level) {
            int x = get_global_id(0), y = get_global_id(1);
            write_imagef(i, (int2)(x, y), level, (float4)(100 * level + 10 * y + x));
        })",
                                      "-cl-std=CL3.0");
    for (const cl_mem_object_type type : {CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE3D}) {
        const bool flat = type == CL_MEM_OBJECT_IMAGE2D;
        cl_image_desc desc = description(type, {16, 8, flat ? size_t{1} : size_t{8}});
        desc.num_mip_levels = levels;
        const cl::Image2D pyramid = image(desc, red_float);
        EXPECT_EQ(pyramid.getImageInfo<CL_IMAGE_NUM_MIP_LEVELS>(), levels);
        const auto origin = [&](cl_uint level) {
            return std::array<size_t, 4>{0, 0, flat ? level : size_t{0}, flat ? 0 : level};
        };
        const auto region = [&](cl_uint level) {
            return Size{size_t{16} >> level, size_t{8} >> level, flat ? 1 : size_t{8} >> level};
        };
        for (cl_uint level = 0; level < levels; ++level) {
            const cl_float4 color{{10.0f * static_cast<float>(level)}};
            EXPECT_EQ(clEnqueueFillImage(queue(), pyramid(), &color, origin(level).data(),
                                         region(level).data(), 0, nullptr, nullptr),
                      CL_SUCCESS);
        }
        for (cl_uint level = 0; level < levels; ++level) {
            const Size size = region(level);
            std::vector<float> elements(size[0] * size[1] * size[2]);
            EXPECT_EQ(clEnqueueReadImage(queue(), pyramid(), CL_TRUE, origin(level).data(),
                                         size.data(), 0, 0, elements.data(), 0, nullptr, nullptr),
                      CL_SUCCESS);
            EXPECT_THAT(elements, testing::Each(10.0f * static_cast<float>(level)));
        }
        EXPECT_EQ(clEnqueueReadImage(queue(), pyramid(), CL_TRUE, origin(levels).data(),
                                     region(levels - 1).data(), 0, 0, &desc, 0, nullptr, nullptr),
                  CL_INVALID_VALUE);
        if (!flat)
            continue;
        for (const cl_filter_mode mip_filter : {CL_FILTER_NEAREST, CL_FILTER_LINEAR}) {
            constexpr float least = 0.5f, greatest = 2.5f;
            const cl_sampler_properties modes[] = {CL_SAMPLER_ADDRESSING_MODE,
                                                   CL_ADDRESS_CLAMP_TO_EDGE,
                                                   CL_SAMPLER_FILTER_MODE,
                                                   CL_FILTER_LINEAR,
                                                   CL_SAMPLER_MIP_FILTER_MODE_KHR,
                                                   mip_filter,
                                                   CL_SAMPLER_LOD_MIN_KHR,
                                                   std::bit_cast<cl_uint>(least),
                                                   CL_SAMPLER_LOD_MAX_KHR,
                                                   std::bit_cast<cl_uint>(greatest),
                                                   0};
            cl_int code = CL_SUCCESS;
            const cl::Sampler sampler(clCreateSamplerWithProperties(context(), modes, &code));
            ASSERT_EQ(code, CL_SUCCESS);
            cl::Kernel test(program, "test");
            const cl::Buffer out = buffer(std::vector<float>(66));
            test.setArg(0, pyramid);
            test.setArg(1, sampler);
            test.setArg(2, out);
            launch(test, 64);
            const auto result = read<float>(out, 66);
            for (int n = 0; n < 64; ++n) {
                const float lod = std::clamp(static_cast<float>(n) * 0.25f - 1, least, greatest);
                const float level = mip_filter == CL_FILTER_NEAREST ? std::ceil(lod - 0.5f) : lod;
                EXPECT_NEAR(result[size_t(n)], 10 * level, 1e-4) << n;
            }
            EXPECT_EQ(result[64], levels);
            EXPECT_NEAR(result[65], 10, 1e-4);
        }
        cl::Kernel put(program, "put");
        put.setArg(0, pyramid);
        for (cl_uint level = 0; level < levels; ++level) {
            put.setArg(1, static_cast<cl_int>(level));
            queue.enqueueNDRangeKernel(put, {}, cl::NDRange(16 >> level, 8 >> level));
        }
        for (cl_uint level = 0; level < levels; ++level) {
            const Size size = region(level);
            std::vector<float> elements(size[0] * size[1]);
            queue.enqueueReadImage(pyramid, CL_TRUE, {0, 0, level}, size, 0, 0, elements.data());
            for (size_t i = 0; i < elements.size(); ++i)
                EXPECT_EQ(elements[i],
                          100.0f * float(level) + 10.0f * float(i / size[0]) + float(i % size[0]));
        }
    }
}

// So many accesses that their functions are called, for lanes under a mask.
TEST_F(Image, ManyReadsAndWritesInOneKernelGoWhereTheyShould) {
    constexpr size_t columns = 100, rows = 16;
    std::string source = "constant sampler_t s = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
                         "kernel void test(read_only image2d_t from, write_only image2d_t to) {\n"
                         "    int x = get_global_id(0);\n"
                         "    if (x % 3 == 1)\n"
                         "        return;\n";
    for (size_t row = 0; row < rows; ++row)
        source += "    write_imagef(to, (int2)(x, " + std::to_string(row) +
                  "), 2 * read_imagef(from, s, (int2)(x, " + std::to_string(rows - 1 - row) +
                  ")));\n";
    cl::Kernel test(build(source + "}\n"), "test");
    const Size size{columns, rows, 1};
    std::vector<float> elements(columns * rows);
    for (size_t i = 0; i < elements.size(); ++i)
        elements[i] = static_cast<float>(i);
    const cl::Image2D from = image(CL_MEM_OBJECT_IMAGE2D, red_float, size);
    const cl::Image2D to = image(CL_MEM_OBJECT_IMAGE2D, red_float, size);
    queue.enqueueWriteImage(from, CL_TRUE, start, size, 0, 0, elements.data());
    queue.enqueueWriteImage(to, CL_TRUE, start, size, 0, 0, elements.data());
    test.setArg(0, from);
    test.setArg(1, to);
    launch(test, columns);
    const auto found = read_image<float>(to, size);
    for (size_t row = 0; row < rows; ++row)
        for (size_t x = 0; x < columns; ++x) {
            const float own = elements[row * columns + x];
            const float other = elements[(rows - 1 - row) * columns + x];
            EXPECT_EQ(found[row * columns + x], x % 3 == 1 ? own : 2 * other) << x << ' ' << row;
        }
}

TEST_F(Image, KernelsSeeSizesAndFormats) {
    cl::Kernel queries = kernel(
        R"(kernel void test(read_only image2d_array_t a, write_only image3d_t b,
                            read_only image1d_t c, read_only image2d_array_depth_t d,
                            global int *out) {
            out[0] = get_image_width(a), out[1] = get_image_height(a);
            out[2] = get_image_array_size(a);
            out[3] = get_image_dim(b).x, out[4] = get_image_dim(b).y, out[5] = get_image_dim(b).z;
            out[6] = get_image_width(c);
            out[7] = get_image_channel_order(a) == CLK_RGBA;
            out[8] = get_image_channel_data_type(a) == CLK_HALF_FLOAT;
            out[9] = get_image_channel_order(d) == CLK_DEPTH;
            out[10] = get_image_array_size(d);
        })",
        "test", "-cl-std=CL3.0");
    const cl::Image2D a = image(CL_MEM_OBJECT_IMAGE2D_ARRAY, {CL_RGBA, CL_HALF_FLOAT}, {5, 6, 7});
    const cl::Image2D b = image(CL_MEM_OBJECT_IMAGE3D, red_uint, {8, 9, 10});
    const cl::Image2D c = image(CL_MEM_OBJECT_IMAGE1D, red_uint, {11, 1, 1});
    const cl::Image2D d = image(CL_MEM_OBJECT_IMAGE2D_ARRAY, {CL_DEPTH, CL_FLOAT}, {3, 2, 4});
    const cl::Buffer out = buffer(std::vector<int>(11));
    queries.setArg(0, a);
    queries.setArg(1, b);
    queries.setArg(2, c);
    queries.setArg(3, d);
    queries.setArg(4, out);
    launch(queries, 1);
    EXPECT_EQ(read<int>(out, 11), (std::vector<int>{5, 6, 7, 8, 9, 10, 11, 1, 1, 1, 4}));
}

// cl_khr_fp16: read_imageh and write_imageh, by sampler and without.
TEST_F(Image, HalvesAreReadAndWritten) {
    if (device.getInfo<CL_DEVICE_EXTENSIONS>().find("cl_khr_fp16") == std::string::npos)
        GTEST_SKIP() << "no half";
    cl::Kernel swap = kernel(R"(
        #pragma OPENCL EXTENSION cl_khr_fp16 : enable
        constant sampler_t exact = CLK_FILTER_NEAREST;
        constant sampler_t between = CLK_FILTER_LINEAR | CLK_ADDRESS_CLAMP_TO_EDGE;
        kernel void test(read_only image2d_t from, write_only image2d_t to, global half4 *out) {
            int2 at = (int2)(get_global_id(0), get_global_id(1));
            half4 element = read_imageh(from, exact, at);
            write_imageh(to, at.yx, element.wzyx * 2);
            if (at.x + at.y == 0) {
                out[0] = read_imageh(from, (int2)(2, 1));
                out[1] = read_imageh(from, exact, (float2)(1.75f, 2.25f));
                out[2] = read_imageh(from, between, (float2)(1.0f, 0.5f));
            }
        })",
                             "test", "-cl-std=CL3.0");
    const cl::Image2D from = image(CL_MEM_OBJECT_IMAGE2D, {CL_RGBA, CL_FLOAT}, {4, 4, 1});
    const cl::Image2D to = image(CL_MEM_OBJECT_IMAGE2D, {CL_RGBA, CL_FLOAT}, {4, 4, 1});
    std::vector<std::array<float, 4>> elements(16), expected(16);
    for (size_t y = 0; y < 4; ++y)
        for (size_t x = 0; x < 4; ++x)
            for (size_t c = 0; c < 4; ++c) {
                elements[y * 4 + x][c] = float(y * 64 + x * 8 + c);
                expected[x * 4 + y][3 - c] = 2 * elements[y * 4 + x][c];
            }
    queue.enqueueWriteImage(from, CL_TRUE, start, {4, 4, 1}, 0, 0, elements.data());
    const cl::Buffer out = buffer(std::vector<uint16_t>(12));
    swap.setArg(0, from);
    swap.setArg(1, to);
    swap.setArg(2, out);
    queue.enqueueNDRangeKernel(swap, {}, cl::NDRange(4, 4));
    EXPECT_EQ((read_image<std::array<float, 4>>(to, {4, 4, 1})), expected);
    const auto halves = read<uint16_t>(out, 12);
    const float wanted[] = {80, 81, 82, 83, 136, 137, 138, 139, 4, 5, 6, 7};
    for (size_t i = 0; i < 12; ++i)
        EXPECT_EQ(float(std::bit_cast<_Float16>(halves[i])), wanted[i]) << i;
}

TEST_F(Image, ArgumentsOfAnotherTypeOrAccessAreRefused) {
    cl::Kernel reads = kernel("kernel void test(read_only image2d_t i, sampler_t s) {}");
    cl::Kernel depth =
        kernel("kernel void test(read_only image2d_depth_t i) {}", "test", "-cl-std=CL3.0");
    const cl::Image2D right = image(CL_MEM_OBJECT_IMAGE2D, red_uint, {4, 4, 1});
    EXPECT_EQ(status_of([&] { reads.setArg(0, right); }), CL_SUCCESS);
    EXPECT_EQ(status_of([&] { depth.setArg(0, right); }), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(status_of([&] {
                  reads.setArg(0, image(CL_MEM_OBJECT_IMAGE2D, {CL_DEPTH, CL_FLOAT}, {4, 4, 1}));
              }),
              CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(
        status_of([&] { reads.setArg(0, image(CL_MEM_OBJECT_IMAGE3D, red_uint, {4, 4, 4})); }),
        CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(status_of([&] { reads.setArg(0, buffer(std::vector<int>(16))); }),
              CL_INVALID_MEM_OBJECT);
    const cl::Image2D written =
        image(description(CL_MEM_OBJECT_IMAGE2D, {4, 4, 1}), red_uint, CL_MEM_WRITE_ONLY);
    EXPECT_EQ(status_of([&] { reads.setArg(0, written); }), CL_INVALID_ARG_VALUE);
    EXPECT_EQ(status_of([&] { reads.setArg(1, right); }), CL_INVALID_SAMPLER);
    EXPECT_EQ(clSetKernelArg(reads(), 1, sizeof(cl_sampler), nullptr), CL_INVALID_SAMPLER);
    const cl_mem none = nullptr;
    EXPECT_EQ(clSetKernelArg(reads(), 0, sizeof none, &none), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(clSetKernelArg(reads(), 0, 4, &none), CL_INVALID_ARG_SIZE);
}

} // namespace
} // namespace rivulet::test
