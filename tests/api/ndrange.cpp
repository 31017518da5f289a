// SPDX-License-Identifier: Apache-2.0
//
// OpenCL 5.8 and 3.2.1: every work-item of an NDRange runs once and knows where it is.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <ostream>

#include "on_device.h"

namespace rivulet::test {
namespace {

using testing::AnyOf;

struct Shape {
    std::vector<size_t> global;
    std::vector<size_t> local;  // empty: the runtime's choice
    std::vector<size_t> offset; // empty: none
};

std::ostream &operator<<(std::ostream &out, const Shape &shape) {
    return out << "global " << testing::PrintToString(shape.global) << " local "
               << testing::PrintToString(shape.local) << " offset "
               << testing::PrintToString(shape.offset);
}

cl::NDRange range(const std::vector<size_t> &sizes) {
    switch (sizes.size()) {
    case 1:
        return {sizes[0]};
    case 2:
        return {sizes[0], sizes[1]};
    case 3:
        return {sizes[0], sizes[1], sizes[2]};
    default:
        return {};
    }
}

/// Each work-item counts itself at the index given by its global id, and checks its id functions.
constexpr const char *census = R"(
kernel void test(global int *visits, global int *complaints) {
    size_t index = 0;
    for (int d = 2; d >= 0; --d) {
        size_t relative = get_global_id(d) - get_global_offset(d);
        index = index * get_global_size(d) + relative;
        size_t expected = get_group_id(d) * get_enqueued_local_size(d) + get_local_id(d);
        if (relative != expected || get_local_id(d) >= get_local_size(d) ||
            get_group_id(d) >= get_num_groups(d) || get_global_size(d) <= relative ||
            (d >= get_work_dim() && (get_global_size(d) != 1 || get_local_size(d) != 1 ||
                                     get_global_offset(d) != 0 || get_num_groups(d) != 1)))
            atomic_inc(complaints);
    }
    atomic_inc(&visits[index]);
})";

class NDRange : public OnDevice {
protected:
    /// Runs `test(out, a, b)` for all pairs of arguments, and expects of element x expect(x, a, b).
    template <class T, class A, class B>
    void expect_for_all(cl::Kernel &kernel, size_t items, std::initializer_list<A> first,
                        std::initializer_list<B> second, auto expect) {
        for (const A a : first)
            for (const B b : second) {
                const cl::Buffer out = buffer(std::vector<T>(items));
                kernel.setArg(0, out);
                kernel.setArg(1, a);
                kernel.setArg(2, b);
                queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(items));
                std::vector<T> expected(items);
                for (size_t x = 0; x < items; ++x)
                    expected[x] = expect(static_cast<T>(x), a, b);
                EXPECT_EQ(read<T>(out, items), expected) << a << ' ' << b;
            }
    }

    void expect_census(const Shape &shape) {
        SCOPED_TRACE(testing::PrintToString(shape));
        size_t items = 1;
        for (const size_t size : shape.global)
            items *= size;
        cl::Kernel kernel = OnDevice::kernel(census, "test", "-cl-std=CL3.0");
        const cl::Buffer visits = buffer(std::vector<int>(items + 1));
        const cl::Buffer complaints = buffer(std::vector<int>(1));
        kernel.setArg(0, visits);
        kernel.setArg(1, complaints);
        queue.enqueueNDRangeKernel(kernel, range(shape.offset), range(shape.global),
                                   range(shape.local));
        auto expected = std::vector<int>(items, 1);
        expected.push_back(0);
        EXPECT_EQ(read<int>(visits, items + 1), expected);
        EXPECT_EQ(read<int>(complaints, 1)[0], 0);
    }
};

TEST_F(NDRange, OneDimension) {
    expect_census({{1}, {}, {}});
    expect_census({{7}, {}, {}});
    expect_census({{64}, {16}, {}});
    expect_census({{1000}, {8}, {}});
    expect_census({{999}, {1}, {}});
    expect_census({{997}, {}, {}});
}

TEST_F(NDRange, TwoDimensions) {
    expect_census({{13, 7}, {}, {}});
    expect_census({{16, 8}, {4, 2}, {}});
    expect_census({{15, 21}, {5, 3}, {}});
    expect_census({{1, 100}, {1, 10}, {}});
}

TEST_F(NDRange, ThreeDimensions) {
    expect_census({{5, 3, 2}, {}, {}});
    expect_census({{8, 4, 4}, {2, 2, 2}, {}});
    expect_census({{3, 5, 7}, {3, 1, 7}, {}});
}

TEST_F(NDRange, Offsets) {
    expect_census({{10}, {5}, {1000}});
    expect_census({{13, 7}, {}, {3, 5}});
    expect_census({{8, 4, 4}, {2, 4, 1}, {1, 200, 30}});
}

// A flat id may be divided by anything: short rows, rows longer than the range, constants.
TEST_F(NDRange, DividedIdsAreRowsAndColumns) {
    constexpr size_t items = 1501;
    const auto source = R"(
kernel void test(global const int *in, global int *out, int w, int h) {
    const int i = get_global_id(0);
    const int row = abs(i / w), column = i % w, shifted = i - 700;
    const uint u = get_global_id(0) + (uint)w;
    const int plane = i / (w * h), y = i % (w * h) / w, x = i % (w * h) % w;
    int sum = in[column % 1024] + 3 * in[row % 1024] + 5 * in[abs(row * w + column) % 1024];
    sum += shifted / w * 7 + shifted % w * 11 + in[u / (uint)w % 1024] + in[u % (uint)w % 1024];
    sum += in[i >> 7] * 13 + in[i & 127] * 17 + in[i / 100] + in[99 - i % 100];
    if (column + 1 < w)
        sum += in[(i + 1) % 1024];
    out[i] = sum + plane * 19 + y * 23 + x * 29;
})";
    cl::Kernel test = kernel(source);
    std::vector<cl_int> in(1024);
    for (size_t i = 0; i < in.size(); ++i)
        in[i] = cl_int(i * i % 251);
    const cl::Buffer numbers = buffer(in);
    const cl::Buffer results = buffer(std::vector<cl_int>(items));
    test.setArg(0, numbers);
    test.setArg(1, results);
    const auto at = [&](cl_int index) { return in[size_t(index) % 1024]; };
    for (cl_int w : {1, 3, 16, 61, 128, 700, 5000, -40})
        for (cl_int h : {1, 4}) {
            test.setArg(2, w);
            test.setArg(3, h);
            launch(test, items);
            const auto got = read<cl_int>(results, items);
            for (cl_int i = 0; i < cl_int(items); ++i) {
                const cl_int row = std::abs(i / w), column = i % w, shifted = i - 700,
                             rest = i % (w * h);
                const auto u = cl_uint(i) + cl_uint(w);
                cl_int sum = at(column) + 3 * at(row) + 5 * at(std::abs(row * w + column));
                sum += shifted / w * 7 + shifted % w * 11 + at(cl_int(u / cl_uint(w) % 1024)) +
                       at(cl_int(u % cl_uint(w) % 1024));
                sum += at(i >> 7) * 13 + at(i & 127) * 17 + at(i / 100) + at(99 - i % 100);
                if (column + 1 < w)
                    sum += at(i + 1);
                sum += i / (w * h) * 19 + rest / w * 23 + rest % w * 29;
                ASSERT_EQ(got[size_t(i)], sum) << "i " << i << ", w " << w << ", h " << h;
            }
        }
}

TEST_F(NDRange, MoreGroupsThanHartsTakeAtOnce) { expect_census({{60000}, {2}, {}}); }

TEST_F(NDRange, LargestWorkGroup) {
    const size_t most = device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
    expect_census({{2 * most}, {most}, {}});
    cl::Kernel kernel = OnDevice::kernel("kernel void test() {}");
    EXPECT_THAT(status_of([&] {
                    queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(2 * most + 2),
                                               cl::NDRange(most + 1));
                }),
                AnyOf(CL_INVALID_WORK_GROUP_SIZE, CL_INVALID_WORK_ITEM_SIZE));
}

TEST_F(NDRange, UnevenLastGroupsRunOrAreRefused) {
    if (device.getInfo<CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT>()) {
        expect_census({{100}, {16}, {}});
        expect_census({{13, 7}, {4, 4}, {2, 1}});
    } else {
        cl::Kernel kernel = OnDevice::kernel("kernel void test() {}");
        EXPECT_EQ(status_of([&] {
                      queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(100), cl::NDRange(16));
                  }),
                  CL_INVALID_WORK_GROUP_SIZE);
    }
}

TEST_F(NDRange, WorkGroupSizesOfBeforeTwoZeroMustDivide) {
    cl::Kernel kernel = OnDevice::kernel("kernel void test() {}", "test", "-cl-std=CL1.2");
    EXPECT_EQ(status_of([&] {
                  queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(100), cl::NDRange(16));
              }),
              CL_INVALID_WORK_GROUP_SIZE);
}

// Only the first dimension distinguishes these work-items.
TEST_F(NDRange, RowsThatAreAlikeRunAllTheSame) {
    cl::Kernel kernel = OnDevice::kernel(
        "kernel void test(global int *visits) { atomic_inc(&visits[get_global_id(0)]); }", "test",
        "-cl-std=CL3.0");
    for (const Shape &shape :
         {Shape{{70, 5, 3}, {}, {}}, {{70, 5, 3}, {7, 1, 3}, {}}, {{70, 6, 4}, {32, 4, 3}, {}}}) {
        SCOPED_TRACE(testing::PrintToString(shape));
        const cl::Buffer visits = buffer(std::vector<int>(71));
        kernel.setArg(0, visits);
        queue.enqueueNDRangeKernel(kernel, {}, range(shape.global), range(shape.local));
        std::vector<int> expected(70, static_cast<int>(shape.global[1] * shape.global[2]));
        expected.push_back(0);
        EXPECT_EQ(read<int>(visits, 71), expected);
    }
}

// Work-items in between, whose index would be far away, do nothing. Even x write x + 1 to element
// x.
TEST_F(NDRange, IndicesMayWrapFromOneWorkItemToTheNext) {
    const char *const bodies[] = {
        "if (x % 2 == 0) out[x * 0x80000001u] = x + 1;",
        "if (x % 2 == 0) out[x * n] = x + 1;",
        "if (x % 2 == 0) out[256u - (256u - x) * n] = x + 1;",
        "if (x % 2 == 0) out[(x << 31) + x * n] = x + 1;",
        "if (x % 2 == 0) out[(x + y * 512u) * n] = x + 1;",
        "if (x % 2 == 0) atomic_add(&out[x * n], x + 1);",
        "uint i = x * n; if (out[x] & 1) i = 512; if (x % 2 == 0) out[i] = x + 1;",
        "for (uint k = 0; k < 2 - x % 2; ++k) if (k == 1) out[x * n] = x + 1;",
        "if (x % 2 == 0) out[x * ((ulong)(n - 1) << 32 | 1)] = x + 1;",
        "ulong all = x * ((ulong)n << 32 | n); if (x % 2 == 0) out[(uint)all] = x + 1;",
        "out[x * third * 3u] = x % 2 == 0 ? x + 1 : 0;",
    };
    constexpr cl_uint items = 256;
    std::vector<cl_uint> expected(items);
    for (cl_uint x = 0; x < items; x += 2)
        expected[x] = x + 1;
    for (const char *body : bodies) {
        SCOPED_TRACE(body);
        cl::Kernel kernel =
            OnDevice::kernel(std::string("kernel void test(global uint *out, uint n, uint third) {"
                                         "    uint x = get_global_id(0), y = get_global_id(1);") +
                             body + "}");
        const cl::Buffer out = buffer(std::vector<cl_uint>(items));
        kernel.setArg(0, out);
        kernel.setArg(1, cl_uint(0x80000001));
        kernel.setArg(2, cl_uint(0xaaaaaaab)); // times 3, that is 1
        queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(items));
        EXPECT_EQ(read<cl_uint>(out, items), expected);
    }
}

// Selects work-items of one row: first ones below the limit, some that are not, and those after the
// wrap.
TEST_F(NDRange, GuardsMayWrapWithinARow) {
    constexpr cl_uint items = 300;
    const auto check = [&](const char *guard, auto holds, std::initializer_list<cl_uint> starts) {
        SCOPED_TRACE(guard);
        cl::Kernel kernel = OnDevice::kernel(
            std::string("kernel void test(global uint *out, uint first, uint limit) {"
                        "    uint x = get_global_id(0);"
                        "    if (") +
            guard + ") out[x] = x + 1; }");
        expect_for_all<cl_uint>(kernel, items, starts, starts,
                                [&](cl_uint x, cl_uint first, cl_uint limit) {
                                    return holds(x + first, limit) ? x + 1 : 0;
                                });
    };
    const auto starts = {0u, 200u, 0x7fffff00u, 0x7fffffffu, 0x80000000u, 0x80000010u, 0xffffff80u};
    check("x + first < limit", [](cl_uint x, cl_uint limit) { return x < limit; }, starts);
    check("x + first >= limit", [](cl_uint x, cl_uint limit) { return x >= limit; }, starts);
    check(
        "(int)(x + first) <= (int)limit",
        [](cl_uint x, cl_uint limit) { return cl_int(x) <= cl_int(limit); }, starts);
    check(
        "(int)(get_global_id(0) + (int)first) > (int)limit",
        [](cl_uint x, cl_uint limit) { return cl_int(x) > cl_int(limit); }, starts);
}

// Limits that wrapped below zero, or lost their sign, as in `x > size - 1` of what is empty.
// Expectations are C++ of the same words.
TEST_F(NDRange, LimitsMayBeLargeUnsignedNumbers) {
    const auto check = [&](const char *body, auto expect) {
        SCOPED_TRACE(body);
        cl::Kernel kernel = OnDevice::kernel(std::string("kernel void test(global ulong *out, "
                                                         "ulong n, int s) {"
                                                         "    const ulong x = get_global_id(0);"
                                                         "    ulong r = 0; ") +
                                             body + " out[x] = r; }");
        expect_for_all<cl_ulong>(kernel, 96,
                                 {cl_ulong{0}, cl_ulong{1}, cl_ulong{40}, ~cl_ulong{0},
                                  ~cl_ulong{4}, cl_ulong{1} << 63, ~cl_ulong{0} << 40,
                                  cl_ulong{1} << 40},
                                 {0, 30, -1, -7, INT32_MIN}, expect);
    };
    check("r = max(x, n);", [](cl_ulong x, cl_ulong n, cl_int) { return std::max(x, n); });
    check("r = min(x + 1, n);", [](cl_ulong x, cl_ulong n, cl_int) { return std::min(x + 1, n); });
    check("r = max(x, (ulong)s);",
          [](cl_ulong x, cl_ulong, cl_int s) { return std::max(x, cl_ulong(s)); });
    check("if (x > n - 1 && x < 500) r = 1000;",
          [](cl_ulong x, cl_ulong n, cl_int) { return cl_ulong(x > n - 1 && x < 500 ? 1000 : 0); });
    check("if (x >= (ulong)s && x < 70) r = 7;", [](cl_ulong x, cl_ulong, cl_int s) {
        return cl_ulong(x >= cl_ulong(s) && x < 70 ? 7 : 0);
    });
    check("r = (x + n - 1) % (n | 1);",
          [](cl_ulong x, cl_ulong n, cl_int) { return (x + n - 1) % (n | 1); });
    // Something else ends the loop, whose index is compared again.
    for (const char *limit : {"n", "0xfffffffffffffff0"})
        check((std::string("for (ulong j = 0; j < ") + limit +
               "; ++j) { if ((j * 7 + n) % 64 == 60) break;"
               " if ((long)(x + j) < 50) r += x * j; }")
                  .c_str(),
              [&](cl_ulong x, cl_ulong n, cl_int) {
                  const cl_ulong end = limit == std::string("n") ? n : ~cl_ulong{15};
                  cl_ulong r = 0;
                  for (cl_ulong j = 0; j < end && (j * 7 + n) % 64 != 60; ++j)
                      r += x + j < 50 ? x * j : 0;
                  return r;
              });
}

// Their parts are recomputed for a row, the whole is too long for that.
TEST_F(NDRange, LimitsMayBeSumsThatWrap) {
    const std::string sums =
        "kernel void test(global ulong *out, uint p, uint q) {"
        "    const ulong x = get_global_id(0);"
        "    uint a = p, b = q;"
        "    a = (a ^ 5) + 3; a = (a ^ 9) + 7; a = (a ^ 3) + 1; a = (a ^ 6) - 2; a = (a ^ 12) + 9;"
        "    b = (b ^ 4) + 2; b = (b ^ 7) + 5; b = (b ^ 2) + 6; b = (b ^ 8) - 3; b = (b ^ 11) + 4;"
        "    ulong r = x;";
    const auto mixed = [](cl_uint value, std::initializer_list<std::pair<cl_uint, cl_uint>> steps) {
        for (const auto &[bits, added] : steps)
            value = (value ^ bits) + added;
        return value;
    };
    const auto check = [&](const char *body, auto expect) {
        SCOPED_TRACE(body);
        cl::Kernel kernel = OnDevice::kernel(sums + body + " out[x] = r; }");
        expect_for_all<cl_ulong>(
            kernel, 64, {0u, 1u, 90u, 0xfffffff0u, 0x80000000u},
            {0u, 3u, 100u, 0x80000002u, 0xffffffffu}, [&](cl_ulong x, cl_uint p, cl_uint q) {
                return expect(x, cl_ulong{mixed(p, {{5, 3}, {9, 7}, {3, 1}, {6, -2}, {12, 9}})},
                              cl_ulong{mixed(q, {{4, 2}, {7, 5}, {2, 6}, {8, -3}, {11, 4}})});
            });
    };
    check("if (x < (ulong)a - (ulong)b) r += 700;",
          [](cl_ulong x, cl_ulong a, cl_ulong b) { return x + (x < a - b ? 700 : 0); });
    check("r = max(x, (ulong)a - (ulong)b);",
          [](cl_ulong x, cl_ulong a, cl_ulong b) { return std::max(x, a - b); });
    check("if (x < (uint)((ulong)a + (ulong)b)) r += 700;",
          [](cl_ulong x, cl_ulong a, cl_ulong b) { return x + (x < cl_uint(a + b) ? 700 : 0); });
}

// Wider than a pointer on harts of 32 bits. Each writes x + 1 to element x.
TEST_F(NDRange, IndicesMayHave64Bits) {
    const char *const bodies[] = {
        "out[n + get_global_id(0) - 5] = x + 1;",
        "out[(n - 5) + x] = x + 1;",
        "if (x % 2 == 0) out[n + get_global_id(0) - 5] = x + 1; else out[x] = x + 1;",
        "long i = x * (n - 4); out[i] = i + 1;",
        "for (long i = 0; i < n; ++i) if (i == x % 3) out[x - i + x % 3] = x + 1;",
        "out += n; out[(long)x - n] = x + 1;",
        "local uint l[256]; l[x + n - 5] = x + 1; barrier(1); out[x] = l[x * n - 4 * x];",
        "uint own[8]; own[(x + n) & 7] = x + 1; out[x] = own[(x + n) & 7];",
    };
    constexpr cl_uint items = 256;
    const auto expected = iota<cl_uint>(items, 1);
    for (const char *body : bodies) {
        SCOPED_TRACE(body);
        cl::Kernel kernel =
            OnDevice::kernel(std::string("kernel void test(global uint *out, long n) {"
                                         "    uint x = get_global_id(0);") +
                             body + "}");
        const cl::Buffer out = buffer(std::vector<cl_uint>(items));
        kernel.setArg(0, out);
        kernel.setArg(1, cl_long(5));
        queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(items), cl::NDRange(items));
        EXPECT_EQ(read<cl_uint>(out, items), expected);
    }
}

// The first work-item of a vector does nothing; its access would be far from the others'.
TEST_F(NDRange, OthersDoNotDependOnWhatTheFirstWouldDo) {
    struct Case {
        const char *body;
        int (*index)(int x); // where x is written to
    };
    constexpr Case cases[] = {
        {"if (x % 2 == 0) out[x + 1] = x;", [](int x) { return x % 2 == 0 ? x + 1 : -1; }},
        {"if (x >= 5 && x % 2 == 0) out[x - 5] = x;",
         [](int x) { return x >= 5 && x % 2 == 0 ? x - 5 : -1; }},
        {"ulong at = x - 5; all[x] = at; if (x >= 5 && x % 2 == 0) out[at] = x;",
         [](int x) { return x >= 5 && x % 2 == 0 ? x - 5 : -1; }},
        {"int i = x; if ((i & 63) == 9) out[(i - 9) * n] = x;",
         [](int x) { return x == 9 ? 0 : -1; }},
    };
    for (const Case &test : cases) {
        SCOPED_TRACE(test.body);
        cl::Kernel kernel = OnDevice::kernel(
            std::string("kernel void test(global uint *out, global ulong *all, int n) {"
                        "    uint x = get_global_id(0);") +
            test.body + "}");
        constexpr int items = 64;
        const cl::Buffer out = buffer(std::vector<cl_uint>(items));
        kernel.setArg(0, out);
        kernel.setArg(1, buffer(std::vector<cl_ulong>(items)));
        kernel.setArg(2, cl_int(1 << 29));
        queue.enqueueNDRangeKernel(kernel, cl::NDRange(1), cl::NDRange(items - 2));
        std::vector<cl_uint> expected(items);
        for (int x = 1; x < items - 1; ++x)
            if (int index = test.index(x); index >= 0)
                expected[size_t(index)] = cl_uint(x);
        EXPECT_EQ(read<cl_uint>(out, items), expected);
    }
}

TEST_F(NDRange, RequiredWorkGroupSizeIsTheOnlyOne) {
    cl::Kernel kernel =
        OnDevice::kernel("kernel __attribute__((reqd_work_group_size(8, 2, 1)))"
                         "void test(global int *sizes) {"
                         "    if (get_global_id(0) + get_global_id(1) == 0) {"
                         "        sizes[0] = get_local_size(0); sizes[1] = get_local_size(1);"
                         "    }"
                         "}");
    const cl::Buffer sizes = buffer(std::vector<int>(2));
    kernel.setArg(0, sizes);
    queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(16, 4), cl::NDRange(8, 2));
    EXPECT_EQ(read<int>(sizes, 2), (std::vector<int>{8, 2}));
    EXPECT_EQ(status_of([&] {
                  queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(16, 4), cl::NDRange(4, 4));
              }),
              CL_INVALID_WORK_GROUP_SIZE);
    EXPECT_EQ((kernel.getWorkGroupInfo<CL_KERNEL_COMPILE_WORK_GROUP_SIZE>(device)),
              (std::array<size_t, 3>{8, 2, 1}));
}

// Several rows run at a time where they divide the size; the last groups have other sizes.
TEST_F(NDRange, GroupsOfARequiredSizeMayBeCutShort) {
    cl::Kernel kernel = OnDevice::kernel(
        "kernel __attribute__((reqd_work_group_size(8, 4, 1)))"
        "void test(global const int *in, global int *out, int width) {"
        "    local int tile[4][8];"
        "    int x = get_local_id(0), y = get_local_id(1);"
        "    int columns = get_local_size(0), rows = get_local_size(1), sum = 0;"
        "    tile[y][x] = in[get_global_id(1) * width + get_global_id(0)];"
        "    barrier(CLK_LOCAL_MEM_FENCE);"
        "    for (int k = 0; k < columns; ++k) sum += tile[y][k] * tile[k % rows][x];"
        "    out[get_global_id(1) * width + get_global_id(0)] = sum;"
        "}",
        "test", "-cl-std=CL3.0");
    for (int height : {3, 8, 13}) {
        constexpr int width = 21;
        std::vector<int> values(static_cast<size_t>(width * height));
        for (size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<int>(i * i % 97);
        const cl::Buffer in = buffer(values), out = buffer(std::vector<int>(values.size()));
        kernel.setArg(0, in);
        kernel.setArg(1, out);
        kernel.setArg(2, width);
        queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(width, height), cl::NDRange(8, 4));
        auto at = [&](int x, int y) { return values[static_cast<size_t>(y * width + x)]; };
        std::vector<int> expected;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const int left = x & ~7, top = y & ~3;
                const int columns = std::min(8, width - left), rows = std::min(4, height - top);
                int sum = 0;
                for (int k = 0; k < columns; ++k)
                    sum += at(left + k, y) * at(x, top + k % rows);
                expected.push_back(sum);
            }
        EXPECT_EQ(read<int>(out, expected.size()), expected) << height << " rows";
    }
}

TEST_F(NDRange, DimensionsBeyondThreeAreRefused) {
    const cl::Kernel kernel = OnDevice::kernel("kernel void test() {}");
    const size_t sizes[] = {1, 1, 1, 1};
    EXPECT_EQ(
        clEnqueueNDRangeKernel(queue(), kernel(), 4, nullptr, sizes, nullptr, 0, nullptr, nullptr),
        CL_INVALID_WORK_DIMENSION);
    EXPECT_EQ(
        clEnqueueNDRangeKernel(queue(), kernel(), 0, nullptr, sizes, nullptr, 0, nullptr, nullptr),
        CL_INVALID_WORK_DIMENSION);
}

} // namespace
} // namespace rivulet::test
