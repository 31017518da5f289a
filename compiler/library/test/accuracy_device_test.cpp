// SPDX-License-Identifier: Apache-2.0
// The built-in functions on the device, through OpenCL: every function's results for the first
// width against MPFR and, bit by bit, against the library compiled for this machine; those for the
// other widths against the first's. RVL_WIDTHS names the vector widths; RVL_POINTS the points per
// function.
#include "compiler/library/test/device.h"
#include "compiler/library/test/measure.h"

#include <map>

namespace rivulet::library {
namespace {

// A kernel per function: out[i] = f(x[i], y[i], z[i]) on vectors of `width` components.
template <typename T> std::string source_of_all(int width) {
    std::string source = text_of(RVL_PARTS);
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

    template <typename T> static void keep_finite(Inputs<T> &inputs, std::vector<T> &out) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < out.size(); ++i)
            if (std::isfinite(out[i])) {
                inputs.x[kept] = inputs.x[i], inputs.y[kept] = inputs.y[i];
                inputs.z[kept] = inputs.z[i], inputs.n[kept] = inputs.n[i];
                out[kept++] = out[i];
            }
        out.resize(kept);
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

// 7.4 of OpenCL 3.0 allows more under -cl-fast-relaxed-math. The library needs none of it: where
// arguments and results are finite, the full profile's limits hold.
TEST_F(Accuracy, RelaxedOnDevice) {
    auto program = build(source_of_all<float>(1), "-cl-std=CL3.0 -cl-fast-relaxed-math");
    for (auto subject : subjects<float>()) {
        subject.limited = true;
        auto inputs = inputs_for(subject, 2000);
        auto out = run(program, subject, inputs, 1);
        keep_finite(inputs, out);
        if (std::string_view(subject.name) != "nan_any")
            EXPECT_GE(out.size(), 250u) << subject.name;
        expect_accurate(subject, inputs, out);
    }
}

TEST_F(Accuracy, HalfOnDevice) {
    if (!has_half())
        GTEST_SKIP() << "no half";
    check_all<half>();
}
TEST_F(Accuracy, FloatOnDevice) { check_all<float>(); }
TEST_F(Accuracy, DoubleOnDevice) { check_all<double>(); }

} // namespace
} // namespace rivulet::library
