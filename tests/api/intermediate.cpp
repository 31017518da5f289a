// SPDX-License-Identifier: Apache-2.0
//
// Programs in SPIR-V (clCreateProgramWithIL), and their specialisation constants.
#include <cmath>
#include <fstream>
#include <iterator>

#include "tests/api/on_device.h"

namespace rivulet::test {
namespace {

using testing::Each;

class Intermediate : public OnDevice {
protected:
    std::vector<char> module = [] {
        std::ifstream file(RIVULET_TEST_SPIRV, std::ios::binary);
        return std::vector<char>(std::istreambuf_iterator<char>(file), {});
    }();

    void SetUp() override {
        if (device.getInfo<CL_DEVICE_IL_VERSION>().empty())
            GTEST_SKIP() << "llvm-spirv-15 is not installed";
        if (device.getInfo<CL_DEVICE_ADDRESS_BITS>() != 64)
            GTEST_SKIP() << "the module has addresses of 64 bits";
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

} // namespace
} // namespace rivulet::test
