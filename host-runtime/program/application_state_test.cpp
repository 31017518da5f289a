// SPDX-License-Identifier: Apache-2.0
//
// The application's floating-point environment and locale do not affect results.
#include <fenv.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include <array>
#include <bit>
#include <functional>
#include <locale>
#include <thread>

#include "base/tests/comma_locale.h"
#include "host-runtime/tests/opencl_test.h"

namespace rivulet::test {
namespace {

struct Environment {
    const char *name;
    std::function<void()> enter;
    std::function<bool()> is_kept;
};

std::vector<Environment> environments() {
    std::vector<Environment> all = {
        {"default", [] {}, [] { return fegetround() == FE_TONEAREST; }},
        {"upward", [] { fesetround(FE_UPWARD); }, [] { return fegetround() == FE_UPWARD; }},
        {"towards zero", [] { fesetround(FE_TOWARDZERO); },
         [] { return fegetround() == FE_TOWARDZERO; }},
    };
#if defined(__x86_64__)
    constexpr unsigned ftz_and_daz = 0x8040;
    all.push_back({"denormals flushed", [] { _mm_setcsr(_mm_getcsr() | ftz_and_daz); },
                   [] { return (_mm_getcsr() & ftz_and_daz) == ftz_and_daz; }});
#endif
#if defined(__x86_64__) || defined(__i386__)
    all.push_back({"traps", [] { feenableexcept(FE_ALL_EXCEPT); },
                   [] { return fegetexcept() == FE_ALL_EXCEPT; }});
#endif
    return all;
}

// Compared as bits, so that the test does not compute in the modified environment.
constexpr std::array<cl_uint, 8> inputs = {0x00800000, 0x00000001, 0x40400000, 0x33000001,
                                           0x00000000, 0x33400000, 0x40200000, 0x7f7fffff};
constexpr std::array<cl_uint, 8> results = {0x00400000, 0x00000002, 0x3eaaaaab, 0x3f800000,
                                            0x3fc00000, 0x00000001, 2,          0x7f800000};
constexpr const char *source =
    "kernel void test(global const float *x, global uint *o) {"
    "    o[0] = as_uint(x[0] * 0.5f); o[1] = as_uint(x[1] + x[1]); o[2] = as_uint(1.0f / x[2]);"
    "    o[3] = as_uint(x[3] + 1.0f); o[4] = as_uint(V + x[4]); o[5] = 0;"
    "    vstore_half(x[5], 0, (global half *)(o + 5)); o[6] = convert_uint_sat_rte(x[6]);"
    "    o[7] = as_uint(x[7] * 2.0f);"
    "    printf(\"%f %.3e %v2hlf %a %g\\n\", x[6], 1.5e-39f, (float2)(0.25f, 1.5f), 1.0f, 1e6f);"
    "}";
constexpr const char *printed = "2.500000 1.500e-39 0.250000,1.500000 0x1p+0 1e+06\n";

class ApplicationState : public OpenCL {
protected:
    void SetUp() override {} // done later, in the environment that the test sets
    void TearDown() override {}

    ~ApplicationState() override {
        if (!queues.empty())
            OpenCL::TearDown();
    }

    /// Context, build, launch, printf and fills, all in the caller's state.
    void compute() {
        OpenCL::SetUp();
        cl_mem in = make_buffer(std::vector<cl_uint>(inputs.begin(), inputs.end()));
        cl_mem out = make_buffer(sizeof results);
        cl_kernel kernel = make_kernel(source, "test", "-DV=1.5f");
        set(kernel, 0, in);
        set(kernel, 1, out);
        testing::internal::CaptureStdout();
        clReleaseEvent(launch(queue, kernel, 1));
        seen = contents<cl_uint>(out);
        text = testing::internal::GetCapturedStdout();
        fill({CL_RGBA, CL_HALF_FLOAT}, 8);
        fill({CL_RGBA, CL_UNORM_INT8}, 4);
        fill({CL_sRGBA, CL_UNORM_INT8}, 4);
    }
    void fill(const cl_image_format &format, size_t element) {
        const std::array<cl_uint, 4> color = {0x33800000, 0x3eaaaaab, 0x00000003, 0x3f400000};
        const cl_image_desc shape{.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 1};
        const size_t origin[3] = {0, 0, 0};
        const size_t region[3] = {1, 1, 1};
        cl_mem image = clCreateImage(context, CL_MEM_READ_ONLY, &format, &shape, nullptr, nullptr);
        std::vector<cl_uchar> bytes(element);
        clEnqueueFillImage(queue, image, color.data(), origin, region, 0, nullptr, nullptr);
        clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, bytes.data(), 0, nullptr,
                           nullptr);
        clReleaseMemObject(image);
        fills.push_back(bytes);
    }
    void expect_results() {
        EXPECT_EQ(seen, std::vector(results.begin(), results.end()));
        EXPECT_EQ(text, printed);
        const std::vector<std::vector<cl_uchar>> expected = {
            {0x01, 0x00, 0x55, 0x35, 0, 0, 0x00, 0x3a}, {0, 85, 0, 191}, {0, 156, 0, 191}};
        EXPECT_EQ(fills, expected);
    }

    std::vector<cl_uint> seen;
    std::string text;
    std::vector<std::vector<cl_uchar>> fills;
};

TEST_F(ApplicationState, FloatingPointChangesNoResult) {
    fenv_t before;
    fegetenv(&before);
    for (const Environment &environment : environments()) {
        SCOPED_TRACE(environment.name);
        seen.clear();
        fills.clear();
        environment.enter();
        compute();
        const bool is_kept = environment.is_kept();
        fesetenv(&before);
        EXPECT_TRUE(is_kept);
        expect_results();
        OpenCL::TearDown();
        kernels.clear();
        buffers.clear();
        queues.clear();
    }
}

// Library threads are not affected by the callbacks they call.
TEST_F(ApplicationState, CallbacksLeaveNothingBehind) {
    OpenCL::SetUp();
    static std::atomic<int> rounding;
    const auto round_upward = [](cl_event, cl_int, void *) {
        rounding = fegetround();
        fesetround(FE_UPWARD);
    };
    for (int round = 0; round < 3; ++round) {
        rounding = -1;
        cl_event event = clCreateUserEvent(context, nullptr);
        EXPECT_EQ(clSetEventCallback(event, CL_COMPLETE, round_upward, nullptr), CL_SUCCESS);
        clSetUserEventStatus(event, CL_COMPLETE);
        clReleaseEvent(event);
        while (rounding == -1)
            std::this_thread::yield();
        EXPECT_EQ(rounding, FE_TONEAREST);
    }
}

TEST_F(ApplicationState, FlagsOfExceptionsAreTheApplications) {
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept(FE_DIVBYZERO);
    compute();
    EXPECT_EQ(fetestexcept(FE_ALL_EXCEPT), FE_DIVBYZERO);
    expect_results();
}

TEST_F(ApplicationState, LocaleChangesNoResult) {
    const CommaLocale locale;
    const std::locale cpp_before = std::locale::global(std::locale(name_of_comma_locale));
    compute();
    std::locale::global(cpp_before);
    std::setlocale(LC_ALL, name_of_comma_locale); // the line above reset it to "C"
    expect_results();
}

TEST_F(ApplicationState, LocaleOfAThreadChangesNoResult) {
    const CommaLocale locale;
    const locale_t own = newlocale(LC_ALL_MASK, name_of_comma_locale, locale_t{});
    const locale_t before = uselocale(own);
    compute();
    EXPECT_EQ(uselocale(before), own);
    freelocale(own);
    expect_results();
}

} // namespace
} // namespace rivulet::test
