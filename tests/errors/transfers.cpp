// SPDX-License-Identifier: Apache-2.0
//
// 5.2.2 … 5.2.4, 5.4.4: commands that move the contents of buffers.
#include "errors.h"

namespace rivulet::test {
namespace {

constexpr size_t corner[3] = {0, 0, 0};
constexpr size_t box[3] = {16, 2, 2};
constexpr size_t flat[3] = {16, 0, 1};
constexpr size_t outside[3] = {1020, 0, 0};

TEST_F(Errors, OfReads) {
    const cl_mem secret = memory(CL_MEM_HOST_NO_ACCESS);
    const cl_mem write_only = memory(CL_MEM_HOST_WRITE_ONLY);
    const auto no_queue = as<cl_command_queue>(context);
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueReadBuffer, no_queue, buffer, CL_TRUE, 0u, 16u,
                 data, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueReadBuffer, queue, other_buffer, CL_TRUE, 0u, 16u,
                 data, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueReadBuffer, queue, buffer, CL_TRUE, 0u, 16u, data, 1u,
                 &other_event, nullptr);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer, queue, nullptr, CL_TRUE, 0u, 16u, data,
                 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueReadBuffer, queue, buffer, CL_TRUE, 0u, 16u, nullptr,
                 0u, nullptr, nullptr);
    for (const auto &[offset, bytes] : {std::pair{0u, 1025u}, {1024u, 1u}, {~0u, 16u}})
        EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueReadBuffer, queue, buffer, CL_TRUE, offset, bytes,
                     data, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueReadBuffer, queue, buffer, CL_TRUE, 0u, 16u,
                 data, 1u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueReadBuffer, queue, buffer, CL_TRUE, 0u, 16u,
                 data, 0u, &event, nullptr);
    EXPECT_FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clEnqueueReadBuffer, queue, buffer,
                 CL_TRUE, 0u, 16u, data, 1u, &failed, nullptr);
    for (const cl_mem closed : {secret, write_only})
        EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueReadBuffer, queue, closed, CL_TRUE, 0u, 16u,
                     data, 0u, nullptr, nullptr);

    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueReadBufferRect, no_queue, buffer, CL_TRUE,
                 corner, corner, box, 0u, 0u, 0u, 0u, data, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueReadBufferRect, queue, other_buffer, CL_TRUE, corner,
                 corner, box, 0u, 0u, 0u, 0u, data, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clEnqueueReadBufferRect, queue, as<cl_mem>(event), CL_TRUE,
                 corner, corner, box, 0u, 0u, 0u, 0u, data, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueReadBufferRect, queue, buffer, CL_TRUE,
                 corner, corner, box, 0u, 0u, 0u, 0u, data, 1u, nullptr, nullptr);
    EXPECT_FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clEnqueueReadBufferRect, queue,
                 buffer, CL_TRUE, corner, corner, box, 0u, 0u, 0u, 0u, data, 1u, &failed, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueReadBufferRect, queue, secret, CL_TRUE, corner,
                 corner, box, 0u, 0u, 0u, 0u, data, 0u, nullptr, nullptr);
}

TEST_F(Errors, OfRectangles) {
    // Each wrong for its own reason: no region, an empty one, pitches too small or no multiple of
    // the rows', beyond the buffer's end, no host memory.
    struct Case {
        const size_t *origin, *region;
        size_t row_pitch, slice_pitch;
        void *host;
    };
    const Case cases[] = {
        {nullptr, box, 0, 0, data}, {corner, nullptr, 0, 0, data}, {corner, flat, 0, 0, data},
        {corner, box, 8, 0, data},  {corner, box, 16, 24, data},   {corner, box, 16, 40, data},
        {outside, box, 0, 0, data}, {corner, box, 1024, 0, data},  {corner, box, 0, 0, nullptr},
    };
    for (const Case &c : cases) {
        EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueReadBufferRect, queue, buffer, CL_TRUE, c.origin,
                     corner, c.region, c.row_pitch, c.slice_pitch, 0u, 0u, c.host, 0u, nullptr,
                     nullptr);
        EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueWriteBufferRect, queue, buffer, CL_TRUE, c.origin,
                     corner, c.region, c.row_pitch, c.slice_pitch, 0u, 0u, c.host, 0u, nullptr,
                     nullptr);
        if (c.host != nullptr)
            EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueCopyBufferRect, queue, buffer, buffer, c.origin,
                         corner, c.region, c.row_pitch, c.slice_pitch, 0u, 0u, 0u, nullptr,
                         nullptr);
    }
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueReadBufferRect, queue, buffer, CL_TRUE, corner, corner,
                 box, 0u, 0u, 8u, 0u, data, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueWriteBufferRect, queue, buffer, CL_TRUE, corner, corner,
                 box, 0u, 0u, 16u, 40u, data, 0u, nullptr, nullptr);
    // 5.2.2: within one buffer both sides have the same pitches.
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueCopyBufferRect, queue, buffer, buffer, corner, corner,
                 box, 16u, 32u, 32u, 64u, 0u, nullptr, nullptr);
}

TEST_F(Errors, OfWrites) {
    const cl_mem secret = memory(CL_MEM_HOST_NO_ACCESS);
    const cl_mem read_only = memory(CL_MEM_HOST_READ_ONLY);
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueWriteBuffer, nullptr, buffer, CL_TRUE, 0u, 16u,
                 data, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueWriteBuffer, queue, other_buffer, CL_TRUE, 0u, 16u,
                 data, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clEnqueueWriteBuffer, queue, as<cl_mem>(queue), CL_TRUE, 0u,
                 16u, data, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueWriteBuffer, queue, buffer, CL_TRUE, 1020u, 16u, data,
                 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueWriteBuffer, queue, buffer, CL_TRUE, 0u, 16u, nullptr,
                 0u, nullptr, nullptr);
    const auto no_event = as<cl_event>(buffer);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueWriteBuffer, queue, buffer, CL_TRUE, 0u, 16u,
                 data, 1u, &no_event, nullptr);
    EXPECT_FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clEnqueueWriteBuffer, queue, buffer,
                 CL_TRUE, 0u, 16u, data, 1u, &failed, nullptr);
    for (const cl_mem closed : {secret, read_only})
        EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueWriteBuffer, queue, closed, CL_TRUE, 0u, 16u,
                     data, 0u, nullptr, nullptr);

    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueWriteBufferRect, nullptr, buffer, CL_TRUE,
                 corner, corner, box, 0u, 0u, 0u, 0u, data, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueWriteBufferRect, queue, other_buffer, CL_TRUE, corner,
                 corner, box, 0u, 0u, 0u, 0u, data, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clEnqueueWriteBufferRect, queue, nullptr, CL_TRUE, corner,
                 corner, box, 0u, 0u, 0u, 0u, data, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueWriteBufferRect, queue, buffer, CL_TRUE,
                 corner, corner, box, 0u, 0u, 0u, 0u, data, 0u, &event, nullptr);
    EXPECT_FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clEnqueueWriteBufferRect, queue,
                 buffer, CL_TRUE, corner, corner, box, 0u, 0u, 0u, 0u, data, 1u, &failed, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueWriteBufferRect, queue, read_only, CL_TRUE, corner,
                 corner, box, 0u, 0u, 0u, 0u, data, 0u, nullptr, nullptr);
}

TEST_F(Errors, OfCopies) {
    const cl_mem to = memory(0);
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueCopyBuffer, nullptr, buffer, to, 0u, 0u, 16u,
                 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueCopyBuffer, queue, buffer, other_buffer, 0u, 0u, 16u,
                 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueCopyBuffer, queue, other_buffer, buffer, 0u, 0u, 16u,
                 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clEnqueueCopyBuffer, queue, nullptr, to, 0u, 0u, 16u, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clEnqueueCopyBuffer, queue, buffer, as<cl_mem>(queue), 0u,
                 0u, 16u, 0u, nullptr, nullptr);
    for (const auto &[from, onto, bytes] :
         {std::tuple{1020u, 0u, 16u}, {0u, 1020u, 16u}, {0u, 0u, 0u}, {~0u, 0u, 16u}})
        EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueCopyBuffer, queue, buffer, to, from, onto, bytes,
                     0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueCopyBuffer, queue, buffer, to, 0u, 0u, 16u,
                 1u, nullptr, nullptr);
    EXPECT_FAILS(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer, queue, buffer, buffer, 0u, 8u, 16u, 0u,
                 nullptr, nullptr);
    const cl_buffer_region first{0, 512};
    const cl_mem part = released_later(
        clReleaseMemObject, made(clCreateSubBuffer, buffer, cl_mem_flags{0},
                                 cl_buffer_create_type{CL_BUFFER_CREATE_TYPE_REGION}, &first));
    EXPECT_FAILS(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer, queue, buffer, part, 0u, 8u, 16u, 0u,
                 nullptr, nullptr);

    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueCopyBufferRect, nullptr, buffer, to, corner,
                 corner, box, 0u, 0u, 0u, 0u, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueCopyBufferRect, queue, other_buffer, to, corner,
                 corner, box, 0u, 0u, 0u, 0u, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clEnqueueCopyBufferRect, queue, buffer, nullptr, corner,
                 corner, box, 0u, 0u, 0u, 0u, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueCopyBufferRect, queue, buffer, to, corner,
                 corner, box, 0u, 0u, 0u, 0u, 1u, nullptr, nullptr);
    constexpr size_t near[3] = {8, 0, 0};
    EXPECT_FAILS(CL_MEM_COPY_OVERLAP, clEnqueueCopyBufferRect, queue, buffer, buffer, corner, near,
                 box, 32u, 64u, 32u, 64u, 0u, nullptr, nullptr);
}

TEST_F(Errors, OfFills) {
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueFillBuffer, nullptr, buffer, data, 4u, 0u, 16u,
                 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueFillBuffer, queue, other_buffer, data, 4u, 0u, 16u,
                 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clEnqueueFillBuffer, queue, nullptr, data, 4u, 0u, 16u, 0u,
                 nullptr, nullptr);
    struct Case {
        const void *pattern;
        size_t pattern_size, offset, bytes;
    };
    for (const Case &c : {Case{nullptr, 4, 0, 16},
                          {data, 0, 0, 16},
                          {data, 3, 0, 12},
                          {data, 256, 0, 256},
                          {data, 4, 2, 16},
                          {data, 4, 0, 6},
                          {data, 4, 1020, 16}})
        EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueFillBuffer, queue, buffer, c.pattern,
                     c.pattern_size, c.offset, c.bytes, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueFillBuffer, queue, buffer, data, 4u, 0u, 16u,
                 0u, &event, nullptr);
}

TEST_F(Errors, OfMaps) {
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueMapBuffer, nullptr, buffer, CL_TRUE,
                 CL_MAP_READ, 0u, 16u, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueMapBuffer, queue, other_buffer, CL_TRUE, CL_MAP_READ,
                 0u, 16u, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clEnqueueMapBuffer, queue, nullptr, CL_TRUE, CL_MAP_READ,
                 0u, 16u, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueMapBuffer, queue, buffer, CL_TRUE, CL_MAP_READ, 0u, 0u,
                 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueMapBuffer, queue, buffer, CL_TRUE, CL_MAP_READ, 1020u,
                 16u, 0u, nullptr, nullptr);
    for (const cl_map_flags flags :
         {cl_map_flags{1 << 10}, cl_map_flags{CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION}})
        EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueMapBuffer, queue, buffer, CL_TRUE, flags, 0u, 16u,
                     0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMapBuffer, queue, buffer, CL_TRUE,
                 CL_MAP_READ, 0u, 16u, 1u, nullptr, nullptr);
    EXPECT_FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clEnqueueMapBuffer, queue, buffer,
                 CL_TRUE, CL_MAP_READ, 0u, 16u, 1u, &failed, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueMapBuffer, queue, memory(CL_MEM_HOST_WRITE_ONLY),
                 CL_TRUE, CL_MAP_READ, 0u, 16u, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueMapBuffer, queue, memory(CL_MEM_HOST_READ_ONLY),
                 CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0u, 16u, 0u, nullptr, nullptr);
    cl_uint count = 1; // a failed map does not count
    clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof count, &count, nullptr);
    EXPECT_EQ(count, 0u);

    cl_int code = 1;
    void *mapped =
        clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 16, 0, nullptr, nullptr, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueUnmapMemObject, nullptr, buffer, mapped, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueUnmapMemObject, other_queue, buffer, mapped, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clEnqueueUnmapMemObject, queue, nullptr, mapped, 0u,
                 nullptr, nullptr);
    for (void *pointer : {static_cast<void *>(data), static_cast<void *>(nullptr)})
        EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueUnmapMemObject, queue, buffer, pointer, 0u, nullptr,
                     nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueUnmapMemObject, queue, buffer, mapped, 1u,
                 nullptr, nullptr);
    EXPECT_EQ(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueUnmapMemObject, queue, buffer, mapped, 0u, nullptr,
                 nullptr); // no longer mapped
}

TEST_F(Errors, OfMigration) {
    const cl_mem mixed[] = {buffer, other_buffer};
    const cl_mem none[] = {nullptr};
    EXPECT_FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueMigrateMemObjects, nullptr, 1u, &buffer, 0u, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clEnqueueMigrateMemObjects, queue, 2u, mixed, 0u, 0u, nullptr,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clEnqueueMigrateMemObjects, queue, 1u, none, 0u, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueMigrateMemObjects, queue, 0u, &buffer, 0u, 0u, nullptr,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueMigrateMemObjects, queue, 1u, nullptr, 0u, 0u, nullptr,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clEnqueueMigrateMemObjects, queue, 1u, &buffer, 1u << 20, 0u,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMigrateMemObjects, queue, 1u, &buffer, 0u, 1u,
                 nullptr, nullptr);
}

// 5.4.3: within one buffer and its sub-buffers.
TEST_F(Errors, OfMapsThatOverlapForWriting) {
    const auto map = [&](cl_mem object, cl_map_flags flags, size_t offset, size_t bytes) {
        return made(clEnqueueMapBuffer, queue, object, CL_TRUE, flags, offset, bytes, 0u, nullptr,
                    nullptr);
    };
    const auto refused = [&](cl_mem object, cl_map_flags flags, size_t offset, size_t bytes) {
        EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueMapBuffer, queue, object, CL_TRUE, flags,
                     offset, bytes, 0u, nullptr, nullptr);
    };
    const auto unmap = [&](cl_mem object, void *pointer) {
        EXPECT_EQ(clEnqueueUnmapMemObject(queue, object, pointer, 0, nullptr, nullptr), CL_SUCCESS);
    };
    const cl_buffer_region second_half{512, 512};
    const cl_mem part =
        released_later(clReleaseMemObject,
                       made(clCreateSubBuffer, buffer, cl_mem_flags{0},
                            cl_buffer_create_type{CL_BUFFER_CREATE_TYPE_REGION}, &second_half));
    constexpr cl_map_flags invalidate = CL_MAP_WRITE_INVALIDATE_REGION;
    void *written = map(buffer, CL_MAP_WRITE, 0, 600);
    for (const cl_map_flags flags : {cl_map_flags{CL_MAP_WRITE}, invalidate}) {
        refused(buffer, flags, 599, 1);
        refused(buffer, flags, 0, 1024);
        refused(part, flags, 0, 16);
    }
    void *read = map(buffer, CL_MAP_READ, 16, 1000); // for reading there may be others
    void *beside = map(part, CL_MAP_WRITE, 88, 16);
    unmap(part, beside);
    unmap(buffer, written);
    written = map(buffer, CL_MAP_WRITE, 0, 1024); // when the command is enqueued it is unmapped
    unmap(buffer, written);
    unmap(buffer, read);
}

TEST_F(Errors, OfMapsOfImagesThatOverlapForWriting) {
    const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = desc.image_height = 8;
    desc.mem_object = buffer;
    desc.image_row_pitch = 64;
    const cl_mem image = released_later(clReleaseMemObject,
                                        made(clCreateImage, context, cl_mem_flags{0}, &format,
                                             static_cast<const cl_image_desc *>(&desc), nullptr));
    size_t row = 0;
    const auto map = [&](size_t x, size_t y, size_t width, size_t height, cl_int &code) {
        const size_t origin[3] = {x, y, 0};
        const size_t region[3] = {width, height, 1};
        return clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_WRITE, origin, region, &row, nullptr,
                                 0, nullptr, nullptr, &code);
    };
    cl_int code = 1;
    void *left = map(0, 0, 4, 8, code);
    EXPECT_EQ(code, CL_SUCCESS);
    void *right = map(4, 2, 4, 3, code); // next to it, in the same rows
    EXPECT_EQ(code, CL_SUCCESS);
    EXPECT_EQ(map(3, 7, 2, 1, code), nullptr);
    EXPECT_EQ(code, CL_INVALID_OPERATION);
    EXPECT_FAILS(CL_INVALID_OPERATION, clEnqueueMapBuffer, queue, buffer, CL_TRUE, CL_MAP_WRITE,
                 12u, 8u, 0u, nullptr, nullptr);
    void *gap = made(clEnqueueMapBuffer, queue, buffer, CL_TRUE, CL_MAP_WRITE, size_t{32},
                     size_t{32}, 0u, nullptr, nullptr); // between the image's rows
    EXPECT_EQ(clEnqueueUnmapMemObject(queue, buffer, gap, 0, nullptr, nullptr), CL_SUCCESS);
    for (void *mapped : {left, right})
        EXPECT_EQ(clEnqueueUnmapMemObject(queue, image, mapped, 0, nullptr, nullptr), CL_SUCCESS);
}

} // namespace
} // namespace rivulet::test
