// SPDX-License-Identifier: Apache-2.0
//
// Sizes of buffers and of shared memory; see sizes.h.
#include "sizes.h"

namespace rivulet::test {
namespace {

const std::vector<Argument> rect_arguments = {
    {"origin[0]", 0}, {"origin[1]", 1}, {"origin[2]", 1},  {"region[0]", 8},
    {"region[1]", 2}, {"region[2]", 2}, {"row_pitch", 16}, {"slice_pitch", 64},
};

std::vector<Argument> two_rects() {
    std::vector<Argument> all = rect_arguments;
    for (const Argument &argument : rect_arguments)
        if (argument.name[0] != 'r' || argument.name[1] != 'e')
            all.push_back(argument);
    return all;
}

/// The sizes of two rects of one region, in the order of two_rects.
struct TwoRects {
    explicit TwoRects(const Sizes &s)
        : origin{s[0], s[1], s[2]}, region{s[3], s[4], s[5]}, row_pitch(s[6]), slice_pitch(s[7]),
          other_origin{s[8], s[9], s[10]}, other_row_pitch(s[11]), other_slice_pitch(s[12]) {}
    [[nodiscard]] std::optional<Wide> end() const {
        return end_of_rect(origin, region, row_pitch, slice_pitch);
    }
    [[nodiscard]] std::optional<Wide> other_end() const {
        return end_of_rect(other_origin, region, other_row_pitch, other_slice_pitch);
    }
    size_t origin[3], region[3], row_pitch, slice_pitch;
    size_t other_origin[3], other_row_pitch, other_slice_pitch;
};

TEST_F(Size, OfBufferRects) {
    const auto with_host = [&](const Sizes &s) {
        const TwoRects r(s);
        const auto end = r.end();
        return both(end && *end <= bytes, on_host(data, sizeof data, r.other_end()));
    };
    const auto of_buffers = [&](const Sizes &s) {
        const TwoRects r(s);
        const auto from = r.end(), to = r.other_end();
        return Verdict(from && *from <= bytes && to && *to <= bytes);
    };
    EXTENSION(clCreateCommandBufferKHR);
    EXTENSION(clReleaseCommandBufferKHR);
    COMMAND(clCommandCopyBufferRectKHR);
    const auto recorded = released_later(clReleaseCommandBufferKHR,
                                         made(clCreateCommandBufferKHR, 1u, &queue, nullptr));
    sweep({
        {"clEnqueueReadBufferRect", two_rects(), with_host,
         [&](const Sizes &s) {
             const TwoRects r(s);
             return clEnqueueReadBufferRect(queue, target, CL_TRUE, r.origin, r.other_origin,
                                            r.region, r.row_pitch, r.slice_pitch, r.other_row_pitch,
                                            r.other_slice_pitch, data, 0, nullptr, nullptr);
         }},
        {"clEnqueueWriteBufferRect", two_rects(), with_host,
         [&](const Sizes &s) {
             const TwoRects r(s);
             return clEnqueueWriteBufferRect(
                 queue, target, CL_TRUE, r.origin, r.other_origin, r.region, r.row_pitch,
                 r.slice_pitch, r.other_row_pitch, r.other_slice_pitch, data, 0, nullptr, nullptr);
         }},
        {"clEnqueueCopyBufferRect", two_rects(), of_buffers,
         [&](const Sizes &s) {
             const TwoRects r(s);
             return clEnqueueCopyBufferRect(queue, source_buffer, target, r.origin, r.other_origin,
                                            r.region, r.row_pitch, r.slice_pitch, r.other_row_pitch,
                                            r.other_slice_pitch, 0, nullptr, nullptr);
         }},
        {"clCommandCopyBufferRectKHR", two_rects(), of_buffers,
         [&](const Sizes &s) {
             const TwoRects r(s);
             return clCommandCopyBufferRectKHR(recorded, nullptr, nullptr, source_buffer, target,
                                               r.origin, r.other_origin, r.region, r.row_pitch,
                                               r.slice_pitch, r.other_row_pitch,
                                               r.other_slice_pitch, 0, nullptr, nullptr, nullptr);
         }},
    });
}

TEST_F(Size, OfBufferRanges) {
    const auto range = [&](const Sizes &s) { return both(in_range(s[0], s[1], bytes), s[1] > 0); };
    const auto two_ranges = [&](const Sizes &s) {
        return both(both(in_range(s[0], s[2], bytes), in_range(s[1], s[2], bytes)), s[2] > 0);
    };
    const auto fill = [&](const Sizes &s) {
        const bool pattern = s[0] && s[0] <= 128 && !(s[0] & (s[0] - 1));
        return both(in_range(s[1], s[2], bytes), pattern && s[1] % s[0] == 0 && s[2] % s[0] == 0);
    };
    EXTENSION(clCreateCommandBufferKHR);
    EXTENSION(clReleaseCommandBufferKHR);
    COMMAND(clCommandCopyBufferKHR);
    COMMAND(clCommandFillBufferKHR);
    const auto recorded = released_later(clReleaseCommandBufferKHR,
                                         made(clCreateCommandBufferKHR, 1u, &queue, nullptr));
    sweep({
        {"clEnqueueReadBuffer",
         {{"offset", 16}, {"size", 64}},
         range,
         [&](const Sizes &s) {
             return clEnqueueReadBuffer(queue, target, CL_TRUE, s[0], s[1], data, 0, nullptr,
                                        nullptr);
         }},
        {"clEnqueueWriteBuffer",
         {{"offset", 16}, {"size", 64}},
         range,
         [&](const Sizes &s) {
             return clEnqueueWriteBuffer(queue, target, CL_TRUE, s[0], s[1], data, 0, nullptr,
                                         nullptr);
         }},
        {"clEnqueueMapBuffer",
         {{"offset", 16}, {"size", 64}},
         range,
         [&](const Sizes &s) {
             cl_int code = 1;
             void *mapped = clEnqueueMapBuffer(queue, target, CL_TRUE, CL_MAP_READ, s[0], s[1], 0,
                                               nullptr, nullptr, &code);
             return mapped ? clEnqueueUnmapMemObject(queue, target, mapped, 0, nullptr, nullptr)
                           : code;
         }},
        {"clEnqueueCopyBuffer",
         {{"src_offset", 16}, {"dst_offset", 0}, {"size", 64}},
         two_ranges,
         [&](const Sizes &s) {
             return clEnqueueCopyBuffer(queue, source_buffer, target, s[0], s[1], s[2], 0, nullptr,
                                        nullptr);
         }},
        {"clCommandCopyBufferKHR",
         {{"src_offset", 16}, {"dst_offset", 0}, {"size", 64}},
         two_ranges,
         [&](const Sizes &s) {
             return clCommandCopyBufferKHR(recorded, nullptr, nullptr, source_buffer, target, s[0],
                                           s[1], s[2], 0, nullptr, nullptr, nullptr);
         }},
        {"clEnqueueFillBuffer",
         {{"pattern_size", 4}, {"offset", 16}, {"size", 64}},
         fill,
         [&](const Sizes &s) {
             return clEnqueueFillBuffer(queue, target, data, s[0], s[1], s[2], 0, nullptr, nullptr);
         }},
        {"clCommandFillBufferKHR",
         {{"pattern_size", 4}, {"offset", 16}, {"size", 64}},
         fill,
         [&](const Sizes &s) {
             return clCommandFillBufferKHR(recorded, nullptr, nullptr, target, data, s[0], s[1],
                                           s[2], 0, nullptr, nullptr, nullptr);
         }},
        {"clCreateSubBuffer",
         {{"origin", 128}, {"size", 64}},
         [&](const Sizes &s) { return both(range(s), s[0] % 128 == 0); },
         [&](const Sizes &s) {
             const cl_buffer_region region{s[0], s[1]};
             cl_int code = 1;
             const cl_mem made =
                 clCreateSubBuffer(target, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
             return made ? clReleaseMemObject(made) : code;
         }},
    });
}

TEST_F(Size, OfAllocations) {
    const auto allocation = [&](const Sizes &s) { return Size::allocation(s[0]); };
    const auto released = [](cl_mem made, cl_int code) {
        return made ? clReleaseMemObject(made) : code;
    };
    sweep({
        {"clCreateBuffer",
         {{"size", 64}},
         allocation,
         [&](const Sizes &s) {
             cl_int code = 1;
             const cl_mem made = clCreateBuffer(context, 0, s[0], nullptr, &code);
             return released(made, code);
         }},
        {"clCreateBufferWithProperties",
         {{"size", 64}},
         allocation,
         [&](const Sizes &s) {
             cl_int code = 1;
             const cl_mem made =
                 clCreateBufferWithProperties(context, nullptr, 0, s[0], nullptr, &code);
             return released(made, code);
         }},
        {"clSVMAlloc",
         {{"size", 64}},
         allocation,
         [&](const Sizes &s) {
             void *made = clSVMAlloc(context, CL_MEM_READ_WRITE, s[0], 0);
             clSVMFree(context, made);
             return made ? CL_SUCCESS : CL_INVALID_VALUE;
         }},
    });
    EXTENSION(clHostMemAllocINTEL);
    EXTENSION(clDeviceMemAllocINTEL);
    EXTENSION(clSharedMemAllocINTEL);
    EXTENSION(clMemFreeINTEL);
    const auto freed = [&](void *made, cl_int code) {
        return made ? clMemFreeINTEL(context, made) : code;
    };
    cl_int code = 1;
    sweep({
        {"clHostMemAllocINTEL",
         {{"size", 64}},
         allocation,
         [&](const Sizes &s) {
             void *made = clHostMemAllocINTEL(context, nullptr, s[0], 0, &code);
             return freed(made, code);
         }},
        {"clDeviceMemAllocINTEL",
         {{"size", 64}},
         allocation,
         [&](const Sizes &s) {
             void *made = clDeviceMemAllocINTEL(context, device, nullptr, s[0], 0, &code);
             return freed(made, code);
         }},
        {"clSharedMemAllocINTEL",
         {{"size", 64}},
         allocation,
         [&](const Sizes &s) {
             void *made = clSharedMemAllocINTEL(context, device, nullptr, s[0], 0, &code);
             return freed(made, code);
         }},
    });
}

TEST_F(Size, OfSharedMemory) {
    const auto range = [&](const Sizes &s) { return in_range(0, s[0], bytes); };
    const auto some = [&](const Sizes &s) { return both(range(s), s[0] > 0); };
    const auto fill = [&](const Sizes &s) {
        const bool pattern = s[0] && s[0] <= 128 && !(s[0] & (s[0] - 1));
        return both(in_range(0, s[1], bytes), pattern && s[1] % s[0] == 0);
    };
    EXTENSION(clEnqueueMemcpyINTEL);
    EXTENSION(clEnqueueMemFillINTEL);
    EXTENSION(clEnqueueMemsetINTEL);
    EXTENSION(clEnqueueMigrateMemINTEL);
    EXTENSION(clEnqueueMemAdviseINTEL);
    EXTENSION(clCreateCommandBufferKHR);
    EXTENSION(clReleaseCommandBufferKHR);
    COMMAND(clCommandSVMMemcpyKHR);
    COMMAND(clCommandSVMMemFillKHR);
    const auto recorded = released_later(clReleaseCommandBufferKHR,
                                         made(clCreateCommandBufferKHR, 1u, &queue, nullptr));
    void *from = clSVMAlloc(context, CL_MEM_READ_WRITE, bytes, 0);
    void *guard = clSVMAlloc(context, CL_MEM_READ_WRITE, bytes, 0);
    void *to = clSVMAlloc(context, CL_MEM_READ_WRITE, bytes, 0);
    ASSERT_TRUE(from && guard && to);
    std::fill_n(static_cast<unsigned char *>(guard), bytes, 0x33);
    sweep({
        {"clEnqueueSVMMemcpy",
         {{"size", 64}},
         range,
         [&](const Sizes &s) {
             return clEnqueueSVMMemcpy(queue, CL_TRUE, to, from, s[0], 0, nullptr, nullptr);
         }},
        {"clEnqueueSVMMemFill",
         {{"pattern_size", 4}, {"size", 64}},
         fill,
         [&](const Sizes &s) {
             return clEnqueueSVMMemFill(queue, to, data, s[0], s[1], 0, nullptr, nullptr);
         }},
        {"clEnqueueSVMMap",
         {{"size", 64}},
         some,
         [&](const Sizes &s) {
             const cl_int code =
                 clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, to, s[0], 0, nullptr, nullptr);
             return code ? code : clEnqueueSVMUnmap(queue, to, 0, nullptr, nullptr);
         }},
        {"clEnqueueSVMMigrateMem",
         {{"sizes", 64}},
         range,
         [&](const Sizes &s) {
             const void *pointer = to;
             return clEnqueueSVMMigrateMem(queue, 1, &pointer, s.data(), 0, 0, nullptr, nullptr);
         }},
        {"clEnqueueMemcpyINTEL",
         {{"size", 64}},
         range,
         [&](const Sizes &s) {
             return clEnqueueMemcpyINTEL(queue, CL_TRUE, to, from, s[0], 0, nullptr, nullptr);
         }},
        {"clEnqueueMemFillINTEL",
         {{"pattern_size", 4}, {"size", 64}},
         fill,
         [&](const Sizes &s) {
             return clEnqueueMemFillINTEL(queue, to, data, s[0], s[1], 0, nullptr, nullptr);
         }},
        {"clEnqueueMemsetINTEL",
         {{"size", 64}},
         range,
         [&](const Sizes &s) {
             return clEnqueueMemsetINTEL(queue, to, 1, s[0], 0, nullptr, nullptr);
         }},
        {"clEnqueueMigrateMemINTEL",
         {{"size", 64}},
         range,
         [&](const Sizes &s) {
             return clEnqueueMigrateMemINTEL(queue, to, s[0], 0, 0, nullptr, nullptr);
         }},
        {"clEnqueueMemAdviseINTEL",
         {{"size", 64}},
         range,
         [&](const Sizes &s) {
             return clEnqueueMemAdviseINTEL(queue, to, s[0], 0, 0, nullptr, nullptr);
         }},
        {"clCommandSVMMemcpyKHR",
         {{"size", 64}},
         range,
         [&](const Sizes &s) {
             return clCommandSVMMemcpyKHR(recorded, nullptr, nullptr, to, from, s[0], 0, nullptr,
                                          nullptr, nullptr);
         }},
        {"clCommandSVMMemFillKHR",
         {{"pattern_size", 4}, {"size", 64}},
         fill,
         [&](const Sizes &s) {
             return clCommandSVMMemFillKHR(recorded, nullptr, nullptr, to, data, s[0], s[1], 0,
                                           nullptr, nullptr, nullptr);
         }},
    });
    const auto *bytes_between = static_cast<const unsigned char *>(guard);
    EXPECT_EQ(std::count(bytes_between, bytes_between + bytes, 0x33),
              static_cast<ptrdiff_t>(bytes));
    for (void *memory : {from, guard, to})
        clSVMFree(context, memory);
}

} // namespace
} // namespace rivulet::test
