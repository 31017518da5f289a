// SPDX-License-Identifier: Apache-2.0
// The built-in functions on the device, through OpenCL: every math function's results for the first
// width against MPFR and, bit by bit, against the library compiled for this machine; those for the
// other widths against the first's; and the kernels of self_check*.cl. RVL_WIDTHS names the vector
// widths; RVL_POINTS the points per function.
#include "compiler/library/test/device.h"
#include "compiler/library/test/measure.h"

#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

namespace rivulet::library {
namespace {

// ---- self_check.cl, self_check_types.cl ----

class SelfCheck : public Device {
protected:
    void SetUp() override {
        if (!has_half())
            GTEST_SKIP() << "no half";
    }
    /// What failed, as kernel:line.
    std::vector<std::string> failures_in(const char *path) {
        std::ifstream file(path);
        if (!file)
            return {std::string(path) + " is not there"};
        std::stringstream source;
        source << file.rdbuf();
        std::vector<cl::Kernel> kernels;
        build(source.str()).createKernels(&kernels);
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

// ---- accuracy ----

std::vector<int> widths() {
    const char *wanted = std::getenv("RVL_WIDTHS");
    std::istringstream text(wanted ? wanted : "1 4");
    return {std::istream_iterator<int>(text), {}};
}

// A kernel per function: out[i] = f(x[i], y[i], z[i]) on vectors of `width` components.
template <typename T> std::string source_of_all(int width) {
    std::string source = sizeof(T) == 2 ? "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" : "";
    auto access = [&](std::string_view name) {
        return width == 1 ? fmt::format("{}[i]", name) : fmt::format("vload{}(i, {})", width, name);
    };
    for (auto &subject : subjects<T>()) {
        std::string arguments = access("x");
        if (subject.two || subject.three)
            arguments += ", " + access("y");
        if (subject.three)
            arguments += ", " + access("z");
        if (subject.with_int)
            arguments += ", " + access("n");
        std::string call = fmt::format("{}({})", subject.name, arguments);
        source += fmt::format("kernel void test_{}(global const {t} *x, global const {t} *y, "
                              "global const {t} *z, global const int *n, global {t} *out) {{\n"
                              "    size_t i = get_global_id(0);\n",
                              subject.name, fmt::arg("t", type_name<T>));
        source += width == 1 ? fmt::format("    out[i] = {};\n}}\n", call)
                             : fmt::format("    vstore{}({}, i, out);\n}}\n", width, call);
    }
    return source;
}

class Accuracy : public Device {
protected:
    template <typename T>
    std::vector<T> run(cl::Program &program, const Subject<T> &subject, Inputs<T> &inputs,
                       int width) {
        std::vector<T> out(inputs.x.size());
        cl::Kernel kernel(program, fmt::format("test_{}", subject.name).c_str());
        cl::Buffer memory[] = {buffer(inputs.x), buffer(inputs.y), buffer(inputs.z),
                               buffer(inputs.n), buffer(out)};
        for (cl_uint i = 0; i < std::size(memory); ++i)
            kernel.setArg(i, memory[i]);
        queue.enqueueNDRangeKernel(kernel, {}, out.size() / static_cast<std::size_t>(width));
        queue.enqueueReadBuffer(memory[4], CL_TRUE, 0, out.size() * sizeof(T), out.data());
        return out;
    }

    template <typename T> void check_all() {
        std::map<std::string_view, std::vector<T>> first;
        for (int width : widths()) {
            auto program = build(source_of_all<T>(width));
            for (auto &subject : subjects<T>()) {
                auto inputs = inputs_for(subject, count(subject));
                auto out = run(program, subject, inputs, width);
                auto [known, is_first] = first.try_emplace(subject.name, out);
                if (!is_first) {
                    expect_identical(subject, inputs, out, known->second, "by other width");
                    continue;
                }
                expect_accurate(subject, inputs, out);
                // x86 has no fma of halves: there it is float's, rounded.
                if (sizeof(T) > 2 || !subject.three)
                    expect_identical(subject, inputs, out, results_here(subject, inputs),
                                     "by the library compiled for this machine");
            }
        }
    }

private:
    // Whole vectors of any width; six functions of half take every value there is.
    template <typename T> static std::size_t count(const Subject<T> &subject) {
        constexpr std::string_view every[] = {"sin", "exp", "log", "sqrt", "rsqrt", "cbrt"};
        std::size_t wanted = points(10000);
        if (sizeof(T) == 2 && std::ranges::find(every, subject.name) != std::end(every))
            wanted = 0x10000;
        if (sizeof(T) == 2 && subject.one)
            wanted = std::min<std::size_t>(wanted, 0x10000);
        return (wanted + 47) / 48 * 48;
    }
};

TEST_F(Accuracy, HalfOnDevice) {
    if (!has_half())
        GTEST_SKIP() << "no half";
    check_all<half>();
}
TEST_F(Accuracy, FloatOnDevice) { check_all<float>(); }
TEST_F(Accuracy, DoubleOnDevice) { check_all<double>(); }

} // namespace
} // namespace rivulet::library
