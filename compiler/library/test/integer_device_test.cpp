// SPDX-License-Identifier: Apache-2.0
// 6.12.3 on the device, for the vector widths that RVL_WIDTHS names: bit by bit as by the library
// compiled for this machine, which integer_test.cpp holds to 128-bit arithmetic.
#include "compiler/library/test/device.h"
#include "compiler/library/test/integer.h"

#include <random>
#include <type_traits>

DECLARE_INTEGER_FUNCTIONS(char, uchar)
DECLARE_INTEGER_FUNCTIONS(uchar, uchar)
DECLARE_INTEGER_FUNCTIONS(short, ushort)
DECLARE_INTEGER_FUNCTIONS(ushort, ushort)
DECLARE_INTEGER_FUNCTIONS(int, uint)
DECLARE_INTEGER_FUNCTIONS(uint, uint)
DECLARE_INTEGER_FUNCTIONS(long, ulong)
DECLARE_INTEGER_FUNCTIONS(ulong, ulong)

namespace rivulet::library {
namespace {

template <typename T> struct Call {
    const char *text; // in OpenCL C
    T (*here)(T a, T b, T c);
};
template <typename T> constexpr auto calls() {
#define CALL(...)                                                                                  \
    Call<T> {                                                                                      \
        #__VA_ARGS__, [](T a, T b, T c) {                                                          \
            (void)a, (void)b, (void)c;                                                             \
            return T(::__VA_ARGS__);                                                               \
        }                                                                                          \
    }
    return std::array{CALL(add_sat(a, b)),
                      CALL(sub_sat(a, b)),
                      CALL(hadd(a, b)),
                      CALL(rhadd(a, b)),
                      CALL(abs_diff(a, b)),
                      CALL(clz(a)),
                      CALL(ctz(a)),
                      CALL(popcount(a)),
                      CALL(mul_hi(a, b)),
                      CALL(mad_hi(a, b, c)),
                      CALL(mad_sat(a, b, c)),
                      CALL(rotate(a, b)),
                      CALL(max(a, b)),
                      CALL(min(a, b)),
                      CALL(clamp(a, min(b, c), max(b, c))),
                      CALL(bit_reverse(a)),
                      CALL(mul_hi(mul_hi(a, b), c))};
#undef CALL
}

class IntegerFunctions : public Device {
protected:
    template <typename T> void check(const char *type) {
        constexpr std::size_t count = 4800;
        const auto a = numbers<T>(count, 1), b = numbers<T>(count, 2), c = numbers<T>(count, 3);
        for (int width : widths()) {
            auto out = run<T>(type, width, a, b, c);
            const T *result = out.data();
            for (auto &call : calls<T>())
                for (std::size_t i = 0; i < count; ++i)
                    ASSERT_EQ(*result++, call.here(a[i], b[i], c[i]))
                        << call.text << " of " << type << width << ": " << +a[i] << ", " << +b[i]
                        << ", " << +c[i];
        }
    }

private:
    // Numbers of every length, and the ends of the range.
    template <typename T> static std::vector<T> numbers(std::size_t count, unsigned seed) {
        std::mt19937_64 random(seed);
        std::vector<T> result;
        while (result.size() < count) {
            const T ends[] = {std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), T(0)};
            const auto number =
                static_cast<T>(static_cast<T>(random()) >> random() % (8 * sizeof(T)));
            result.push_back(random() % 8 ? number
                                          : static_cast<T>(ends[random() % 3] + random() % 2));
        }
        return result;
    }

    template <typename T>
    std::vector<T> run(const char *type, int width, std::vector<T> a, std::vector<T> b,
                       std::vector<T> c) {
        const std::string n = width == 1 ? "" : std::to_string(width);
        std::string source = fmt::format(
            "kernel void test(global const {0} *x, global const {0} *y, global const {0} *z,\n"
            "                 global {0} *out, int n) {{\n"
            "    size_t i = get_global_id(0);\n"
            "    {0}{1} a = {2}(i, x), b = {2}(i, y), c = {2}(i, z);\n",
            type, n, width == 1 ? "AT" : "vload" + n);
        for (auto &call : calls<T>())
            source += fmt::format("    {1}(as_{0}{2}({3}), i, out), out += n;\n", type,
                                  width == 1 ? "PUT" : "vstore" + n, n, call.text);
        auto program =
            build("#define AT(i, p) p[i]\n#define PUT(v, i, p) p[i] = v\n" + source + "}\n");
        std::vector<T> out(a.size() * calls<T>().size());
        cl::Kernel kernel(program, "test");
        cl::Buffer memory[] = {buffer(a), buffer(b), buffer(c), buffer(out)};
        for (cl_uint i = 0; i < std::size(memory); ++i)
            kernel.setArg(i, memory[i]);
        kernel.setArg(4, static_cast<int>(a.size()));
        queue.enqueueNDRangeKernel(kernel, {}, a.size() / static_cast<std::size_t>(width));
        queue.enqueueReadBuffer(memory[3], CL_TRUE, 0, out.size() * sizeof(T), out.data());
        return out;
    }
};

TEST_F(IntegerFunctions, OfEveryTypeOnDevice) {
    check<char>("char");
    check<uchar>("uchar");
    check<short>("short");
    check<ushort>("ushort");
    check<int>("int");
    check<uint>("uint");
    check<long>("long");
    check<ulong>("ulong");
}

} // namespace
} // namespace rivulet::library
