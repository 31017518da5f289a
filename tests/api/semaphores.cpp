// SPDX-License-Identifier: Apache-2.0
//
// cl_khr_semaphore: signals and waits, in whichever order they are enqueued.
#include "on_device.h"
// This header comes last, because it uses the API version set by those before it.
#include "host-runtime/include/CL/cl_ext_rivulet.h"

namespace rivulet::test {
namespace {

class Semaphores : public OnDevice {
protected:
    cl_semaphore_khr semaphore() {
        const cl_semaphore_properties_khr properties[] = {CL_SEMAPHORE_TYPE_KHR,
                                                          CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
        cl_int code = 1;
        made_.push_back(create(context(), properties, &code));
        EXPECT_EQ(code, CL_SUCCESS);
        return made_.back();
    }
    void TearDown() override {
        for (const cl_semaphore_khr each : made_)
            EXPECT_EQ(release(each), CL_SUCCESS);
    }
    template <class T> T asked(cl_semaphore_khr semaphore, cl_semaphore_info_khr name) {
        T value{};
        size_t bytes = 0;
        EXPECT_EQ(info(semaphore, name, sizeof value, &value, &bytes), CL_SUCCESS);
        EXPECT_EQ(bytes, sizeof value);
        return value;
    }
    cl_semaphore_payload_khr payload(cl_semaphore_khr semaphore) {
        return asked<cl_semaphore_payload_khr>(semaphore, CL_SEMAPHORE_PAYLOAD_KHR);
    }
    cl::Event enqueue(clEnqueueSignalSemaphoresKHR_fn what, const cl::CommandQueue &queue,
                      std::vector<cl_semaphore_khr> list, const cl::Event *before = nullptr) {
        cl_event event = nullptr;
        const cl_event wait = before ? (*before)() : nullptr;
        EXPECT_EQ(what(queue(), cl_uint(list.size()), list.data(), nullptr, before ? 1 : 0,
                       before ? &wait : nullptr, &event),
                  CL_SUCCESS);
        return cl::Event(event);
    }
    static cl_int status(const cl::Event &event) {
        return event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>();
    }

    const clCreateSemaphoreWithPropertiesKHR_fn create =
        EXTENSION(clCreateSemaphoreWithPropertiesKHR);
    const clEnqueueSignalSemaphoresKHR_fn signal = EXTENSION(clEnqueueSignalSemaphoresKHR);
    const clEnqueueWaitSemaphoresKHR_fn wait = EXTENSION(clEnqueueWaitSemaphoresKHR);
    const clGetSemaphoreInfoKHR_fn info = EXTENSION(clGetSemaphoreInfoKHR);
    const clRetainSemaphoreKHR_fn retain = EXTENSION(clRetainSemaphoreKHR);
    const clReleaseSemaphoreKHR_fn release = EXTENSION(clReleaseSemaphoreKHR);
    cl::CommandQueue other{context, device};

private:
    std::vector<cl_semaphore_khr> made_;
};

constexpr const char *add = "kernel void test(global int *x, int more) { *x = *x * 3 + more; }";

TEST_F(Semaphores, WaitsFollowTheirSignals) {
    cl::Kernel first = kernel(add), second = kernel(add);
    for (const bool signal_comes_first : {true, false}) {
        const cl_semaphore_khr between = semaphore();
        const cl::Buffer x = buffer(std::vector<cl_int>{1});
        first.setArg(0, x);
        first.setArg(1, 4);
        second.setArg(0, x);
        second.setArg(1, 5);
        cl::UserEvent gate(context);
        const std::vector<cl::Event> behind{gate};
        cl::Event waited;
        const auto enqueue_waiting = [&] {
            waited = enqueue(wait, other, {between});
            other.enqueueNDRangeKernel(second, {}, cl::NDRange(1));
            other.flush();
        };
        if (!signal_comes_first)
            enqueue_waiting();
        queue.enqueueNDRangeKernel(first, {}, cl::NDRange(1), {}, &behind);
        const cl::Event signaled = enqueue(signal, queue, {between});
        if (signal_comes_first)
            enqueue_waiting();
        queue.flush();
        EXPECT_GT(status(waited), CL_COMPLETE);
        EXPECT_EQ(waited.getInfo<CL_EVENT_COMMAND_TYPE>(),
                  cl_command_type{CL_COMMAND_SEMAPHORE_WAIT_KHR});
        EXPECT_EQ(signaled.getInfo<CL_EVENT_COMMAND_TYPE>(),
                  cl_command_type{CL_COMMAND_SEMAPHORE_SIGNAL_KHR});
        gate.setStatus(CL_COMPLETE);
        other.finish();
        EXPECT_EQ(status(signaled), CL_COMPLETE);
        EXPECT_EQ(read<cl_int>(x, 1)[0], (1 * 3 + 4) * 3 + 5) << signal_comes_first;
    }
}

TEST_F(Semaphores, OrderTwoQueuesAgainAndAgain) {
    const cl_semaphore_khr there = semaphore(), back = semaphore();
    const cl::Buffer x = buffer(std::vector<cl_int>{0});
    cl::Kernel kernels[] = {kernel("kernel void test(global int *x) { *x = *x * 2 + 1; }"),
                            kernel("kernel void test(global int *x) { *x ^= 0x155; }")};
    cl_int expected = 0;
    for (cl::Kernel &each : kernels)
        each.setArg(0, x);
    for (int round = 0; round < 200; ++round) {
        queue.enqueueNDRangeKernel(kernels[0], {}, cl::NDRange(1));
        enqueue(signal, queue, {there});
        enqueue(wait, other, {there});
        other.enqueueNDRangeKernel(kernels[1], {}, cl::NDRange(1));
        enqueue(signal, other, {back});
        enqueue(wait, queue, {back});
        expected = static_cast<cl_int>((static_cast<cl_uint>(expected) * 2 + 1) ^ 0x155);
        if (round % 50 == 0) {
            queue.flush();
            other.flush();
        }
    }
    other.flush();
    queue.finish();
    EXPECT_EQ(read<cl_int>(x, 1)[0], expected);
}

TEST_F(Semaphores, SeveralAreSignaledAndWaitedForByOneCommand) {
    const cl_semaphore_khr a = semaphore(), b = semaphore();
    enqueue(signal, queue, {a, b});
    queue.finish();
    EXPECT_EQ(payload(a) + payload(b), 2u);
    enqueue(wait, queue, {a}).wait();
    EXPECT_EQ(payload(a), 0u);
    EXPECT_EQ(payload(b), 1u);
    const cl::Event both = enqueue(wait, other, {a, b});
    EXPECT_GT(status(both), CL_COMPLETE);
    enqueue(signal, queue, {a});
    queue.finish();
    both.wait();
    EXPECT_EQ(payload(a) + payload(b), 0u);
}

TEST_F(Semaphores, TellWhatTheyWereMadeWith) {
    const cl_semaphore_khr one = semaphore();
    EXPECT_EQ(asked<cl_context>(one, CL_SEMAPHORE_CONTEXT_KHR), context());
    EXPECT_EQ(asked<cl_semaphore_type_khr>(one, CL_SEMAPHORE_TYPE_KHR),
              cl_semaphore_type_khr{CL_SEMAPHORE_TYPE_BINARY_KHR});
    EXPECT_EQ(asked<cl_device_id>(one, CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR), device());
    using Properties = std::array<cl_semaphore_properties_khr, 3>;
    EXPECT_EQ(asked<Properties>(one, CL_SEMAPHORE_PROPERTIES_KHR),
              (Properties{CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0}));
    EXPECT_EQ(retain(one), CL_SUCCESS);
    EXPECT_EQ(asked<cl_uint>(one, CL_SEMAPHORE_REFERENCE_COUNT_KHR), 2u);
    EXPECT_EQ(release(one), CL_SUCCESS);
    cl_semaphore_type_khr of_device = 0, of_platform = 0;
    EXPECT_EQ(clGetDeviceInfo(device(), CL_DEVICE_SEMAPHORE_TYPES_KHR, sizeof of_device, &of_device,
                              nullptr),
              CL_SUCCESS);
    EXPECT_EQ(clGetPlatformInfo(platform(), CL_PLATFORM_SEMAPHORE_TYPES_KHR, sizeof of_platform,
                                &of_platform, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(of_device, cl_semaphore_type_khr{CL_SEMAPHORE_TYPE_BINARY_KHR});
    EXPECT_EQ(of_platform, of_device);
}

TEST_F(Semaphores, FailedSignalsEndTheirWaitsAndSignalNothing) {
    for (const bool signal_comes_first : {true, false}) {
        const cl_semaphore_khr one = semaphore();
        cl::UserEvent gate(context);
        cl::Event waited;
        if (!signal_comes_first)
            waited = enqueue(wait, other, {one});
        const cl::Event signaled = enqueue(signal, queue, {one}, &gate);
        if (signal_comes_first)
            waited = enqueue(wait, other, {one});
        const cl::Event unmatched = enqueue(signal, queue, {one}, &gate);
        gate.setStatus(-1);
        queue.finish();
        EXPECT_LT(status(signaled), 0);
        EXPECT_LT(status(unmatched), 0);
        EXPECT_EQ(status_of([&] { waited.wait(); }), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        EXPECT_EQ(payload(one), 0u);
        enqueue(signal, queue, {one});
        queue.finish();
        EXPECT_EQ(payload(one), 1u);
        enqueue(wait, other, {one}).wait();
        EXPECT_EQ(payload(one), 0u);
    }
}

// A wait command that fails for another reason than its semaphore is as if it had not been: the
// signal is for the next wait, whenever that is enqueued.
TEST_F(Semaphores, FailedWaitsTakeNoSignal) {
    cl::CommandQueue third(context, device);
    for (const bool signal_comes_first : {true, false})
        for (const bool another_waits : {true, false}) {
            const cl_semaphore_khr one = semaphore();
            cl::UserEvent gate(context), later(context);
            cl::Event next;
            if (signal_comes_first)
                enqueue(signal, queue, {one}, &later);
            const cl::Event waited = enqueue(wait, other, {one}, &gate);
            if (!signal_comes_first)
                enqueue(signal, queue, {one}, &later);
            if (another_waits)
                next = enqueue(wait, third, {one});
            gate.setStatus(-1);
            later.setStatus(CL_COMPLETE);
            EXPECT_EQ(status_of([&] { waited.wait(); }),
                      CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
            if (!another_waits)
                next = enqueue(wait, third, {one});
            next.wait();
            EXPECT_EQ(payload(one), 0u);
        }
}

TEST_F(Semaphores, FailedWaitsReturnWhatTheyHaveTaken) {
    const cl_semaphore_khr good = semaphore(), bad = semaphore();
    cl::UserEvent gate(context);
    enqueue(signal, queue, {good}).wait();
    const cl::Event waited = enqueue(wait, other, {good, bad});
    EXPECT_EQ(payload(good), 0u);
    enqueue(signal, queue, {bad}, &gate);
    gate.setStatus(-1);
    EXPECT_EQ(status_of([&] { waited.wait(); }), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    cl::CommandQueue third(context, device);
    enqueue(wait, third, {good}).wait();
    EXPECT_EQ(payload(good) + payload(bad), 0u);
}

TEST_F(Semaphores, LongChainsMayFail) {
    const cl_semaphore_khr one = semaphore();
    cl::UserEvent gate(context);
    cl::Event before = gate;
    for (int n = 0; n < 20000; ++n) {
        enqueue(signal, queue, {one}, &before);
        before = enqueue(wait, other, {one});
    }
    gate.setStatus(-1);
    EXPECT_EQ(status_of([&] { before.wait(); }), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

TEST_F(Semaphores, MayBeReleasedBeforeTheirCommandsEnd) {
    const cl_semaphore_properties_khr properties[] = {CL_SEMAPHORE_TYPE_KHR,
                                                      CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
    const cl_semaphore_khr one = create(context(), properties, nullptr);
    cl::UserEvent gate(context);
    enqueue(signal, queue, {one}, &gate);
    const cl::Event waited = enqueue(wait, other, {one});
    EXPECT_EQ(release(one), CL_SUCCESS);
    gate.setStatus(CL_COMPLETE);
    queue.flush();
    waited.wait();
}

} // namespace
} // namespace rivulet::test
