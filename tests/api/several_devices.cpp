// SPDX-License-Identifier: Apache-2.0
//
// Machines of different kinds in one context: programs are built for all of them, memory moves
// between them. CTest gives it two vector lengths.
#include "on_device.h"

namespace rivulet::test {
namespace {

class SeveralDevices : public testing::Test {
protected:
    SeveralDevices() {
        std::vector<cl::Platform> platforms;
        cl::Platform::get(&platforms);
        platforms.at(0).getDevices(CL_DEVICE_TYPE_ALL, &devices);
        context = cl::Context(devices);
        for (const cl::Device &device : devices)
            queues.emplace_back(context, device);
    }
    cl::Program build(const std::string &source) {
        cl::Program program(context, source);
        program.build(devices);
        return program;
    }

    std::vector<cl::Device> devices;
    cl::Context context;
    std::vector<cl::CommandQueue> queues;
};

constexpr const char *step = "kernel void test(global uint *data, uint factor) {"
                             "    size_t i = get_global_id(0);"
                             "    data[i] = data[i] * factor + i;"
                             "}";

TEST_F(SeveralDevices, ShareMemoryThatMovesBetweenThem) {
    ASSERT_GE(devices.size(), 2u);
    cl::Kernel kernel(build(step), "test");
    const cl::Buffer data(context, CL_MEM_READ_WRITE, 4000);
    std::vector<cl_uint> expected(1000, 1);
    queues[0].enqueueWriteBuffer(data, CL_TRUE, 0, 4000, expected.data());
    std::vector<cl::Event> last;
    for (cl_uint round = 0; round < 8; ++round) {
        const cl_uint factor = round + 2;
        kernel.setArg(0, data);
        kernel.setArg(1, factor);
        cl::Event event;
        queues[round % queues.size()].enqueueNDRangeKernel(kernel, {}, cl::NDRange(1000), {},
                                                           last.empty() ? nullptr : &last, &event);
        last = {event};
        for (cl_uint i = 0; i < 1000; ++i)
            expected[i] = expected[i] * factor + i;
    }
    std::vector<cl_uint> result(1000);
    queues.back().enqueueReadBuffer(data, CL_TRUE, 0, 4000, result.data(), &last);
    EXPECT_EQ(result, expected);
}

TEST_F(SeveralDevices, MigrateAndCopyBetweenThem) {
    const auto values = iota<cl_uint>(1000);
    const cl::Buffer from(context, CL_MEM_READ_WRITE, 4000);
    const cl::Buffer to(context, CL_MEM_READ_WRITE, 4000);
    queues.front().enqueueWriteBuffer(from, CL_TRUE, 0, 4000, values.data());
    queues.back().enqueueMigrateMemObjects({from}, 0);
    queues.back().enqueueCopyBuffer(from, to, 0, 0, 4000);
    queues.back().finish();
    queues.front().enqueueMigrateMemObjects({to}, CL_MIGRATE_MEM_OBJECT_HOST);
    std::vector<cl_uint> result(1000);
    queues.front().enqueueReadBuffer(to, CL_TRUE, 0, 4000, result.data());
    EXPECT_EQ(result, values);
}

TEST_F(SeveralDevices, EachHasItsOwnBinary) {
    const cl::Program program = build(step);
    const auto binaries = program.getInfo<CL_PROGRAM_BINARIES>();
    ASSERT_EQ(binaries.size(), devices.size());
    std::vector<cl_int> statuses;
    cl::Program again(context, devices, binaries, &statuses);
    EXPECT_THAT(statuses, testing::Each(CL_SUCCESS));
    again.build(devices);
    const auto swapped = [&] { cl::Program(context, {devices[0]}, {binaries[1]}); };
    if (devices[0].getInfo<CL_DEVICE_NAME>() != devices[1].getInfo<CL_DEVICE_NAME>())
        EXPECT_EQ(status_of(swapped), CL_INVALID_BINARY);
}

} // namespace
} // namespace rivulet::test
