// SPDX-License-Identifier: Apache-2.0
//
// Built-in kernels (5.6.1) of a fixed-function unit: with unit=model, the firmware has a model of
// one (device-firmware/units/model.c).
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS // clEnqueueTask
#include "host-runtime/include/CL/cl_ext_rivulet.h"
#include "tests/api/reports.h"

namespace rivulet::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char *all_names = "rivulet.copy2d;rivulet.crc32;rivulet.fail";

cl_uint crc32(const std::vector<cl_uchar> &data) {
    cl_uint crc = ~0u;
    for (const cl_uchar byte : data) {
        crc ^= byte;
        for (int bit = 0; bit < 8; ++bit)
            crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
    }
    return ~crc;
}

std::vector<cl_uchar> pattern(size_t bytes) {
    std::vector<cl_uchar> data(bytes);
    for (size_t i = 0; i < bytes; ++i)
        data[i] = static_cast<cl_uchar>(i * i / 7 + i);
    return data;
}

class BuiltInKernels : public OnDevice {
protected:
    ReportLog &log = ReportLog::create();

    void SetUp() override {
        context = log.context_of(device);
        queue = cl::CommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE);
    }
    cl::Program program(const char *names = all_names) const {
        return {context, std::vector<cl::Device>{device}, names};
    }
    cl::Kernel built_in(const char *name) const { return {program(), name}; }
    cl::Kernel checksum(const cl::Buffer &data, cl_ulong bytes, const cl::Buffer &result) const {
        cl::Kernel kernel = built_in("rivulet.crc32");
        kernel.setArg(0, data);
        kernel.setArg(1, bytes);
        kernel.setArg(2, result);
        return kernel;
    }
    cl::Kernel copy(const cl::Buffer &from, cl_ulong from_pitch, const cl::Buffer &to,
                    cl_ulong to_pitch) const {
        cl::Kernel kernel = built_in("rivulet.copy2d");
        kernel.setArg(0, from);
        kernel.setArg(1, from_pitch);
        kernel.setArg(2, to);
        kernel.setArg(3, to_pitch);
        return kernel;
    }
    /// The unit and the harts are well.
    void expect_unit_healthy() {
        const auto data = pattern(100);
        const cl::Buffer on_device = buffer(data), result = buffer(std::vector<cl_uint>(1));
        queue.enqueueNDRangeKernel(checksum(on_device, 100, result), {}, cl::NDRange(1));
        EXPECT_THAT(read<cl_uint>(result, 1), ElementsAre(crc32(data)));
        expect_healthy();
    }
    std::string expect_failure(const cl::Kernel &kernel) {
        const cl::Event event = launch(kernel, 1);
        EXPECT_NE(status_of([&] { event.wait(); }), CL_SUCCESS);
        EXPECT_LT(execution_status(event), 0);
        std::string report = log.next();
        expect_unit_healthy();
        return report;
    }
};

TEST_F(BuiltInKernels, AreListedWithVersions) {
    EXPECT_EQ(device.getInfo<CL_DEVICE_BUILT_IN_KERNELS>(), all_names);
    std::vector<cl_name_version> versions(4);
    size_t bytes = 0;
    ASSERT_EQ(clGetDeviceInfo(device(), CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION,
                              versions.size() * sizeof versions[0], versions.data(), &bytes),
              CL_SUCCESS);
    ASSERT_EQ(bytes, 3 * sizeof versions[0]);
    EXPECT_STREQ(versions[1].name, "rivulet.crc32");
    EXPECT_EQ(versions[1].version, CL_MAKE_VERSION(1, 0, 0));
}

TEST_F(BuiltInKernels, ProgramsNeedNoBuild) {
    const cl::Program made = program("rivulet.crc32;;rivulet.copy2d;rivulet.crc32");
    EXPECT_EQ(made.getInfo<CL_PROGRAM_NUM_KERNELS>(), 2u);
    EXPECT_EQ(made.getInfo<CL_PROGRAM_KERNEL_NAMES>(), "rivulet.crc32;rivulet.copy2d");
    EXPECT_THAT(made.getInfo<CL_PROGRAM_BINARY_SIZES>(), ElementsAre(0u));
    EXPECT_EQ(made.getBuildInfo<CL_PROGRAM_BUILD_STATUS>(device), CL_BUILD_SUCCESS);
    EXPECT_EQ(made.getBuildInfo<CL_PROGRAM_BINARY_TYPE>(device),
              cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_EXECUTABLE});
    EXPECT_EQ(clBuildProgram(made(), 0, nullptr, nullptr, nullptr, nullptr), CL_INVALID_OPERATION);
    EXPECT_EQ(clCompileProgram(made(), 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr),
              CL_INVALID_OPERATION);
    cl_uint count = 0;
    cl_kernel kernels[2];
    ASSERT_EQ(clCreateKernelsInProgram(made(), 2, kernels, &count), CL_SUCCESS);
    EXPECT_EQ(count, 2u);
    for (const cl_kernel kernel : kernels)
        clReleaseKernel(kernel);
}

TEST_F(BuiltInKernels, DescribeTheirArguments) {
    const cl::Kernel kernel = built_in("rivulet.copy2d");
    EXPECT_EQ(kernel.getInfo<CL_KERNEL_FUNCTION_NAME>(), "rivulet.copy2d");
    EXPECT_EQ(kernel.getInfo<CL_KERNEL_NUM_ARGS>(), 4u);
    EXPECT_EQ(kernel.getArgInfo<CL_KERNEL_ARG_NAME>(1), "source_pitch");
    EXPECT_EQ(kernel.getArgInfo<CL_KERNEL_ARG_TYPE_NAME>(2), "uchar*");
    EXPECT_EQ(kernel.getArgInfo<CL_KERNEL_ARG_ADDRESS_QUALIFIER>(0),
              cl_kernel_arg_address_qualifier{CL_KERNEL_ARG_ADDRESS_CONSTANT});
    EXPECT_EQ(kernel.getArgInfo<CL_KERNEL_ARG_ADDRESS_QUALIFIER>(1),
              cl_kernel_arg_address_qualifier{CL_KERNEL_ARG_ADDRESS_PRIVATE});
    const auto most = kernel.getWorkGroupInfo<CL_KERNEL_GLOBAL_WORK_SIZE>(device);
    EXPECT_EQ(most[0], size_t{1} << 30);
    EXPECT_EQ(most[2], 1u);
}

TEST_F(BuiltInKernels, RunBetweenCompiledOnesInOrder) {
    constexpr size_t width = 5000, height = 20, pitch = 6000; // rows of more than one piece
    cl::Kernel fill = kernel("kernel void test(global uchar *out) {"
                             "    size_t i = get_global_id(0);"
                             "    out[i] = i / 6000 + i;"
                             "}");
    cl::Kernel add = kernel("kernel void test(global uchar *out) {"
                            "    out[get_global_id(0)] += 1;"
                            "}");
    const cl::Buffer from = buffer(std::vector<cl_uchar>(pitch * height));
    const cl::Buffer to = buffer(std::vector<cl_uchar>(width * height));
    fill.setArg(0, from);
    add.setArg(0, to);
    launch(fill, pitch * height);
    queue.enqueueNDRangeKernel(copy(from, pitch, to, width), {}, cl::NDRange(width, height));
    launch(add, width * height);
    const auto result = read<cl_uchar>(to, width * height);
    for (size_t i = 0; i < result.size(); ++i) {
        const size_t source = i / width * pitch + i % width;
        ASSERT_EQ(result[i], static_cast<cl_uchar>(source / 6000 + source + 1)) << i;
    }
}

TEST_F(BuiltInKernels, HaveStatusesTimesAndCommandTypes) {
    const auto data = pattern(300'000);
    const cl::Buffer on_device = buffer(data), result = buffer(std::vector<cl_uint>(1));
    const cl::UserEvent gate(context);
    cl_event made = nullptr;
    const cl::Kernel kernel = checksum(on_device, data.size(), result);
    ASSERT_EQ(clEnqueueTask(queue(), kernel(), 1, &gate(), &made), CL_SUCCESS);
    const cl::Event event(made);
    EXPECT_GE(execution_status(event), CL_SUBMITTED);
    cl::UserEvent(gate).setStatus(CL_COMPLETE);
    event.wait();
    EXPECT_EQ(event.getInfo<CL_EVENT_COMMAND_TYPE>(), cl_command_type{CL_COMMAND_TASK});
    EXPECT_LE(event.getProfilingInfo<CL_PROFILING_COMMAND_SUBMIT>(),
              event.getProfilingInfo<CL_PROFILING_COMMAND_START>());
    EXPECT_LT(event.getProfilingInfo<CL_PROFILING_COMMAND_START>(),
              event.getProfilingInfo<CL_PROFILING_COMMAND_END>());
    EXPECT_THAT(read<cl_uint>(result, 1), ElementsAre(crc32(data)));
}

TEST_F(BuiltInKernels, AreDoneOneAtATimeForManyQueues) {
    constexpr size_t queues = 6, launches = 20;
    std::vector<cl::CommandQueue> all;
    std::vector<cl::Buffer> results;
    std::vector<std::vector<cl_uchar>> data;
    std::vector<cl::Kernel> kernels;
    for (size_t i = 0; i < queues; ++i) {
        all.emplace_back(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
        data.push_back(pattern(2000 * (i + 1)));
        results.push_back(buffer(std::vector<cl_uint>(1)));
        kernels.push_back(checksum(buffer(data[i]), data[i].size(), results[i]));
    }
    for (size_t n = 0; n < launches; ++n)
        for (size_t i = 0; i < queues; ++i)
            all[i].enqueueNDRangeKernel(kernels[i], {}, cl::NDRange(1));
    for (const auto &each : all)
        each.finish();
    for (size_t i = 0; i < queues; ++i)
        EXPECT_THAT(read<cl_uint>(results[i], 1), ElementsAre(crc32(data[i])));
}

TEST_F(BuiltInKernels, AreRecordedInCommandBuffers) {
    const auto create = EXTENSION(clCreateCommandBufferKHR);
    const auto record = COMMAND(clCommandNDRangeKernelKHR);
    const auto finalize = EXTENSION(clFinalizeCommandBufferKHR);
    const auto enqueue = EXTENSION(clEnqueueCommandBufferKHR);
    const auto release = EXTENSION(clReleaseCommandBufferKHR);
    const cl::Buffer first = buffer(pattern(64)), second = buffer(std::vector<cl_uchar>(64)),
                     third = buffer(std::vector<cl_uchar>(64));
    cl_command_buffer_khr commands = create(1, &queue(), nullptr, nullptr);
    constexpr size_t size[] = {16, 4};
    for (const cl::Kernel &step : {copy(first, 16, second, 16), copy(second, 16, third, 16)})
        EXPECT_EQ(record(commands, nullptr, nullptr, step(), 2, nullptr, size, nullptr, 0, nullptr,
                         nullptr, nullptr),
                  CL_SUCCESS);
    EXPECT_EQ(finalize(commands), CL_SUCCESS);
    for (cl_uchar round = 0; round < 3; ++round) {
        const std::vector<cl_uchar> data(64, round);
        queue.enqueueWriteBuffer(first, CL_TRUE, 0, 64, data.data());
        EXPECT_EQ(enqueue(0, nullptr, commands, 0, nullptr, nullptr), CL_SUCCESS);
        EXPECT_EQ(read<cl_uchar>(third, 64), data);
    }
    release(commands);
}

TEST_F(BuiltInKernels, RunOnSubDevices) {
    if (device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>() < 2)
        GTEST_SKIP() << "one hart has no sub-devices";
    std::vector<cl::Device> parts;
    const cl_device_partition_property by_one[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    device.createSubDevices(by_one, &parts);
    context = cl::Context(parts);
    queue = cl::CommandQueue(context, parts[0]);
    EXPECT_EQ(parts[0].getInfo<CL_DEVICE_BUILT_IN_KERNELS>(), all_names);
    const auto data = pattern(100);
    const cl::Buffer on_device = buffer(data), result = buffer(std::vector<cl_uint>(1));
    cl::Kernel kernel(cl::Program(context, parts, "rivulet.crc32"), "rivulet.crc32");
    kernel.setArg(0, on_device);
    kernel.setArg(1, cl_ulong{100});
    kernel.setArg(2, result);
    queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(1));
    EXPECT_THAT(read<cl_uint>(result, 1), ElementsAre(crc32(data)));
}

TEST_F(BuiltInKernels, WithoutTheirNameAreRefused) {
    for (const char *names : {"", ";", "rivulet.resize", "rivulet.crc32;rivulet.resize", "crc32"})
        EXPECT_EQ(status_of([&] { program(names); }), CL_INVALID_VALUE) << names;
    EXPECT_EQ(status_of([&] { cl::Kernel(program("rivulet.crc32"), "rivulet.copy2d"); }),
              CL_INVALID_KERNEL_NAME);
}

TEST_F(BuiltInKernels, WithWrongArgumentsAreRefused) {
    cl::Kernel kernel = built_in("rivulet.crc32");
    const cl::Buffer data = buffer(pattern(16));
    const cl_uint word = 16;
    EXPECT_EQ(status_of([&] { launch(kernel, 1); }), CL_INVALID_KERNEL_ARGS);
    EXPECT_EQ(clSetKernelArg(kernel(), 3, sizeof word, &word), CL_INVALID_ARG_INDEX);
    EXPECT_EQ(clSetKernelArg(kernel(), 1, sizeof word, &word), CL_INVALID_ARG_SIZE);
    EXPECT_EQ(clSetKernelArg(kernel(), 1, sizeof(cl_ulong), nullptr), CL_INVALID_ARG_VALUE);
    EXPECT_EQ(clSetKernelArg(kernel(), 0, 100, nullptr), CL_INVALID_ARG_SIZE); // local memory
    EXPECT_EQ(clSetKernelArg(kernel(), 0, sizeof word, &word), CL_INVALID_ARG_SIZE);
    const cl_mem no_buffer = reinterpret_cast<cl_mem>(queue());
    EXPECT_EQ(clSetKernelArg(kernel(), 0, sizeof no_buffer, &no_buffer), CL_INVALID_MEM_OBJECT);
    kernel = checksum(data, 16, data);
    EXPECT_EQ(status_of([&] { launch(kernel, 2); }), CL_INVALID_GLOBAL_WORK_SIZE);
    EXPECT_EQ(status_of([&] { queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(1, 2)); }),
              CL_INVALID_GLOBAL_WORK_SIZE);
    const cl::Event nothing = launch(kernel, 0);
    EXPECT_EQ(status_of([&] { nothing.wait(); }), CL_SUCCESS);
}

TEST_F(BuiltInKernels, ReachTheContextsMemoryOnly) {
    const cl::Buffer data = buffer(pattern(16)), result = buffer(std::vector<cl_uint>(1));
    for (const cl_ulong bytes : {cl_ulong{1} << 40, ~cl_ulong{0}})
        EXPECT_THAT(expect_failure(checksum(data, bytes, result)),
                    AllOf(HasSubstr("kernel rivulet.crc32: load outside"), HasSubstr("value 0x")));
    EXPECT_THAT(expect_failure(checksum(data, 16, {})), HasSubstr("store outside"));
}

TEST_F(BuiltInKernels, OfAUnitWithAnErrorFail) {
    cl::Kernel kernel = built_in("rivulet.fail");
    kernel.setArg(0, cl_uint{0xbad});
    EXPECT_THAT(expect_failure(kernel), HasSubstr("the unit reports an error, value 0xbad"));
}

TEST_F(BuiltInKernels, OfAUnitThatNeverAnswersEndAtTheTimeLimit) {
    cl::Kernel kernel = built_in("rivulet.fail");
    kernel.setArg(0, cl_uint{0});
    EXPECT_THAT(expect_failure(kernel), HasSubstr("kernel rivulet.fail: time limit"));
}

} // namespace
} // namespace rivulet::test
