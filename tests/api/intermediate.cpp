// SPDX-License-Identifier: Apache-2.0
//
// Programs in SPIR-V (clCreateProgramWithIL), and their specialisation constants.
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "host-runtime/include/CL/cl_ext_rivulet.h"
#include "images.h"

namespace rivulet::test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

class Intermediate : public OnImages {
protected:
    static std::vector<char> contents(const std::string &name) {
        std::ifstream file(RIVULET_TEST_MODULES "/" + name, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    std::vector<char> module = contents("buffers.spv");

    void SetUp() override {
        if (device.getInfo<CL_DEVICE_IL_VERSION>().empty())
            GTEST_SKIP() << "llvm-spirv is not installed";
        if (device.getInfo<CL_DEVICE_ADDRESS_BITS>() != 64)
            GTEST_SKIP() << "the module has addresses of 64 bits";
    }
    template <class T> std::vector<T> query(cl_device_info name) {
        size_t bytes = 0;
        EXPECT_EQ(clGetDeviceInfo(device(), name, 0, nullptr, &bytes), CL_SUCCESS);
        std::vector<T> values(bytes / sizeof(T));
        EXPECT_EQ(clGetDeviceInfo(device(), name, bytes, values.data(), nullptr), CL_SUCCESS);
        return values;
    }
    // The log of a module that can't be built.
    std::string complaint(const std::vector<char> &words) {
        const cl::Program program(context, words);
        try {
            cl::Program(program).build(device);
            ADD_FAILURE() << "it was built";
        } catch (const cl::Error &error) {
            EXPECT_EQ(error.err(), CL_BUILD_PROGRAM_FAILURE);
        }
        return program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device);
    }
    cl::Program built(const cl::Program &program) {
        try {
            cl::Program(program).build(device);
        } catch (const cl::Error &) {
            ADD_FAILURE() << program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device);
            throw;
        }
        return program;
    }
};

TEST_F(Intermediate, KernelsRunAsIfTheyHadComeInOpenCLC) {
    const cl::Program program = built(cl::Program(context, module));
    EXPECT_EQ(program.getInfo<CL_PROGRAM_NUM_KERNELS>(), 3u);
    const auto seen_module = program.getInfo<CL_PROGRAM_IL>();
    EXPECT_EQ(std::vector<char>(seen_module.begin(), seen_module.end()), module);

    constexpr size_t items = 256;
    const cl::Buffer from = buffer(iota<int>(items));
    const cl::Buffer to = buffer(std::vector<int>(items));
    cl::Kernel reverse(program, "reverse");
    reverse.setArg(0, from);
    reverse.setArg(1, to);
    reverse.setArg(2, cl::Local(32 * sizeof(int)));
    queue.enqueueNDRangeKernel(reverse, {}, cl::NDRange(items), cl::NDRange(32));
    const auto reversed = read<int>(to, items);
    for (size_t i = 0; i < items; ++i)
        ASSERT_EQ(reversed[i], int(i / 32 * 32 + 31 - i % 32));

    std::vector<float> values(4 * items);
    for (size_t i = 0; i < values.size(); ++i)
        values[i] = (float(i) - 100) / 8;
    const cl::Buffer floats = buffer(values);
    const cl::Buffer results = buffer(std::vector<float>(values.size()));
    const cl::Buffer count = buffer(std::vector<cl_uint>(1));
    cl::Kernel built_ins(program, "built_ins");
    built_ins.setArg(0, floats);
    built_ins.setArg(1, results);
    built_ins.setArg(2, count);
    launch(built_ins, items);
    EXPECT_EQ(read<cl_uint>(count, 1)[0], 25u);
    const auto seen = read<float>(results, values.size());
    for (size_t i = 0; i < values.size(); ++i) {
        float dot = 0;
        for (size_t k = i / 4 * 4; k < i / 4 * 4 + 4; ++k)
            dot += values[k] * values[k];
        const float expected =
            std::min(std::sqrt(std::fabs(values[i])), 9.0f) + dot + std::trunc(values[i]);
        ASSERT_NEAR(seen[i], expected, 1e-4f * std::fabs(expected) + 1e-4f) << i;
    }
}

TEST_F(Intermediate, KernelsTakeImagesAndSamplers) {
    constexpr size_t width = 13, height = 6;
    const Size size{width, height, 1};
    std::vector<std::array<float, 4>> texels(width * height);
    for (size_t i = 0; i < texels.size(); ++i)
        texels[i] = {float(i), float(i * i % 31), -float(i), 0.5f};
    const cl::Image2D from = image(CL_MEM_OBJECT_IMAGE2D, {CL_RGBA, CL_FLOAT}, size);
    const cl::Image2D to = image(CL_MEM_OBJECT_IMAGE2D, {CL_RGBA, CL_FLOAT}, size);
    queue.enqueueWriteImage(from, CL_TRUE, start, size, 0, 0, texels.data());
    const cl::Sampler linear(context, CL_TRUE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR);
    for (const std::string name : {"images0", "images1"}) {
        const cl::Program program = built(cl::Program(context, contents(name + ".spv")));
        cl::Kernel kernel(program, "neighbours");
        kernel.setArg(0, from);
        kernel.setArg(1, linear);
        kernel.setArg(2, to);
        queue.enqueueFillImage(to, cl_float4{}, start, size);
        queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(width, height));
        const auto seen = read_image<std::array<float, 4>>(to, size);
        for (size_t i = 0; i < seen.size(); ++i) {
            const size_t x = i % width, y = i / width;
            const size_t right = std::min(x + 1, width - 1), below = std::min(y + 1, height - 1);
            for (size_t k = 0; k < 4; ++k) {
                const auto at = [&](size_t x_, size_t y_) { return texels[y_ * width + x_][k]; };
                const float expected =
                    at(right, below) +
                    (at(x, y) + at(right, y) + at(x, below) + at(right, below)) / 4;
                ASSERT_NEAR(seen[i][k], expected, 0.05) << x << ", " << y;
            }
        }
    }
}

TEST_F(Intermediate, KernelsTakeImagesOfSeveralLayers) {
    const Size size{5, 4, 3};
    std::vector<std::array<uint8_t, 4>> texels(5 * 4 * 3);
    for (size_t i = 0; i < texels.size(); ++i)
        texels[i] = {uint8_t(i), uint8_t(100 + i), uint8_t(255 - i), 9};
    const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
    const cl::Image2D from = image(CL_MEM_OBJECT_IMAGE2D_ARRAY, format, size);
    const cl::Image2D to = image(CL_MEM_OBJECT_IMAGE3D, format, size);
    queue.enqueueWriteImage(from, CL_TRUE, start, size, 0, 0, texels.data());
    const cl::Buffer sizes = buffer(std::vector<cl_uint>(3));
    cl::Kernel kernel(built(cl::Program(context, contents("images1.spv"))), "layers");
    kernel.setArg(0, from);
    kernel.setArg(1, to);
    kernel.setArg(2, sizes);
    queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(5, 4, 3));
    for (auto &texel : texels)
        std::ranges::reverse(texel);
    EXPECT_EQ((read_image<std::array<uint8_t, 4>>(to, size)), texels);
    EXPECT_THAT(read<cl_uint>(sizes, 3), ElementsAre(3u, 3u, CL_RGBA));
}

TEST_F(Intermediate, KernelsCopyAsynchronously) {
    constexpr int items = 64, group = 16;
    const cl::Buffer from = buffer(iota<int>(items));
    for (const std::string name : {"values0", "values1"}) {
        const cl::Buffer to = buffer(std::vector<int>(items));
        cl::Kernel kernel(built(cl::Program(context, contents(name + ".spv"))), "staged");
        kernel.setArg(0, from);
        kernel.setArg(1, to);
        kernel.setArg(2, cl::Local(2 * group * sizeof(int)));
        queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(items), cl::NDRange(group));
        const auto seen = read<int>(to, items);
        for (int i = 0; i < items; ++i)
            ASSERT_EQ(seen[size_t(i)], i / group * group + group - 1 - i % group + 2 * (i % group));
    }
}

TEST_F(Intermediate, KernelsPrintWithSeveralFormats) {
    const cl::Buffer from = buffer(iota<int>(16, 7));
    cl::Kernel kernel(built(cl::Program(context, contents("printf.spv"))), "tell");
    kernel.setArg(0, from);
    testing::internal::CaptureStdout();
    launch(kernel, 16);
    queue.finish();
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "7 and more\n8,9\n128 -7\nend\n");
}

// The module has logical copies, differences of pointers, copies with two memory operands,
// decorations by strings, variables of a kernel that begin with a value, and a format that nothing
// calls constant.
TEST_F(Intermediate, KernelsUseInstructionsOfVersion1_4) {
    constexpr size_t items = 40, slots = 10;
    const cl::Buffer to = buffer(std::vector<cl_uint>(items * slots));
    const cl::Buffer structure = buffer(std::vector<cl_uint>(4));
    cl::Kernel kernel(built(cl::Program(context, contents("newer.spv"))), "newer");
    kernel.setArg(0, to);
    kernel.setArg(1, structure);
    testing::internal::CaptureStdout();
    launch(kernel, items);
    queue.finish();
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "42\n");
    EXPECT_THAT(read<cl_uint>(structure, 4), ElementsAre(42, 1, 2, 3));
    const auto seen = read<cl_uint>(to, items * slots);
    for (cl_uint i = 0; i < items; ++i) {
        const cl_uint distance = i * slots + 3, low = (42 + i) << 24, high = distance << 24;
        EXPECT_THAT(std::vector(seen.begin() + i * slots, seen.begin() + (i + 1) * slots),
                    ElementsAre(42 + i, 42 + i, 42 + i, distance, cl_uint(-4), i ? 2 : 1, low, high,
                                low, high));
    }
}

TEST_F(Intermediate, KernelsTakeStructuresAndComparePointers) {
    struct Shape {
        cl_float3 direction;
        cl_char letters[5];
        cl_int count;
    } shape{{{1, 2, 3}}, {1, 2, 3, 4, 5}, 100};
    const cl::Buffer to = buffer(std::vector<cl_float4>(8));
    const cl::Buffer other = buffer(std::vector<int>(1));
    for (const std::string name : {"values0", "values1"}) {
        cl::Kernel kernel(built(cl::Program(context, contents(name + ".spv"))), "by_value");
        kernel.setArg(0, shape);
        kernel.setArg(1, to);
        for (const bool has_other : {false, true}) {
            kernel.setArg(2, has_other ? other : cl::Buffer());
            launch(kernel, 8);
            for (const cl_float4 &seen : read<cl_float4>(to, 8))
                EXPECT_THAT(seen.s, ElementsAre(3, 2, 1, has_other ? 115 : 15));
        }
    }
}

TEST_F(Intermediate, SpecialisationConstantsHoldFromTheNextBuildOn) {
    cl::Program program(context, module);
    const auto scaled = [&] {
        built(program);
        const cl::Buffer data = buffer(std::vector<int>(100, 10));
        cl::Kernel scale(program, "scale");
        scale.setArg(0, data);
        launch(scale, 100);
        return read<int>(data, 100);
    };
    EXPECT_THAT(scaled(), Each(10 * 2 + 3));
    const cl_int factor = -7;
    const cl_float offset = 4.5f;
    const auto set = [&](cl_uint id, size_t size, const void *value) {
        return clSetProgramSpecializationConstant(program(), id, size, value);
    };
    EXPECT_EQ(set(3, sizeof factor, &factor), CL_SUCCESS);
    EXPECT_EQ(set(7, sizeof offset, &offset), CL_SUCCESS);
    EXPECT_EQ(set(4, sizeof factor, &factor), CL_INVALID_SPEC_ID);
    EXPECT_EQ(set(3, 8, &factor), CL_INVALID_VALUE);
    EXPECT_THAT(scaled(), Each(10 * -7 + 9));
}

TEST_F(Intermediate, CompilesAndLinksLikeSource) {
    cl::Program program(context, module);
    program.compile();
    const cl::Program linked = cl::linkProgram({program});
    const cl::Buffer data = buffer(std::vector<int>(100, 1));
    cl::Kernel scale(linked, "scale");
    scale.setArg(0, data);
    launch(scale, 100);
    EXPECT_THAT(read<int>(data, 100), Each(5));
}

// The module's own kernels have no need of the function after inlining.
TEST_F(Intermediate, FunctionsLinkedOnceAreThereForOtherModules) {
    cl::Program library(context, contents("linked_once.spv"));
    library.compile();
    cl::Program program(context, R"(extern "C" int twice(int);
        kernel void test(global int *out) { out[0] = twice(21); })");
    program.compile("-cl-std=CLC++2021");
    cl::Kernel kernel(cl::linkProgram({library, program}), "test");
    const cl::Buffer out = buffer(std::vector<cl_int>(1));
    kernel.setArg(0, out);
    launch(kernel, 1);
    EXPECT_THAT(read<cl_int>(out, 1), ElementsAre(42));
}

// A sampler as a constant, images of one dimension and of a buffer, operands of reads and writes.
TEST_F(Intermediate, KernelsTakeImagesOfAllKinds) {
    constexpr size_t width = 7;
    const cl_image_format format{CL_RGBA, CL_FLOAT};
    using Texel = std::array<float, 4>;
    const auto filled = [&](cl_mem_object_type type, Size size, float first) {
        std::vector<Texel> texels(size[0] * size[1] * size[2]);
        for (size_t i = 0; i < texels.size(); ++i)
            texels[i] = {first + float(i), 2, 3, 4};
        cl::Image2D made = image(type, format, size);
        queue.enqueueWriteImage(made, CL_TRUE, start, size, 0, 0, texels.data());
        return made;
    };
    const cl::Image2D line = filled(CL_MEM_OBJECT_IMAGE1D, {width, 1, 1}, 10);
    const cl::Image2D elements = filled(CL_MEM_OBJECT_IMAGE1D_BUFFER, {width, 1, 1}, 100);
    const cl::Image2D both = filled(CL_MEM_OBJECT_IMAGE2D, {width, 1, 1}, 1000);
    cl_image_desc desc = description(CL_MEM_OBJECT_IMAGE2D, {2, 2, 1});
    desc.num_mip_levels = 2;
    const cl::Image2D pyramid = image(desc, format);
    const Texel level{0.25f, 0, 0, 0};
    queue.enqueueWriteImage(pyramid, CL_TRUE, {0, 0, 1}, {1, 1, 1}, 0, 0, level.data());
    const cl::Buffer out = buffer(std::vector<Texel>(width));
    cl::Kernel kernel(built(cl::Program(context, contents("image_kinds.spv"))), "kinds");
    kernel.setArg(0, line);
    kernel.setArg(1, elements);
    kernel.setArg(2, both);
    kernel.setArg(3, pyramid);
    kernel.setArg(4, out);
    desc.image_width = 2 * width;
    const cl::Image2D levels = image(desc, format);
    kernel.setArg(5, levels);
    const cl::Image2D numbers =
        image(description(CL_MEM_OBJECT_IMAGE2D, {width, 1, 1}), {CL_RGBA, CL_UNSIGNED_INT32});
    kernel.setArg(6, numbers);
    launch(kernel, width);
    const auto sums = read<Texel>(out, width);
    const auto written = read_image<Texel>(both, {width, 1, 1});
    std::vector<Texel> of_level(width);
    queue.enqueueReadImage(levels, CL_TRUE, {0, 0, 1}, {width, 1, 1}, 0, 0, of_level.data());
    EXPECT_EQ(of_level, written);
    const auto counted = read_image<std::array<cl_uint, 4>>(numbers, {width, 1, 1});
    for (size_t i = 0; i < width; ++i) {
        EXPECT_THAT(sums[i], ElementsAre(10.25f + float(i), 2, 3, 4));
        EXPECT_THAT(written[i], ElementsAre(1100 + 2 * float(i), 4, 6, 8));
        EXPECT_THAT(counted[i], ElementsAre(i, 1, 0, i));
    }
}

// Structures by value that hold pointers, generic pointers in memory and to it.
TEST_F(Intermediate, KernelsOfSingleSourceProgramsFollowPointers) {
    if (device.getInfo<CL_DEVICE_SVM_CAPABILITIES>() == 0)
        GTEST_SKIP() << "the device's addresses are not the host's";
    struct Node {
        Node *next;
        cl_int value;
    };
    struct Lists {
        Node **heads;
        cl_int *sums;
        cl_uint count;
    };
    constexpr cl_uint lists = 45;
    struct Memory { // list i has i nodes
        std::array<Node, lists *(lists - 1) / 2> nodes;
        std::array<Node *, lists> heads;
        std::array<cl_int, lists> sums;
        cl_int total;
    };
    auto *memory =
        static_cast<Memory *>(clSVMAlloc(context(), CL_MEM_READ_WRITE, sizeof(Memory), 0));
    ASSERT_NE(memory, nullptr);
    const auto map = [&](cl_map_flags flags) {
        EXPECT_EQ(
            clEnqueueSVMMap(queue(), CL_TRUE, flags, memory, sizeof *memory, 0, nullptr, nullptr),
            CL_SUCCESS);
    };
    const auto unmap = [&] {
        EXPECT_EQ(clEnqueueSVMUnmap(queue(), memory, 0, nullptr, nullptr), CL_SUCCESS);
    };
    map(CL_MAP_WRITE);
    memory->total = 1000;
    for (cl_int list = 0, node = 0; list < cl_int{lists}; ++list) {
        memory->heads[list] = nullptr;
        for (cl_int i = 0; i < list; ++i, ++node) {
            memory->nodes[node] = {memory->heads[list], node};
            memory->heads[list] = &memory->nodes[node];
        }
    }
    unmap();
    cl::Kernel kernel(built(cl::Program(context, contents("hip.spv"))), "sum_lists");
    kernel.setArg(0, Lists{memory->heads.data(), memory->sums.data(), lists});
    ASSERT_EQ(clSetKernelArgSVMPointer(kernel(), 1, &memory->total), CL_SUCCESS);
    void *reached = memory;
    ASSERT_EQ(clSetKernelExecInfo(kernel(), CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof reached, &reached),
              CL_SUCCESS);
    launch(kernel, 64);
    map(CL_MAP_READ);
    cl_int total = 1000;
    for (cl_int list = 0, node = 0; list < cl_int{lists}; ++list) {
        cl_int sum = 0;
        for (cl_int i = 0; i < list; ++i)
            sum += node++;
        EXPECT_EQ(memory->sums[list], sum) << list;
        total += sum;
    }
    EXPECT_EQ(memory->total, total);
    unmap();
    clSVMFree(context(), memory);
}

TEST_F(Intermediate, KernelsOfSingleSourceProgramsMeetInLocalMemory) {
    const cl::Program program = built(cl::Program(context, contents("hip.spv")));
    constexpr size_t groups = 3, size = 60;
    std::vector<cl_int> values(groups * size), expected(groups);
    for (size_t i = 0; i < values.size(); ++i)
        expected[i / size] += values[i] = static_cast<cl_int>(i * i);
    cl::Kernel kernel(program, "sum_groups");
    kernel.setArg(0, buffer(values));
    const cl::Buffer sums = buffer(std::vector<cl_int>(groups));
    kernel.setArg(1, sums);
    queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(groups * size), cl::NDRange(size));
    EXPECT_EQ(read<cl_int>(sums, groups), expected);

    kernel = cl::Kernel(program, "count");
    const cl::Buffer totals = buffer(std::vector<cl_int>(2));
    kernel.setArg(0, totals);
    queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(groups * size), cl::NDRange(size));
    EXPECT_THAT(read<cl_int>(totals, 2), ElementsAre(groups * size * 2 / 3, size / 3));
}

// The size of a work-group from a specialisation constant and a third of it, attributes and
// functions as LLVM's newer translators write them, and instructions without a meaning.
TEST_F(Intermediate, KernelsComeFromNewerProducers) {
    cl::Program program(context, contents("producers.spv"));
    const cl_uint size = 6;
    ASSERT_EQ(clSetProgramSpecializationConstant(program(), 4, sizeof size, &size), CL_SUCCESS);
    built(program);
    cl::Kernel kernel(program, "sized");
    EXPECT_THAT(kernel.getWorkGroupInfo<CL_KERNEL_COMPILE_WORK_GROUP_SIZE>(device),
                ElementsAre(6, 1, 2));
    const cl::Buffer out = buffer(std::vector<cl_uint>(3));
    kernel.setArg(0, out);
    kernel.setArg(1, cl::Buffer());
    queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(6, 1, 2), cl::NDRange(6, 1, 2));
    EXPECT_THAT(read<cl_uint>(out, 3), ElementsAre(0x05050505, 0x05050505, 0));
}

TEST_F(Intermediate, ArgumentsHaveTheirNames) {
    cl::Program program(context, contents("producers.spv"));
    program.build(device, "-cl-kernel-arg-info");
    const cl::Kernel kernel(program, "sized");
    EXPECT_EQ(kernel.getArgInfo<CL_KERNEL_ARG_NAME>(0), "to");
    EXPECT_EQ(kernel.getArgInfo<CL_KERNEL_ARG_NAME>(1), "unused");
    EXPECT_EQ(kernel.getArgInfo<CL_KERNEL_ARG_ADDRESS_QUALIFIER>(0),
              cl_kernel_arg_address_qualifier(CL_KERNEL_ARG_ADDRESS_GLOBAL));
}

// cl_khr_spirv_queries: for all that it lists there is a module here that another test runs.
TEST_F(Intermediate, EverythingThatQueriesListIsInATest) {
    enum : cl_uint { extension = 10, import = 11, capability = 17 };
    std::set<cl_uint> capabilities;
    std::set<std::string> extensions, imports;
    for (const auto &entry : std::filesystem::directory_iterator(RIVULET_TEST_MODULES)) {
        if (entry.path().extension() != ".spv")
            continue;
        const std::vector<char> bytes = contents(entry.path().filename());
        std::vector<cl_uint> words(bytes.size() / sizeof(cl_uint));
        std::memcpy(words.data(), bytes.data(), words.size() * sizeof(cl_uint));
        for (size_t at = 5; at < words.size(); at += std::max(words[at] >> 16, 1u)) {
            const auto text = [&](size_t index) {
                return std::string(reinterpret_cast<const char *>(&words[at + index]));
            };
            switch (words[at] & 0xffff) {
            case capability:
                capabilities.insert(words[at + 1]);
                break;
            case extension:
                extensions.insert(text(1));
                break;
            case import:
                imports.insert(text(2));
                break;
            }
        }
    }
    for (const cl_uint offered : query<cl_uint>(CL_DEVICE_SPIRV_CAPABILITIES_KHR))
        EXPECT_TRUE(capabilities.contains(offered)) << offered;
    for (const char *offered : query<const char *>(CL_DEVICE_SPIRV_EXTENSIONS_KHR))
        EXPECT_TRUE(extensions.contains(offered)) << offered;
    for (const char *offered : query<const char *>(CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR))
        EXPECT_TRUE(imports.contains(offered)) << offered;
    const auto all = query<cl_uint>(CL_DEVICE_SPIRV_CAPABILITIES_KHR);
    const std::string names = device.getInfo<CL_DEVICE_EXTENSIONS>();
    for (const auto &[number, name] : {std::pair(9u, "cl_khr_fp16"), std::pair(10u, "cl_khr_fp64")})
        EXPECT_EQ(std::ranges::count(all, number), names.contains(name)) << name;
    EXPECT_THAT(all, testing::IsSupersetOf({4u, 5u, 6u, 7u, 11u, 13u, 18u, 22u, 38u, 39u}));
}

// Modules that no translator can read, or that mean nothing to a device.
TEST_F(Intermediate, ErrorsNameTheInstructionAndItsWord) {
    const std::pair<const char *, const char *> cases[] = {
        {"shader", "OpCapability at word 5 asks for Shader"},
        {"vulkan", "OpMemoryModel at word 9 has the memory model 3"},
        {"glsl", "OpExtInstImport at word 9 imports the instructions GLSL.std.450"},
        {"array_copy", "OpGroupAsyncCopy at word "},
        {"self_contained", "copies structures or arrays in more than 512 others"},
        {"long_structure", "makes 2 parts of 3"},
        {"long_vector", "makes 4 parts of 8"},
        {"wrong_type", "cannot translate OpFRem at word "},
        {"wrong_scope", "cannot translate OpGroupIAdd at word "},
    };
    for (const auto &[name, words] : cases) {
        SCOPED_TRACE(name);
        EXPECT_THAT(complaint(contents("invalid_" + std::string(name) + ".spv")),
                    testing::AllOf(HasSubstr(words),
                                   HasSubstr("the SPIR-V module can't be compiled"),
                                   testing::Not(HasSubstr("Assertion")),
                                   testing::Not(HasSubstr("UNREACHABLE"))));
    }
    // An instruction shorter than its kind, and ids beyond the header's bound.
    std::vector<cl_uint> words{0x07230203, 0x10000, 0, 10, 0, 0x20011, 6, 0x2000e, 2};
    const auto bytes = [&] {
        const auto *first = reinterpret_cast<const char *>(words.data());
        return std::vector<char>(first, first + words.size() * sizeof(cl_uint));
    };
    EXPECT_THAT(complaint(bytes()), HasSubstr("OpMemoryModel at word 7 has 2 words instead of 3"));
    words = {0x07230203, 0x10000, 0, 10, 0, 0x20011, 6, 0x3000e, 2, 2, 0x20013, 10};
    EXPECT_THAT(complaint(bytes()), HasSubstr("OpTypeVoid at word 10 defines id 10"));
}

// Translators read these without a word, or crash.
TEST_F(Intermediate, ErrorsNameWhatIsMissing) {
    std::vector<cl_uint> start{0x07230203, 0x10000, 0, 10, 0};
    const auto complaint_of = [&](const std::vector<cl_uint> &rest) {
        std::vector<cl_uint> words = start;
        words.insert(words.end(), rest.begin(), rest.end());
        const auto *first = reinterpret_cast<const char *>(words.data());
        return complaint(std::vector<char>(first, first + words.size() * sizeof(cl_uint)));
    };
    EXPECT_THAT(complaint_of({}), HasSubstr("it ends at word 5 without OpMemoryModel"));
    EXPECT_THAT(complaint_of({0x20011, 6}), HasSubstr("it ends at word 7 without OpMemoryModel"));
    EXPECT_THAT(complaint_of({0x20011, 9999, 0x3000e, 2, 2}),
                HasSubstr("OpCapability at word 5 asks for the capability 9999, which"));

    const std::vector<cl_uint> head{0x20011, 6, 0x20011, 4, 0x3000e, 2, 2};
    const auto with_head = [&](const std::vector<cl_uint> &rest) {
        std::vector<cl_uint> words = head;
        words.insert(words.end(), rest.begin(), rest.end());
        return complaint_of(words);
    };
    EXPECT_THAT(
        with_head({0x4000f, 6, 3, 0x6b, 0x20013, 1}),
        HasSubstr("OpEntryPoint at word 12 names the function 3, which the module doesn't"));
    const std::vector<cl_uint> types{0x20013, 1, 0x30021, 2, 1};
    for (const std::vector<cl_uint> &rest : {
             std::vector<cl_uint>{0x50036, 1, 3, 0, 2},           // a declaration
             {0x50036, 1, 3, 0, 2, 0x200f8, 4},                   // within a block
             {0x50036, 1, 3, 0, 2, 0x200f8, 4, 0x100fd},          // after it
             {0x50036, 1, 3, 0, 2, 0x50036, 1, 5, 0, 2, 0x10038}, // the next one has an end
         }) {
        std::vector<cl_uint> words = types;
        words.insert(words.end(), rest.begin(), rest.end());
        EXPECT_THAT(with_head(words), HasSubstr("OpFunction at word 17 has no OpFunctionEnd"));
    }
}

// Only translators know the types of extensions, and name the extension if they don't.
TEST_F(Intermediate, UntypedPointersAreLeftToTheTranslator) {
    std::vector<cl_uint> words{0x07230203, 0x10400, 0, 20,      0,   0x20011,
                               6,          0x20011, 4, 0x20011, 4473};
    const auto add = [&](cl_uint operation, std::vector<cl_uint> operands) {
        words.push_back(operation | cl_uint(operands.size() + 1) << 16);
        words.insert(words.end(), operands.begin(), operands.end());
    };
    const auto text = [](std::vector<cl_uint> operands, const std::string &characters) {
        const size_t start = operands.size();
        operands.resize(start + characters.size() / sizeof(cl_uint) + 1);
        std::memcpy(&operands[start], characters.data(), characters.size());
        return operands;
    };
    add(10, text({}, "SPV_KHR_untyped_pointers"));
    add(14, {2, 2});                  // OpMemoryModel Physical64 OpenCL
    add(15, text({6, 1}, "untyped")); // OpEntryPoint Kernel %1
    add(19, {2});                     // %2 = OpTypeVoid
    add(21, {3, 32, 0});              // %3 = OpTypeInt 32 0
    add(4417, {4, 5});                // %4 = OpTypeUntypedPointerKHR CrossWorkgroup
    add(32, {5, 5, 3});               // %5 = OpTypePointer CrossWorkgroup %3
    add(33, {6, 2, 4});               // %6 = OpTypeFunction %2 %4
    add(43, {3, 7, 42});              // %7 = OpConstant %3 42
    add(54, {2, 1, 0, 6});            // %1 = OpFunction %2 None %6
    add(55, {4, 8});                  // %8 = OpFunctionParameter %4
    add(248, {9});                    // %9 = OpLabel
    add(124, {5, 10, 8});             // %10 = OpBitcast %5 %8
    add(62, {10, 7, 2, 4});           // OpStore %10 %7 Aligned 4
    add(253, {});
    add(56, {});
    const auto *first = reinterpret_cast<const char *>(words.data());
    const cl::Program program(context,
                              std::vector<char>(first, first + words.size() * sizeof(cl_uint)));
    if (status_of([&] { cl::Program(program).build(device); }) != CL_SUCCESS)
        EXPECT_THAT(program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device),
                    HasSubstr("SPV_KHR_untyped_pointers"));
}

std::vector<std::string> extension_modules() {
    std::istringstream names(RIVULET_EXTENSION_MODULES);
    return {std::istream_iterator<std::string>(names), {}};
}

// Each kernel of such a module tests one instruction, and the same kernel in OpenCL C gives the
// expected result (spirv_extensions.py).
class Instructions : public Intermediate, public testing::WithParamInterface<std::string> {
protected:
    static constexpr size_t items = 48, group = 24, bytes = items * sizeof(cl_long16);

    // All arguments are numbers of both signs near 1, whatever their type.
    std::vector<std::vector<cl_uchar>> results(const cl::Program &program,
                                               const std::string &name) {
        cl::Kernel kernel(program, name.c_str());
        std::vector<cl::Buffer> buffers;
        for (cl_uint i = 0; i < kernel.getInfo<CL_KERNEL_NUM_ARGS>(); ++i) {
            std::vector<cl_uchar> values(bytes);
            for (size_t k = 0; k < bytes; ++k)
                values[k] = static_cast<cl_uchar>(0x38 + (k * k * 7 + i) % 8 + k / 3 % 2 * 0x80);
            buffers.push_back(buffer(values));
            kernel.setArg(i, buffers.back());
        }
        queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(items), cl::NDRange(group));
        std::vector<std::vector<cl_uchar>> all;
        for (const cl::Buffer &each : buffers)
            all.push_back(read<cl_uchar>(each, bytes));
        return all;
    }

    // 6.15.19: what sub_group_shuffle_up and _down return is undefined where the source would lie
    // outside of the sub-group. `text` is the kernel's in OpenCL C.
    void forget_undefined(std::vector<cl_uchar> &out, const cl::Program &program,
                          const std::string &name, const std::string &text) {
        const bool up = text.contains("sub_group_shuffle_up("),
                   down = text.contains("sub_group_shuffle_down(");
        if (!up && !down)
            return;
        const std::string type = text.substr(0, text.find(" *out"));
        const size_t element = type.ends_with("char")                              ? 1
                               : type.ends_with("short") || type.ends_with("half") ? 2
                               : type.ends_with("int") || type.ends_with("float")  ? 4
                                                                                   : 8;
        size_t size = 0;
        ASSERT_EQ(clGetKernelSubGroupInfo(cl::Kernel(program, name.c_str())(), device(),
                                          CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof group,
                                          &group, sizeof size, &size, nullptr),
                  CL_SUCCESS);
        for (size_t item = 0; item < items; ++item) {
            const size_t local = item % group, lane = local % size;
            if (up ? lane == 0 : lane == size - 1 || local == group - 1)
                std::fill_n(out.begin() + static_cast<ptrdiff_t>(item * element), element, 0);
        }
    }
};

TEST_P(Instructions, DoAsOpenCLCDoes) {
    const std::string name = GetParam(), extensions = device.getInfo<CL_DEVICE_EXTENSIONS>();
    for (const auto &[suffix, extension] :
         {std::pair("half", "cl_khr_fp16"), std::pair("double", "cl_khr_fp64")})
        if (name.ends_with(suffix) && !extensions.contains(extension))
            GTEST_SKIP() << "no " << extension;
    const std::vector<char> source = contents(name + ".cl");
    const std::string text(source.begin(), source.end());
    cl::Program expected(context, text);
    expected.build(device, "-cl-std=CL3.0");
    const cl::Program seen = built(cl::Program(context, contents(name + ".spv")));
    const size_t count = expected.getInfo<CL_PROGRAM_NUM_KERNELS>();
    EXPECT_EQ(seen.getInfo<CL_PROGRAM_NUM_KERNELS>(), count);
    for (size_t i = 0; i < count; ++i) {
        const std::string kernel = "k" + std::to_string(i);
        const std::string_view from = std::string_view(text).substr(
            text.find("kernel void " + kernel + "(") + std::string("kernel void " + kernel).size());
        auto seen_results = results(seen, kernel), expected_results = results(expected, kernel);
        for (auto *all : {&seen_results, &expected_results})
            forget_undefined(all->front(), expected, kernel,
                             std::string(from.substr(0, from.find("kernel void"))));
        EXPECT_EQ(seen_results, expected_results) << kernel;
    }
}
INSTANTIATE_TEST_SUITE_P(, Instructions, testing::ValuesIn(extension_modules()),
                         [](const auto &parameter) { return parameter.param; });

} // namespace
} // namespace rivulet::test
