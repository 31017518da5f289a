// SPDX-License-Identifier: Apache-2.0
//
// Results of entry points when nothing is wrong, where the suites in tests/api go through others:
// docs/error_coverage.py finds a test of its result for each. On the loopback driver and on QEMU.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "errors.h"

namespace rivulet::test {
namespace {

class Results : public Errors {
protected:
    /// The result of a query.
    template <class T, class Query, class... A> T asked(Query query, A... arguments) {
        T value{};
        EXPECT_EQ(query(arguments..., sizeof value, &value, nullptr), CL_SUCCESS);
        return value;
    }
    /// Handles count the application's references.
    template <class Handle, class Retain, class Release, class Query>
    void expect_counted(Handle handle, Retain retain, Release release, Query query, cl_uint name) {
        EXPECT_EQ(asked<cl_uint>(query, handle, name), 1u);
        EXPECT_EQ(retain(handle), CL_SUCCESS);
        EXPECT_EQ(asked<cl_uint>(query, handle, name), 2u);
        EXPECT_EQ(release(handle), CL_SUCCESS);
        EXPECT_EQ(asked<cl_uint>(query, handle, name), 1u);
    }
    std::vector<unsigned char> bytes_of(cl_mem from, size_t count = 1024) {
        std::vector<unsigned char> bytes(count);
        EXPECT_EQ(
            clEnqueueReadBuffer(queue, from, CL_TRUE, 0, count, bytes.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
        return bytes;
    }
    cl_mem counting(size_t count = 1024) {
        std::vector<unsigned char> bytes(count);
        std::iota(bytes.begin(), bytes.end(), static_cast<unsigned char>(1));
        return released_later(clReleaseMemObject,
                              made(clCreateBuffer, context, cl_mem_flags{CL_MEM_COPY_HOST_PTR},
                                   count, static_cast<void *>(bytes.data())));
    }
    /// 8 × 8 elements of 4 bytes, all 0.
    cl_mem image() {
        cl_image_desc desc{};
        desc.image_type = CL_MEM_OBJECT_IMAGE2D;
        desc.image_width = desc.image_height = 8;
        const cl_mem made_image = released_later(
            clReleaseMemObject, made(clCreateImage, context, cl_mem_flags{0}, &format,
                                     static_cast<const cl_image_desc *>(&desc), nullptr));
        const cl_uint black[4] = {};
        const size_t whole[3] = {8, 8, 1};
        EXPECT_EQ(clEnqueueFillImage(queue, made_image, black, corner, whole, 0, nullptr, nullptr),
                  CL_SUCCESS);
        return made_image;
    }
    std::array<cl_uint, 64> elements_of(cl_mem from) {
        std::array<cl_uint, 64> elements{};
        const size_t whole[3] = {8, 8, 1};
        EXPECT_EQ(clEnqueueReadImage(queue, from, CL_TRUE, corner, whole, 0, 0, elements.data(), 0,
                                     nullptr, nullptr),
                  CL_SUCCESS);
        return elements;
    }
    cl_int status_of(cl_event of) {
        return asked<cl_int>(clGetEventInfo, of, CL_EVENT_COMMAND_EXECUTION_STATUS);
    }

    const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
    const size_t corner[3] = {0, 0, 0};
};

TEST_F(Results, PlatformsAreFoundInBothWays) {
    cl_platform_id found = nullptr;
    cl_uint count = 0;
    ASSERT_EQ(clGetPlatformIDs(1, &found, &count), CL_SUCCESS);
    EXPECT_EQ(count, 1u);
    EXTENSION(clIcdGetPlatformIDsKHR);
    cl_platform_id by_loader = nullptr;
    ASSERT_EQ(clIcdGetPlatformIDsKHR(1, &by_loader, nullptr), CL_SUCCESS);
    EXPECT_EQ(by_loader, found);
    for (const cl_platform_id of : {found, cl_platform_id{nullptr}}) {
        char name[32] = {};
        EXPECT_EQ(clGetPlatformInfo(of, CL_PLATFORM_NAME, sizeof name, name, nullptr), CL_SUCCESS);
        EXPECT_STREQ(name, "Rivulet");
    }
    EXPECT_EQ(clGetExtensionFunctionAddress("clIcdGetPlatformIDsKHR"),
              reinterpret_cast<void *>(clIcdGetPlatformIDsKHR));
    EXPECT_EQ(clGetExtensionFunctionAddressForPlatform(found, "clIcdGetPlatformIDsKHR"),
              reinterpret_cast<void *>(clIcdGetPlatformIDsKHR));
}

TEST_F(Results, ContextsOfATypeHaveItsDevices) {
    const cl_context of_type = made(clCreateContextFromType, nullptr,
                                    cl_device_type{CL_DEVICE_TYPE_DEFAULT}, nullptr, nullptr);
    EXPECT_EQ(asked<cl_uint>(clGetContextInfo, of_type, CL_CONTEXT_NUM_DEVICES), 1u);
    EXPECT_EQ(asked<cl_device_id>(clGetContextInfo, of_type, CL_CONTEXT_DEVICES), device);
    expect_counted(of_type, clRetainContext, clReleaseContext, clGetContextInfo,
                   CL_CONTEXT_REFERENCE_COUNT);
    EXPECT_EQ(clReleaseContext(of_type), CL_SUCCESS);
}

TEST_F(Results, QueuesTellWhatTheyWereMadeWith) {
    EXTENSION(clCreateCommandQueueWithPropertiesKHR);
    const cl_queue_properties_khr list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_int code = 1;
    const cl_command_queue timed =
        clCreateCommandQueueWithPropertiesKHR(context, device, list, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    EXPECT_EQ(asked<cl_command_queue_properties>(clGetCommandQueueInfo, timed, CL_QUEUE_PROPERTIES),
              cl_command_queue_properties{CL_QUEUE_PROFILING_ENABLE});
    EXPECT_EQ(asked<cl_device_id>(clGetCommandQueueInfo, timed, CL_QUEUE_DEVICE), device);
    expect_counted(timed, clRetainCommandQueue, clReleaseCommandQueue, clGetCommandQueueInfo,
                   CL_QUEUE_REFERENCE_COUNT);
    EXPECT_EQ(clReleaseCommandQueue(timed), CL_SUCCESS);
}

TEST_F(Results, SubDevicesAreCounted) {
    const cl_device_id part = sub_device();
    expect_counted(part, clRetainDevice, clReleaseDevice, clGetDeviceInfo,
                   CL_DEVICE_REFERENCE_COUNT);
    EXPECT_EQ(clRetainDevice(device), CL_SUCCESS); // has no effect on a whole device
    EXPECT_EQ(asked<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_REFERENCE_COUNT), 1u);
}

TEST_F(Results, MemoryTellsWhatItWasMadeWith) {
    const cl_mem_properties none[] = {0};
    const cl_mem plain = made(clCreateBufferWithProperties, context, none,
                              cl_mem_flags{CL_MEM_READ_ONLY}, size_t{100}, nullptr);
    EXPECT_EQ(asked<size_t>(clGetMemObjectInfo, plain, CL_MEM_SIZE), 100u);
    EXPECT_EQ(asked<cl_mem_flags>(clGetMemObjectInfo, plain, CL_MEM_FLAGS),
              cl_mem_flags{CL_MEM_READ_ONLY});
    expect_counted(plain, clRetainMemObject, clReleaseMemObject, clGetMemObjectInfo,
                   CL_MEM_REFERENCE_COUNT);
    EXPECT_EQ(clReleaseMemObject(plain), CL_SUCCESS);
}

TEST_F(Results, ImagesTellWhatTheyWereMadeWith) {
    cl_uint count = 0;
    ASSERT_EQ(clGetSupportedImageFormats(context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, 0,
                                         nullptr, &count),
              CL_SUCCESS);
    std::vector<cl_image_format> formats(count);
    ASSERT_EQ(clGetSupportedImageFormats(context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, count,
                                         formats.data(), nullptr),
              CL_SUCCESS);
    EXPECT_TRUE(std::ranges::any_of(
        formats, [&](const cl_image_format &f) { return !std::memcmp(&f, &format, sizeof f); }));
    const cl_mem flat = made(clCreateImage2D, context, cl_mem_flags{0}, &format, size_t{5},
                             size_t{7}, size_t{0}, nullptr);
    const cl_mem deep = made(clCreateImage3D, context, cl_mem_flags{0}, &format, size_t{5},
                             size_t{7}, size_t{3}, size_t{0}, size_t{0}, nullptr);
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE1D;
    desc.image_width = 5;
    const cl_mem line = made(clCreateImageWithProperties, context, nullptr, cl_mem_flags{0},
                             &format, static_cast<const cl_image_desc *>(&desc), nullptr);
    struct {
        cl_mem image;
        size_t height, depth;
    } const expected[] = {{flat, 7, 0}, {deep, 7, 3}, {line, 0, 0}};
    for (const auto &[made_image, height, depth] : expected) {
        EXPECT_EQ(asked<size_t>(clGetImageInfo, made_image, CL_IMAGE_WIDTH), 5u);
        EXPECT_EQ(asked<size_t>(clGetImageInfo, made_image, CL_IMAGE_HEIGHT), height);
        EXPECT_EQ(asked<size_t>(clGetImageInfo, made_image, CL_IMAGE_DEPTH), depth);
        EXPECT_EQ(asked<size_t>(clGetImageInfo, made_image, CL_IMAGE_ELEMENT_SIZE), 4u);
        EXPECT_EQ(clReleaseMemObject(made_image), CL_SUCCESS);
    }
}

TEST_F(Results, RequirementsOfImagesAreThoseOfTheImage) {
    EXTENSION(clGetImageRequirementsInfoEXT);
    constexpr cl_image_format wide{CL_RGBA, CL_FLOAT};
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
    desc.image_width = 5;
    desc.image_height = 7;
    desc.image_array_size = 3;
    const auto ask = [&]<class T>(cl_image_requirements_info_ext name, T value,
                                  const cl_image_format *of, const cl_image_desc *as) {
        size_t bytes = 0;
        EXPECT_EQ(clGetImageRequirementsInfoEXT(context, nullptr, CL_MEM_READ_ONLY, of, as, name,
                                                sizeof value, &value, &bytes),
                  CL_SUCCESS);
        EXPECT_EQ(bytes, sizeof value);
        return value;
    };
    const auto needed = ask(CL_IMAGE_REQUIREMENTS_SIZE_EXT, size_t{}, &wide, &desc);
    const cl_mem store = made(clCreateBuffer, context, cl_mem_flags{0}, needed, nullptr);
    desc.mem_object = store;
    const cl_mem picture = made(clCreateImage, context, cl_mem_flags{0}, &wide,
                                static_cast<const cl_image_desc *>(&desc), nullptr);
    EXPECT_EQ(asked<size_t>(clGetMemObjectInfo, picture, CL_MEM_SIZE), needed);
    EXPECT_EQ(clReleaseMemObject(picture), CL_SUCCESS);
    EXPECT_EQ(clReleaseMemObject(store), CL_SUCCESS);
    for (const cl_image_requirements_info_ext alignment :
         {CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT,
          CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT,
          CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT}) {
        EXPECT_EQ(ask(alignment, size_t{}, &wide, &desc), 16u);
        EXPECT_EQ(ask(alignment, size_t{}, &format, &desc), 4u);
        EXPECT_EQ(ask(alignment, size_t{}, nullptr, nullptr), 16u);
    }
    const auto most = [&](cl_device_info name) {
        return asked<size_t>(clGetDeviceInfo, device, name);
    };
    const auto ask_limit = [&](cl_image_requirements_info_ext name, cl_mem_object_type type) {
        cl_image_desc any{};
        any.image_type = type;
        return ask(name, cl_uint{}, nullptr, &any);
    };
    EXPECT_EQ(ask_limit(CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, CL_MEM_OBJECT_IMAGE1D_BUFFER),
              most(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE));
    EXPECT_EQ(ask_limit(CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, CL_MEM_OBJECT_IMAGE2D),
              most(CL_DEVICE_IMAGE2D_MAX_WIDTH));
    EXPECT_EQ(ask_limit(CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, 0), most(CL_DEVICE_IMAGE3D_MAX_WIDTH));
    EXPECT_EQ(ask_limit(CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, CL_MEM_OBJECT_IMAGE2D_ARRAY),
              most(CL_DEVICE_IMAGE2D_MAX_HEIGHT));
    EXPECT_EQ(ask_limit(CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, CL_MEM_OBJECT_IMAGE3D),
              most(CL_DEVICE_IMAGE3D_MAX_HEIGHT));
    EXPECT_EQ(ask_limit(CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT, 0), most(CL_DEVICE_IMAGE3D_MAX_DEPTH));
    EXPECT_EQ(ask_limit(CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT, CL_MEM_OBJECT_IMAGE1D_ARRAY),
              most(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE));
}

TEST_F(Results, SamplersTellWhatTheyWereMadeWith) {
    const cl_sampler old =
        made(clCreateSampler, context, cl_bool{CL_TRUE}, cl_addressing_mode{CL_ADDRESS_REPEAT},
             cl_filter_mode{CL_FILTER_LINEAR});
    const cl_sampler_properties list[] = {CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_REPEAT,
                                          CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0};
    const cl_sampler sampler = made(clCreateSamplerWithProperties, context, list);
    for (const cl_sampler of : {old, sampler}) {
        EXPECT_EQ(asked<cl_bool>(clGetSamplerInfo, of, CL_SAMPLER_NORMALIZED_COORDS),
                  cl_bool{CL_TRUE});
        EXPECT_EQ(asked<cl_addressing_mode>(clGetSamplerInfo, of, CL_SAMPLER_ADDRESSING_MODE),
                  cl_addressing_mode{CL_ADDRESS_REPEAT});
        EXPECT_EQ(asked<cl_filter_mode>(clGetSamplerInfo, of, CL_SAMPLER_FILTER_MODE),
                  cl_filter_mode{CL_FILTER_LINEAR});
        expect_counted(of, clRetainSampler, clReleaseSampler, clGetSamplerInfo,
                       CL_SAMPLER_REFERENCE_COUNT);
        EXPECT_EQ(clReleaseSampler(of), CL_SUCCESS);
    }
}

TEST_F(Results, WrittenRectsLieWhereTheirPitchesSay) {
    std::vector<unsigned char> host(1024), expected(1024, 0xee);
    std::iota(host.begin(), host.end(), static_cast<unsigned char>(0));
    const cl_uchar pattern = 0xee;
    ASSERT_EQ(clEnqueueFillBuffer(queue, buffer, &pattern, 1, 0, 1024, 0, nullptr, nullptr),
              CL_SUCCESS);
    const size_t origin[3] = {3, 2, 1}, host_origin[3] = {1, 1, 2}, region[3] = {5, 3, 2};
    constexpr size_t row = 16, slice = 160, host_row = 12, host_slice = 96;
    ASSERT_EQ(clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, origin, host_origin, region, row,
                                       slice, host_row, host_slice, host.data(), 0, nullptr,
                                       nullptr),
              CL_SUCCESS);
    for (size_t z = 0; z < region[2]; ++z)
        for (size_t y = 0; y < region[1]; ++y)
            for (size_t x = 0; x < region[0]; ++x)
                expected[(origin[2] + z) * slice + (origin[1] + y) * row + origin[0] + x] =
                    host[(host_origin[2] + z) * host_slice + (host_origin[1] + y) * host_row +
                         host_origin[0] + x];
    EXPECT_EQ(bytes_of(buffer), expected);
}

TEST_F(Results, TasksAreOneWorkItem) {
    const cl_kernel count = kernel("kernel void test(global uint *out) {"
                                   "    atomic_add(out, 1 + get_global_size(0) * 16); }");
    const cl_uint zero = 0;
    ASSERT_EQ(clEnqueueFillBuffer(queue, buffer, &zero, 4, 0, 1024, 0, nullptr, nullptr),
              CL_SUCCESS);
    ASSERT_EQ(clSetKernelArg(count, 0, sizeof buffer, &buffer), CL_SUCCESS);
    ASSERT_EQ(clEnqueueTask(queue, count, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(bytes_of(buffer)[0], 17u);
}

TEST_F(Results, OldMarkersAndBarriersOrderWhatIsEnqueued) {
    const cl_command_queue any_order = released_later(
        clReleaseCommandQueue, made(clCreateCommandQueue, context, device,
                                    cl_ulong{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}));
    const auto fill = [&](cl_event *ended) {
        const cl_uint pattern = 7;
        EXPECT_EQ(clEnqueueFillBuffer(any_order, buffer, &pattern, 4, 0, 64, 0, nullptr, ended),
                  CL_SUCCESS);
    };
    cl_event gate = made(clCreateUserEvent, context);
    cl_event before = nullptr, marked = nullptr, behind = nullptr;
    ASSERT_EQ(clEnqueueWaitForEvents(any_order, 1, &gate), CL_SUCCESS);
    fill(&before);
    ASSERT_EQ(clEnqueueMarker(any_order, &marked), CL_SUCCESS);
    ASSERT_EQ(clEnqueueBarrier(any_order), CL_SUCCESS);
    fill(&behind);
    ASSERT_EQ(clFlush(any_order), CL_SUCCESS);
    for (const cl_event waiting : {before, marked, behind})
        EXPECT_GT(status_of(waiting), CL_COMPLETE);
    EXPECT_EQ(asked<cl_command_type>(clGetEventInfo, marked, CL_EVENT_COMMAND_TYPE),
              cl_command_type{CL_COMMAND_MARKER});
    ASSERT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    ASSERT_EQ(clWaitForEvents(1, &behind), CL_SUCCESS);
    for (const cl_event ended : {before, marked, behind}) {
        EXPECT_EQ(status_of(ended), CL_COMPLETE);
        EXPECT_EQ(clReleaseEvent(ended), CL_SUCCESS);
    }
    expect_counted(gate, clRetainEvent, clReleaseEvent, clGetEventInfo, CL_EVENT_REFERENCE_COUNT);
    EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
}

TEST_F(Results, TimersAgreeWithTheTimesOfEvents) {
    const cl_command_queue timed =
        released_later(clReleaseCommandQueue, made(clCreateCommandQueue, context, device,
                                                   cl_ulong{CL_QUEUE_PROFILING_ENABLE}));
    const cl_kernel nothing = kernel("kernel void test() {}");
    cl_ulong on_device = 0, on_host = 0, later = 0;
    ASSERT_EQ(clGetDeviceAndHostTimer(device, &on_device, &on_host), CL_SUCCESS);
    cl_event ended = nullptr;
    ASSERT_EQ(clEnqueueTask(timed, nothing, 0, nullptr, &ended), CL_SUCCESS);
    ASSERT_EQ(clWaitForEvents(1, &ended), CL_SUCCESS);
    ASSERT_EQ(clGetHostTimer(device, &later), CL_SUCCESS);
    EXPECT_GT(later, on_host);
    const auto queued =
        asked<cl_ulong>(clGetEventProfilingInfo, ended, CL_PROFILING_COMMAND_QUEUED);
    EXPECT_GE(queued, on_device);
    EXPECT_LE(queued, later);
    EXPECT_EQ(clReleaseEvent(ended), CL_SUCCESS);
}

TEST_F(Results, SuggestedLocalSizesAreWhatLaunchesTake) {
    EXTENSION(clGetKernelSuggestedLocalWorkSize);
    EXTENSION(clGetKernelSuggestedLocalWorkSizeKHR);
    const cl_kernel measure =
        kernel("kernel void test(global uint *out) {"
               "    out[0] = get_local_size(0); out[1] = get_local_size(1); }");
    ASSERT_EQ(clSetKernelArg(measure, 0, sizeof buffer, &buffer), CL_SUCCESS);
    const size_t global[2] = {64, 6};
    size_t local[2] = {}, of_extension[2] = {};
    ASSERT_EQ(clGetKernelSuggestedLocalWorkSize(queue, measure, 2, nullptr, global, local),
              CL_SUCCESS);
    ASSERT_EQ(
        clGetKernelSuggestedLocalWorkSizeKHR(queue, measure, 2, nullptr, global, of_extension),
        CL_SUCCESS);
    EXPECT_EQ(of_extension[0], local[0]);
    EXPECT_EQ(of_extension[1], local[1]);
    ASSERT_EQ(
        clEnqueueNDRangeKernel(queue, measure, 2, nullptr, global, nullptr, 0, nullptr, nullptr),
        CL_SUCCESS);
    cl_uint found[2] = {};
    ASSERT_EQ(
        clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof found, found, 0, nullptr, nullptr),
        CL_SUCCESS);
    EXPECT_EQ(found[0], local[0]);
    EXPECT_EQ(found[1], local[1]);
    EXPECT_GT(local[0] * local[1], 0u);
}

TEST_F(Results, SubGroupsHoldAllWorkItems) {
    const cl_kernel nothing = kernel("kernel void test() {}");
    const size_t local = 100;
    for (const auto ask : {clGetKernelSubGroupInfo, clGetKernelSubGroupInfoKHR}) {
        const auto size =
            asked<size_t>(ask, nothing, device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                          sizeof local, static_cast<const void *>(&local));
        const auto count =
            asked<size_t>(ask, nothing, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof local,
                          static_cast<const void *>(&local));
        ASSERT_GT(size, 0u);
        EXPECT_EQ(count, (local + size - 1) / size);
    }
}

TEST_F(Results, SharedMemoryIsMappedSetAndFreed) {
    EXTENSION(clEnqueueMemsetINTEL);
    auto *shared = static_cast<unsigned char *>(clSVMAlloc(context, CL_MEM_READ_WRITE, 256, 0));
    ASSERT_NE(shared, nullptr);
    ASSERT_EQ(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, shared, 256, 0, nullptr, nullptr),
              CL_SUCCESS);
    std::fill_n(shared, 256, 1);
    ASSERT_EQ(clEnqueueSVMUnmap(queue, shared, 0, nullptr, nullptr), CL_SUCCESS);
    const cl_kernel twice = kernel("kernel void test(global uchar *p) {"
                                   "    p[get_global_id(0)] *= 2; }");
    ASSERT_EQ(clSetKernelArgSVMPointer(twice, 0, shared), CL_SUCCESS);
    const size_t items = 256;
    ASSERT_EQ(
        clEnqueueNDRangeKernel(queue, twice, 1, nullptr, &items, nullptr, 0, nullptr, nullptr),
        CL_SUCCESS);
    ASSERT_EQ(clEnqueueMemsetINTEL(queue, shared + 16, 0x1ab, 16, 0, nullptr, nullptr), CL_SUCCESS);
    ASSERT_EQ(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, shared, 256, 0, nullptr, nullptr),
              CL_SUCCESS);
    for (size_t i = 0; i < 256; ++i)
        ASSERT_EQ(shared[i], i / 16 == 1 ? 0xab : 2) << i; // as an unsigned char
    ASSERT_EQ(clEnqueueSVMUnmap(queue, shared, 0, nullptr, nullptr), CL_SUCCESS);
    ASSERT_EQ(clFinish(queue), CL_SUCCESS);
    clSVMFree(context, shared);
}

// OpStore %p 42, in a kernel `test` with the argument %p; as spirv-as assembles it.
constexpr cl_uint module[] = {
    0x7230203, 0x10000, 0x70000, 0x9,     0x0,     0x20011, 0x4,        0x20011, 0x6,
    0x3000e,   0x2,     0x2,     0x5000f, 0x6,     0x1,     0x74736574, 0x0,     0x20013,
    0x2,       0x40015, 0x3,     0x20,    0x0,     0x40020, 0x4,        0x5,     0x3,
    0x40021,   0x5,     0x2,     0x4,     0x4002b, 0x3,     0x6,        0x2a,    0x50036,
    0x2,       0x1,     0x0,     0x5,     0x30037, 0x4,     0x7,        0x200f8, 0x8,
    0x5003e,   0x7,     0x6,     0x2,     0x4,     0x100fd, 0x10038};

TEST_F(Results, IntermediateLanguageRuns) {
    EXTENSION(clCreateProgramWithILKHR);
    for (const auto create : {clCreateProgramWithIL, clCreateProgramWithILKHR}) {
        const cl_uint zero = 0;
        ASSERT_EQ(clEnqueueFillBuffer(queue, buffer, &zero, 4, 0, 1024, 0, nullptr, nullptr),
                  CL_SUCCESS);
        cl_int code = 1;
        const cl_program program = create(context, module, sizeof module, &code);
        ASSERT_EQ(code, CL_SUCCESS);
        const auto status = [&] {
            return asked<cl_build_status>(clGetProgramBuildInfo, program, device,
                                          CL_PROGRAM_BUILD_STATUS);
        };
        EXPECT_EQ(status(), CL_BUILD_NONE);
        ASSERT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
        EXPECT_EQ(status(), CL_BUILD_SUCCESS);
        const cl_kernel store = made(clCreateKernel, program, "test");
        ASSERT_EQ(clSetKernelArg(store, 0, sizeof buffer, &buffer), CL_SUCCESS);
        ASSERT_EQ(clEnqueueTask(queue, store, 0, nullptr, nullptr), CL_SUCCESS);
        EXPECT_EQ(bytes_of(buffer)[0], 42u);
        EXPECT_EQ(clReleaseKernel(store), CL_SUCCESS);
        EXPECT_EQ(clReleaseProgram(program), CL_SUCCESS);
    }
}

/// Records what `record` does, and runs it twice.
class RecordedResults : public Results {
protected:
    void run(const std::function<void(cl_command_buffer_khr)> &record) {
        EXTENSION(clCreateCommandBufferKHR);
        EXTENSION(clRetainCommandBufferKHR);
        EXTENSION(clReleaseCommandBufferKHR);
        EXTENSION(clFinalizeCommandBufferKHR);
        EXTENSION(clEnqueueCommandBufferKHR);
        EXTENSION(clGetCommandBufferInfoKHR);
        const cl_command_buffer_khr commands = made(clCreateCommandBufferKHR, 1u, &queue, nullptr);
        expect_counted(commands, clRetainCommandBufferKHR, clReleaseCommandBufferKHR,
                       clGetCommandBufferInfoKHR, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR);
        record(commands);
        ASSERT_EQ(clFinalizeCommandBufferKHR(commands), CL_SUCCESS);
        for (int n = 0; n < 2; ++n)
            ASSERT_EQ(clEnqueueCommandBufferKHR(0, nullptr, commands, 0, nullptr, nullptr),
                      CL_SUCCESS);
        ASSERT_EQ(clFinish(queue), CL_SUCCESS);
        EXPECT_EQ(clReleaseCommandBufferKHR(commands), CL_SUCCESS);
    }
};

TEST_F(RecordedResults, BuffersAreFilledCopiedAndCopiedInRects) {
    COMMAND(clCommandFillBufferKHR);
    COMMAND(clCommandCopyBufferKHR);
    COMMAND(clCommandCopyBufferRectKHR);
    COMMAND(clCommandBarrierWithWaitListKHR);
    COMMAND(clCommandNDRangeKernelKHR);
    const cl_mem source_buffer = counting();
    const cl_kernel plus =
        kernel("kernel void test(global uchar *p) { p[get_global_id(0)] += 1; }");
    ASSERT_EQ(clSetKernelArg(plus, 0, sizeof buffer, &buffer), CL_SUCCESS);
    const size_t origin[3] = {4, 1, 1}, to[3] = {512, 1, 1}, region[3] = {8, 3, 2}, items = 16;
    run([&](cl_command_buffer_khr commands) {
        const cl_uchar pattern = 0x77;
        EXPECT_EQ(clCommandFillBufferKHR(commands, nullptr, nullptr, buffer, &pattern, 1, 0, 1024,
                                         0, nullptr, nullptr, nullptr),
                  CL_SUCCESS);
        EXPECT_EQ(clCommandCopyBufferKHR(commands, nullptr, nullptr, source_buffer, buffer, 8, 100,
                                         50, 0, nullptr, nullptr, nullptr),
                  CL_SUCCESS);
        EXPECT_EQ(clCommandCopyBufferRectKHR(commands, nullptr, nullptr, source_buffer, buffer,
                                             origin, to, region, 16, 64, 32, 128, 0, nullptr,
                                             nullptr, nullptr),
                  CL_SUCCESS);
        EXPECT_EQ(clCommandBarrierWithWaitListKHR(commands, nullptr, nullptr, 0, nullptr, nullptr,
                                                  nullptr),
                  CL_SUCCESS);
        EXPECT_EQ(clCommandNDRangeKernelKHR(commands, nullptr, nullptr, plus, 1, nullptr, &items,
                                            nullptr, 0, nullptr, nullptr, nullptr),
                  CL_SUCCESS);
    });
    std::vector<unsigned char> expected(1024, 0x77);
    const auto from = bytes_of(source_buffer);
    std::copy_n(from.begin() + 8, 50, expected.begin() + 100);
    for (size_t z = 0; z < 2; ++z)
        for (size_t y = 0; y < 3; ++y)
            std::copy_n(from.begin() + static_cast<ptrdiff_t>(4 + (1 + y) * 16 + (1 + z) * 64), 8,
                        expected.begin() +
                            static_cast<ptrdiff_t>(512 + (1 + y) * 32 + (1 + z) * 128));
    std::fill_n(expected.begin(), items, 0x78);
    EXPECT_EQ(bytes_of(buffer), expected);
}

TEST_F(RecordedResults, ImagesAreFilledAndCopiedToAndFromBuffers) {
    COMMAND(clCommandFillImageKHR);
    COMMAND(clCommandCopyImageKHR);
    COMMAND(clCommandCopyImageToBufferKHR);
    COMMAND(clCommandCopyBufferToImageKHR);
    const cl_mem first = image(), second = image(), source_buffer = counting();
    const cl_uint color[4] = {1, 2, 3, 4};
    const size_t at[3] = {2, 3, 0}, to[3] = {1, 0, 0}, region[3] = {3, 2, 1}, last[3] = {0, 7, 0};
    const size_t pair[3] = {2, 1, 1};
    run([&](cl_command_buffer_khr commands) {
        EXPECT_EQ(clCommandFillImageKHR(commands, nullptr, nullptr, first, color, at, region, 0,
                                        nullptr, nullptr, nullptr),
                  CL_SUCCESS);
        EXPECT_EQ(clCommandCopyImageKHR(commands, nullptr, nullptr, first, second, at, to, region,
                                        0, nullptr, nullptr, nullptr),
                  CL_SUCCESS);
        EXPECT_EQ(clCommandCopyBufferToImageKHR(commands, nullptr, nullptr, source_buffer, second,
                                                4, last, pair, 0, nullptr, nullptr, nullptr),
                  CL_SUCCESS);
        EXPECT_EQ(clCommandCopyImageToBufferKHR(commands, nullptr, nullptr, second, buffer, corner,
                                                region, 16, 0, nullptr, nullptr, nullptr),
                  CL_SUCCESS);
    });
    std::array<cl_uint, 64> expected_first{}, expected_second{};
    for (size_t y = 0; y < 2; ++y)
        for (size_t x = 0; x < 3; ++x) {
            expected_first[(3 + y) * 8 + 2 + x] = 0x04030201;
            expected_second[y * 8 + 1 + x] = 0x04030201;
        }
    expected_second[56] = 0x08070605;
    expected_second[57] = 0x0c0b0a09;
    EXPECT_EQ(elements_of(first), expected_first);
    EXPECT_EQ(elements_of(second), expected_second);
    const auto bytes = bytes_of(buffer);
    for (size_t i = 0; i < 6; ++i) { // three of a row, the first of which is black
        cl_uint element = 0;
        std::memcpy(&element, &bytes[16 + 4 * i], sizeof element);
        EXPECT_EQ(element, i % 3 == 0 ? 0u : 0x04030201u) << i;
    }
}

TEST_F(RecordedResults, SharedMemoryIsFilledAndCopied) {
    COMMAND(clCommandSVMMemFillKHR);
    COMMAND(clCommandSVMMemcpyKHR);
    auto *shared = static_cast<unsigned char *>(clSVMAlloc(context, CL_MEM_READ_WRITE, 256, 0));
    ASSERT_NE(shared, nullptr);
    std::fill_n(shared, 256, 0);
    run([&](cl_command_buffer_khr commands) {
        const cl_ushort pattern = 0x1234;
        EXPECT_EQ(clCommandSVMMemFillKHR(commands, nullptr, nullptr, shared, &pattern, 2, 64, 0,
                                         nullptr, nullptr, nullptr),
                  CL_SUCCESS);
        EXPECT_EQ(clCommandSVMMemcpyKHR(commands, nullptr, nullptr, shared + 101, shared, 10, 0,
                                        nullptr, nullptr, nullptr),
                  CL_SUCCESS);
    });
    for (size_t i = 0; i < 256; ++i)
        EXPECT_EQ(shared[i], i < 64                ? (i % 2 ? 0x12 : 0x34)
                             : i >= 101 && i < 111 ? ((i - 101) % 2 ? 0x12 : 0x34)
                                                   : 0)
            << i;
    clSVMFree(context, shared);
}

} // namespace
} // namespace rivulet::test
