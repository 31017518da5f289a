// SPDX-License-Identifier: Apache-2.0
//
// OpenCL 5.3: making images, and the commands on them.
#include <array>
#include <memory>

#include "images.h"

namespace rivulet::test {
namespace {

constexpr cl_image_format red_byte{CL_R, CL_UNSIGNED_INT8};
constexpr cl_image_format red_uint{CL_R, CL_UNSIGNED_INT32};
constexpr cl_image_format rgba{CL_RGBA, CL_UNORM_INT8};

class ImageCommands : public OnImages {
protected:
    cl_int creation(const cl_image_desc &desc, cl_image_format format = rgba,
                    cl_mem_flags flags = CL_MEM_READ_WRITE, void *host = nullptr) {
        cl_int code = CL_SUCCESS;
        if (const cl_mem made = create(desc, format, flags, host, code))
            clReleaseMemObject(made);
        return code;
    }
    cl_int read_status(const cl::Image &from, Size origin, Size region, size_t row_pitch = 0,
                       size_t slice_pitch = 0) {
        std::vector<uint8_t> memory(1 << 16);
        return status_of([&] {
            queue.enqueueReadImage(from, CL_TRUE, origin, region, row_pitch, slice_pitch,
                                   memory.data());
        });
    }
    /// An image of bytes that count up.
    cl::Image2D counting(cl_mem_object_type type, Size size) {
        cl::Image2D made = image(type, red_byte, size);
        const auto contents = iota<uint8_t>(size[0] * size[1] * size[2]);
        queue.enqueueWriteImage(made, CL_TRUE, start, size, 0, 0, contents.data());
        return made;
    }
};

TEST_F(ImageCommands, ReadAndWriteHavePitchesOfTheirOwn) {
    const cl::Image2D volume = counting(CL_MEM_OBJECT_IMAGE3D, {8, 4, 3});
    std::vector<uint8_t> window(100, 255);
    queue.enqueueReadImage(volume, CL_TRUE, {2, 1, 1}, {3, 2, 2}, 10, 40, window.data());
    for (size_t z = 0; z < 2; ++z)
        for (size_t y = 0; y < 2; ++y) {
            for (size_t x = 0; x < 3; ++x)
                EXPECT_EQ(window[z * 40 + y * 10 + x], (z + 1) * 32 + (y + 1) * 8 + x + 2);
            EXPECT_EQ(window[z * 40 + y * 10 + 3], 255);
        }
    const auto part = iota<uint8_t>(60, 100);
    queue.enqueueWriteImage(volume, CL_TRUE, {1, 0, 0}, {2, 2, 2}, 5, 30, part.data());
    const auto all = read_image<uint8_t>(volume, {8, 4, 3});
    EXPECT_EQ(all[1], 100);
    EXPECT_EQ(all[3], 3);
    EXPECT_EQ(all[8 + 2], 106);
    EXPECT_EQ(all[32 + 8 + 1], 135);

    // 5.3.3: the images of a 1D array are a slice pitch apart.
    const cl::Image2D rows = counting(CL_MEM_OBJECT_IMAGE1D_ARRAY, {8, 4, 1});
    queue.enqueueReadImage(rows, CL_TRUE, {0, 1, 0}, {8, 2, 1}, 0, 20, window.data());
    EXPECT_EQ(window[0], 8);
    EXPECT_EQ(window[20], 16);
}

TEST_F(ImageCommands, CopyGoesBetweenAllTypes) {
    const cl::Image2D volume = counting(CL_MEM_OBJECT_IMAGE3D, {8, 4, 3});
    const cl::Image2D plane = image(CL_MEM_OBJECT_IMAGE2D, red_byte, {6, 6, 1});
    const cl::Image2D layers = image(CL_MEM_OBJECT_IMAGE2D_ARRAY, red_byte, {8, 8, 4});
    const cl::Image2D rows = image(CL_MEM_OBJECT_IMAGE1D_ARRAY, red_byte, {8, 4, 1});
    queue.enqueueCopyImage(volume, plane, {1, 1, 2}, {2, 3, 0}, {4, 2, 1});
    EXPECT_EQ(read_image<uint8_t>(plane, {6, 6, 1})[4 * 6 + 3], 2 * 32 + 2 * 8 + 2);
    queue.enqueueCopyImage(volume, layers, start, {0, 1, 1}, {8, 4, 3});
    EXPECT_EQ(read_image<uint8_t>(layers, {8, 8, 4})[3 * 64 + 8 + 5], 2 * 32 + 5);
    queue.enqueueCopyImage(plane, rows, {2, 4, 0}, {1, 3, 0}, {4, 1, 1});
    EXPECT_EQ(read_image<uint8_t>(rows, {8, 4, 1})[3 * 8 + 2], 2 * 32 + 2 * 8 + 2);
    // A copy may lie within one image if the regions don't overlap.
    queue.enqueueCopyImage(volume, volume, start, {4, 0, 0}, {4, 4, 3});
    EXPECT_EQ(read_image<uint8_t>(volume, {8, 4, 3})[5], 1);
    EXPECT_EQ(
        status_of([&] { queue.enqueueCopyImage(volume, volume, start, {3, 3, 2}, {4, 1, 1}); }),
        CL_SUCCESS);
    EXPECT_EQ(
        status_of([&] { queue.enqueueCopyImage(volume, volume, start, {3, 0, 0}, {4, 4, 3}); }),
        CL_MEM_COPY_OVERLAP);
}

TEST_F(ImageCommands, BuffersGiveAndTakeDenseRegions) {
    const cl::Buffer bytes = buffer(iota<uint8_t>(64, 1));
    const cl::Image2D layers = image(CL_MEM_OBJECT_IMAGE2D_ARRAY, red_byte, {8, 8, 4});
    queue.enqueueCopyBufferToImage(bytes, layers, 5, {3, 2, 1}, {2, 3, 2});
    EXPECT_EQ(read_image<uint8_t>(layers, {8, 8, 4})[2 * 64 + 4 * 8 + 4], 6 + 11);
    queue.enqueueCopyImageToBuffer(layers, bytes, {3, 2, 1}, {2, 3, 2}, 40);
    EXPECT_EQ(read<uint8_t>(bytes, 64)[51], 6 + 11);
    EXPECT_EQ(
        status_of([&] { queue.enqueueCopyImageToBuffer(layers, bytes, start, {2, 3, 2}, 53); }),
        CL_INVALID_VALUE);
}

TEST_F(ImageCommands, FillStoresTheColorInEveryFormat) {
    constexpr Color color{0.3f, 1.25f, -0.4f, 0.8f};
    const cl_float4 real{{0.3f, 1.25f, -0.4f, 0.8f}};
    const cl_int4 integer{{-70000, 70000, 100, -5}};
    const cl_uint4 natural{{70000, 3000000000u, 100, 5}};
    for (const cl_image_format format : formats(CL_MEM_OBJECT_IMAGE2D)) {
        SCOPED_TRACE(testing::Message() << std::hex << format.image_channel_order << ' '
                                        << format.image_channel_data_type);
        const cl::Image2D target = image(CL_MEM_OBJECT_IMAGE2D, format, {5, 3, 1});
        const size_t bytes = target.getImageInfo<CL_IMAGE_ELEMENT_SIZE>();
        const bool is_signed = is_signed_integer(format), is_unsigned = is_unsigned_integer(format);
        const void *given = &real;
        if (is_signed)
            given = &integer;
        if (is_unsigned)
            given = &natural;
        const std::vector<uint8_t> nothing(15 * bytes);
        queue.enqueueWriteImage(target, CL_TRUE, start, {5, 3, 1}, 0, 0, nothing.data());
        const Size origin{1, 1, 0}, region{3, 2, 1};
        ASSERT_EQ(clEnqueueFillImage(queue(), target(), given, origin.data(), region.data(), 0,
                                     nullptr, nullptr),
                  CL_SUCCESS);
        std::vector<uint8_t> elements(15 * bytes);
        queue.enqueueReadImage(target, CL_TRUE, start, {5, 3, 1}, 0, 0, elements.data());
        const uint8_t *element = elements.data() + 13 * bytes;
        EXPECT_EQ(std::memcmp(element, elements.data() + 6 * bytes, bytes), 0);
        EXPECT_EQ(std::memcmp(elements.data(), nothing.data(), 6 * bytes), 0);
        EXPECT_EQ(std::memcmp(elements.data() + 14 * bytes, nothing.data(), bytes), 0);
        if (!is_signed && !is_unsigned) {
            expect_holds(format, element, color);
            continue;
        }
        const Color stored = stored_color(format, element);
        const std::string_view from = components(format.image_channel_order);
        const double range = std::ldexp(1.0, static_cast<int>(8 * channel_bytes(format)));
        for (size_t c = 0; c < 4; ++c) {
            if (from[c] == '0' || from[c] == '1')
                continue;
            const double wanted = is_signed ? double(integer.s[c]) : double(natural.s[c]);
            EXPECT_EQ(stored[c], std::clamp(wanted, is_signed ? -range / 2 : 0,
                                            (is_signed ? range / 2 : range) - 1));
        }
    }
}

TEST_F(ImageCommands, MapShowsTheRegionAndTakesWhatIsWritten) {
    for (const auto type : {CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY,
                            CL_MEM_OBJECT_IMAGE3D, CL_MEM_OBJECT_IMAGE1D_ARRAY}) {
        const Size size = {8, 4,
                           type == CL_MEM_OBJECT_IMAGE2D_ARRAY || type == CL_MEM_OBJECT_IMAGE3D
                               ? size_t{3}
                               : size_t{1}};
        const cl::Image2D target = counting(static_cast<cl_mem_object_type>(type), size);
        size_t row = 0, slice = 0;
        const Size origin{2, 1, size[2] - 1}, region{4, 2, 1};
        auto *mapped = static_cast<uint8_t *>(queue.enqueueMapImage(
            target, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, origin, region, &row, &slice));
        const size_t next = type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? slice : row;
        EXPECT_EQ(mapped[next + 3], (size[2] - 1) * 32 + 2 * 8 + 5);
        EXPECT_EQ(slice == 0, type == CL_MEM_OBJECT_IMAGE2D);
        EXPECT_EQ(target.getInfo<CL_MEM_MAP_COUNT>(), 1u);
        mapped[next + 3] = 200;
        queue.enqueueUnmapMemObject(target, mapped);
        mapped = static_cast<uint8_t *>(queue.enqueueMapImage(
            target, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, start, {2, 1, 1}, &row, &slice));
        mapped[0] = mapped[1] = 201;
        queue.enqueueUnmapMemObject(target, mapped);
        const auto all = read_image<uint8_t>(target, size);
        EXPECT_EQ(all[(size[2] - 1) * 32 + 2 * 8 + 5], 200);
        EXPECT_EQ(all[1], 201);
        EXPECT_EQ(all[2], 2);
    }
}

TEST_F(ImageCommands, HostMemoryHasThePitchesThatItWasGivenWith) {
    cl_image_desc desc = description(CL_MEM_OBJECT_IMAGE3D, {5, 4, 3});
    desc.image_row_pitch = 8;
    desc.image_slice_pitch = 40;
    auto memory = iota<uint8_t>(120);
    for (const cl_mem_flags flag : {CL_MEM_COPY_HOST_PTR, CL_MEM_USE_HOST_PTR}) {
        const cl::Image2D volume = image(desc, red_byte, CL_MEM_READ_WRITE | flag, memory.data());
        EXPECT_EQ(volume.getImageInfo<CL_IMAGE_ROW_PITCH>(), 8u);
        EXPECT_EQ(volume.getImageInfo<CL_IMAGE_SLICE_PITCH>(), 40u);
        EXPECT_EQ(read_image<uint8_t>(volume, {5, 4, 3})[20 + 5 + 2], 40 + 8 + 2);
        if (flag == CL_MEM_USE_HOST_PTR) {
            size_t row = 0, slice = 0;
            void *mapped = queue.enqueueMapImage(volume, CL_TRUE, CL_MAP_READ, {1, 2, 1}, {2, 2, 2},
                                                 &row, &slice);
            EXPECT_EQ(mapped, memory.data() + 40 + 2 * 8 + 1) << "5.3.6: derived from host_ptr";
            EXPECT_EQ(row, 8u);
            EXPECT_EQ(slice, 40u);
            queue.enqueueUnmapMemObject(volume, mapped);
            queue.finish();
        }
    }
}

TEST_F(ImageCommands, ImagesOfABufferShareItsElements) {
    const cl::Buffer bytes = buffer(iota<uint8_t>(128));
    cl_image_desc plane = description(CL_MEM_OBJECT_IMAGE2D, {5, 4, 1});
    plane.image_row_pitch = 16;
    plane.mem_object = bytes();
    cl_image_desc line = description(CL_MEM_OBJECT_IMAGE1D_BUFFER, {100, 1, 1});
    line.mem_object = bytes();
    const cl::Image2D window = image(plane, red_byte, 0), row = image(line, red_byte, 0);
    EXPECT_EQ(window.getInfo<CL_MEM_ASSOCIATED_MEMOBJECT>()(), bytes());
    EXPECT_EQ(window.getImageInfo<CL_IMAGE_ROW_PITCH>(), 16u);
    EXPECT_EQ(read_image<uint8_t>(window, {5, 4, 1})[2 * 5 + 3], 2 * 16 + 3);
    EXPECT_EQ(read_image<uint8_t>(row, {100, 1, 1})[99], 99);
    const uint8_t value = 222;
    queue.enqueueWriteImage(window, CL_TRUE, {1, 2, 0}, {1, 1, 1}, 0, 0, &value);
    EXPECT_EQ(read<uint8_t>(bytes, 128)[33], 222);
    EXPECT_EQ(read_image<uint8_t>(row, {100, 1, 1})[33], 222);
    EXPECT_EQ(status_of([&] { queue.enqueueCopyImageToBuffer(row, bytes, start, {10, 1, 1}, 50); }),
              CL_INVALID_MEM_OBJECT);
    plane.image_height = 9;
    EXPECT_EQ(creation(plane, red_byte), CL_INVALID_IMAGE_SIZE);
    plane.image_row_pitch = 17;
    EXPECT_EQ(creation(plane, red_uint), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    line.image_width = 129;
    EXPECT_EQ(creation(line, red_byte), CL_INVALID_IMAGE_SIZE);
    line.mem_object = nullptr;
    EXPECT_EQ(creation(line, red_byte), CL_INVALID_IMAGE_DESCRIPTOR);
}

TEST_F(ImageCommands, OneRowNeedsOnlyItsElements) {
    const cl::Buffer bytes = buffer(iota<uint8_t>(16));
    for (const cl_mem_object_type type : {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_BUFFER}) {
        cl_image_desc line = description(type, {16, 1, 1});
        line.mem_object = bytes();
        line.image_row_pitch = 64; // beyond the buffer, but no row follows
        const cl::Image2D row = image(line, red_byte, 0);
        EXPECT_EQ(row.getImageInfo<CL_IMAGE_ROW_PITCH>(), 64u);
        EXPECT_EQ(row.getInfo<CL_MEM_SIZE>(), 16u);
        EXPECT_EQ(read_image<uint8_t>(row, {16, 1, 1}), iota<uint8_t>(16));
        line.image_width = 17;
        EXPECT_EQ(creation(line, red_byte), CL_INVALID_IMAGE_SIZE);
    }
}

// The alignment of host_ptr is a rule for 2D images of buffers and those of
// cl_ext_image_from_buffer.
TEST_F(ImageCommands, BuffersOfOneDimensionalImagesHaveAnyHostPointer) {
    alignas(16) uint8_t memory[132] = {};
    std::iota(memory, memory + sizeof memory, uint8_t{0});
    const cl::Buffer bytes(context, CL_MEM_USE_HOST_PTR, size_t{128}, memory + 4);
    cl_image_desc line = description(CL_MEM_OBJECT_IMAGE1D_BUFFER, {8, 1, 1});
    line.mem_object = bytes();
    const cl_image_format wide{CL_RGBA, CL_FLOAT};
    const cl::Image2D row = image(line, wide, 0);
    using Element = std::array<uint8_t, 16>;
    EXPECT_EQ(read_image<Element>(row, {8, 1, 1})[0][0], 4);
    cl_image_desc plane = description(CL_MEM_OBJECT_IMAGE2D, {8, 1, 1});
    plane.mem_object = bytes();
    EXPECT_EQ(creation(plane, wide), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
}

// cl_ext_image_from_buffer
TEST_F(ImageCommands, ImagesOfEveryTypeMayHaveABuffer) {
    struct Case {
        cl_mem_object_type type;
        Size size;
        size_t row_pitch, slice_pitch;
    };
    constexpr size_t origin = 512, bytes = 1024;
    const auto contents = iota<uint8_t>(origin + bytes);
    const cl::Buffer whole = buffer(contents);
    const cl_buffer_region region{origin, bytes};
    cl::Buffer part =
        cl::Buffer(whole).createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
    cl::Kernel reads = kernel("kernel void test(read_only image3d_t i, global uchar *out) {"
                              "  int4 at = (int4)(get_global_id(0), get_global_id(1), "
                              "                   get_global_id(2), 0);"
                              "  out[(at.z * 4 + at.y) * 6 + at.x] = read_imageui(i, at).x; }");
    for (const Case &c : {Case{CL_MEM_OBJECT_IMAGE1D, {10, 1, 1}, 0, 0},
                          Case{CL_MEM_OBJECT_IMAGE1D_ARRAY, {10, 3, 1}, 16, 32},
                          Case{CL_MEM_OBJECT_IMAGE2D, {6, 4, 1}, 16, 0},
                          Case{CL_MEM_OBJECT_IMAGE2D_ARRAY, {6, 4, 3}, 16, 80},
                          Case{CL_MEM_OBJECT_IMAGE3D, {6, 4, 3}, 16, 80},
                          Case{CL_MEM_OBJECT_IMAGE3D, {6, 4, 3}, 0, 0}}) {
        cl_image_desc desc = description(c.type, c.size);
        desc.image_row_pitch = c.row_pitch;
        desc.image_slice_pitch = c.slice_pitch;
        desc.mem_object = part();
        const cl::Image2D window = image(desc, red_byte, 0);
        const size_t row = c.row_pitch ? c.row_pitch : c.size[0];
        const size_t slice = c.slice_pitch ? c.slice_pitch : row * c.size[1];
        const bool rows_are_slices = c.type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
        std::vector<uint8_t> expected;
        for (size_t z = 0; z < c.size[2]; ++z)
            for (size_t y = 0; y < c.size[1]; ++y)
                for (size_t x = 0; x < c.size[0]; ++x)
                    expected.push_back(
                        contents[origin + z * slice + y * (rows_are_slices ? slice : row) + x]);
        EXPECT_EQ(read_image<uint8_t>(window, c.size), expected) << std::hex << c.type;
        EXPECT_EQ(window.getInfo<CL_MEM_ASSOCIATED_MEMOBJECT>()(), part());
        if (c.type == CL_MEM_OBJECT_IMAGE3D) {
            const cl::Buffer out = buffer(std::vector<uint8_t>(expected.size()));
            reads.setArg(0, window);
            reads.setArg(1, out);
            queue.enqueueNDRangeKernel(reads, {}, cl::NDRange(6, 4, 3));
            EXPECT_EQ(read<uint8_t>(out, expected.size()), expected) << c.row_pitch;
        }
    }
    cl_image_desc volume = description(CL_MEM_OBJECT_IMAGE3D, {6, 4, 3});
    volume.mem_object = part();
    volume.image_slice_pitch = 6 * 4 * 4 + 1;
    EXPECT_EQ(creation(volume, red_uint), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    volume.image_slice_pitch = bytes / 2;
    EXPECT_EQ(creation(volume, red_byte), CL_INVALID_IMAGE_DESCRIPTOR); // of no whole rows
    volume.image_row_pitch = 16;
    EXPECT_EQ(creation(volume, red_byte), CL_INVALID_IMAGE_SIZE);
    alignas(4) uint8_t memory[bytes + 1] = {};
    cl::Buffer odd(context, CL_MEM_USE_HOST_PTR, bytes, memory + 1);
    cl_image_desc line = description(CL_MEM_OBJECT_IMAGE1D, {10, 1, 1});
    line.mem_object = odd();
    EXPECT_EQ(creation(line, red_uint), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    EXPECT_EQ(creation(line, red_byte), CL_SUCCESS);
}

// cl_ext_immutable_memory_objects
TEST_F(ImageCommands, ImmutableObjectsAreReadByKernelsAndTheHost) {
    auto contents = iota<uint8_t>(128);
    constexpr cl_mem_flags immutable = 1 << 6;
    cl::Buffer bytes(context, immutable | CL_MEM_COPY_HOST_PTR, contents.size(), contents.data());
    EXPECT_EQ(bytes.getInfo<CL_MEM_FLAGS>(), immutable | CL_MEM_COPY_HOST_PTR);
    EXPECT_EQ(read<uint8_t>(bytes, contents.size()), contents);
    cl_image_desc desc = description(CL_MEM_OBJECT_IMAGE2D, {16, 8, 1});
    const cl::Image2D own =
        image(desc, red_byte, immutable | CL_MEM_COPY_HOST_PTR, contents.data());
    desc.mem_object = bytes();
    EXPECT_EQ(creation(desc, red_byte, 0), CL_INVALID_VALUE); // it has to say so, too
    const cl::Image2D of_buffer = image(desc, red_byte, immutable);
    cl::Kernel sums = kernel(
        "kernel void test(read_only image2d_t a, read_only image2d_t b, global const uchar *c,"
        "                 global uint *out) {"
        "  int2 at = (int2)(get_global_id(0), get_global_id(1)); int i = at.y * 16 + at.x;"
        "  out[i] = read_imageui(a, at).x + read_imageui(b, at).x + c[i]; }");
    const cl::Buffer out = buffer(std::vector<cl_uint>(contents.size()));
    sums.setArg(0, own);
    sums.setArg(1, of_buffer);
    sums.setArg(2, bytes);
    sums.setArg(3, out);
    queue.enqueueNDRangeKernel(sums, {}, cl::NDRange(16, 8));
    std::vector<cl_uint> expected(contents.size());
    for (size_t i = 0; i < expected.size(); ++i)
        expected[i] = 3 * contents[i];
    EXPECT_EQ(read<cl_uint>(out, expected.size()), expected);
    const cl_mem objects[] = {bytes(), own()};
    ASSERT_EQ(clEnqueueMigrateMemObjects(queue(), 2, objects,
                                         CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, 0, nullptr,
                                         nullptr),
              CL_SUCCESS);
    EXPECT_EQ(read<uint8_t>(bytes, contents.size()), contents);
    EXPECT_EQ(read_image<uint8_t>(own, {16, 8, 1}), contents);
    EXPECT_FALSE(formats(CL_MEM_OBJECT_IMAGE2D, immutable).empty());
    EXPECT_EQ(status_of([&] { sums.setArg(3, bytes); }), CL_INVALID_ARG_VALUE);
    EXPECT_EQ(status_of([&] {
                  kernel(R"(kernel void test(write_only image2d_t a) {
        write_imageui(a, (int2)(0), (uint4)(0)); })")
                      .setArg(0, own);
              }),
              CL_INVALID_ARG_VALUE);
    cl_int code = CL_SUCCESS;
    clEnqueueMapImage(queue(), own(), CL_TRUE, CL_MAP_WRITE, start.data(), Size{1, 1, 1}.data(),
                      nullptr, nullptr, 0, nullptr, nullptr, &code);
    EXPECT_EQ(code, CL_INVALID_OPERATION);
}

TEST_F(ImageCommands, WhatKernelsWriteOutsideOfAnImageIsDropped) {
    auto expected = iota<uint8_t>(128);
    const cl::Buffer bytes = buffer(expected);
    cl_image_desc plane = description(CL_MEM_OBJECT_IMAGE2D, {5, 4, 1});
    plane.image_row_pitch = 16;
    plane.mem_object = bytes();
    const cl::Image2D window = image(plane, red_byte, 0);
    cl::Kernel put = kernel("kernel void test(write_only image2d_t i) {"
                            "  int2 at = (int2)(get_global_id(0), get_global_id(1)) - 2;"
                            "  write_imageui(i, at, (uint4)(200)); }");
    put.setArg(0, window);
    queue.enqueueNDRangeKernel(put, {}, cl::NDRange(13, 9));
    for (size_t y = 0; y < 4; ++y)
        std::fill_n(expected.begin() + static_cast<ptrdiff_t>(16 * y), 5, uint8_t{200});
    EXPECT_EQ(read<uint8_t>(bytes, 128), expected);
}

TEST_F(ImageCommands, AnImageMayLookAtAnotherOneAsSrgb) {
    const cl_image_desc desc = description(CL_MEM_OBJECT_IMAGE2D, {4, 4, 1});
    const cl::Image2D linear = image(desc, rgba);
    cl_image_desc look = desc;
    look.mem_object = linear();
    const cl::Image2D view = image(look, {CL_sRGBA, CL_UNORM_INT8}, 0);
    const cl_float4 color{{0.5f, 0.5f, 0.5f, 0.5f}};
    queue.enqueueFillImage(view, color, start, {4, 4, 1});
    EXPECT_EQ(read_image<uint32_t>(linear, {4, 4, 1})[7], 0x80bcbcbcu);
    EXPECT_EQ(creation(look, {CL_BGRA, CL_UNORM_INT8}), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    look.image_width = 3;
    EXPECT_EQ(creation(look, {CL_sRGBA, CL_UNORM_INT8}), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
}

TEST_F(ImageCommands, WhatCannotBeIsNotMade) {
    const cl_image_desc good = description(CL_MEM_OBJECT_IMAGE2D, {4, 4, 1});
    const auto with = [&](auto member, size_t value) {
        cl_image_desc desc = good;
        desc.*member = static_cast<std::remove_reference_t<decltype(desc.*member)>>(value);
        return desc;
    };
    uint8_t memory[1024] = {};
    EXPECT_EQ(creation(good), CL_SUCCESS);
    EXPECT_EQ(creation(good, rgba, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY), CL_INVALID_VALUE);
    EXPECT_EQ(creation(good, {CL_RGBA, 1}), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    EXPECT_EQ(creation(good, {CL_RGB, CL_FLOAT}), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    // cl_ext_image_unsigned_10x6_12x4_14x2: integers, and normalised.
    for (const cl_channel_type type : {0x10E6u, 0x10E7u, 0x10E8u, 0x10E1u, 0x10E9u, 0x10EAu})
        EXPECT_EQ(creation(good, {CL_R, type}), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    for (const cl_image_format &format : {cl_image_format{CL_Rx, CL_FLOAT},
                                          {CL_RGx, CL_FLOAT},
                                          {CL_RGBx, CL_UNORM_SHORT_565},
                                          {CL_RGBx, CL_UNORM_SHORT_555},
                                          {CL_RGBx, CL_UNORM_INT_101010},
                                          {CL_sRGBx, CL_UNORM_INT8}})
        EXPECT_EQ(creation(good, format), CL_IMAGE_FORMAT_NOT_SUPPORTED);
    EXPECT_EQ(creation(description(CL_MEM_OBJECT_IMAGE3D, {4, 4, 4}), {CL_DEPTH, CL_FLOAT}),
              CL_IMAGE_FORMAT_NOT_SUPPORTED);
    EXPECT_EQ(creation(with(&cl_image_desc::image_type, CL_MEM_OBJECT_BUFFER)),
              CL_INVALID_IMAGE_DESCRIPTOR);
    EXPECT_EQ(creation(with(&cl_image_desc::image_width, 0)), CL_INVALID_IMAGE_DESCRIPTOR);
    EXPECT_EQ(creation(with(&cl_image_desc::image_width, 8193)), CL_INVALID_IMAGE_SIZE);
    EXPECT_EQ(creation(with(&cl_image_desc::image_row_pitch, 16)), CL_INVALID_IMAGE_DESCRIPTOR)
        << "a pitch of nothing";
    EXPECT_EQ(creation(with(&cl_image_desc::num_mip_levels, 4)), CL_INVALID_IMAGE_DESCRIPTOR)
        << "three levels down to one element";
    EXPECT_EQ(
        creation(with(&cl_image_desc::image_row_pitch, 18), rgba, CL_MEM_COPY_HOST_PTR, memory),
        CL_INVALID_IMAGE_DESCRIPTOR)
        << "no multiple of an element";
    EXPECT_EQ(
        creation(with(&cl_image_desc::image_row_pitch, 12), rgba, CL_MEM_COPY_HOST_PTR, memory),
        CL_INVALID_IMAGE_DESCRIPTOR);
    EXPECT_EQ(creation(good, rgba, CL_MEM_COPY_HOST_PTR), CL_INVALID_HOST_PTR);
    EXPECT_EQ(creation(good, rgba, CL_MEM_READ_WRITE, memory), CL_INVALID_HOST_PTR);
    cl_int code = CL_SUCCESS;
    EXPECT_EQ(clCreateImage(context(), 0, nullptr, &good, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    EXPECT_EQ(clCreateImage(context(), 0, &rgba, nullptr, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_IMAGE_DESCRIPTOR);
    const cl_mem_properties properties[] = {1, 2, 0};
    EXPECT_EQ(clCreateImageWithProperties(context(), properties, 0, &rgba, &good, nullptr, &code),
              nullptr);
    EXPECT_EQ(code, CL_INVALID_PROPERTY);
    EXPECT_EQ(clCreateImage2D(context(), 0, &rgba, 0, 4, 0, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_IMAGE_SIZE);
    EXPECT_EQ(clCreateImage3D(context(), 0, &rgba, 4, 4, 1, 0, 0, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_IMAGE_SIZE);
    EXPECT_EQ(clGetSupportedImageFormats(context(), 0, CL_MEM_OBJECT_BUFFER, 0, nullptr, nullptr),
              CL_INVALID_VALUE);
}

TEST_F(ImageCommands, RegionsThatAreNotInTheImageAreRefused) {
    const cl::Image2D plane = counting(CL_MEM_OBJECT_IMAGE2D, {8, 4, 1});
    EXPECT_EQ(read_status(plane, {0, 0, 0}, {8, 4, 1}), CL_SUCCESS);
    EXPECT_EQ(read_status(plane, {1, 0, 0}, {8, 4, 1}), CL_INVALID_VALUE);
    EXPECT_EQ(read_status(plane, {0, 0, 1}, {8, 4, 1}), CL_INVALID_VALUE);
    EXPECT_EQ(read_status(plane, {0, 0, 0}, {8, 4, 2}), CL_INVALID_VALUE);
    EXPECT_EQ(read_status(plane, {0, 0, 0}, {8, 0, 1}), CL_INVALID_VALUE);
    EXPECT_EQ(read_status(plane, {~size_t{0}, 0, 0}, {8, 1, 1}), CL_INVALID_VALUE);
    EXPECT_EQ(read_status(plane, {0, 0, 0}, {8, 4, 1}, 7), CL_INVALID_VALUE);
    EXPECT_EQ(read_status(plane, {0, 0, 0}, {8, 4, 1}, 8, 32), CL_INVALID_VALUE)
        << "a slice pitch of a 2D image";
    const cl::Buffer bytes = buffer(std::vector<uint8_t>(64));
    uint8_t memory[64];
    const Size region{8, 4, 1};
    const auto read = [&](cl_mem image, const size_t *origin, void *ptr) {
        return clEnqueueReadImage(queue(), image, CL_TRUE, origin, region.data(), 0, 0, ptr, 0,
                                  nullptr, nullptr);
    };
    EXPECT_EQ(read(bytes(), start.data(), memory), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(read(plane(), nullptr, memory), CL_INVALID_VALUE);
    EXPECT_EQ(read(plane(), start.data(), nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clEnqueueFillImage(queue(), plane(), nullptr, start.data(), region.data(), 0, nullptr,
                                 nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(clGetImageInfo(bytes(), CL_IMAGE_WIDTH, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(clGetImageInfo(plane(), CL_MEM_SIZE, 0, nullptr, nullptr), CL_INVALID_VALUE);
    const cl::Image2D other = image(CL_MEM_OBJECT_IMAGE2D, rgba, {8, 4, 1});
    EXPECT_EQ(status_of([&] { queue.enqueueCopyImage(plane, other, start, start, {8, 4, 1}); }),
              CL_IMAGE_FORMAT_MISMATCH);
    const cl::Image2D hidden =
        image(description(CL_MEM_OBJECT_IMAGE2D, {8, 4, 1}), red_byte, CL_MEM_HOST_NO_ACCESS);
    EXPECT_EQ(read_status(hidden, {0, 0, 0}, {8, 4, 1}), CL_INVALID_OPERATION);
    cl_int code = CL_SUCCESS;
    size_t pitch = 0;
    const auto map = [&](cl_mem image, cl_map_flags flags, size_t *row, size_t *slice) {
        return clEnqueueMapImage(queue(), image, CL_TRUE, flags, start.data(), region.data(), row,
                                 slice, 0, nullptr, nullptr, &code);
    };
    EXPECT_EQ(map(hidden(), CL_MAP_WRITE, &pitch, nullptr), nullptr);
    EXPECT_EQ(code, CL_INVALID_OPERATION);
    EXPECT_EQ(map(plane(), CL_MAP_READ, nullptr, nullptr), nullptr);
    EXPECT_EQ(code, CL_INVALID_VALUE);
    EXPECT_EQ(map(counting(CL_MEM_OBJECT_IMAGE3D, {8, 4, 2})(), CL_MAP_READ, &pitch, nullptr),
              nullptr);
    EXPECT_EQ(code, CL_INVALID_VALUE);
}

TEST_F(ImageCommands, TheMinimumOfSectionTenIsThere) {
    EXPECT_TRUE(bool(device.getInfo<CL_DEVICE_IMAGE_SUPPORT>()));
    EXPECT_GE(device.getInfo<CL_DEVICE_MAX_READ_IMAGE_ARGS>(), 8u);
    EXPECT_GE(device.getInfo<CL_DEVICE_MAX_WRITE_IMAGE_ARGS>(), 8u);
    EXPECT_GE(device.getInfo<CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS>(), 8u);
    EXPECT_GE(device.getInfo<CL_DEVICE_IMAGE2D_MAX_WIDTH>(), 2048u);
    EXPECT_GE(device.getInfo<CL_DEVICE_IMAGE3D_MAX_DEPTH>(), 2048u);
    EXPECT_GE(device.getInfo<CL_DEVICE_IMAGE_MAX_ARRAY_SIZE>(), 256u);
    EXPECT_GE(device.getInfo<CL_DEVICE_IMAGE_MAX_BUFFER_SIZE>(), 2048u);
    EXPECT_GE(device.getInfo<CL_DEVICE_MAX_SAMPLERS>(), 8u);
    constexpr cl_channel_type required[] = {
        CL_UNORM_INT8,    CL_UNORM_INT16,    CL_SIGNED_INT8,    CL_SIGNED_INT16, CL_SIGNED_INT32,
        CL_UNSIGNED_INT8, CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT,   CL_FLOAT};
    for (cl_mem_object_type type = CL_MEM_OBJECT_IMAGE2D; type <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
         ++type)
        for (const cl_mem_flags flags : {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE,
                                         CL_MEM_KERNEL_READ_AND_WRITE}) {
            const auto list = formats(type, flags);
            const auto has = [&](cl_channel_order order, cl_channel_type channel) {
                return std::ranges::any_of(list, [&](const cl_image_format &format) {
                    return format.image_channel_order == order &&
                           format.image_channel_data_type == channel;
                });
            };
            for (const cl_channel_type channel : required) {
                EXPECT_TRUE(has(CL_RGBA, channel)) << std::hex << channel;
                EXPECT_TRUE(has(CL_R, channel)) << std::hex << channel;
            }
            EXPECT_TRUE(has(CL_BGRA, CL_UNORM_INT8));
        }
}

} // namespace
} // namespace rivulet::test
