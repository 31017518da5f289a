// SPDX-License-Identifier: Apache-2.0
//
// OpenCL 4.3: launches run on the harts of their sub-device, however many harts the device has.
#include "on_device.h"
// This header comes last, because it uses the API version set by those before it.
#include "host-runtime/include/CL/cl_ext_rivulet.h"

namespace rivulet::test {
namespace {

using testing::AnyOf;

class SubDevices : public OnDevice {
protected:
    static cl_ulong harts_of(const cl::Device &part) {
        cl_ulong mask = 0;
        EXPECT_EQ(clGetDeviceInfo(part(), CL_DEVICE_HARTS_RIVULET, sizeof mask, &mask, nullptr),
                  CL_SUCCESS);
        return mask;
    }
    /// 0 if none has a bit.
    static cl_ulong harts_of(const cl::Event &launch) {
        cl_ulong mask = 0;
        const cl_int status = clGetEventProfilingInfo(launch(), CL_PROFILING_COMMAND_HARTS_RIVULET,
                                                      sizeof mask, &mask, nullptr);
        EXPECT_THAT(status, AnyOf(CL_SUCCESS, CL_PROFILING_INFO_NOT_AVAILABLE));
        return mask;
    }
};

TEST_F(SubDevices, LaunchesRunOnTheirHarts) {
    const auto units = device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
    if (units < 3)
        GTEST_SKIP() << "the device has fewer than three harts";
    const cl_device_partition_property counts[] = {
        CL_DEVICE_PARTITION_BY_COUNTS,
        1,
        static_cast<cl_device_partition_property>(units) - 2,
        1,
        CL_DEVICE_PARTITION_BY_COUNTS_LIST_END,
        0};
    std::vector<cl::Device> parts;
    ASSERT_EQ(device.createSubDevices(counts, &parts), CL_SUCCESS);
    ASSERT_EQ(parts.size(), 3u);
    const auto last = parts.back().getInfo<CL_DEVICE_NAME>();
    EXPECT_TRUE(last.ends_with("harts " + std::to_string(units - 1))) << last;

    const cl::Context shared(parts);
    cl::Program program(shared, "kernel void test(global int *out) {"
                                "    out[get_global_id(0)] += get_global_id(0);"
                                "}");
    program.build(parts);
    constexpr size_t items = 4096;
    std::vector<cl::Buffer> outputs;
    std::vector<cl::CommandQueue> queues;
    std::vector<cl::Event> launches;
    for (const cl::Device &part : parts) {
        const std::vector<int> zeros(items);
        cl::Kernel kernel(program, "test");
        queues.emplace_back(shared, part, CL_QUEUE_PROFILING_ENABLE);
        outputs.emplace_back(shared, CL_MEM_READ_WRITE, items * sizeof(int));
        queues.back().enqueueWriteBuffer(outputs.back(), CL_TRUE, 0, items * sizeof(int),
                                         zeros.data());
        kernel.setArg(0, outputs.back());
        for (int round = 0; round < 3; ++round)
            queues.back().enqueueNDRangeKernel(kernel, {}, cl::NDRange(items), cl::NDRange(8), {},
                                               &launches.emplace_back());
        queues.back().flush();
    }
    cl_ulong seen = 0;
    for (size_t i = 0; i < parts.size(); ++i) {
        std::vector<int> results(items);
        queues[i].enqueueReadBuffer(outputs[i], CL_TRUE, 0, items * sizeof(int), results.data());
        for (size_t item = 0; item < items; ++item)
            ASSERT_EQ(results[item], 3 * static_cast<int>(item));
        EXPECT_EQ(harts_of(parts[i]) & seen, 0u);
        seen |= harts_of(parts[i]);
        for (size_t round = 0; round < 3; ++round)
            EXPECT_EQ(harts_of(launches[3 * i + round]) & ~harts_of(parts[i]), 0u);
    }
    EXPECT_EQ(seen, harts_of(device));
}

} // namespace
} // namespace rivulet::test
