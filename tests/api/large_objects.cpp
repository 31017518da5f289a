// SPDX-License-Identifier: Apache-2.0
//
// Memory beyond 2 GiB that is no plain buffer of a program from source: images, shared virtual
// memory, programs from binaries, kernels with checks of their accesses.
#include "reports.h"

namespace rivulet::test {
namespace {

constexpr size_t gib = size_t{1} << 30;

std::vector<uint8_t> counting(size_t count, uint8_t from = 0) {
    std::vector<uint8_t> bytes(count);
    std::iota(bytes.begin(), bytes.end(), from);
    return bytes;
}

class LargeImages : public OnDevice {
protected:
    static constexpr size_t side = 4096, layers = 13; // 3.25 GiB
    const cl::ImageFormat format{CL_RGBA, CL_UNSIGNED_INT32};
};

TEST_F(LargeImages, AreReadWrittenFilledAndCopiedNearTheirEnd) {
    const cl::Image2DArray image(context, CL_MEM_READ_WRITE, format, layers, side, side, 0, 0);
    std::vector<uint32_t> row(32 * 4), back(32 * 4);
    std::iota(row.begin(), row.end(), 7u);
    const cl::array<cl::size_type, 3> size{32, 1, 1};
    for (const size_t layer : {layers - 1, layers - 5, layers - 6}) {
        const cl::array<cl::size_type, 3> end{side - 32, side - 1, layer}, start{0, 0, layer};
        queue.enqueueWriteImage(image, CL_TRUE, end, size, 0, 0, row.data());
        queue.enqueueCopyImage(image, image, end, start, size);
        queue.enqueueReadImage(image, CL_TRUE, start, size, 0, 0, back.data());
        EXPECT_EQ(back, row) << layer;
        queue.enqueueFillImage(image, cl_uint4{{1, 2, 3, 4}}, end, size);
        queue.enqueueReadImage(image, CL_TRUE, end, size, 0, 0, back.data());
        EXPECT_EQ(back[127], 4u) << layer;
        EXPECT_EQ(back[0], 1u) << layer;
    }
}

TEST_F(LargeImages, KernelsFindTheirLastElements) {
    const cl::Image2DArray image(context, CL_MEM_READ_WRITE, format, layers, side, side, 0, 0);
    const cl::Program program = build(
        "kernel void write(write_only image2d_array_t i, int x, int y, int z) {\n"
        "    write_imageui(i, (int4)(x - (int)get_global_id(0), y, z, 0),\n"
        "                  (uint4)(get_global_id(0) + 1, 2, 3, 4)); }\n"
        "kernel void read(read_only image2d_array_t i, int x, int y, int z, global uint *out) {\n"
        "    int g = get_global_id(0);\n"
        "    out[g] = read_imageui(i, (int4)(x - g, y, z, 0)).x; }\n"
        "kernel void sample(read_only image2d_array_t i, int x, int y, int z, global uint *out) {\n"
        "    const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE |\n"
        "                        CLK_FILTER_NEAREST;\n"
        "    int g = get_global_id(0);\n"
        "    out[g] = read_imageui(i, s, (float4)(x - g + 0.5f, y + 100.0f, z, 0)).x; }\n"
        "kernel void layers(read_only image2d_array_t i, global uint *out) {\n"
        "    int g = get_global_id(0);\n"
        "    out[g] = read_imageui(i, (int4)(4095, 4095, g, 0)).x; }\n",
        "-cl-std=CL3.0");
    const cl::Buffer out = buffer(std::vector<uint32_t>(32));
    const auto kernel = [&](const char *name, size_t layer) {
        cl::Kernel made(program, name);
        made.setArg(0, image);
        made.setArg(1, cl_int{side - 1});
        made.setArg(2, cl_int{side - 1});
        made.setArg(3, static_cast<cl_int>(layer));
        return made;
    };
    std::vector<uint32_t> expected(32);
    std::iota(expected.begin(), expected.end(), 1u);
    for (const size_t layer : {size_t{0}, layers - 6, layers - 5, layers - 1}) {
        launch(kernel("write", layer), 32);
        std::vector<uint32_t> found(32 * 4);
        queue.enqueueReadImage(image, CL_TRUE, {side - 32, side - 1, layer}, {32, 1, 1}, 0, 0,
                               found.data());
        for (uint32_t i = 0; i < 32; ++i)
            EXPECT_EQ(found[4 * (31 - i)], i + 1) << layer;
        for (const char *name : {"read", "sample"}) {
            cl::Kernel reader = kernel(name, layer);
            reader.setArg(4, out);
            launch(reader, 32);
            EXPECT_EQ(read<uint32_t>(out, 32), expected) << name << " of " << layer;
        }
    }
    cl::Kernel all(program, "layers");
    all.setArg(0, image);
    all.setArg(1, out);
    launch(all, layers);
    const auto found = read<uint32_t>(out, layers);
    for (const size_t layer : {size_t{0}, layers - 6, layers - 5, layers - 1})
        EXPECT_EQ(found[layer], 1u) << layer;
}

TEST_F(LargeImages, HaveFourGibibytesAtMost) {
    const cl::Image2DArray largest(context, CL_MEM_READ_WRITE, format, 16, side, side, 0, 0);
    EXPECT_EQ(status_of([&] {
                  cl::Image2DArray(context, CL_MEM_READ_WRITE, format, 17, side, side, 0, 0);
              }),
              CL_MEM_OBJECT_ALLOCATION_FAILURE);
}

TEST_F(LargeImages, LieInLargeBuffers) {
    const cl::Buffer memory(context, CL_MEM_READ_WRITE, 3 * gib);
    const size_t pitch = 3 * gib / 2; // of two rows
    cl_image_desc shape = {};
    shape.image_type = CL_MEM_OBJECT_IMAGE2D;
    shape.image_width = 32;
    shape.image_height = 2;
    shape.image_row_pitch = pitch;
    shape.mem_object = memory();
    cl_int code = 0;
    const cl::Image2D image(
        clCreateImage(context(), CL_MEM_READ_WRITE, &format, &shape, nullptr, &code));
    ASSERT_EQ(code, CL_SUCCESS);
    cl::Kernel test =
        kernel("kernel void test(write_only image2d_t i) {\n"
               "    int g = get_global_id(0);\n"
               "    write_imageui(i, (int2)(g % 32, g / 32), (uint4)(g, 1, 2, 3)); }\n");
    test.setArg(0, image);
    launch(test, 64);
    uint32_t found[2] = {};
    queue.enqueueReadBuffer(memory, CL_TRUE, 5 * 16, 4, &found[0]);
    queue.enqueueReadBuffer(memory, CL_TRUE, pitch + 5 * 16, 4, &found[1]);
    EXPECT_EQ(found[0], 5u);
    EXPECT_EQ(found[1], 37u);
}

class LargeSharedMemory : public OnDevice {
protected:
    void SetUp() override { ASSERT_TRUE(device.getInfo<CL_DEVICE_SVM_CAPABILITIES>()); }
    std::vector<uint8_t> bytes_at(const uint8_t *from, size_t count) {
        std::vector<uint8_t> bytes(count);
        EXPECT_EQ(
            clEnqueueSVMMemcpy(queue(), CL_TRUE, bytes.data(), from, count, 0, nullptr, nullptr),
            CL_SUCCESS);
        return bytes;
    }
};

TEST_F(LargeSharedMemory, KernelsFindItsEnd) {
    constexpr size_t size = 4 * gib + 4096;
    auto *memory = static_cast<uint8_t *>(clSVMAlloc(context(), CL_MEM_READ_WRITE, size, 0));
    ASSERT_NE(memory, nullptr);
    cl::Kernel test =
        kernel("kernel void test(global uchar *x, long at, global const uchar *t) {\n"
               "    x[at + (ulong)t[get_global_id(0)]] = t[get_global_id(0)] + 1; }\n");
    const cl::Buffer table = buffer(counting(64));
    test.setArg(2, table);
    for (const size_t start : {size_t{0}, 3 * gib, size}) { // behind it, too
        clSetKernelArgSVMPointer(test(), 0, memory + start);
        for (const size_t at : {size_t{128}, 2 * gib - 32, 4 * gib - 32, size - 64}) {
            test.setArg(1, static_cast<cl_long>(at - start));
            launch(test, 64);
            EXPECT_EQ(bytes_at(memory + at, 64), counting(64, 1)) << start << " " << at;
            const uint8_t zero = 0;
            ASSERT_EQ(clEnqueueSVMMemFill(queue(), memory + at, &zero, 1, 64, 0, nullptr, nullptr),
                      CL_SUCCESS);
        }
    }
    clSVMFree(context(), memory);
}

/// Kernels that read a pointer from memory: it may lead into any allocation.
class LargeSharedMemoryByPointer : public LargeSharedMemory {
protected:
    static constexpr size_t size = 4 * gib + 4096;
    struct Place {
        uint8_t *pointer;
        cl_uint first;
    };
    Place *place = nullptr;
    cl::Kernel test;

    void SetUp() override {
        LargeSharedMemory::SetUp();
        place = static_cast<Place *>(clSVMAlloc(context(), CL_MEM_READ_WRITE, sizeof(Place), 0));
        test = kernel("struct place { global uchar *pointer; uint first; };\n"
                      "kernel void test(global const struct place *p) {\n"
                      "    uint i = p->first + (uint)get_global_id(0);\n"
                      "    p->pointer[i] = get_global_id(0) + 1; }\n",
                      "test", "-cl-std=CL3.0");
        clSetKernelArgSVMPointer(test(), 0, place);
    }
    void TearDown() override { clSVMFree(context(), place); }

    void set(const cl::CommandQueue &by, uint8_t *pointer, cl_uint first) {
        const Place wanted{pointer, first};
        ASSERT_EQ(
            clEnqueueSVMMemcpy(by(), CL_TRUE, place, &wanted, sizeof wanted, 0, nullptr, nullptr),
            CL_SUCCESS);
    }
    std::vector<uint8_t> found(const uint8_t *memory, cl_uint first) {
        std::vector<uint8_t> bytes;
        for (cl_uint i = 0; i < 64; ++i)
            bytes.push_back(bytes_at(memory + static_cast<cl_uint>(first + i), 1).front());
        return bytes;
    }
};

TEST_F(LargeSharedMemoryByPointer, IsFound) {
    auto *memory = static_cast<uint8_t *>(clSVMAlloc(context(), CL_MEM_READ_WRITE, size, 0));
    ASSERT_NE(memory, nullptr);
    for (const cl_uint first : {0u, 0x7fffffe0u, 0x80000000u, 0xffffffc0u, 0xffffffe0u}) {
        set(queue, memory, first);
        launch(test, 64);
        EXPECT_EQ(found(memory, first), counting(64, 1)) << first;
    }
    clSVMFree(context(), memory);
}

// The kernel's index wraps at 2^32, which is inside of large allocations only.
TEST_F(LargeSharedMemoryByPointer, IsFoundByLaunchesThatWaitedForItsAllocation) {
    constexpr cl_uint first = 0xffffffe0;
    cl::UserEvent allocated(context);
    const std::vector<cl::Event> waits{allocated};
    const cl::Event done = launch(test, 64, &waits);
    auto *memory = static_cast<uint8_t *>(clSVMAlloc(context(), CL_MEM_READ_WRITE, size, 0));
    ASSERT_NE(memory, nullptr);
    set(cl::CommandQueue(context, device), memory, first);
    allocated.setStatus(CL_COMPLETE);
    ASSERT_EQ(status_of([&] { done.wait(); }), CL_SUCCESS);
    EXPECT_EQ(found(memory, first), counting(64, 1));
    clSVMFree(context(), memory);
}

/// Of kernels with checks.
class LargeSanitizer : public Reports {
protected:
    std::string report_of(const cl::Kernel &kernel, size_t items) {
        cl::Event event;
        queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(items), {}, nullptr, &event);
        if (status_of([&] { event.wait(); }) == CL_SUCCESS)
            return "";
        return log.next();
    }
};

TEST_F(LargeSanitizer, KnowsTheEndOfLargeBuffers) {
    constexpr size_t size = 5 * gib;
    const cl::Buffer memory(context, CL_MEM_READ_WRITE, size);
    const cl::Program program =
        build("kernel void by_ulong(global uchar *x, ulong at) { x[at + get_global_id(0)] = 1; }\n"
              "kernel void by_uint(global uint *x, ulong at) {\n"
              "    x[(uint)(at / 4) + (uint)get_global_id(0)] = 1; }\n"
              "kernel void by_int(global uint *x, ulong at) {\n"
              "    x[(int)(at / 4) + (int)get_global_id(0)] = 1; }\n"
              "kernel void back(global uchar *x, ulong at) {\n"
              "    (x + at + 100)[(int)get_global_id(0) - 100] = 1; }\n"
              "kernel void loop(global uchar *x, ulong at) {\n"
              "    for (ulong i = 0; i < get_global_size(0); i++) x[at + i] = 1; }\n"
              "kernel void byte(global uchar *x, ulong at) {\n"
              "    x[(uint)at + (uint)get_global_id(0)] = 1; }\n",
              "-rv-sanitize=address");
    for (const char *name : {"by_ulong", "by_uint", "by_int", "back", "loop", "byte"}) {
        cl::Kernel test(program, name);
        const bool is_byte = name == std::string_view("byte");
        const bool is_word =
            name == std::string_view("by_uint") || name == std::string_view("by_int");
        test.setArg(0, memory);
        for (const size_t at : {size_t{0}, 2 * gib - 64, 4 * gib - 512, 4 * gib, size - 512}) {
            if (is_byte && at + 64 > 4 * gib)
                continue;
            test.setArg(1, cl_ulong{at});
            EXPECT_EQ(report_of(test, 64), "") << name << " at " << at;
        }
        if (is_byte)
            continue;
        test.setArg(1, cl_ulong{is_word ? size - 128 : size - 32});
        EXPECT_THAT(report_of(test, 64),
                    testing::HasSubstr("out of bounds: 0 bytes past the end of argument 0 'x' "
                                       "(5368709120 bytes) in allocation "))
            << name;
    }
    expect_healthy();
}

// The launch record has large bounds for the first 64 pointers. Further ones are looked up.
TEST_F(LargeSanitizer, LooksUpPointersThatTheRecordHasNoBoundsFor) {
    constexpr cl_uint pointers = 66;
    std::string source = "kernel void test(ulong at";
    for (cl_uint i = 0; i < pointers; ++i)
        source += ", global uchar *p" + std::to_string(i);
    source += ") { p0[0] = 1; p65[at + get_global_id(0)] = 1; }\n";
    cl::Kernel test(build(source, "-rv-sanitize=address"), "test");
    constexpr size_t size = 5 * gib - 4; // the next allocation isn't right behind it
    const cl::Buffer memory(context, CL_MEM_READ_WRITE, size);
    for (cl_uint i = 1; i <= pointers; ++i)
        test.setArg(i, memory);
    for (const size_t at : {size_t{0}, 4 * gib, size - 64}) {
        test.setArg(0, cl_ulong{at});
        EXPECT_EQ(report_of(test, 64), "") << at;
    }
    test.setArg(0, cl_ulong{size - 32});
    EXPECT_THAT(report_of(test, 64), testing::HasSubstr("0 bytes past the end of allocation"));
    expect_healthy();
}

/// The first run, on a device without large buffers, makes a binary for the second one.
class LargeBuffersOfBinaries : public Reports {
protected:
    const std::string file = environment("RIVULET_TEST_IMAGES") + "/of_large_buffers";
    const size_t largest = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();

    std::vector<unsigned char> contents() const {
        std::ifstream stream(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    bool makes_binary() {
        if (largest > 2 * gib)
            return false;
        const cl::Program program = build("kernel void test(global uchar *x, global uchar *y,\n"
                                          "                 ulong at) {\n"
                                          "    x[at + y[get_global_id(0)]] = 5; }\n"
                                          "kernel void counts(counter32_t counter) {\n"
                                          "    atomic_inc(counter); }\n");
        const auto bytes = program.getInfo<CL_PROGRAM_BINARIES>().at(0);
        std::ofstream(file, std::ios::binary)
            .write(reinterpret_cast<const char *>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
        return true;
    }
    cl_int run(const std::vector<unsigned char> &binary, const cl::Buffer &memory, size_t at) {
        cl::Program program(context, {device}, {binary});
        program.build(device);
        cl::Kernel test(program, "test");
        test.setArg(0, memory);
        test.setArg(1, buffer(std::vector<uint8_t>(8)));
        test.setArg(2, cl_ulong{at});
        const cl_int code =
            status_of([&] { queue.enqueueNDRangeKernel(test, {}, cl::NDRange(8)); });
        queue.finish();
        return code;
    }
};

TEST_F(LargeBuffersOfBinaries, AreBuiltAgainFromTheirSource) {
    if (makes_binary())
        return;
    const cl::Buffer memory(context, CL_MEM_READ_WRITE, 3 * gib);
    EXPECT_EQ(run(contents(), memory, 3 * gib - 1), CL_SUCCESS);
    uint8_t found = 0;
    queue.enqueueReadBuffer(memory, CL_TRUE, 3 * gib - 1, 1, &found);
    EXPECT_EQ(found, 5);
}

TEST_F(LargeBuffersOfBinaries, WithoutSourceAreRefused) {
    if (makes_binary())
        return;
    auto bytes = contents();
    ASSERT_FALSE(bytes.empty());
    bytes.back() ^= 1; // of the mark after the source
    EXPECT_EQ(run(bytes, cl::Buffer(context, CL_MEM_READ_WRITE, 2 * gib), 2 * gib - 1), CL_SUCCESS);
    EXPECT_EQ(run(bytes, cl::Buffer(context, CL_MEM_READ_WRITE, 2 * gib + 4096), 2 * gib),
              CL_MEM_OBJECT_ALLOCATION_FAILURE);
}

// A kernel accesses nothing but the counter's own bytes.
TEST_F(LargeBuffersOfBinaries, WithoutSourceTakeCountersInLargeBuffers) {
    if (makes_binary())
        return;
    auto bytes = contents();
    ASSERT_FALSE(bytes.empty());
    bytes.back() ^= 1; // of the mark after the source
    cl::Program program(context, {device}, {bytes});
    program.build(device);
    const cl::Buffer memory(context, CL_MEM_READ_WRITE, 3 * gib);
    queue.enqueueFillBuffer(memory, cl_uint{0}, 0, sizeof(cl_uint));
    cl::Kernel counts(program, "counts");
    counts.setArg(0, memory);
    ASSERT_EQ(status_of([&] { launch(counts, 64); }), CL_SUCCESS);
    EXPECT_EQ(read<cl_uint>(memory, 1).front(), 64u);
}

} // namespace
} // namespace rivulet::test
