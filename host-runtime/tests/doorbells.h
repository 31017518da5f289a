// SPDX-License-Identifier: Apache-2.0
//
// Counts the doorbells of the driver that counts them (counting_driver.c).
#pragma once

#include <dlfcn.h>

#include <atomic>

#include "host-runtime/tests/opencl_test.h"

namespace rivulet::test {

/// What the counting driver counts, by its name there.
template <class T> T &counter(const char *name) {
    static void *driver = dlopen(RIVULET_COUNTING_DRIVER, RTLD_NOW | RTLD_NOLOAD);
    return *static_cast<T *>(dlsym(driver, name));
}

// Work-groups that take a while each unless told to stop, and a launch that tells them.
inline constexpr const char *long_and_short = R"(
kernel void slow(global volatile int *stop, global volatile int *done) {
    for (int n = 0; n < 20000 && !*stop; ++n)
        ;
    if (!*stop)
        atomic_inc(done);
}
kernel void test(global volatile int *stop) { *stop = 1; })";

class CountsDoorbells : public OpenCL {
protected:
    cl_event user_event() {
        cl_int code = CL_SUCCESS;
        cl_event event = clCreateUserEvent(context, &code);
        EXPECT_EQ(code, CL_SUCCESS);
        return event;
    }

    /// Number of doorbells from opening the gate, behind which `enqueue` puts commands, until they
    /// have ended. What counts is whether the host has to wake the device between them, not who is
    /// faster: the first command keeps the device busy until one behind all others, of another
    /// queue, ends it. The operating system may let the device sleep on at the beginning, so the
    /// best of ten rounds counts. `enqueue` adds fewer commands than the ring has room for.
    template <class Enqueue> int fewest_doorbells(cl_command_queue queue, Enqueue enqueue) {
        const size_t groups = 1 << 18; // for seconds
        const size_t one = 1;
        cl_mem stop = make_buffer(std::vector<cl_int>(1, 0));
        cl_mem done = make_buffer(std::vector<cl_int>(1, 0));
        cl_command_queue other = make_queue(0);
        cl_kernel slow = make_kernel(long_and_short, "slow");
        cl_kernel brief = make_kernel(long_and_short);
        set(slow, 0, stop);
        set(slow, 1, done);
        set(brief, 0, stop);
        const auto &rings = counter<std::atomic_int>("rvl_rings");
        int fewest = 1000;
        for (int round = 0; round < 10 && fewest > 2; ++round) {
            const cl_int zero = 0;
            EXPECT_EQ(clEnqueueWriteBuffer(queue, stop, CL_TRUE, 0, 4, &zero, 0, nullptr, nullptr),
                      CL_SUCCESS);
            cl_event gate = user_event();
            EXPECT_EQ(
                clEnqueueNDRangeKernel(queue, slow, 1, nullptr, &groups, &one, 1, &gate, nullptr),
                CL_SUCCESS);
            enqueue();
            const int before = rings;
            EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
            clReleaseEvent(launch(other, brief, 1));
            EXPECT_EQ(clFinish(other), CL_SUCCESS);
            EXPECT_EQ(clFinish(queue), CL_SUCCESS);
            fewest = std::min(fewest, rings - before);
            clReleaseEvent(gate);
        }
        return fewest;
    }
};

} // namespace rivulet::test
