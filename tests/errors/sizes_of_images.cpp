// SPDX-License-Identifier: Apache-2.0
//
// Sizes of images, of NDRanges and of arguments; see sizes.h.
#include "sizes.h"

namespace rivulet::test {
namespace {

/// Images of 4 × 4 × 4 elements of 4 bytes.
class ImageSize : public Size {
protected:
    void SetUp() override {
        Size::SetUp();
        for (cl_mem *image : {&cube, &other_cube}) {
            cl_image_desc desc{};
            desc.image_type = CL_MEM_OBJECT_IMAGE3D;
            desc.image_width = desc.image_height = desc.image_depth = side;
            *image = released_later(clReleaseMemObject,
                                    made(clCreateImage, context, cl_mem_flags{0}, &format,
                                         static_cast<const cl_image_desc *>(&desc), nullptr));
        }
    }
    static Verdict in_cube(const size_t *origin, const size_t *region) {
        Verdict verdict = true;
        for (size_t axis = 0; axis < 3; ++axis)
            verdict =
                both(verdict, both(in_range(origin[axis], region[axis], side), region[axis] > 0));
        return verdict;
    }

    static constexpr size_t side = 4;
    const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
    cl_mem cube = nullptr, other_cube = nullptr;
};

const std::vector<Argument> box_arguments = {
    {"origin[0]", 1}, {"origin[1]", 1}, {"origin[2]", 1},
    {"region[0]", 2}, {"region[1]", 2}, {"region[2]", 2},
};

std::vector<Argument> box_and(std::initializer_list<Argument> more) {
    std::vector<Argument> all = box_arguments;
    all.insert(all.end(), more);
    return all;
}

TEST_F(ImageSize, OfImageCommands) {
    const auto with_host = [&](const Sizes &s) {
        const size_t start[3] = {0, 0, 0};
        const size_t region[3] = {4 * s[3], s[4], s[5]};
        const Verdict box = in_cube(&s[0], &s[3]);
        if (!*box)
            return box;
        // A slice pitch need be no multiple of the row pitch here: as large as all is enough.
        const Wide row = s[6] ? s[6] : region[0];
        if (row < region[0] || (s[7] && s[7] < product(row, region[1])))
            return Verdict(false);
        const Wide slice = s[7] ? s[7] : product(row, region[1]);
        const Wide end =
            sum(sum(product(region[1] - 1, row), product(region[2] - 1, slice)), region[0]);
        static_cast<void>(start);
        if (product(row, region[1]) > most)
            return Verdict(false);
        return on_host(data, sizeof data, end);
    };
    const auto box = [&](const Sizes &s) { return in_cube(&s[0], &s[3]); };
    const auto boxes = [&](const Sizes &s) {
        return both(in_cube(&s[0], &s[3]), in_cube(&s[6], &s[3]));
    };
    const auto with_buffer = [&](const Sizes &s) {
        const Verdict in_image = in_cube(&s[0], &s[3]);
        return *in_image ? in_range(s[6], 4 * s[3] * s[4] * s[5], bytes) : in_image;
    };
    const cl_uint color[4] = {1, 2, 3, 4};
    EXTENSION(clCreateCommandBufferKHR);
    EXTENSION(clReleaseCommandBufferKHR);
    COMMAND(clCommandCopyImageKHR);
    COMMAND(clCommandFillImageKHR);
    COMMAND(clCommandCopyImageToBufferKHR);
    COMMAND(clCommandCopyBufferToImageKHR);
    const auto recorded = released_later(clReleaseCommandBufferKHR,
                                         made(clCreateCommandBufferKHR, 1u, &queue, nullptr));
    const auto pitches = box_and({{"row_pitch", 16}, {"slice_pitch", 64}});
    const auto other = box_and({{"dst_origin[0]", 0}, {"dst_origin[1]", 0}, {"dst_origin[2]", 0}});
    sweep({
        {"clEnqueueReadImage", pitches, with_host,
         [&](const Sizes &s) {
             return clEnqueueReadImage(queue, cube, CL_TRUE, &s[0], &s[3], s[6], s[7], data, 0,
                                       nullptr, nullptr);
         }},
        {"clEnqueueWriteImage", pitches, with_host,
         [&](const Sizes &s) {
             return clEnqueueWriteImage(queue, cube, CL_TRUE, &s[0], &s[3], s[6], s[7], data, 0,
                                        nullptr, nullptr);
         }},
        {"clEnqueueFillImage", box_arguments, box,
         [&](const Sizes &s) {
             return clEnqueueFillImage(queue, cube, color, &s[0], &s[3], 0, nullptr, nullptr);
         }},
        {"clCommandFillImageKHR", box_arguments, box,
         [&](const Sizes &s) {
             return clCommandFillImageKHR(recorded, nullptr, nullptr, cube, color, &s[0], &s[3], 0,
                                          nullptr, nullptr, nullptr);
         }},
        {"clEnqueueMapImage", box_arguments, box,
         [&](const Sizes &s) {
             size_t row = 0, slice = 0;
             cl_int code = 1;
             void *mapped = clEnqueueMapImage(queue, cube, CL_TRUE, CL_MAP_READ, &s[0], &s[3], &row,
                                              &slice, 0, nullptr, nullptr, &code);
             return mapped ? clEnqueueUnmapMemObject(queue, cube, mapped, 0, nullptr, nullptr)
                           : code;
         }},
        {"clEnqueueCopyImage", other, boxes,
         [&](const Sizes &s) {
             return clEnqueueCopyImage(queue, other_cube, cube, &s[0], &s[6], &s[3], 0, nullptr,
                                       nullptr);
         }},
        {"clCommandCopyImageKHR", other, boxes,
         [&](const Sizes &s) {
             return clCommandCopyImageKHR(recorded, nullptr, nullptr, other_cube, cube, &s[0],
                                          &s[6], &s[3], 0, nullptr, nullptr, nullptr);
         }},
        {"clEnqueueCopyImageToBuffer", box_and({{"dst_offset", 16}}), with_buffer,
         [&](const Sizes &s) {
             return clEnqueueCopyImageToBuffer(queue, cube, target, &s[0], &s[3], s[6], 0, nullptr,
                                               nullptr);
         }},
        {"clCommandCopyImageToBufferKHR", box_and({{"dst_offset", 16}}), with_buffer,
         [&](const Sizes &s) {
             return clCommandCopyImageToBufferKHR(recorded, nullptr, nullptr, cube, target, &s[0],
                                                  &s[3], s[6], 0, nullptr, nullptr, nullptr);
         }},
        {"clEnqueueCopyBufferToImage", box_and({{"src_offset", 16}}), with_buffer,
         [&](const Sizes &s) {
             return clEnqueueCopyBufferToImage(queue, source_buffer, cube, s[6], &s[0], &s[3], 0,
                                               nullptr, nullptr);
         }},
        {"clCommandCopyBufferToImageKHR", box_and({{"src_offset", 16}}), with_buffer,
         [&](const Sizes &s) {
             return clCommandCopyBufferToImageKHR(recorded, nullptr, nullptr, source_buffer, cube,
                                                  s[6], &s[0], &s[3], 0, nullptr, nullptr, nullptr);
         }},
    });
}

TEST_F(ImageSize, OfNewImages) {
    // Width, height, depth and pitches fit if the memory is large enough for them.
    const auto fits = [&](Wide width, Wide height, Wide depth, Wide row, Wide slice) -> Verdict {
        if (!width || !height || !depth || width > 8192 || height > 8192 || depth > 2048)
            return false;
        const Wide least = product(width, 4);
        if (row && (row < least || row % 4))
            return false;
        row = row ? row : least;
        if (slice && (slice < product(row, height) || slice % row))
            return false;
        slice = slice ? slice : product(row, height);
        const Wide all = product(slice, depth);
        return all > largest ? Verdict(false) : all <= sizeof data ? Verdict(true) : std::nullopt;
    };
    const auto flat = [&](const Sizes &s) { return fits(s[0], s[1], 1, s[2], 0); };
    const auto deep = [&](const Sizes &s) { return fits(s[0], s[1], s[2], s[3], s[4]); };
    const auto released = [](cl_mem made, cl_int code) {
        return made ? clReleaseMemObject(made) : code;
    };
    const std::vector<Argument> all = {
        {"width", 4}, {"height", 4}, {"depth", 4}, {"row_pitch", 32}, {"slice_pitch", 256}};
    const auto desc_of = [](const Sizes &s) {
        cl_image_desc desc{};
        desc.image_type = CL_MEM_OBJECT_IMAGE3D;
        desc.image_width = s[0];
        desc.image_height = s[1];
        desc.image_depth = s[2];
        desc.image_row_pitch = s[3];
        desc.image_slice_pitch = s[4];
        return desc;
    };
    sweep({
        {"clCreateImage", all, deep,
         [&](const Sizes &s) {
             cl_int code = 1;
             const cl_image_desc desc = desc_of(s);
             const cl_mem made =
                 clCreateImage(context, CL_MEM_COPY_HOST_PTR, &format, &desc, data, &code);
             return released(made, code);
         }},
        {"clCreateImageWithProperties", all, deep,
         [&](const Sizes &s) {
             cl_int code = 1;
             const cl_image_desc desc = desc_of(s);
             const cl_mem made = clCreateImageWithProperties(context, nullptr, CL_MEM_COPY_HOST_PTR,
                                                             &format, &desc, data, &code);
             return released(made, code);
         }},
        {"clCreateImage2D",
         {{"width", 4}, {"height", 4}, {"row_pitch", 32}},
         flat,
         [&](const Sizes &s) {
             cl_int code = 1;
             const cl_mem made = clCreateImage2D(context, CL_MEM_COPY_HOST_PTR, &format, s[0], s[1],
                                                 s[2], data, &code);
             return released(made, code);
         }},
        {"clCreateImage3D", all,
         [&](const Sizes &s) { return s[2] == 1 ? Verdict(false) : deep(s); },
         [&](const Sizes &s) {
             cl_int code = 1;
             const cl_mem made = clCreateImage3D(context, CL_MEM_COPY_HOST_PTR, &format, s[0], s[1],
                                                 s[2], s[3], s[4], data, &code);
             return released(made, code);
         }},
    });
}

TEST_F(Size, OfRanges) {
    const cl_kernel nothing = kernel("kernel void test() {}");
    constexpr size_t largest_range = most >> 33;
    const auto expected = [&](const Sizes &s) -> Verdict {
        const auto too_large = [&](size_t axis) {
            return s[2 + axis] > largest_range || s[axis] > largest_range - s[2 + axis];
        };
        if (too_large(0) || too_large(1))
            return false;
        if (!s[2] || !s[3]) // nothing to do, whatever the rest
            return std::nullopt;
        return s[4] && s[5] && s[2] % s[4] == 0 && s[3] % s[5] == 0; // of OpenCL C 1.2
    };
    EXTENSION(clGetKernelSuggestedLocalWorkSizeKHR);
    EXTENSION(clCreateCommandBufferKHR);
    EXTENSION(clReleaseCommandBufferKHR);
    COMMAND(clCommandNDRangeKernelKHR);
    const auto recorded = released_later(clReleaseCommandBufferKHR,
                                         made(clCreateCommandBufferKHR, 1u, &queue, nullptr));
    const std::vector<Argument> offsets_and_sizes = {{"global_work_offset[0]", 1},
                                                     {"global_work_offset[1]", 1},
                                                     {"global_work_size[0]", 4},
                                                     {"global_work_size[1]", 4}};
    std::vector<Argument> all = offsets_and_sizes;
    all.insert(all.end(), {{"local_work_size[0]", 2}, {"local_work_size[1]", 2}});
    sweep({
        {"clEnqueueNDRangeKernel", all, expected,
         [&](const Sizes &s) {
             return clEnqueueNDRangeKernel(queue, nothing, 2, &s[0], &s[2], &s[4], 0, nullptr,
                                           nullptr);
         }},
        {"clCommandNDRangeKernelKHR", all, expected,
         [&](const Sizes &s) {
             return clCommandNDRangeKernelKHR(recorded, nullptr, nullptr, nothing, 2, &s[0], &s[2],
                                              &s[4], 0, nullptr, nullptr, nullptr);
         }},
        {"clGetKernelSuggestedLocalWorkSizeKHR", offsets_and_sizes,
         [&](const Sizes &s) { return expected({s[0], s[1], s[2], s[3], 1, 1}); },
         [&](const Sizes &s) {
             size_t local[2];
             return clGetKernelSuggestedLocalWorkSizeKHR(queue, nothing, 2, &s[0], &s[2], local);
         }},
    });
}

TEST_F(Size, OfArguments) {
    const cl_kernel by_value = kernel("kernel void test(global int *out, int value) {}");
    sweep({
        {"clSetKernelArg",
         {{"arg_size", 4}},
         [](const Sizes &s) { return Verdict(s[0] == 4); },
         [&](const Sizes &s) { return clSetKernelArg(by_value, 1, s[0], data); }},
        {"clSetKernelExecInfo",
         {{"param_value_size", 4}},
         [](const Sizes &s) { return Verdict(s[0] == 4); },
         [&](const Sizes &s) {
             const cl_bool no = CL_FALSE;
             return clSetKernelExecInfo(by_value, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, s[0],
                                        &no);
         }},
        {"clGetKernelSubGroupInfo",
         {{"input_value_size", 8}, {"input_value[0]", 8}},
         [](const Sizes &s) {
             return s[0] > 24 || s[0] % 8 || !s[0] ? Verdict(false)
                    : s[0] == 8                    ? Verdict(true)
                                                   : std::nullopt;
         },
         [&](const Sizes &s) {
             size_t count = 0;
             return clGetKernelSubGroupInfo(by_value, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE,
                                            s[0], &s[1], sizeof count, &count, nullptr);
         }},
        {"clGetKernelSubGroupInfoKHR",
         {{"input_value[0]", 8}, {"input_value[1]", 8}},
         [](const Sizes &s) { return Verdict(product(s[0], s[1]) <= most); },
         [&](const Sizes &s) {
             size_t count = 0;
             return clGetKernelSubGroupInfoKHR(
                 by_value, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 2 * sizeof(size_t),
                 s.data(), sizeof count, &count, nullptr);
         }},
    });
}

// The memory behind these pointers can't be checked, but impossible sizes are errors.
TEST_F(Size, OfTheApplicationsMemory) {
    const char *text = "kernel void test() {}";
    const auto huge = [](const Sizes &s) {
        return s[0] > most / 2 ? Verdict(false) : s[0] == 8 ? Verdict(true) : std::nullopt;
    };
    const auto refused = [](const Sizes &s) {
        return s[0] > most / 2 ? Verdict(false) : std::nullopt;
    };
    sweep({
        {"clEnqueueNativeKernel",
         {{"cb_args", 8}},
         huge,
         [&](const Sizes &s) {
             return clEnqueueNativeKernel(
                 queue, [](void *) {}, data, s[0], 0, nullptr, nullptr, 0, nullptr, nullptr);
         }},
        {"clCreateProgramWithSource",
         {{"lengths", 8}},
         huge,
         [&](const Sizes &s) {
             cl_int code = 1;
             const cl_program made = clCreateProgramWithSource(context, 1, &text, s.data(), &code);
             return made ? clReleaseProgram(made) : code;
         }},
    });
    for (const size_t value : values) {
        const Sizes sizes{value};
        if (!refused(sizes))
            continue;
        const auto *image = reinterpret_cast<const unsigned char *>(data);
        cl_int code = 1;
        EXPECT_EQ(
            clCreateProgramWithBinary(context, 1, &device, sizes.data(), &image, nullptr, &code),
            nullptr);
        EXPECT_NE(code, CL_SUCCESS);
        EXPECT_EQ(clCreateProgramWithIL(context, data, value, &code), nullptr);
        EXPECT_NE(code, CL_SUCCESS);
    }
}

TEST_F(Size, OfLocalMemoryAddsUp) {
    const cl_kernel two = kernel("kernel void test(local int *a, local char *b, global int *out) {"
                                 "    *out = a != (local int *)b; }");
    ASSERT_EQ(clSetKernelArg(two, 2, sizeof buffer, &buffer), CL_SUCCESS);
    constexpr size_t one = 1;
    const auto launch = [&](size_t first, size_t second) {
        EXPECT_EQ(clSetKernelArg(two, 0, first, nullptr), CL_SUCCESS);
        EXPECT_EQ(clSetKernelArg(two, 1, second, nullptr), CL_SUCCESS);
        return clEnqueueNDRangeKernel(queue, two, 1, nullptr, &one, nullptr, 0, nullptr, nullptr);
    };
    EXPECT_EQ(launch(64, 64), CL_SUCCESS);
    for (const size_t first : values)
        for (const size_t second : values)
            if (first && second && std::max(first, second) > four_gib / 4) {
                EXPECT_EQ(launch(first, second), CL_OUT_OF_RESOURCES) << first << " + " << second;
                cl_ulong needed = 0;
                ASSERT_EQ(clGetKernelWorkGroupInfo(two, device, CL_KERNEL_LOCAL_MEM_SIZE,
                                                   sizeof needed, &needed, nullptr),
                          CL_SUCCESS);
                EXPECT_GE(needed, std::max(first, second));
            }
    EXPECT_EQ(launch(64, 64), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

} // namespace
} // namespace rivulet::test
