// SPDX-License-Identifier: Apache-2.0
// Kernels with sub-groups on the device, through OpenCL: ids and sizes, barriers, loops that lanes
// leave in different iterations, blocks of memory, required sizes, and what the host may ask.
#include "compiler/library/test/device.h"

#include <CL/cl_ext.h>

#include <numeric>

namespace rivulet::library {
namespace {

class SubGroupKernels : public Device {
protected:
    std::vector<cl_uint> run(cl::Kernel &kernel, cl::NDRange global, cl::NDRange local,
                             std::vector<cl_uint> out) {
        auto memory = buffer(out);
        kernel.setArg(0, memory);
        queue.enqueueNDRangeKernel(kernel, {}, global, local);
        queue.enqueueReadBuffer(memory, CL_TRUE, 0, out.size() * sizeof(cl_uint), out.data());
        return out;
    }
    std::vector<cl_uint> run(const std::string &source, cl::NDRange global, cl::NDRange local,
                             std::vector<cl_uint> out) {
        auto program = build(source);
        cl::Kernel kernel(program, "k");
        return run(kernel, global, local, std::move(out));
    }
    std::size_t most(cl::Kernel &kernel, cl::NDRange local) {
        return kernel.getSubGroupInfo<CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE>(device, local);
    }
    std::vector<std::size_t> sizes() {
        std::vector<std::size_t> list(16);
        std::size_t bytes = 0;
        EXPECT_EQ(clGetDeviceInfo(device(), CL_DEVICE_SUB_GROUP_SIZES_INTEL,
                                  list.size() * sizeof(std::size_t), list.data(), &bytes),
                  CL_SUCCESS);
        list.resize(bytes / sizeof(std::size_t));
        return list;
    }
};

std::vector<cl_uint> iota(std::size_t count) {
    std::vector<cl_uint> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0u);
    return numbers;
}

TEST_F(SubGroupKernels, IdsFollowTheLinearLocalId) {
    // The last work-groups are smaller in both dimensions.
    auto program = build("kernel void k(global uint *out) {"
                         "  uint i = get_global_id(1) * get_global_size(0) + get_global_id(0);"
                         "  vstore8((uint8)(get_sub_group_id(), get_sub_group_local_id(),"
                         "          get_sub_group_size(), get_max_sub_group_size(),"
                         "          get_num_sub_groups(), get_enqueued_num_sub_groups(),"
                         "          get_local_id(0), get_local_id(1)), i, out); }");
    cl::Kernel kernel(program, "k");
    const cl_uint width = 20, height = 9;
    const cl_uint local[] = {7, 5};
    auto size = static_cast<cl_uint>(most(kernel, {7, 5}));
    auto out = run(kernel, {width, height}, {7, 5}, std::vector<cl_uint>(width * height * 8));
    for (cl_uint y = 0; y < height; ++y)
        for (cl_uint x = 0; x < width; ++x) {
            cl_uint columns = std::min(local[0], width - x / local[0] * local[0]);
            cl_uint rows = std::min(local[1], height - y / local[1] * local[1]);
            cl_uint items = columns * rows, linear = y % local[1] * columns + x % local[0];
            const cl_uint *at = &out[(y * width + x) * 8];
            ASSERT_THAT(std::vector(at, at + 8),
                        testing::ElementsAre(linear / size, linear % size,
                                             std::min(size, items - linear / size * size), size,
                                             (items + size - 1) / size, (35 + size - 1) / size,
                                             x % local[0], y % local[1]))
                << x << ", " << y;
        }
}

TEST_F(SubGroupKernels, BarriersOrderMemory) {
    auto out = run("kernel void k(global uint *out) {"
                   "  local uint t[100];"
                   "  uint l = get_local_id(0), lane = get_sub_group_local_id();"
                   "  uint last = get_sub_group_size() - 1 - lane;"
                   "  for (uint i = 0; i < 3; ++i) {"
                   "    t[l] = l + i;"
                   "    sub_group_barrier(CLK_LOCAL_MEM_FENCE);"
                   "    uint other = t[l - lane + last];"
                   "    sub_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);"
                   "    out[get_global_id(0)] = other + lane - last;"
                   "  }"
                   "  work_group_barrier(CLK_LOCAL_MEM_FENCE);"
                   "  out[get_global_id(0)] += t[99 - l] - (101 - l); }",
                   200, 100, std::vector<cl_uint>(200));
    for (std::size_t i = 0; i < out.size(); ++i)
        ASSERT_EQ(out[i], i % 100 + 2) << i;
}

TEST_F(SubGroupKernels, ValuesLiveOverWorkGroupBarriers) {
    auto out = run("kernel void k(global uint *out) {"
                   "  uint sum = sub_group_reduce_add(1u), x = get_local_id(0);"
                   "  uint before = sub_group_scan_exclusive_add(x), id = get_sub_group_id();"
                   "  work_group_barrier(CLK_GLOBAL_MEM_FENCE);"
                   "  uint first = sub_group_broadcast(x, 0);"
                   "  uint expected = 0;"
                   "  for (uint i = first; i < x; ++i) expected += i;"
                   "  out[get_global_id(0)] = before == expected && sum == get_sub_group_size()"
                   "                          && id == get_sub_group_id(); }",
                   {90}, {45}, std::vector<cl_uint>(90));
    EXPECT_THAT(out, testing::Each(1u));
}

TEST_F(SubGroupKernels, LanesLeaveLoopsInDifferentIterations) {
    // In iteration i those lanes are left for which lane % 5 >= i.
    auto program = build("kernel void k(global uint *out) {"
                         "  uint lane = get_sub_group_local_id(), sum = 0;"
                         "  for (uint i = 0; i <= lane % 5; ++i) {"
                         "    sum += sub_group_non_uniform_reduce_add(1u) << (i * 6);"
                         "    if (sub_group_elect()) sum += 1u << 30;"
                         "  }"
                         "  out[get_global_id(0)] = sum; }");
    cl::Kernel kernel(program, "k");
    auto size = static_cast<cl_uint>(std::min<std::size_t>(most(kernel, {8}), 8));
    auto out = run(kernel, {8}, {8}, std::vector<cl_uint>(8));
    for (cl_uint i = 0; i < 8; ++i) {
        cl_uint lane = i % size, expected = 0;
        for (cl_uint round = 0; round <= lane % 5; ++round) {
            cl_uint left = 0, first = size;
            for (cl_uint other = 0; other < size; ++other)
                if (other % 5 >= round) {
                    ++left;
                    first = std::min(first, other);
                }
            expected += (left << (round * 6)) + (lane == first ? 1u << 30 : 0);
        }
        ASSERT_EQ(out[i], expected) << i;
    }
}

TEST_F(SubGroupKernels, IdentitiesStartExclusiveScans) {
    auto out = run("kernel void k(global uint *out) {"
                   "  int one = 1; float f = 1; long l = 1; ushort s = 1;"
                   "  int ok = sub_group_scan_exclusive_add(one) == 0"
                   "    && sub_group_scan_exclusive_min(one) == INT_MAX"
                   "    && sub_group_scan_exclusive_max(l) == LONG_MIN"
                   "    && sub_group_scan_exclusive_min(s) == USHRT_MAX"
                   "    && sub_group_scan_exclusive_max(f) == -INFINITY"
                   "    && sub_group_non_uniform_scan_exclusive_mul(f) == 1"
                   "    && sub_group_non_uniform_scan_exclusive_and(one) == -1"
                   "    && sub_group_non_uniform_scan_exclusive_logical_and(one) == 1"
                   "    && sub_group_non_uniform_scan_exclusive_logical_or(one) == 0;"
                   "  if (get_sub_group_local_id() == 0) out[get_group_id(0)] = ok; }",
                   {6}, {2}, std::vector<cl_uint>(3));
    EXPECT_THAT(out, testing::Each(1u));
}

/// A block holds n components of each work-item, a sub-group's size apart.
struct BlockType {
    std::string name, suffix;
    std::size_t bytes;
    std::vector<std::string> counts;
};

const BlockType block_types[] = {
    {"uint", "", 4, {"", "2", "4", "8"}},      {"uint", "_ui", 4, {"", "2", "4", "8"}},
    {"ushort", "_us", 2, {"", "2", "4", "8"}}, {"uchar", "_uc", 1, {"", "2", "4", "8", "16"}},
    {"ulong", "_ul", 8, {"", "2", "4", "8"}},
};

TEST_F(SubGroupKernels, BlocksAreReadAndWrittenInColumns) {
    for (const BlockType &type : block_types)
        for (const std::string &n : type.counts) {
            SCOPED_TRACE("block_read" + type.suffix + n);
            auto program =
                build("kernel void k(global " + type.name + " *out, global const " + type.name +
                      " *in) {"
                      "  uint at = get_sub_group_id() * get_max_sub_group_size() * 16;" +
                      type.name + n + " x = intel_sub_group_block_read" + type.suffix + n +
                      "(in + at);  intel_sub_group_block_write" + type.suffix + n + "(out + at, (" +
                      type.name + n + ")(x ^ (" + type.name + ")3)); }");
            cl::Kernel kernel(program, "k");
            const std::size_t size = most(kernel, {1024});
            const std::size_t components = n.empty() ? 1 : std::stoul(n);
            std::vector<cl_uchar> in(size * 16 * 2 * type.bytes), out(in.size());
            std::iota(in.begin(), in.end(), cl_uchar{0});
            auto in_buffer = buffer(in), out_buffer = buffer(out);
            kernel.setArg(0, out_buffer);
            kernel.setArg(1, in_buffer);
            queue.enqueueNDRangeKernel(kernel, {}, {size * 2}, {size * 2});
            queue.enqueueReadBuffer(out_buffer, CL_TRUE, 0, out.size(), out.data());
            for (std::size_t i = 0; i < out.size(); ++i) {
                const bool in_block = i / type.bytes % (size * 16) < size * components;
                const int flipped = i % type.bytes == 0 ? 3 : 0; // the lowest byte comes first
                ASSERT_EQ(out[i], in_block ? in[i] ^ flipped : 0) << i;
            }
        }
}

// cl_intel_subgroup_local_block_io
TEST_F(SubGroupKernels, BlocksOfLocalMemoryAreReadAndWrittenInColumns) {
    if (!device.getInfo<CL_DEVICE_EXTENSIONS>().contains("cl_intel_subgroup_local_block_io"))
        GTEST_SKIP() << "the extension needs a translator for SPIR-V";
    for (const BlockType &type : block_types)
        for (const std::string &n : type.counts) {
            SCOPED_TRACE("block_read" + type.suffix + n);
            auto program = build(fmt::format(
                R"(kernel void k(global {0} *out, global const {0} *in, local {0} *shared) {{
    uint size = get_max_sub_group_size(), part = get_sub_group_id() * size * {3};
    uint lane = get_sub_group_local_id();
    {0}{1} x = intel_sub_group_block_read{2}{1}(in + part);
    intel_sub_group_block_write{2}{1}(shared + part, x);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < {3}; ++i)
        out[part + i * size + lane] = shared[part + i * size + lane] ^ ({0})1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < {3}; ++i)
        shared[part + i * size + lane] ^= ({0})2;
    barrier(CLK_LOCAL_MEM_FENCE);
    x = intel_sub_group_block_read{2}{1}((const local {0} *)(shared + part));
    part += get_num_sub_groups() * size * {3};
    intel_sub_group_block_write{2}{1}(out + part, x);
}})",
                type.name, n, type.suffix, n.empty() ? "1" : n));
            cl::Kernel kernel(program, "k");
            const std::size_t size = most(kernel, {1024});
            const std::size_t bytes = size * 2 * (n.empty() ? 1 : std::stoul(n)) * type.bytes;
            std::vector<cl_uchar> in(bytes), out(2 * bytes);
            std::iota(in.begin(), in.end(), cl_uchar{0});
            auto in_buffer = buffer(in), out_buffer = buffer(out);
            kernel.setArg(0, out_buffer);
            kernel.setArg(1, in_buffer);
            kernel.setArg(2, cl::Local(bytes));
            queue.enqueueNDRangeKernel(kernel, {}, {size * 2}, {size * 2});
            queue.enqueueReadBuffer(out_buffer, CL_TRUE, 0, out.size(), out.data());
            for (std::size_t i = 0; i < out.size(); ++i) {
                const int flipped = i % type.bytes != 0 ? 0 : i < bytes ? 1 : 2;
                ASSERT_EQ(out[i], in[i % bytes] ^ flipped) << i;
            }
        }
}

TEST_F(SubGroupKernels, ImageBlocksAreClampedAtEdges) {
    if (!device.getInfo<CL_DEVICE_IMAGE_SUPPORT>())
        GTEST_SKIP() << "no images";
    auto program = build("kernel void k(global uint *out, read_only image2d_t from,"
                         "              write_only image2d_t to, int2 at) {"
                         "  uint2 x = intel_sub_group_block_read2(from, at);"
                         "  intel_sub_group_block_write2(to, at, x + 1u);"
                         "  uint i = get_sub_group_id() * 2 * get_max_sub_group_size()"
                         "           + get_sub_group_local_id();"
                         "  out[i] = x.x; out[i + get_max_sub_group_size()] = x.y; }");
    cl::Kernel kernel(program, "k");
    auto size = static_cast<int>(most(kernel, {1024}));
    const int width = size + 3, height = 3;
    auto in = iota(std::size_t(width * height));
    cl::ImageFormat format(CL_RGBA, CL_UNSIGNED_INT8);
    cl::Image2D from(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, format, std::size_t(width),
                     height, 0, in.data());
    for (auto [x, y] : {std::pair{0, 0}, {3, 1}, {-2, 0}, {5, 2}, {1, -1}}) {
        std::vector<cl_uint> zeros(in.size()), written(in.size());
        cl::Image2D to(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, format,
                       std::size_t(width), height, 0, zeros.data());
        kernel.setArg(1, from);
        kernel.setArg(2, to);
        kernel.setArg(3, cl_int2{{x * 4, y}});
        auto lanes = static_cast<std::size_t>(size);
        auto out = run(kernel, {lanes}, {lanes}, std::vector<cl_uint>(lanes * 2));
        queue.enqueueReadImage(to, CL_TRUE, {0, 0, 0}, {std::size_t(width), height, 1}, 0, 0,
                               written.data());
        for (int row = 0; row < 2; ++row)
            for (int lane = 0; lane < size; ++lane) {
                int column = std::clamp(x + lane, 0, width - 1);
                int line = std::clamp(y + row, 0, height - 1);
                cl_uint value = in[std::size_t(line * width + column)];
                ASSERT_EQ(out[std::size_t(row * size + lane)], value) << x << ", " << y;
                if (column == x + lane && line == y + row) {
                    ASSERT_EQ(written[std::size_t(line * width + column)], value + 1);
                }
            }
        auto written_count = (std::min(width, x + size) - std::max(0, x)) *
                             (std::min(height, y + 2) - std::max(0, y));
        EXPECT_EQ(std::ranges::count_if(written, [](cl_uint w) { return w != 0; }), written_count);
    }
}

// cl_qcom_reqd_sub_group_size
TEST_F(SubGroupKernels, HaveTheRequiredShareOfTheLargestSize) {
    const std::size_t largest = std::ranges::max(sizes());
    for (const auto &[share, size] : {std::pair{"full", largest}, {"half", largest / 2}}) {
        const std::string attribute = fmt::format("qcom_reqd_sub_group_size(\"{}\")", share);
        auto program = build("#pragma OPENCL EXTENSION cl_qcom_reqd_sub_group_size : enable\n"
                             "#ifndef cl_qcom_reqd_sub_group_size\n#error\n#endif\n"
                             "__attribute__((" +
                             attribute +
                             ")) kernel void k(global uint *out) {"
                             "  out[get_global_id(0)] = get_max_sub_group_size() * 1000"
                             "      + sub_group_reduce_add(1); }");
        cl::Kernel kernel(program, "k");
        EXPECT_EQ(kernel.getInfo<CL_KERNEL_ATTRIBUTES>(), attribute);
        const auto out = run(kernel, {size * 2}, {size * 2}, std::vector<cl_uint>(size * 2));
        EXPECT_THAT(out, testing::Each(static_cast<cl_uint>(size * 1000 + size)));
    }
}

TEST_F(SubGroupKernels, HaveTheRequiredSize) {
    for (std::size_t size : sizes()) {
        auto program = build(
            "__attribute__((intel_reqd_sub_group_size(" + std::to_string(size) +
            ")))"
            "kernel void k(global uint *out) {"
            "  ulong x = get_local_id(0); uchar b = (uchar)x; uint lane = get_sub_group_local_id();"
            "  uint i = get_global_id(0), items = get_local_size(0), base = (uint)x - lane;"
            "  uint last = min(base + get_max_sub_group_size(), items);"
            "  ulong sum = 0; for (uint k = base; k < last; ++k) sum += k;"
            "  uint4 even = sub_group_ballot(!(x & 1));"
            "  uint next = lane + 1 < get_sub_group_size() ? lane + 1 : 0;"
            "  out[i] = sub_group_reduce_add(x) == sum"
            "    && sub_group_shuffle(x, next) == base + next"
            "    && sub_group_shuffle(b, next) == (uchar)(base + next)"
            "    && sub_group_clustered_reduce_max(x, 2) == min(x | 1, (ulong)items - 1)"
            "    && sub_group_ballot_bit_count(even) == (last - base + 1) / 2"
            "    && sub_group_scan_inclusive_max((double)x) == x"
            "    && sub_group_any(x == base) && get_max_sub_group_size() == " +
            std::to_string(size) + "; }");
        cl::Kernel kernel(program, "k");
        EXPECT_EQ(most(kernel, {512}), size);
        std::size_t compiled = 0;
        EXPECT_EQ(clGetKernelSubGroupInfo(kernel(), device(),
                                          CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, nullptr,
                                          sizeof compiled, &compiled, nullptr),
                  CL_SUCCESS);
        EXPECT_EQ(compiled, size);
        EXPECT_THAT(run(kernel, {402}, {201}, std::vector<cl_uint>(402)), testing::Each(1u))
            << size;
    }
}

// Such code is right with one size only: the group is one sub-group, or a constant is the size.
TEST_F(SubGroupKernels, HaveTheSizeThatTheirCodeWasWrittenFor) {
    auto program = build("kernel void group(global uint *out) {"
                         "  out[get_global_id(0)] = sub_group_reduce_add((uint)get_local_id(0)); }"
                         "kernel void tree(global uint *out) {"
                         "  uint x = get_local_id(0);"
                         "  for (int s = 8; s > 0; s >>= 1) x += sub_group_shuffle_xor(x, s);"
                         "  out[get_global_id(0)] = x; }"
                         "kernel void places(global uint *out) {"
                         "  local uint all[64]; local uint *own = all + get_sub_group_id() * 16;"
                         "  uint lane = get_sub_group_local_id(); own[lane] = get_local_id(0);"
                         "  sub_group_barrier(CLK_LOCAL_MEM_FENCE);"
                         "  out[get_global_id(0)] = own[15 - lane]; }");
    cl::Kernel group(program, "group"), tree(program, "tree"), places(program, "places");
    for (cl_uint items : {2u, 16u, 32u}) {
        if (items > sizes().back())
            continue;
        EXPECT_EQ(most(group, {items}), items);
        EXPECT_THAT(run(group, {4 * items}, {items}, std::vector<cl_uint>(4 * items)),
                    testing::Each(items * (items - 1) / 2));
    }
    if (const auto all = sizes(); std::ranges::find(all, 16u) == all.end())
        return;
    EXPECT_EQ(most(tree, {64}), 16);
    const auto sums = run(tree, {64}, {64}, std::vector<cl_uint>(64));
    const auto turned = run(places, {64}, {64}, std::vector<cl_uint>(64));
    for (cl_uint i = 0; i < 64; ++i) {
        EXPECT_EQ(sums[i], i / 16 * 256 + 120) << i;
        EXPECT_EQ(turned[i], i / 16 * 16 + 15 - i % 16) << i;
    }
}

TEST_F(SubGroupKernels, OtherRequiredSizesDoNotBuild) {
    cl::Program program(context, "__attribute__((intel_reqd_sub_group_size(24)))"
                                 "kernel void k(global uint *out) { out[0] = 1; }");
    EXPECT_THROW(program.build(device), cl::Error);
    EXPECT_THAT(program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device),
                testing::HasSubstr("requires sub-groups of 24"));
}

TEST_F(SubGroupKernels, AnswerQueries) {
    auto program = build("kernel void k(global uint *out) { out[get_global_id(0)] ="
                         " get_num_sub_groups(); }");
    cl::Kernel kernel(program, "k");
    auto size = most(kernel, {1024});
    EXPECT_THAT(sizes(), testing::Contains(size));
    EXPECT_GT(device.getInfo<CL_DEVICE_MAX_NUM_SUB_GROUPS>(), 0u);
    EXPECT_EQ(device.getInfo<CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS>(), CL_FALSE);
    EXPECT_EQ(kernel.getSubGroupInfo<CL_KERNEL_COMPILE_NUM_SUB_GROUPS>(device, {}), 0u);
    cl_ulong spilled = 0;
    EXPECT_EQ(clGetKernelWorkGroupInfo(kernel(), device(), CL_KERNEL_SPILL_MEM_SIZE_INTEL,
                                       sizeof spilled, &spilled, nullptr),
              CL_SUCCESS);
    for (cl::NDRange local : {cl::NDRange(33), {5, 7}, {3, 5, 2}}) {
        std::size_t items = 1;
        for (std::size_t d = 0; d < local.dimensions(); ++d)
            items *= local.get()[d];
        auto count = kernel.getSubGroupInfo<CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE>(device, local);
        EXPECT_EQ(count, (items + size - 1) / size);
        EXPECT_EQ(run(kernel, local, local, std::vector<cl_uint>(items))[0], count);
    }
    std::size_t wanted = 3, local_size[3] = {};
    EXPECT_EQ(clGetKernelSubGroupInfo(kernel(), device(), CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
                                      sizeof wanted, &wanted, sizeof local_size, local_size,
                                      nullptr),
              CL_SUCCESS);
    EXPECT_THAT(local_size, testing::ElementsAre(3 * size, 1, 1));
}

} // namespace
} // namespace rivulet::library
