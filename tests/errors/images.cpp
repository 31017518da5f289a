// SPDX-License-Identifier: Apache-2.0
//
// 5.3: images, and what is copied between them and buffers.
#include "errors.h"

namespace rivulet::test {
namespace {

constexpr cl_image_format rgba{CL_RGBA, CL_UNORM_INT8};
constexpr cl_image_format unheard_of{CL_RGx, CL_UNORM_INT8};
constexpr cl_image_format no_format{nonsense, CL_UNORM_INT8};
constexpr size_t corner[3] = {0, 0, 0};
constexpr size_t whole[3] = {16, 16, 1};
constexpr size_t empty[3] = {16, 0, 1};
constexpr size_t too_large[3] = {17, 16, 1};

cl_image_desc flat(size_t width = 16, size_t height = 16) {
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = width;
    desc.image_height = height;
    return desc;
}

cl_image_desc with(void (*change)(cl_image_desc &)) {
    cl_image_desc desc = flat();
    change(desc);
    return desc;
}

class ImageErrors : public Errors {
protected:
    void SetUp() override {
        Errors::SetUp();
        cl_bool there = CL_FALSE;
        clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof there, &there, nullptr);
        if (there == CL_FALSE)
            GTEST_SKIP() << "the device has no images";
        source = image();
        target = image();
        foreign = image(0, rgba, other_context);
    }
    cl_mem image(cl_mem_flags flags = 0, cl_image_format format = rgba, cl_context in = nullptr) {
        const cl_image_desc desc = flat();
        const cl_image_format *as_given = &format;
        return released_later(clReleaseMemObject, made(clCreateImage, in ? in : context, flags,
                                                       as_given, &desc, nullptr));
    }

    cl_mem source = nullptr, target = nullptr, foreign = nullptr;
};

TEST_F(ImageErrors, InCreation) {
    const cl_image_desc good = flat();
    const cl_image_desc zero = flat(0, 16);
    const cl_image_desc wide = flat(size_t{1} << 30, 16);
    const cl_image_desc largest = flat(8192, 8192);
    const cl_image_desc odd[] = {
        zero,
        with([](cl_image_desc &d) { d.image_type = CL_MEM_OBJECT_BUFFER; }),
        with([](cl_image_desc &d) { d.num_mip_levels = 6; }),
        with([](cl_image_desc &d) { d.num_samples = 1; }),
        with([](cl_image_desc &d) { d.image_row_pitch = 128; }), // without host memory
        with([](cl_image_desc &d) { d.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER; }),
        with([](cl_image_desc &d) { d.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY; }),
    };
    EXPECT_FAILS(CL_INVALID_CONTEXT, clCreateImage, nullptr, 0u, &rgba, &good, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateImage, context, 1ull << 40, &rgba, &good, nullptr);
    EXPECT_FAILS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage, context, 0u, nullptr, &good,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage, context, 0u, &no_format, &good,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage, context, 0u, &rgba, nullptr, nullptr);
    for (const cl_image_desc &desc : odd)
        EXPECT_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage, context, 0u, &rgba, &desc,
                     nullptr);
    EXPECT_FAILS(CL_INVALID_IMAGE_SIZE, clCreateImage, context, 0u, &rgba, &wide, nullptr);
    EXPECT_FAILS(CL_INVALID_HOST_PTR, clCreateImage, context, 0u, &rgba, &good, data);
    EXPECT_FAILS(CL_INVALID_HOST_PTR, clCreateImage, context, CL_MEM_COPY_HOST_PTR, &rgba, &good,
                 nullptr);
    EXPECT_FAILS(CL_IMAGE_FORMAT_NOT_SUPPORTED, clCreateImage, context, 0u, &unheard_of, &good,
                 nullptr);

    const cl_mem_properties none[] = {0};
    const cl_mem_properties unknown[] = {nonsense, 1, 0};
    EXPECT_FAILS(CL_INVALID_CONTEXT, clCreateImageWithProperties, nullptr, none, 0u, &rgba, &good,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_PROPERTY, clCreateImageWithProperties, context, unknown, 0u, &rgba,
                 &good, nullptr);
    const cl_mem_properties address[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};
    EXPECT_FAILS(CL_INVALID_PROPERTY, clCreateImageWithProperties, context, address, 0u, &rgba,
                 &good, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateImageWithProperties, context, none, 1ull << 40, &rgba,
                 &good, nullptr);
    EXPECT_FAILS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImageWithProperties, context, none, 0u,
                 nullptr, &good, nullptr);
    EXPECT_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImageWithProperties, context, none, 0u, &rgba,
                 &zero, nullptr);
    EXPECT_FAILS(CL_INVALID_IMAGE_SIZE, clCreateImageWithProperties, context, none, 0u, &rgba,
                 &wide, nullptr);
    EXPECT_FAILS(CL_INVALID_HOST_PTR, clCreateImageWithProperties, context, none, 0u, &rgba, &good,
                 data);
    EXPECT_FAILS(CL_IMAGE_FORMAT_NOT_SUPPORTED, clCreateImageWithProperties, context, none, 0u,
                 &unheard_of, &good, nullptr);

    EXPECT_FAILS(CL_INVALID_CONTEXT, clCreateImage2D, nullptr, 0u, &rgba, 16u, 16u, 0u, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateImage2D, context, 1ull << 40, &rgba, 16u, 16u, 0u,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage2D, context, 0u, nullptr, 16u,
                 16u, 0u, nullptr);
    EXPECT_FAILS(CL_INVALID_IMAGE_SIZE, clCreateImage2D, context, 0u, &rgba, 0u, 16u, 0u, nullptr);
    EXPECT_FAILS(CL_INVALID_IMAGE_SIZE, clCreateImage2D, context, 0u, &rgba, 16u, 1u << 30, 0u,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_IMAGE_SIZE, clCreateImage2D, context, 0u, &rgba, 16u, 16u, 128u,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_HOST_PTR, clCreateImage2D, context, 0u, &rgba, 16u, 16u, 0u, data);
    EXPECT_FAILS(CL_IMAGE_FORMAT_NOT_SUPPORTED, clCreateImage2D, context, 0u, &unheard_of, 16u, 16u,
                 0u, nullptr);

    EXPECT_FAILS(CL_INVALID_CONTEXT, clCreateImage3D, nullptr, 0u, &rgba, 4u, 4u, 4u, 0u, 0u,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateImage3D, context, 1ull << 40, &rgba, 4u, 4u, 4u, 0u, 0u,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage3D, context, 0u, nullptr, 4u, 4u,
                 4u, 0u, 0u, nullptr);
    EXPECT_FAILS(CL_INVALID_IMAGE_SIZE, clCreateImage3D, context, 0u, &rgba, 4u, 4u, 0u, 0u, 0u,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_HOST_PTR, clCreateImage3D, context, CL_MEM_USE_HOST_PTR, &rgba, 4u, 4u,
                 4u, 0u, 0u, nullptr);
    EXPECT_FAILS(CL_IMAGE_FORMAT_NOT_SUPPORTED, clCreateImage3D, context, 0u, &unheard_of, 4u, 4u,
                 4u, 0u, 0u, nullptr);

    // Creates images of maximum size until memory is full.
    for (int i = 0; i < 64; ++i) {
        cl_int code = 1;
        const cl_mem one = clCreateImage(context, 0, &rgba, &largest, nullptr, &code);
        if (one == nullptr)
            break;
        released_later(clReleaseMemObject, one);
    }
    constexpr size_t side = 8192;
    EXPECT_FAILS(CL_MEM_OBJECT_ALLOCATION_FAILURE, clCreateImage, context, 0u, &rgba, &largest,
                 nullptr);
    EXPECT_FAILS(CL_MEM_OBJECT_ALLOCATION_FAILURE, clCreateImageWithProperties, context, none, 0u,
                 &rgba, &largest, nullptr);
    EXPECT_FAILS(CL_MEM_OBJECT_ALLOCATION_FAILURE, clCreateImage2D, context, 0u, &rgba, side, side,
                 0u, nullptr);
    EXPECT_FAILS(CL_MEM_OBJECT_ALLOCATION_FAILURE, clCreateImage3D, context, 0u, &rgba, 2048u,
                 2048u, 2048u, 0u, 0u, nullptr);
}

TEST_F(ImageErrors, InQueries) {
    constexpr cl_mem_object_type type = CL_MEM_OBJECT_IMAGE2D;
    cl_image_format format;
    EXPECT_FAILS(CL_INVALID_CONTEXT, clGetSupportedImageFormats, nullptr, 0u, type, 1u, &format,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetSupportedImageFormats, context, 1ull << 40, type, 1u,
                 &format, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetSupportedImageFormats, context, 0u, CL_MEM_OBJECT_BUFFER,
                 1u, &format, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetSupportedImageFormats, context, 0u, type, 0u, &format,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clGetImageInfo, nullptr, CL_IMAGE_WIDTH, 0u, nullptr,
                 &size);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clGetImageInfo, buffer, CL_IMAGE_WIDTH, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetImageInfo, source, nonsense, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetImageInfo, source, CL_IMAGE_WIDTH, 1u, data, &size);
    const cl_kernel sampling = kernel("kernel void test(sampler_t how) {}");
    const cl_sampler wrong = as<cl_sampler>(queue);
    EXPECT_FAILS(CL_INVALID_SAMPLER, clSetKernelArg, sampling, 0u, sizeof wrong, &wrong);
    const cl_kernel looking = kernel("kernel void test(read_only image2d_t from) {}");
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clSetKernelArg, looking, 0u, sizeof buffer, &buffer);
    const cl_mem *none = nullptr;
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clSetKernelArg, looking, 0u, sizeof buffer, none);
    const cl_mem write_only = image(CL_MEM_WRITE_ONLY);
    EXPECT_FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg, looking, 0u, sizeof write_only, &write_only);
}

TEST_F(ImageErrors, OfRequirements) {
    EXTENSION(clGetImageRequirementsInfoEXT);
    const cl_image_desc good = flat(), zero = flat(0, 16), wide = flat(size_t{1} << 30, 16);
    const cl_image_desc line = with([](cl_image_desc &d) { d.image_type = CL_MEM_OBJECT_IMAGE1D; });
    const cl_image_desc no_image =
        with([](cl_image_desc &d) { d.image_type = CL_MEM_OBJECT_BUFFER; });
    const cl_mem_properties unknown[] = {nonsense, 1, 0};
    constexpr cl_image_requirements_info_ext pitch = CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT;
    constexpr cl_image_requirements_info_ext bytes = CL_IMAGE_REQUIREMENTS_SIZE_EXT;
    EXPECT_FAILS(CL_INVALID_CONTEXT, clGetImageRequirementsInfoEXT, nullptr, nullptr, 0u, &rgba,
                 &good, pitch, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_PROPERTY, clGetImageRequirementsInfoEXT, context, unknown, 0u, &rgba,
                 &good, pitch, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetImageRequirementsInfoEXT, context, nullptr, 1ull << 40,
                 &rgba, &good, pitch, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clGetImageRequirementsInfoEXT, context,
                 nullptr, 0u, &no_format, &good, pitch, 0u, nullptr, &size);
    for (const cl_image_desc *desc : {&zero, &wide, &no_image})
        EXPECT_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, clGetImageRequirementsInfoEXT, context, nullptr,
                     0u, &rgba, desc, pitch, 0u, nullptr, &size);
    for (const cl_image_requirements_info_ext limit :
         {CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT,
          CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT})
        EXPECT_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, clGetImageRequirementsInfoEXT, context, nullptr,
                     0u, &rgba, &line, limit, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetImageRequirementsInfoEXT, context, nullptr, 0u, nullptr,
                 &good, bytes, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetImageRequirementsInfoEXT, context, nullptr, 0u, &rgba,
                 nullptr, bytes, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetImageRequirementsInfoEXT, context, nullptr, 0u, &rgba,
                 &good, nonsense, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetImageRequirementsInfoEXT, context, nullptr, 0u, &rgba,
                 &good, pitch, 1u, data, &size);
}

// cl_ext_immutable_memory_objects
TEST_F(ImageErrors, OfImmutableObjects) {
    constexpr cl_mem_flags immutable = CL_MEM_IMMUTABLE_EXT;
    const cl_image_desc desc = flat();
    for (const cl_mem_flags flags :
         {immutable, immutable | CL_MEM_ALLOC_HOST_PTR, immutable | CL_MEM_READ_ONLY})
        EXPECT_FAILS(CL_INVALID_VALUE, clCreateImage, context, flags, &rgba, &desc, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateBuffer, context, immutable, 64u, nullptr);
    for (const cl_mem_flags more : {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_HOST_WRITE_ONLY}) {
        const cl_mem_flags flags = immutable | CL_MEM_COPY_HOST_PTR | more;
        EXPECT_FAILS(CL_INVALID_VALUE, clCreateBuffer, context, flags, 64u, data);
        EXPECT_FAILS(CL_INVALID_VALUE, clCreateImage, context, flags, &rgba, &desc, data);
    }
    std::vector<unsigned char> pixels(size_t{16} * 16 * 4);
    const cl_mem fixed = released_later(
        clReleaseMemObject, made(clCreateBuffer, context, immutable | CL_MEM_COPY_HOST_PTR,
                                 pixels.size(), static_cast<void *>(pixels.data())));
    const cl_mem picture = released_later(
        clReleaseMemObject, made(clCreateImage, context, immutable | CL_MEM_COPY_HOST_PTR, &rgba,
                                 &desc, static_cast<void *>(pixels.data())));
    const cl_buffer_region part{0, 16};
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateSubBuffer, fixed, CL_MEM_READ_WRITE,
                 CL_BUFFER_CREATE_TYPE_REGION, &part);
    const cl_mem_flags all = immutable | CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
    const cl_mem constant =
        released_later(clReleaseMemObject, made(clCreateBuffer, context, all, pixels.size(),
                                                static_cast<void *>(pixels.data())));
    const cl_mem piece =
        released_later(clReleaseMemObject, made(clCreateSubBuffer, constant, cl_mem_flags{0},
                                                CL_BUFFER_CREATE_TYPE_REGION, &part));
    cl_mem_flags inherited = 0;
    EXPECT_EQ(clGetMemObjectInfo(piece, CL_MEM_FLAGS, sizeof inherited, &inherited, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(inherited, all);
    EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueWriteBuffer, queue, fixed, CL_TRUE, 0u, 4u, data,
                 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueWriteBufferRect, queue, fixed, CL_TRUE, corner,
                 corner, whole, 0u, 0u, 0u, 0u, data, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueCopyBuffer, queue, buffer, fixed, 0u, 0u, 4u, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueCopyBufferRect, queue, buffer, fixed, corner,
                 corner, whole, 0u, 0u, 0u, 0u, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueFillBuffer, queue, fixed, data, 4u, 0u, 4u, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueMapBuffer, queue, fixed, CL_TRUE, CL_MAP_WRITE, 0u,
                 4u, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueMapImage, queue, picture, CL_TRUE,
                 CL_MAP_WRITE_INVALIDATE_REGION, corner, whole, &size, &size, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueWriteImage, queue, picture, CL_TRUE, corner, whole,
                 0u, 0u, pixels.data(), 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueCopyImage, queue, source, picture, corner, corner,
                 whole, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueFillImage, queue, picture, data, corner, whole, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueCopyImageToBuffer, queue, source, fixed, corner,
                 whole, 0u, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueCopyBufferToImage, queue, buffer, picture, 0u,
                 corner, whole, 0u, nullptr, nullptr);
    const cl_kernel drawing = kernel("kernel void test(write_only image2d_t to) {}");
    EXPECT_FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg, drawing, 0u, sizeof picture, &picture);
}

TEST_F(ImageErrors, InReadsAndWrites) {
    const cl_mem secret = image(CL_MEM_HOST_NO_ACCESS);
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueReadImage, nullptr, source, CL_TRUE, corner,
                 whole, 0u, 0u, data, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueReadImage, queue, foreign, CL_TRUE, corner, whole, 0u,
                 0u, data, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clEnqueueReadImage, queue, buffer, CL_TRUE, corner, whole,
                 0u, 0u, data, 0u, nullptr, nullptr);
    for (const size_t *region : {empty, too_large})
        EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueReadImage, queue, source, CL_TRUE, corner, region,
                     0u, 0u, data, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueReadImage, queue, source, CL_TRUE, corner, whole, 63u,
                 0u, data, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueReadImage, queue, source, CL_TRUE, corner, whole, 0u,
                 4096u, data, 0u, nullptr, nullptr); // it has no slices
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueReadImage, queue, source, CL_TRUE, corner, whole, 0u,
                 0u, nullptr, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueReadImage, queue, source, CL_TRUE, corner,
                 whole, 0u, 0u, data, 1u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueReadImage, queue, secret, CL_TRUE, corner, whole,
                 0u, 0u, data, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clEnqueueReadImage, queue, source,
                 CL_TRUE, corner, whole, 0u, 0u, data, 1u, &failed, nullptr);

    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueWriteImage, nullptr, source, CL_TRUE, corner,
                 whole, 0u, 0u, data, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueWriteImage, queue, source, CL_TRUE, corner, whole, 0u,
                 0u, data, 1u, &other_event, nullptr);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clEnqueueWriteImage, queue, nullptr, CL_TRUE, corner, whole,
                 0u, 0u, data, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueWriteImage, queue, source, CL_TRUE, corner, too_large,
                 0u, 0u, data, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueWriteImage, queue, source, CL_TRUE, corner,
                 whole, 0u, 0u, data, 0u, &event, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueWriteImage, queue, secret, CL_TRUE, corner, whole,
                 0u, 0u, data, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clEnqueueWriteImage, queue, source,
                 CL_TRUE, corner, whole, 0u, 0u, data, 1u, &failed, nullptr);
}

TEST_F(ImageErrors, InCopiesAndFills) {
    constexpr size_t near[3] = {1, 1, 0};
    constexpr size_t part[3] = {8, 8, 1};
    const cl_mem other_format = image(0, {CL_RGBA, CL_FLOAT});
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueCopyImage, nullptr, source, target, corner,
                 corner, whole, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueCopyImage, queue, source, foreign, corner, corner,
                 whole, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clEnqueueCopyImage, queue, source, buffer, corner, corner,
                 whole, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_IMAGE_FORMAT_MISMATCH, clEnqueueCopyImage, queue, source, other_format, corner,
                 corner, whole, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueCopyImage, queue, source, target, corner, corner,
                 too_large, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueCopyImage, queue, source, target, corner, near, whole,
                 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueCopyImage, queue, source, target, corner,
                 corner, whole, 1u, nullptr, nullptr);
    EXPECT_FAILS(CL_MEM_COPY_OVERLAP, clEnqueueCopyImage, queue, source, source, corner, near, part,
                 0u, nullptr, nullptr);

    const cl_float4 colour{};
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueFillImage, nullptr, source, &colour, corner,
                 whole, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueFillImage, queue, foreign, &colour, corner, whole, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clEnqueueFillImage, queue, buffer, &colour, corner, whole,
                 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueFillImage, queue, source, nullptr, corner, whole, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueFillImage, queue, source, &colour, corner, too_large,
                 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueFillImage, queue, source, &colour, corner,
                 whole, 0u, &event, nullptr);

    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueCopyImageToBuffer, nullptr, source, buffer,
                 corner, whole, 0u, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueCopyImageToBuffer, queue, source, other_buffer,
                 corner, whole, 0u, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clEnqueueCopyImageToBuffer, queue, buffer, buffer, corner,
                 whole, 0u, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clEnqueueCopyImageToBuffer, queue, source, target, corner,
                 whole, 0u, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueCopyImageToBuffer, queue, source, buffer, corner, whole,
                 4u, 0u, nullptr, nullptr); // beyond the buffer's end
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueCopyImageToBuffer, queue, source, buffer,
                 corner, whole, 0u, 1u, nullptr, nullptr);

    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueCopyBufferToImage, nullptr, buffer, source, 0u,
                 corner, whole, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueCopyBufferToImage, queue, buffer, foreign, 0u, corner,
                 whole, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clEnqueueCopyBufferToImage, queue, source, source, 0u,
                 corner, whole, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueCopyBufferToImage, queue, buffer, source, 4u, corner,
                 whole, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueCopyBufferToImage, queue, buffer, source, 0u,
                 corner, whole, 1u, nullptr, nullptr);
}

TEST_F(ImageErrors, InMaps) {
    size_t pitch = 0;
    const cl_mem secret = image(CL_MEM_HOST_NO_ACCESS);
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueMapImage, nullptr, source, CL_TRUE, CL_MAP_READ,
                 corner, whole, &pitch, nullptr, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueMapImage, queue, foreign, CL_TRUE, CL_MAP_READ,
                 corner, whole, &pitch, nullptr, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clEnqueueMapImage, queue, buffer, CL_TRUE, CL_MAP_READ,
                 corner, whole, &pitch, nullptr, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueMapImage, queue, source, CL_TRUE, CL_MAP_READ, corner,
                 too_large, &pitch, nullptr, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueMapImage, queue, source, CL_TRUE, CL_MAP_READ, corner,
                 whole, nullptr, nullptr, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueMapImage, queue, source, CL_TRUE, 1u << 20, corner,
                 whole, &pitch, nullptr, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMapImage, queue, source, CL_TRUE, CL_MAP_READ,
                 corner, whole, &pitch, nullptr, 1u, nullptr, nullptr);
    EXPECT_FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clEnqueueMapImage, queue, source,
                 CL_TRUE, CL_MAP_READ, corner, whole, &pitch, nullptr, 1u, &failed, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueMapImage, queue, secret, CL_TRUE, CL_MAP_READ,
                 corner, whole, &pitch, nullptr, 0u, nullptr, nullptr);
}

} // namespace
} // namespace rivulet::test
