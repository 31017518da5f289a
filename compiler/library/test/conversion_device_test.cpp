// SPDX-License-Identifier: Apache-2.0
// 6.2.3 on the device: every pair of types in every rounding mode, saturated and not, against exact
// arithmetic, for the vector widths that RVL_WIDTHS names.
#include "compiler/library/test/conversion.h"
#include "compiler/library/test/device.h"

#include <array>
#include <span>

namespace rivulet::library {
namespace {

constexpr std::array<std::string_view, 10> modes = {
    "", "_rte", "_rtz", "_rtp", "_rtn", "_sat", "_sat_rte", "_sat_rtz", "_sat_rtp", "_sat_rtn"};

class Conversions : public Device {
protected:
    template <typename To> void check(std::string_view to) {
        for (int width : widths()) {
            auto program = build(source(to, modes_of<To>(), width));
#define CHECK(From, ...) check_source<To, From>(program, #From, width);
            EACH_SOURCE(CHECK, )
#undef CHECK
        }
    }

private:
    template <typename To> static std::span<const std::string_view> modes_of() {
        return std::span(modes).first(floating<To> ? 5 : modes.size()); // floats don't saturate
    }
    bool is_there(std::string_view type) const { return type != "half" || has_half(); }

    // A kernel per source type: out[mode][i] = convert_TO(x[i]).
    std::string source(std::string_view to, std::span<const std::string_view> wanted,
                       int width) const {
        std::string text = has_half() ? "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" : "";
        const std::string n = width == 1 ? "" : std::to_string(width);
        for (std::string_view from : {
#define NAME(From, ...) #From,
                 EACH_SOURCE(NAME, )
#undef NAME
             }) {
            if (!is_there(from))
                continue;
            text += fmt::format("kernel void from_{0}(global const {0} *x, global {1} *out, int n) "
                                "{{\n    size_t i = get_global_id(0);\n    {0}{2} v = {3};\n",
                                from, to, n, width == 1 ? "x[i]" : "vload" + n + "(i, x)");
            for (std::string_view mode : wanted) {
                const auto value = fmt::format("convert_{}{}{}(v)", to, n, mode);
                text += width == 1 ? "    out[i] = " + value
                                   : "    vstore" + n + "(" + value + ", i, out)";
                text += ", out += n;\n";
            }
            text += "}\n";
        }
        return text;
    }

    template <typename To, typename From>
    void check_source(cl::Program &program, const char *from, int width) {
        if (!is_there(from))
            return;
        auto x = values<From>();
        x.resize((x.size() + 47) / 48 * 48); // whole vectors of any width
        std::vector<To> out(x.size() * modes_of<To>().size());
        cl::Buffer memory[] = {buffer(x), buffer(out)};
        cl::Kernel kernel(program, (std::string("from_") + from).c_str());
        kernel.setArg(0, memory[0]);
        kernel.setArg(1, memory[1]);
        kernel.setArg(2, static_cast<int>(x.size()));
        queue.enqueueNDRangeKernel(kernel, {}, x.size() / static_cast<std::size_t>(width));
        queue.enqueueReadBuffer(memory[1], CL_TRUE, 0, out.size() * sizeof(To), out.data());
        const To *result = out.data();
        for (std::string_view mode : modes_of<To>())
            for (From value : x)
                ASSERT_TRUE(is_converted(value, *result++, mode))
                    << "convert" << mode << " of " << from << width << " " << Exact(value)
                    << " gives " << Exact(result[-1]);
    }
};

#define TEST_TARGET(To)                                                                            \
    TEST_F(Conversions, To##IsExactOnDevice) {                                                     \
        if (std::is_same_v<To, half> && !has_half())                                               \
            GTEST_SKIP() << "no half";                                                             \
        check<To>(#To);                                                                            \
    }
EACH_INTEGER_TARGET(TEST_TARGET)
EACH_FLOATING_TARGET(TEST_TARGET)

} // namespace
} // namespace rivulet::library
