// SPDX-License-Identifier: Apache-2.0
//
// RIVULET_SANITIZE=1 and programs from binaries, as a cache's that was filled without it. CTest
// runs SanitizedBinaries without the variable first, to make the binary.
#include "reports.h"

namespace rivulet::test {
namespace {

class SanitizedBinaries : public Reports {
protected:
    const std::string file = environment("RIVULET_TEST_IMAGES") + "/of_sanitized_binaries";

    static std::vector<unsigned char> contents(const std::string &name) {
        std::ifstream stream(name, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    cl_int run(cl::Program &program) {
        cl::Kernel test(program, "test");
        test.setArg(0, buffer(std::vector<int>(64)));
        cl::Event event;
        queue.enqueueNDRangeKernel(test, {}, cl::NDRange(64), {}, nullptr, &event);
        return status_of([&] { event.wait(); });
    }
};

TEST_F(SanitizedBinaries, AreBuiltAgainFromTheirSource) {
    if (environment("RIVULET_SANITIZE").empty()) {
        cl::Program program(context, "kernel void test(global int *x) {\n"
                                     "    x[get_global_id(0) + BY] = 1; }\n");
        program.build(device, "-DBY=1");
        const auto bytes = program.getInfo<CL_PROGRAM_BINARIES>().at(0);
        std::ofstream(file, std::ios::binary)
            .write(reinterpret_cast<const char *>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
        return;
    }
    cl::Program program(context, {device}, {contents(file)});
    program.build(device);
    EXPECT_NE(run(program), CL_SUCCESS);
    EXPECT_THAT(log.next(), testing::HasSubstr("store of 4 bytes out of bounds"));
    // The rebuilt program's binary again includes its source.
    cl::Program again(context, {device}, {program.getInfo<CL_PROGRAM_BINARIES>().at(0)});
    again.build(device);
    EXPECT_NE(run(again), CL_SUCCESS);
    EXPECT_THAT(log.next(), testing::HasSubstr("store of 4 bytes out of bounds"));
}

TEST_F(SanitizedBinaries, WithoutSourceSaySo) {
    if (environment("RIVULET_SANITIZE").empty())
        return;
    auto bytes = contents(file);
    bytes.back() ^= 1; // part of the mark after the source
    cl::Program program(context, {device}, {bytes});
    program.build(device);
    const std::string warning = "RIVULET_SANITIZE has no effect on a program from a binary: the "
                                "binary does not hold the source that it was built from";
    EXPECT_EQ(log.next(), warning);
    EXPECT_THAT(program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device),
                testing::HasSubstr("warning: " + warning));
}

} // namespace
} // namespace rivulet::test
