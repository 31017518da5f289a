// SPDX-License-Identifier: Apache-2.0
//
// cl_khr_command_buffer: what is recorded once runs each time that it is enqueued.
#include "host-runtime/include/CL/cl_ext_rivulet.h"
#include "tests/api/on_device.h"

namespace rivulet::test {
namespace {

using testing::Each;

class CommandBuffers : public OnDevice {
protected:
    ~CommandBuffers() override {
        for (const cl_command_buffer_khr made : made_)
            EXPECT_EQ(EXTENSION(clReleaseCommandBufferKHR)(made), CL_SUCCESS);
    }
    cl_command_buffer_khr make(const cl::CommandQueue &on) {
        cl_int code = 1;
        made_.push_back(EXTENSION(clCreateCommandBufferKHR)(1, &on(), nullptr, &code));
        EXPECT_EQ(code, CL_SUCCESS);
        return made_.back();
    }
    static void finalize(cl_command_buffer_khr commands) {
        EXPECT_EQ(EXTENSION(clFinalizeCommandBufferKHR)(commands), CL_SUCCESS);
    }
    static cl_sync_point_khr fill(cl_command_buffer_khr commands, const cl::Buffer &to,
                                  cl_uint value, std::vector<cl_sync_point_khr> waits = {}) {
        cl_sync_point_khr point = 0;
        EXPECT_EQ(COMMAND(clCommandFillBufferKHR)(
                      commands, nullptr, nullptr, to(), &value, 4, 0, to.getInfo<CL_MEM_SIZE>(),
                      static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(),
                      &point, nullptr),
                  CL_SUCCESS);
        return point;
    }
    static cl_sync_point_khr launch_in(cl_command_buffer_khr commands, const cl::Kernel &kernel,
                                       size_t items, std::vector<cl_sync_point_khr> waits = {}) {
        cl_sync_point_khr point = 0;
        EXPECT_EQ(COMMAND(clCommandNDRangeKernelKHR)(
                      commands, nullptr, nullptr, kernel(), 1, nullptr, &items, nullptr,
                      static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(),
                      &point, nullptr),
                  CL_SUCCESS);
        return point;
    }
    static cl_sync_point_khr barrier(cl_command_buffer_khr commands) {
        cl_sync_point_khr point = 0;
        EXPECT_EQ(COMMAND(clCommandBarrierWithWaitListKHR)(commands, nullptr, nullptr, 0, nullptr,
                                                           &point, nullptr),
                  CL_SUCCESS);
        return point;
    }
    static cl_int enqueue(cl_command_buffer_khr commands, cl::CommandQueue *on = nullptr,
                          cl::Event *event = nullptr, std::vector<cl_event> waits = {}) {
        cl_event made = nullptr;
        const cl_int code = EXTENSION(clEnqueueCommandBufferKHR)(
            on ? 1 : 0, on ? &(*on)() : nullptr, commands, static_cast<cl_uint>(waits.size()),
            waits.empty() ? nullptr : waits.data(), event ? &made : nullptr);
        if (event && made)
            *event = cl::Event(made);
        return code;
    }
    cl::Kernel adder(const cl::Buffer &buffer, cl_uint value) {
        cl::Kernel kernel = this->kernel("kernel void test(global uint *data, uint value) {"
                                         "    data[get_global_id(0)] += value;"
                                         "}");
        kernel.setArg(0, buffer);
        kernel.setArg(1, value);
        return kernel;
    }

private:
    std::vector<cl_command_buffer_khr> made_;
};

TEST_F(CommandBuffers, RunsEachTimeWithTheArgumentsOfTheRecording) {
    const cl::Buffer data = buffer(std::vector<cl_uint>(1000, 1));
    const cl::Buffer copy = buffer(std::vector<cl_uint>(1000));
    cl::Kernel add = adder(data, 5);
    cl_command_buffer_khr commands = make(queue);
    for (int i = 0; i < 10; ++i)
        launch_in(commands, add, 1000);
    add.setArg(1, cl_uint{1000}); // too late for what is recorded
    EXPECT_EQ(COMMAND(clCommandCopyBufferKHR)(commands, nullptr, nullptr, data(), copy(), 0, 0,
                                              4000, 0, nullptr, nullptr, nullptr),
              CL_SUCCESS);
    finalize(commands);
    cl::Event event;
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(enqueue(commands, nullptr, &event), CL_SUCCESS);
    EXPECT_THAT(read<cl_uint>(copy, 1000), Each(151u));
    EXPECT_EQ(event.getInfo<CL_EVENT_COMMAND_TYPE>(),
              cl_command_type{CL_COMMAND_COMMAND_BUFFER_KHR});
    EXPECT_EQ(execution_status(event), CL_COMPLETE);
    EXPECT_LE(event.getProfilingInfo<CL_PROFILING_COMMAND_QUEUED>(),
              event.getProfilingInfo<CL_PROFILING_COMMAND_START>());
    // START precedes END even if the commands had ended before the event was in the queue.
    EXPECT_LE(event.getProfilingInfo<CL_PROFILING_COMMAND_START>(),
              event.getProfilingInfo<CL_PROFILING_COMMAND_END>());
}

TEST_F(CommandBuffers, OutOfOrderHoldsSyncPointsAndBarriersAlone) {
    cl::CommandQueue unordered(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const cl::Buffer data = buffer(std::vector<cl_uint>(1000));
    const cl::Buffer other = buffer(std::vector<cl_uint>(1000));
    cl::Kernel add = adder(data, 5);
    cl_command_buffer_khr commands = make(unordered);
    cl_sync_point_khr last = fill(commands, data, 1);
    for (int i = 0; i < 20; ++i)
        last = launch_in(commands, add, 1000, {last});
    fill(commands, other, 7);
    barrier(commands);
    EXPECT_EQ(COMMAND(clCommandCopyBufferKHR)(commands, nullptr, nullptr, other(), data(), 0, 2000,
                                              2000, 0, nullptr, nullptr, nullptr),
              CL_SUCCESS);
    barrier(commands);
    finalize(commands);
    for (cl::CommandQueue *on : {&unordered, &queue}) { // in order too: the order is a possible one
        EXPECT_EQ(enqueue(commands, on), CL_SUCCESS);
        on->finish();
        const auto seen = read<cl_uint>(data, 1000);
        EXPECT_THAT(std::vector(seen.begin(), seen.begin() + 500), Each(101u));
        EXPECT_THAT(std::vector(seen.begin() + 500, seen.end()), Each(7u));
    }
}

// Since 0.9.7 of the extension, a queue may have different properties from the one used at
// creation.
TEST_F(CommandBuffers, RecordedInOrderStaysInOrderOnAnyQueue) {
    cl::CommandQueue unordered(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const cl::Buffer data = buffer(std::vector<cl_uint>(1000));
    cl::Kernel add = adder(data, 2);
    cl_command_buffer_khr commands = make(queue);
    fill(commands, data, 10);
    launch_in(commands, add, 1000);
    fill(commands, data, 20);
    launch_in(commands, add, 1000);
    finalize(commands);
    cl::Event event;
    EXPECT_EQ(enqueue(commands, &unordered, &event), CL_SUCCESS);
    event.wait();
    EXPECT_THAT(read<cl_uint>(data, 1000), Each(22u));
}

TEST_F(CommandBuffers, WaitsForItsWaitListAndFailsWithIt) {
    const cl::Buffer data = buffer(std::vector<cl_uint>(100, 1));
    cl_command_buffer_khr commands = make(queue);
    fill(commands, data, 2);
    fill(commands, data, 3);
    finalize(commands);
    cl::UserEvent gate(context);
    cl::Event event;
    EXPECT_EQ(enqueue(commands, nullptr, &event, {gate()}), CL_SUCCESS);
    queue.flush();
    EXPECT_GT(execution_status(event), CL_COMPLETE);
    gate.setStatus(-5);
    queue.finish();
    EXPECT_EQ(execution_status(event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    EXPECT_THAT(read<cl_uint>(data, 100), Each(1u));
    EXPECT_EQ(enqueue(commands), CL_SUCCESS);
    EXPECT_THAT(read<cl_uint>(data, 100), Each(3u));
}

TEST_F(CommandBuffers, QueriesTellItsStateAndMaking) {
    const auto info = [](cl_command_buffer_khr commands, cl_command_buffer_info_khr name,
                         auto value) {
        EXPECT_EQ(
            EXTENSION(clGetCommandBufferInfoKHR)(commands, name, sizeof value, &value, nullptr),
            CL_SUCCESS);
        return value;
    };
    cl_command_buffer_khr commands = make(queue);
    EXPECT_EQ(info(commands, CL_COMMAND_BUFFER_STATE_KHR, cl_uint{9}),
              cl_uint{CL_COMMAND_BUFFER_STATE_RECORDING_KHR});
    EXPECT_EQ(enqueue(commands), CL_INVALID_OPERATION);
    finalize(commands);
    EXPECT_EQ(info(commands, CL_COMMAND_BUFFER_STATE_KHR, cl_uint{9}),
              cl_uint{CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR});
    EXPECT_EQ(EXTENSION(clFinalizeCommandBufferKHR)(commands), CL_INVALID_OPERATION);
    EXPECT_EQ(info(commands, CL_COMMAND_BUFFER_NUM_QUEUES_KHR, cl_uint{9}), 1u);
    EXPECT_EQ(info(commands, CL_COMMAND_BUFFER_QUEUES_KHR, cl_command_queue{}), queue());
    EXPECT_EQ(info(commands, CL_COMMAND_BUFFER_CONTEXT_KHR, cl_context{}), context());
    EXPECT_EQ(EXTENSION(clRetainCommandBufferKHR)(commands), CL_SUCCESS);
    EXPECT_EQ(info(commands, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, cl_uint{9}), 2u);
    EXPECT_EQ(EXTENSION(clReleaseCommandBufferKHR)(commands), CL_SUCCESS);
    EXPECT_EQ(EXTENSION(clGetCommandBufferInfoKHR)(commands, 0, 0, nullptr, nullptr),
              CL_INVALID_VALUE);
}

TEST_F(CommandBuffers, BadArgumentsGiveTheExtensionsErrors) {
    cl_int code = CL_SUCCESS;
    const auto create = [&](cl_uint count, const cl_command_queue *queues,
                            std::vector<cl_command_buffer_properties_khr> list = {0}) {
        EXPECT_EQ(EXTENSION(clCreateCommandBufferKHR)(count, queues, list.data(), &code), nullptr);
        return code;
    };
    const cl_command_queue none = nullptr;
    EXPECT_EQ(create(0, &queue()), CL_INVALID_VALUE);
    EXPECT_EQ(create(1, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(create(1, &none), CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(create(1, &queue(), {CL_COMMAND_BUFFER_FLAGS_KHR, 1u << 20, 0}), CL_INVALID_VALUE);
    EXPECT_EQ(create(1, &queue(), {77, 0, 0}), CL_INVALID_VALUE);

    const cl::Buffer data = buffer(std::vector<cl_uint>(100));
    cl_command_buffer_khr commands = make(queue);
    const auto copy = [&](cl_command_buffer_khr to, cl_command_queue on, cl_mem source,
                          std::vector<cl_sync_point_khr> waits) {
        return COMMAND(clCommandCopyBufferKHR)(
            to, on, nullptr, source, data(), 0, 100, 100, static_cast<cl_uint>(waits.size()),
            waits.empty() ? nullptr : waits.data(), nullptr, nullptr);
    };
    EXPECT_EQ(copy(nullptr, nullptr, data(), {}), CL_INVALID_COMMAND_BUFFER_KHR);
    EXPECT_EQ(copy(commands, queue(), data(), {}), CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(copy(commands, nullptr, nullptr, {}), CL_INVALID_MEM_OBJECT);
    EXPECT_EQ(copy(commands, nullptr, data(), {1}), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
    const cl_command_properties_khr properties[] = {1, 1, 0};
    EXPECT_EQ(COMMAND(clCommandBarrierWithWaitListKHR)(commands, nullptr, properties, 0, nullptr,
                                                       nullptr, nullptr),
              CL_INVALID_VALUE);
    cl_mutable_command_khr handle = nullptr;
    EXPECT_EQ(COMMAND(clCommandBarrierWithWaitListKHR)(commands, nullptr, nullptr, 0, nullptr,
                                                       nullptr, &handle),
              CL_INVALID_VALUE);
    EXPECT_EQ(copy(commands, nullptr, data(), {}), CL_SUCCESS);
    finalize(commands);
    EXPECT_EQ(copy(commands, nullptr, data(), {}), CL_INVALID_OPERATION);
    const cl::Context elsewhere(device);
    cl::CommandQueue foreign(elsewhere, device);
    EXPECT_EQ(enqueue(commands, &foreign), CL_INVALID_CONTEXT);
    EXPECT_EQ(EXTENSION(clEnqueueCommandBufferKHR)(2, &foreign(), commands, 0, nullptr, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(EXTENSION(clReleaseCommandBufferKHR)(nullptr), CL_INVALID_COMMAND_BUFFER_KHR);
}

} // namespace
} // namespace rivulet::test
