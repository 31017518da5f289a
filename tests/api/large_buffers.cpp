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

// All write i + 1 to byte or element i from `at` on, in their own way.
TEST_F(LargeBuffers, KernelsFindBytesVectorsAndCopies) {
    const cl::Program program =
        build("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
              "kernel void masked(global uchar *x, ulong at) {\n"
              "    size_t i = get_global_id(0); if (i % 3 != 1) x[at + i] = i + 1; else x[at + i] "
              "= i + 1; }\n"
              "kernel void fours(global uchar *x, ulong at) {\n"
              "    size_t i = get_global_id(0);\n"
              "    vstore4((uchar4)(1, 2, 3, 4) + (uchar)(4 * i), at / 4 + i, x); }\n"
              "kernel void threes(global uchar *x, ulong at) {\n"
              "    size_t i = get_global_id(0);\n"
              "    vstore3((uchar3)(1, 2, 3) + (uchar)(3 * i), i, x + at); }\n"
              "kernel void whole(global uint4 *x, ulong at) {\n"
              "    uint i = get_global_id(0), b = 0x04030201u + 0x10101010u * i;\n"
              "    x[(uint)(at / 16) + i] = (uint4)(b, b + 0x04040404u, b + 0x08080808u, b + "
              "0x0c0c0c0cu); }\n"
              "kernel void fields(global uchar *x, ulong at) {\n"
              "    struct f { uchar a, b; }; global struct f *f = (global struct f *)x;\n"
              "    int i = (int)(at / 2) + (int)get_global_id(0);\n"
              "    uchar n = 2 * get_global_id(0); f[i].a = n + 1; f[i].b = n + 2; }\n"
              "kernel void twice(global uchar *x, ulong at) {\n"
              "    ulong i = get_global_id(0); for (int k = 0; k < 2; k++, i += 32) x[at + i] = i "
              "+ 1; }\n"
              "kernel void walks(global uchar *x, ulong at) {\n"
              "    global uchar *p = x + at + 2 * get_global_id(0), *end = p + 2;\n"
              "    for (uchar n = 2 * get_global_id(0); p < end; ++p) *p = ++n; }\n"
              "kernel void grid(global uchar *x, ulong at) {\n"
              "    for (uint i = (uint)at + (uint)get_global_id(0); i < (uint)at + 64u;\n"
              "         i += get_global_size(0))\n"
              "        x[i] = i - (uint)at + 1; }\n"
              "kernel void grid64(global uchar *x, ulong at) {\n"
              "    for (ulong i = at + get_global_id(0); i < at + 64; i += get_global_size(0))\n"
              "        x[i] = i - at + 1; }\n"
              "kernel void atomics(global uint *x, ulong at) {\n"
              "    uint i = get_global_id(0) * 4;\n"
              "    atomic_xchg(x + at / 4 + i / 4, 0);\n"
              "    atomic_add(x + (uint)(at / 4) + i / 4, 0x04030201u + 0x01010101u * i); }\n"
              "kernel void copies(global uint *x, ulong at) {\n"
              "    local uint here[16];\n"
              "    uint i = get_local_id(0);\n"
              "    here[i] = 0x04030201u + 0x04040404u * i;\n"
              "    barrier(CLK_LOCAL_MEM_FENCE);\n"
              "    event_t e = async_work_group_copy(x + at / 4, here, 16, 0);\n"
              "    wait_group_events(1, &e); }\n"
              "kernel void halves(global uchar *x, ulong at) {\n"
              "    size_t i = get_global_id(0);\n"
              "    float f = vload_half(at / 2 + i, (global half *)x);\n" // a half of any bits
              "    vstore_half(f, at / 2 + i, (global half *)x);\n"
              "    ((global ushort *)x)[at / 2 + i] = 0x0201 + 0x0202 * i; }\n"
              "int twelve(global const uchar *x, ulong i) { return x[i]; }\n"
              "kernel void doubles(global uchar *x, ulong at) {\n" // reads what it finds
              "    size_t i = get_global_id(0);\n"
              "    x[at + i] = (i + 1) / 2; x[at + i] += i + 1 - twelve(x, at + i); }\n");
    const struct {
        const char *name;
        size_t items, group;
        bool in_4_gib = false; // it has an index of 32 bits that overflows behind them
    } kernels[] = {{"masked", 64, 16}, {"fours", 16, 0},         {"threes", 22, 11},
                   {"whole", 4, 0},    {"fields", 32, 16, true}, {"twice", 32, 0},
                   {"walks", 32, 8},   {"grid", 16, 8, true},    {"grid64", 16, 8},
                   {"atomics", 16, 0}, {"copies", 16, 16},       {"halves", 32, 4},
                   {"doubles", 64, 0}};
    for (const auto &[name, items, group, in_4_gib] : kernels)
        for (const size_t place : places) {
            if (in_4_gib && place + 64 > 4 * gib)
                continue;
            clear(place, 64);
            cl::Kernel kernel(program, name);
            kernel.setArg(0, memory);
            kernel.setArg(1, cl_ulong{place});
            run(kernel, items, group);
            EXPECT_EQ(bytes_at(place, 64), counting(64, 1)) << name << " at " << place;
        }
}

TEST_F(LargeBuffers, SubGroupsFindTheirElements) {
    cl::Kernel test = kernel("kernel void test(global uint *x, uint at) {\n"
                             "    uint i = get_sub_group_id() * get_max_sub_group_size() +\n"
                             "             get_sub_group_local_id();\n"
                             "    x[at + i] = i + 1;\n"
                             "    uint start = get_sub_group_id() * get_max_sub_group_size();\n"
                             "    uint4 v = intel_sub_group_block_read4(x + at);\n"
                             "    if (start == 0)\n"
                             "        intel_sub_group_block_write(x + at + 64, v.x); }\n",
                             "test", "-cl-std=CL3.0");
    test.setArg(0, memory);
    for (const size_t place : places) {
        clear(place, 1024);
        test.setArg(1, static_cast<cl_uint>(place / 4));
        run(test, 64, 64);
        std::vector<cl_uint> found(64), expected(64);
        std::iota(expected.begin(), expected.end(), 1u);
        queue.enqueueReadBuffer(memory, CL_TRUE, place, 256, found.data());
        EXPECT_EQ(found, expected) << place;
        cl_uint first = 0;
        queue.enqueueReadBuffer(memory, CL_TRUE, place + 256, 4, &first);
        EXPECT_EQ(first, 1u) << place;
    }
}

// Both versions of a program's kernels have the same variables.
TEST_F(LargeBuffers, ProgramsHaveTheirVariablesOnce) {
    const cl::Program program = build("global uint calls;\n"
                                      "kernel void test(global uint *x, ulong at) {\n"
                                      "    x[at] = ++calls; }\n",
                                      "-cl-std=CL3.0");
    cl::Kernel kernel(program, "test");
    const cl::Buffer few = buffer(std::vector<cl_uint>(1));
    for (cl_uint call = 1; call <= 4; ++call) {
        const bool is_large = call % 2 == 0;
        kernel.setArg(0, is_large ? memory : few);
        kernel.setArg(1, cl_ulong{is_large ? largest / 4 - 1 : 0});
        run(kernel, 1);
        cl_uint found = 0;
        queue.enqueueReadBuffer(is_large ? memory : few, CL_TRUE,
                                is_large ? largest / 4 * 4 - 4 : 0, 4, &found);
        EXPECT_EQ(found, call);
    }
}

TEST_F(LargeBuffers, SubBuffersOfAnySizeReachToTheEnd) {
    cl::Kernel test =
        kernel("kernel void test(global uchar *x, ulong at, uint step) {\n"
               "    x[at + (uint)get_global_id(0) * step] = get_global_id(0) + 9; }\n");
    for (const size_t origin : {gib, 5 * gib, largest / 4096 * 4096 - 4096}) {
        const cl_buffer_region region{origin, largest - origin};
        cl::Buffer part =
            memory.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
        test.setArg(0, part);
        test.setArg(1, cl_ulong{region.size - 64});
        test.setArg(2, cl_uint{1});
        run(test, 64);
        EXPECT_EQ(bytes_at(largest - 64, 64), counting(64, 9)) << origin;
        clear(largest - 64, 64);
    }
}

// Of unsigned numbers that is no mistake: the lanes of one register lie at both ends of 4 GiB.
TEST_F(LargeBuffers, IndicesOf32BitsWrap) {
    cl::Kernel test = kernel("kernel void test(global uchar *x, uint first, uint step) {\n"
                             "    uint i = first + step * (uint)get_global_id(0);\n"
                             "    x[i] = (uchar)get_global_id(0); }\n");
    clear(4 * gib - 64, 128);
    clear(0, 64);
    test.setArg(0, memory);
    test.setArg(1, cl_uint(-16));
    test.setArg(2, cl_uint{1});
    run(test, 32);
    EXPECT_EQ(bytes_at(4 * gib - 16, 16), counting(16));
    EXPECT_EQ(bytes_at(0, 16), counting(16, 16));
    EXPECT_EQ(bytes_at(4 * gib, 16), std::vector<uint8_t>(16));
    test.setArg(1, cl_uint{15}); // and down
    test.setArg(2, cl_uint(-1));
    run(test, 32);
    EXPECT_EQ(bytes_at(4 * gib - 1, 1), counting(1, 16));
    EXPECT_EQ(bytes_at(4 * gib - 16, 1), counting(1, 31));
    EXPECT_EQ(bytes_at(0, 1), counting(1, 15));
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
