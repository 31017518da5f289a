// SPDX-License-Identifier: Apache-2.0
// The kernels of self_check*.cl on the device, through OpenCL.
#include "compiler/library/test/device.h"

namespace rivulet::library {
namespace {

class SelfCheck : public Device {
protected:
    void SetUp() override {
        if (!has_half())
            GTEST_SKIP() << "no half";
    }
    /// The checks that failed, as kernel:line.
    std::vector<std::string> failures_in(const char *path) {
        std::vector<cl::Kernel> kernels;
        build(text_of(path)).createKernels(&kernels);
        std::vector<std::string> failed;
        for (auto &kernel : kernels) {
            std::vector<int> lines(96); // their number, they, and memory for the kernel
            auto memory = buffer(lines);
            kernel.setArg(0, memory);
            kernel.setArg(1, 0);
            queue.enqueueNDRangeKernel(kernel, {}, 1);
            queue.enqueueReadBuffer(memory, CL_TRUE, 0, lines.size() * sizeof(int), lines.data());
            for (int i = 1; i <= lines[0]; ++i)
                failed.push_back(kernel.getInfo<CL_KERNEL_FUNCTION_NAME>() + ":" +
                                 std::to_string(lines[static_cast<std::size_t>(i)]));
        }
        EXPECT_GE(kernels.size(), 7u);
        return failed;
    }
};

TEST_F(SelfCheck, FunctionsDoWhatTheSpecificationSays) {
    EXPECT_THAT(failures_in(RVL_SELF_CHECK), testing::IsEmpty());
}
TEST_F(SelfCheck, TypesAreAsTheSpecificationSays) {
    EXPECT_THAT(failures_in(RVL_SELF_CHECK_TYPES), testing::IsEmpty());
}

} // namespace
} // namespace rivulet::library
