// SPDX-License-Identifier: Apache-2.0
//
// The few OpenCL calls that the demo needs, with errors as exceptions. Nothing here knows whose
// device it is; only two profiling queries beyond the standard are tried, and may fail.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

/// Throws "what failed: error -54" unless status is CL_SUCCESS.
void check(cl_int status, const char *what);

/// Owns an OpenCL object.
template <class Handle, cl_int(CL_API_CALL *release)(Handle)> class Owned {
public:
    Owned() = default;
    explicit Owned(Handle handle) : handle_(handle) {}
    Owned(Owned &&other) noexcept : handle_(other.handle_) { other.handle_ = nullptr; }
    Owned &operator=(Owned &&other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Owned() {
        if (handle_)
            release(handle_);
    }
    operator Handle() const { return handle_; }
    const Handle *address() const { return &handle_; }

private:
    Handle handle_ = nullptr;
};
using Buffer = Owned<cl_mem, clReleaseMemObject>;

/// Figures of one kernel's run. Those that a device doesn't tell are empty.
struct Launch {
    std::string kernel;
    size_t work_items = 0;
    double device_ms = 0;
    double round_trip_ms = 0; // of the host: from enqueueing until the wait returns
    std::optional<cl_ulong> instructions = {};
    std::optional<int> harts = {};
};

struct LocalMemory {
    size_t bytes;
};
struct Range {
    cl_uint dimensions;
    size_t global[2];
    size_t local[2];
};

class Device {
public:
    /// The first device of the first platform that has one, with the program built for it, or as
    /// it is in the file `compiled`, if that is given.
    Device(const char *source, const std::string &compiled);

    [[nodiscard]] const std::string &name() const { return name_; }
    [[nodiscard]] const std::string &platform() const { return platform_; }

    Buffer buffer(size_t bytes);
    template <class T> Buffer buffer(const std::vector<T> &contents) {
        Buffer result = buffer(contents.size() * sizeof(T));
        check(clEnqueueWriteBuffer(queue_, result, CL_TRUE, 0, contents.size() * sizeof(T),
                                   contents.data(), 0, nullptr, nullptr),
              "writing a buffer");
        return result;
    }
    template <class T> std::vector<T> read(const Buffer &from, size_t count) {
        std::vector<T> result(count);
        check(clEnqueueReadBuffer(queue_, from, CL_TRUE, 0, count * sizeof(T), result.data(), 0,
                                  nullptr, nullptr),
              "reading a buffer");
        return result;
    }

    /// Runs a kernel to its end.
    template <class... Arguments>
    Launch run(const char *kernel_name, const Range &range, const Arguments &...arguments) {
        cl_int status = 0;
        const Owned<cl_kernel, clReleaseKernel> kernel(
            clCreateKernel(program_, kernel_name, &status));
        check(status, kernel_name);
        cl_uint index = 0;
        (set(kernel, index++, arguments), ...);
        return launch(kernel, kernel_name, range);
    }

private:
    static void set(cl_kernel kernel, cl_uint index, const Buffer &buffer) {
        check(clSetKernelArg(kernel, index, sizeof(cl_mem), buffer.address()), "a buffer argument");
    }
    static void set(cl_kernel kernel, cl_uint index, LocalMemory memory) {
        check(clSetKernelArg(kernel, index, memory.bytes, nullptr), "a local argument");
    }
    template <class Value> static void set(cl_kernel kernel, cl_uint index, const Value &value) {
        check(clSetKernelArg(kernel, index, sizeof value, &value), "an argument");
    }
    Launch launch(cl_kernel kernel, const char *name, const Range &range);

    std::string name_, platform_;
    cl_device_id device_ = nullptr;
    Owned<cl_context, clReleaseContext> context_;
    Owned<cl_command_queue, clReleaseCommandQueue> queue_;
    Owned<cl_program, clReleaseProgram> program_;
};
