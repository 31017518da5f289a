// SPDX-License-Identifier: Apache-2.0
//
// Buffers beyond 2 and 4 GiB. Only the pages at the places in question are ever touched.
#include "on_device.h"

namespace rivulet::test {
namespace {

constexpr size_t gib = size_t{1} << 30;

class LargeBuffers : public OnDevice {
protected:
    const size_t largest = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
    cl::Buffer memory{context, CL_MEM_READ_WRITE, largest};
    /// Around 2^31, around 2^32, and near the end: multiples of 256.
    const std::vector<size_t> places{1024,          2 * gib - 256, 2 * gib,
                                     4 * gib - 256, 4 * gib,       largest - 4096};

    std::vector<uint8_t> bytes_at(size_t offset, size_t count) {
        std::vector<uint8_t> bytes(count);
        queue.enqueueReadBuffer(memory, CL_TRUE, offset, count, bytes.data());
        return bytes;
    }
    void clear(size_t offset, size_t count) {
        queue.enqueueFillBuffer(memory, cl_uchar{0}, offset, count);
    }
    void run(const cl::Kernel &kernel, size_t items, size_t group = 0) {
        queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(items),
                                   group ? cl::NDRange(group) : cl::NullRange);
    }
};

std::vector<uint8_t> counting(size_t count, uint8_t from = 0) {
    std::vector<uint8_t> bytes(count);
    std::iota(bytes.begin(), bytes.end(), from);
    return bytes;
}

TEST_F(LargeBuffers, HaveTheHeapsSize) {
    const size_t all = device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>();
    EXPECT_GT(all, 5 * gib);
    EXPECT_GE(largest, all - all / 32);
    EXPECT_LE(largest, all);
    EXPECT_EQ(status_of([&] { cl::Buffer(context, CL_MEM_READ_WRITE, largest + 1); }),
              CL_INVALID_BUFFER_SIZE);
}

TEST_F(LargeBuffers, AreReadWrittenFilledCopiedAndMappedNearTheirEnd) {
    const auto pattern = counting(64, 3);
    clear(0, 16384);
    for (const size_t place : places) {
        const testing::ScopedTrace trace(__FILE__, __LINE__, std::to_string(place));
        queue.enqueueWriteBuffer(memory, CL_TRUE, place, 64, pattern.data());
        EXPECT_EQ(bytes_at(place, 64), pattern);
        queue.enqueueCopyBuffer(memory, memory, place, 8192, 64); // down, and up again
        queue.enqueueCopyBuffer(memory, memory, 8192, place + 64, 64);
        EXPECT_EQ(bytes_at(place + 64, 64), pattern);
        queue.enqueueFillBuffer(memory, cl_uint{0x01020304}, place, 16);
        EXPECT_EQ(bytes_at(place, 5), (std::vector<uint8_t>{4, 3, 2, 1, 4}));
        auto *mapped = static_cast<uint8_t *>(
            queue.enqueueMapBuffer(memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, place, 64));
        EXPECT_EQ(mapped[20], pattern[20]);
        mapped[63] = 0x77;
        queue.enqueueUnmapMemObject(memory, mapped);
        EXPECT_EQ(bytes_at(place + 63, 1).front(), 0x77);
        clear(place, 128);
    }
    EXPECT_EQ(bytes_at(0, 8192), std::vector<uint8_t>(8192)) << "something wrapped";
}

// Two slices of two rows, which lie 1 MiB and 4 GiB apart.
TEST_F(LargeBuffers, BoxesReachFar) {
    const auto pattern = counting(64, 5);
    const cl::array<cl::size_type, 3> start{0, 0, 0}, to{32, 1, 0}, up{96, 1, 0}, region{16, 2, 2};
    constexpr size_t row = 1 << 20, slice = 4 * gib;
    queue.enqueueWriteBufferRect(memory, CL_TRUE, to, start, region, row, slice, 16, 32,
                                 pattern.data());
    queue.enqueueCopyBufferRect(memory, memory, to, up, region, row, slice, row, slice);
    std::vector<uint8_t> back(64);
    queue.enqueueReadBufferRect(memory, CL_TRUE, up, start, region, row, slice, 16, 32,
                                back.data());
    EXPECT_EQ(back, pattern);
    EXPECT_EQ(bytes_at(slice + 2 * row + 96, 16),
              std::vector<uint8_t>(pattern.begin() + 48, pattern.end()));
}

/// How a kernel finds the element of work-item g, and which one that is, counted from `at`.
struct Form {
    const char *name, *element;
    size_t (*position)(size_t g);
    size_t most_elements; // of the index's type
};

constexpr size_t items = 64;
size_t same(size_t g) { return g; }
size_t permuted(size_t g) { return g * 7 % items; }

const Form forms[] = {
    {"by_ulong", "x[at + g]", same, ~size_t{0}},
    {"by_long", "x[(long)at + (long)g]", same, ~size_t{0}},
    {"by_int", "x[(int)at + (int)g]", same, size_t{1} << 31},
    {"by_uint", "x[(uint)at + (uint)g]", same, size_t{1} << 32},
    // The same number modulo 2^32, by sums and products that wrap.
    {"wrapping", "x[(uint)at - (uint)(g * 0xfffffffful)]", same, size_t{1} << 32},
    {"scaled", "x[(uint)at * 3u + (uint)g - (uint)at * 2u]", same, size_t{1} << 32},
    {"from_behind", "(x + at + 500)[(int)g - 500]", same, ~size_t{0}},
    {"downwards", "x[at + 63 - g]", [](size_t g) { return 63 - g; }, ~size_t{0}},
    {"strided", "x[at + 3 * g]", [](size_t g) { return 3 * g; }, ~size_t{0}},
    {"strided_uint", "x[(uint)at + 3u * (uint)g]", [](size_t g) { return 3 * g; }, size_t{1} << 32},
    {"by_byte", "x[at + bytes[g]]", permuted, ~size_t{0}},
    {"by_table", "x[words[g]]", permuted, size_t{1} << 32},
    {"by_table_and_uint", "x[(uint)at + bytes[g]]", permuted, size_t{1} << 32},
    {"by_longs", "x[longs[g]]", permuted, ~size_t{0}},
    {"backwards_by_table", "(x + at + 64)[(int)bytes[g] - 64]", permuted, ~size_t{0}},
};

std::string kernels_of(const char *type) {
    std::string source = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
    for (const Form &form : forms)
        for (const bool writes : {true, false})
            source += std::string("kernel void ") + (writes ? "write_" : "read_") + form.name +
                      "(global " + type +
                      " *x, ulong at, global const uchar *bytes,\n"
                      "    global const uint *words, global const ulong *longs, global " +
                      type +
                      " *out, uint odd) {\n"
                      "    size_t g = get_global_id(0);\n"
                      "    if (odd < 2 && g % 2 != odd) return;\n    " +
                      (writes ? form.element + std::string(" = g + 1;")
                              : "out[g] = " + std::string(form.element) + ";") +
                      " }\n";
    return source;
}

template <class T> class LargeBuffersOf : public LargeBuffers {
protected:
    // (Not under a mask: whole vectors; under one: those of even and odd lanes.)
    void check(const cl::Program &program, const Form &form, size_t place, size_t group) {
        const testing::ScopedTrace trace(__FILE__, __LINE__,
                                         form.name + (" at " + std::to_string(place)));
        std::vector<uint8_t> bytes(items);
        std::vector<uint32_t> words(items);
        std::vector<uint64_t> longs(items);
        std::vector<T> expected(3 * items);
        for (size_t g = 0; g < items; ++g) {
            bytes[g] = static_cast<uint8_t>(permuted(g));
            longs[g] = place / sizeof(T) + permuted(g);
            words[g] = static_cast<uint32_t>(longs[g]);
            expected[form.position(g)] = static_cast<T>(g + 1);
        }
        const cl::Buffer tables[] = {buffer(bytes), buffer(words), buffer(longs)};
        const cl::Buffer out = buffer(std::vector<T>(items));
        clear(place, sizeof(T) * expected.size());
        clear(place % (4 * gib) / 2, sizeof(T) * expected.size());
        for (const bool writes : {true, false}) {
            cl::Kernel kernel(program,
                              ((writes ? "write_" : "read_") + std::string(form.name)).c_str());
            kernel.setArg(0, memory);
            kernel.setArg(1, cl_ulong{place / sizeof(T)});
            for (cl_uint i = 0; i < 3; ++i)
                kernel.setArg(2 + i, tables[i]);
            kernel.setArg(5, out);
            if (group) { // in two halves, under masks
                kernel.setArg(6, cl_uint{0});
                run(kernel, items, group);
                kernel.setArg(6, cl_uint{1});
            } else {
                kernel.setArg(6, cl_uint{2});
            }
            run(kernel, items, group);
        }
        std::vector<T> there(expected.size());
        queue.enqueueReadBuffer(memory, CL_TRUE, place, sizeof(T) * there.size(), there.data());
        EXPECT_EQ(there, expected);
        std::vector<T> counted(items);
        std::iota(counted.begin(), counted.end(), T(1));
        EXPECT_EQ(this->template read<T>(out, items), counted);
    }
    void check_all(const char *type) {
        const cl::Program program = build(kernels_of(type));
        for (const Form &form : forms)
            for (const size_t place : places)
                for (const size_t group : {0, 16})
                    if (place / sizeof(T) + 3 * items <= form.most_elements)
                        check(program, form, place, group);
    }
};

using LargeBuffersOfBytes = LargeBuffersOf<uint8_t>;
TEST_F(LargeBuffersOfBytes, KernelsFindTheirElements) { check_all("uchar"); }
using LargeBuffersOfShorts = LargeBuffersOf<uint16_t>;
TEST_F(LargeBuffersOfShorts, KernelsFindTheirElements) { check_all("ushort"); }
using LargeBuffersOfInts = LargeBuffersOf<int32_t>;
TEST_F(LargeBuffersOfInts, KernelsFindTheirElements) { check_all("int"); }
using LargeBuffersOfDoubles = LargeBuffersOf<double>;
TEST_F(LargeBuffersOfDoubles, KernelsFindTheirElements) { check_all("double"); }

} // namespace
} // namespace rivulet::test
