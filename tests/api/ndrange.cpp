// SPDX-License-Identifier: Apache-2.0
//
// OpenCL 5.8 and 3.2.1: every work-item of an NDRange runs once and knows where it is.
#include <array>
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

/// Each work-item counts itself at the place its global id gives, and checks what it is told.
constexpr const char *census = R"(
kernel void test(global int *visits, global int *complaints) {
    size_t place = 0;
    for (int d = 2; d >= 0; --d) {
        size_t relative = get_global_id(d) - get_global_offset(d);
        place = place * get_global_size(d) + relative;
        size_t expected = get_group_id(d) * get_enqueued_local_size(d) + get_local_id(d);
        if (relative != expected || get_local_id(d) >= get_local_size(d) ||
            get_group_id(d) >= get_num_groups(d) || get_global_size(d) <= relative ||
            (d >= get_work_dim() && (get_global_size(d) != 1 || get_local_size(d) != 1 ||
                                     get_global_offset(d) != 0 || get_num_groups(d) != 1)))
            atomic_inc(complaints);
    }
    atomic_inc(&visits[place]);
})";

class NDRange : public OnDevice {
protected:
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
