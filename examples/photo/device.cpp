// SPDX-License-Identifier: Apache-2.0
#include "device.h"

#include <bit>
#include <chrono>
#include <fstream>
#include <iterator>

namespace {

// Profiling queries that Rivulet has beyond the standard, both cl_ulong.
constexpr cl_profiling_info retired_instructions = 0x4F01;
constexpr cl_profiling_info harts_mask = 0x4F02;

template <class Query> std::string text(Query query) {
    size_t bytes = 0;
    check(query(0, nullptr, &bytes), "asking for a name");
    std::string result(bytes, '\0');
    check(query(bytes, result.data(), nullptr), "asking for a name");
    result.resize(result.find_last_not_of('\0') + 1);
    return result;
}

std::optional<cl_ulong> profiling(cl_event event, cl_profiling_info what) {
    cl_ulong value = 0;
    if (clGetEventProfilingInfo(event, what, sizeof value, &value, nullptr) != CL_SUCCESS)
        return std::nullopt;
    return value;
}

} // namespace

void check(cl_int status, const char *what) {
    if (status != CL_SUCCESS)
        throw std::runtime_error(std::string(what) + ": OpenCL error " + std::to_string(status));
}

Device::Device(const char *source, const std::string &compiled) {
    cl_uint platforms = 0;
    clGetPlatformIDs(0, nullptr, &platforms);
    std::vector<cl_platform_id> ids(platforms);
    if (platforms != 0)
        check(clGetPlatformIDs(platforms, ids.data(), nullptr), "clGetPlatformIDs");
    cl_platform_id platform = nullptr;
    for (const cl_platform_id id : ids)
        if (!device_ && clGetDeviceIDs(id, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr) == CL_SUCCESS)
            platform = id;
    if (!device_)
        throw std::runtime_error("no OpenCL device; run this as `./dev demo`, or set "
                                 "OCL_ICD_VENDORS to the folder with rivulet.icd");
    platform_ = text([&](size_t bytes, char *to, size_t *needed) {
        return clGetPlatformInfo(platform, CL_PLATFORM_NAME, bytes, to, needed);
    });
    name_ = text([&](size_t bytes, char *to, size_t *needed) {
        return clGetDeviceInfo(device_, CL_DEVICE_NAME, bytes, to, needed);
    });

    cl_int status = 0;
    context_ = Owned<cl_context, clReleaseContext>(
        clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &status));
    check(status, "clCreateContext");
    queue_ = Owned<cl_command_queue, clReleaseCommandQueue>(
        clCreateCommandQueue(context_, device_, CL_QUEUE_PROFILING_ENABLE, &status));
    check(status, "clCreateCommandQueue");
    if (compiled.empty()) {
        program_ = Owned<cl_program, clReleaseProgram>(
            clCreateProgramWithSource(context_, 1, &source, nullptr, &status));
        check(status, "clCreateProgramWithSource");
    } else {
        std::ifstream file(compiled, std::ios::binary);
        const std::vector<char> binary(std::istreambuf_iterator<char>(file), {});
        const size_t bytes = binary.size();
        if (bytes == 0)
            throw std::runtime_error(compiled + " can't be read, or is empty");
        const auto *start = reinterpret_cast<const unsigned char *>(binary.data());
        program_ = Owned<cl_program, clReleaseProgram>(
            clCreateProgramWithBinary(context_, 1, &device_, &bytes, &start, nullptr, &status));
        check(status, "clCreateProgramWithBinary");
    }
    if (clBuildProgram(program_, 1, &device_, "", nullptr, nullptr) != CL_SUCCESS)
        throw std::runtime_error(
            "the kernels don't build:\n" + text([&](size_t bytes, char *to, size_t *needed) {
                return clGetProgramBuildInfo(program_, device_, CL_PROGRAM_BUILD_LOG, bytes, to,
                                             needed);
            }));
}

Buffer Device::buffer(size_t bytes) {
    cl_int status = 0;
    Buffer result(clCreateBuffer(context_, CL_MEM_READ_WRITE, bytes, nullptr, &status));
    if (status != CL_SUCCESS)
        throw std::runtime_error("no buffer of " + std::to_string(bytes) +
                                 " bytes on this device (OpenCL error " + std::to_string(status) +
                                 "); take a smaller picture");
    return result;
}

Launch Device::launch(cl_kernel kernel, const char *name, const Range &range) {
    using Clock = std::chrono::steady_clock;
    cl_event handle = nullptr;
    const auto before = Clock::now();
    check(clEnqueueNDRangeKernel(queue_, kernel, range.dimensions, nullptr, range.global,
                                 range.local, 0, nullptr, &handle),
          name);
    const Owned<cl_event, clReleaseEvent> event(handle);
    check(clWaitForEvents(1, event.address()), name);
    const std::chrono::duration<double, std::milli> round_trip = Clock::now() - before;

    Launch result{.kernel = name,
                  .work_items =
                      range.global[0] * (range.dimensions > 1 ? range.global[1] : size_t{1}),
                  .round_trip_ms = round_trip.count()};
    const auto start = profiling(event, CL_PROFILING_COMMAND_START);
    const auto end = profiling(event, CL_PROFILING_COMMAND_END);
    if (start && end)
        result.device_ms = double(*end - *start) * 1e-6;
    result.instructions = profiling(event, retired_instructions);
    if (const auto mask = profiling(event, harts_mask))
        result.harts = std::popcount(*mask);
    return result;
}
