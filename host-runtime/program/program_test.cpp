// SPDX-License-Identifier: Apache-2.0
//
// 5.6.1 and 5.6.7: creating and querying programs.
#include "hal/tests/scratch.h"
#include "host-runtime/tests/api_fixture.h"

namespace rivulet::testing {
namespace {

constexpr const char *two_kernels = "kernel void first(global int *a) { *a = 1; }\n"
                                    "kernel void second(global int *a, int b) { *a = b; }\n";

struct CreateProgramWithSource : Api {};

TEST_F(CreateProgramWithSource, JoinsStringsAndStripsNuls) {
    const char *strings[] = {"kernel void f", "oo() {\0}...", " // end"};
    const size_t lengths[] = {0, 8, 0};
    const cl_program program = clCreateProgramWithSource(context, 3, strings, lengths, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    EXPECT_EQ(text(program, CL_PROGRAM_SOURCE), "kernel void foo() {} // end");
    EXPECT_EQ(build(program), CL_SUCCESS) << log(program);
    EXPECT_EQ(text(program, CL_PROGRAM_KERNEL_NAMES), "foo");
    clReleaseProgram(program);
}

TEST_F(CreateProgramWithSource, RefusesBadArguments) {
    const char *strings[] = {"", nullptr};
    EXPECT_EQ(clCreateProgramWithSource(nullptr, 1, strings, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_CONTEXT);
    EXPECT_EQ(clCreateProgramWithSource(context, 0, strings, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_VALUE);
    EXPECT_EQ(clCreateProgramWithSource(context, 1, nullptr, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_VALUE);
    EXPECT_EQ(clCreateProgramWithSource(context, 2, strings, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_VALUE);
    EXPECT_EQ(clCreateProgramWithSource(context, 2, strings, nullptr, nullptr), nullptr);
}

struct CreateProgramWithBinary : Api {};

TEST_F(CreateProgramWithBinary, TakesWhatGetProgramInfoGave) {
    const cl_program program = built_program(two_kernels, "-cl-kernel-arg-info");
    const cl_program copy = program_from(binary(program));
    ASSERT_EQ(code, CL_SUCCESS) << reports->text();
    EXPECT_EQ(text(copy, CL_PROGRAM_SOURCE), "");
    EXPECT_EQ(binary_type(copy), cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_EXECUTABLE});
    EXPECT_EQ(status(copy), CL_BUILD_NONE);
    EXPECT_EQ(clCreateKernel(copy, "first", &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_PROGRAM_EXECUTABLE) << "not built yet";
    EXPECT_EQ(build(copy), CL_SUCCESS);
    EXPECT_EQ(text(copy, CL_PROGRAM_KERNEL_NAMES), text(program, CL_PROGRAM_KERNEL_NAMES));
    EXPECT_EQ(binary(copy), binary(program));
    clReleaseProgram(copy);
    clReleaseProgram(program);
}

TEST_F(CreateProgramWithBinary, SaysWhyABinaryIsBad) {
    const cl_program program = built_program(two_kernels);
    auto damaged = binary(program);
    damaged[18] = 8; // e_machine: MIPS
    EXPECT_EQ(program_from(damaged), nullptr);
    EXPECT_EQ(code, CL_INVALID_BINARY);
    EXPECT_EQ(program_from({'n', 'o', 'n', 's', 'e', 'n', 's', 'e'}), nullptr);
    EXPECT_EQ(code, CL_INVALID_BINARY);
    EXPECT_EQ(clReleaseContext(context), CL_SUCCESS); // waits for its callbacks
    clReleaseProgram(program);
    context = nullptr;
}

TEST_F(CreateProgramWithBinary, RefusesBadArguments) {
    const auto file = std::vector<unsigned char>(8);
    const unsigned char *bytes[] = {file.data()};
    const unsigned char *null_bytes[] = {nullptr};
    const size_t sizes[] = {file.size()};
    const size_t no_sizes[] = {0};
    cl_int status = 1;
    const auto create = [&](cl_context c, cl_uint count, const cl_device_id *devices,
                            const size_t *lengths, const unsigned char **binaries) {
        EXPECT_EQ(clCreateProgramWithBinary(c, count, devices, lengths, binaries, &status, &code),
                  nullptr);
        return code;
    };
    EXPECT_EQ(create(nullptr, 1, &device, sizes, bytes), CL_INVALID_CONTEXT);
    EXPECT_EQ(create(context, 0, &device, sizes, bytes), CL_INVALID_VALUE);
    EXPECT_EQ(create(context, 1, nullptr, sizes, bytes), CL_INVALID_VALUE);
    EXPECT_EQ(create(context, 1, &device, nullptr, bytes), CL_INVALID_VALUE);
    EXPECT_EQ(create(context, 1, &device, sizes, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(create(context, 1, &device, no_sizes, bytes), CL_INVALID_VALUE);
    EXPECT_EQ(status, CL_INVALID_VALUE);
    EXPECT_EQ(create(context, 1, &device, sizes, null_bytes), CL_INVALID_VALUE);
    EXPECT_EQ(create(context, 1, &device, sizes, bytes), CL_INVALID_BINARY);
    EXPECT_EQ(status, CL_INVALID_BINARY);
    const cl_device_id no_device = nullptr;
    EXPECT_EQ(create(context, 1, &no_device, sizes, bytes), CL_INVALID_DEVICE);
}

struct CreateProgramWithBuiltInKernels : Api {};

TEST_F(CreateProgramWithBuiltInKernels, FindsNone) {
    const auto create = [&](cl_context c, cl_uint count, const cl_device_id *devices,
                            const char *names) {
        EXPECT_EQ(clCreateProgramWithBuiltInKernels(c, count, devices, names, &code), nullptr);
        return code;
    };
    const cl_device_id no_device = nullptr;
    EXPECT_EQ(create(nullptr, 1, &device, "copy"), CL_INVALID_CONTEXT);
    EXPECT_EQ(create(context, 0, &device, "copy"), CL_INVALID_VALUE);
    EXPECT_EQ(create(context, 1, nullptr, "copy"), CL_INVALID_VALUE);
    EXPECT_EQ(create(context, 1, &device, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(create(context, 1, &device, "copy"), CL_INVALID_VALUE);
    EXPECT_EQ(create(context, 1, &no_device, "copy"), CL_INVALID_DEVICE);
}

struct ProgramWithIL : Api {
    /// Sets an environment variable for the lifetime of the object.
    struct Variable {
        Variable(const char *name, const char *value) : name(name) { setenv(name, value, 1); }
        ~Variable() { unsetenv(name); }
        const char *name;
    };
};

TEST_F(ProgramWithIL, TakesNothingButModules) {
    size_t size = 0;
    EXPECT_EQ(clGetDeviceInfo(device, CL_DEVICE_IL_VERSION, 0, nullptr, &size), CL_SUCCESS);
    if (size == 1)
        GTEST_SKIP() << "llvm-spirv is not installed";
    const auto create = [&](std::vector<uint32_t> words, size_t bytes) {
        EXPECT_EQ(clCreateProgramWithIL(context, words.data(), bytes, &code), nullptr);
        return code;
    };
    EXPECT_EQ(create({}, 0), CL_INVALID_VALUE);
    EXPECT_EQ(create({0x07230203}, 4), CL_INVALID_VALUE);
    EXPECT_EQ(create({0x12345678, 0x10000, 0, 1, 0}, 20), CL_INVALID_VALUE);
    EXPECT_EQ(create({0x07230203, 0x20000, 0, 1, 0}, 20), CL_INVALID_VALUE) << "version 2";
    EXPECT_EQ(create({0x07230203, 0x10000, 0, 1, 0, 0x30011}, 24), CL_INVALID_VALUE) << "cut off";
    EXPECT_EQ(create({0x07230203, 0x10000, 0, 1, 0, 0}, 24), CL_INVALID_VALUE) << "no length";
    // The module is well-formed but invalid, which the build detects.
    const std::vector<uint32_t> words{0x07230203, 0x10000, 0, 1, 0, 0x1ffff};
    const cl_program program = clCreateProgramWithIL(context, words.data(), 24, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    EXPECT_EQ(build(program), CL_BUILD_PROGRAM_FAILURE);
    EXPECT_THAT(log(program), HasSubstr("SPIR-V"));
    const cl_int value = 0;
    EXPECT_EQ(clSetProgramSpecializationConstant(program, 0, 4, &value), CL_INVALID_SPEC_ID);
    EXPECT_EQ(clSetProgramSpecializationConstant(program, 0, 4, nullptr), CL_INVALID_VALUE);
    clReleaseProgram(program);
    const cl_program source = make_program(two_kernels);
    EXPECT_EQ(clSetProgramSpecializationConstant(source, 0, 4, &value), CL_INVALID_PROGRAM);
    clReleaseProgram(source);
}

TEST_F(ProgramWithIL, IsNotSupportedWithoutAReaderAsTheDeviceSays) {
    const Variable reader("RIVULET_LLVM_SPIRV", test::scratch("absent").c_str());
    size_t size = 0;
    EXPECT_EQ(clGetDeviceInfo(device, CL_DEVICE_IL_VERSION, 0, nullptr, &size), CL_SUCCESS);
    ASSERT_EQ(size, 1u) << "the empty string";
    const uint32_t magic = 0x07230203;
    EXPECT_EQ(clCreateProgramWithIL(nullptr, &magic, sizeof magic, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_CONTEXT);
    EXPECT_EQ(clCreateProgramWithIL(context, &magic, sizeof magic, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_OPERATION);
    const cl_program program = make_program(two_kernels);
    EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_IL, 0, nullptr, &size), CL_SUCCESS);
    EXPECT_EQ(size, 0u);
    const cl_int value = 0;
    EXPECT_EQ(clSetProgramSpecializationConstant(nullptr, 0, 4, &value), CL_INVALID_PROGRAM);
    EXPECT_EQ(clSetProgramSpecializationConstant(program, 0, 4, &value), CL_INVALID_OPERATION);
    clReleaseProgram(program);
}

struct GetProgramInfo : Api {};

TEST_F(GetProgramInfo, AnswersEveryName) {
    const cl_program program = built_program(two_kernels);
    EXPECT_EQ(info<cl_uint>(program, CL_PROGRAM_REFERENCE_COUNT), 1u);
    EXPECT_EQ(info<cl_context>(program, CL_PROGRAM_CONTEXT), context);
    EXPECT_EQ(info<cl_uint>(program, CL_PROGRAM_NUM_DEVICES), 1u);
    EXPECT_EQ(info<cl_device_id>(program, CL_PROGRAM_DEVICES), device);
    EXPECT_EQ(text(program, CL_PROGRAM_SOURCE), two_kernels);
    EXPECT_EQ(info<size_t>(program, CL_PROGRAM_NUM_KERNELS), 2u);
    EXPECT_EQ(text(program, CL_PROGRAM_KERNEL_NAMES), "first;second");
    EXPECT_EQ(info<cl_bool>(program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT), CL_FALSE);
    EXPECT_EQ(info<cl_bool>(program, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT), CL_FALSE);
    EXPECT_GT(info<size_t>(program, CL_PROGRAM_BINARY_SIZES), 0u);
    clReleaseProgram(program);
}

TEST_F(GetProgramInfo, SkipsBinariesWhosePointerIsNull) {
    const cl_program program = built_program(two_kernels);
    unsigned char *nowhere = nullptr;
    size_t size = 0;
    EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof nowhere, &nowhere, &size),
              CL_SUCCESS);
    EXPECT_EQ(size, sizeof nowhere);
    EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARIES, 1, &nowhere, nullptr),
              CL_INVALID_VALUE);
    clReleaseProgram(program);
}

TEST_F(GetProgramInfo, RefusesBadArguments) {
    const cl_program program = make_program(two_kernels);
    size_t value = 0;
    EXPECT_EQ(clGetProgramInfo(nullptr, CL_PROGRAM_SOURCE, 0, nullptr, nullptr),
              CL_INVALID_PROGRAM);
    EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_BUILD_LOG, 0, nullptr, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_CONTEXT, 1, &value, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof value, &value, nullptr),
              CL_INVALID_PROGRAM_EXECUTABLE);
    EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, nullptr, &value),
              CL_INVALID_PROGRAM_EXECUTABLE);
    clReleaseProgram(program);
}

struct GetProgramBuildInfo : Api {};

TEST_F(GetProgramBuildInfo, IsEmptyBeforeTheFirstBuild) {
    const cl_program program = make_program(two_kernels);
    EXPECT_EQ(status(program), CL_BUILD_NONE);
    EXPECT_EQ(build_text(program, CL_PROGRAM_BUILD_OPTIONS), "");
    EXPECT_EQ(log(program), "");
    EXPECT_EQ(binary_type(program), cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_NONE});
    EXPECT_EQ(build_info<size_t>(program, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE), 0u);
    clReleaseProgram(program);
}

TEST_F(GetProgramBuildInfo, HasTheTimeReportOfABuildThatAsksForIt) {
    const cl_program program = built_program(two_kernels, "-ftime-report");
    EXPECT_THAT(log(program),
                AllOf(HasSubstr("Phases of the compiler"),
                      HasSubstr("Pass execution timing report"), HasSubstr("InstCombinePass")));
    clReleaseProgram(program);
}

TEST_F(GetProgramBuildInfo, RefusesBadArguments) {
    const cl_program program = make_program(two_kernels);
    char value;
    EXPECT_EQ(clGetProgramBuildInfo(nullptr, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, nullptr),
              CL_INVALID_PROGRAM);
    EXPECT_EQ(clGetProgramBuildInfo(program, nullptr, CL_PROGRAM_BUILD_LOG, 0, nullptr, nullptr),
              CL_INVALID_DEVICE);
    EXPECT_EQ(clGetProgramBuildInfo(program, device, CL_PROGRAM_SOURCE, 0, nullptr, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, 1, &value, nullptr),
              CL_INVALID_VALUE);
    clReleaseProgram(program);
}

struct ProgramReferences : Api {};

TEST_F(ProgramReferences, CountAndKeepTheProgramForItsKernels) {
    const cl_program program = built_program(two_kernels);
    EXPECT_EQ(clRetainProgram(program), CL_SUCCESS);
    EXPECT_EQ(info<cl_uint>(program, CL_PROGRAM_REFERENCE_COUNT), 2u);
    const cl_kernel kernel = clCreateKernel(program, "first", &code);
    ASSERT_EQ(code, CL_SUCCESS);
    EXPECT_EQ(clReleaseProgram(program), CL_SUCCESS);
    EXPECT_EQ(clReleaseProgram(program), CL_SUCCESS);
    cl_uint arguments = 0;
    EXPECT_EQ(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(arguments, 1u);
    EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    EXPECT_EQ(clRetainProgram(nullptr), CL_INVALID_PROGRAM);
    EXPECT_EQ(clReleaseProgram(nullptr), CL_INVALID_PROGRAM);
    EXPECT_EQ(clReleaseProgram(reinterpret_cast<cl_program>(context)), CL_INVALID_PROGRAM);
}

TEST_F(ProgramReferences, ReleaseCallbacksNeedDestructorsOnTheDevice) {
    const cl_program program = make_program(two_kernels);
    const auto notify = [](cl_program, void *) {};
    EXPECT_EQ(clSetProgramReleaseCallback(nullptr, notify, nullptr), CL_INVALID_PROGRAM);
    EXPECT_EQ(clSetProgramReleaseCallback(program, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clSetProgramReleaseCallback(program, notify, nullptr), CL_INVALID_OPERATION);
    clReleaseProgram(program);
}

struct UnloadCompiler : Api {};

TEST_F(UnloadCompiler, IsLoadedAgainByTheNextBuild) {
    clReleaseProgram(built_program(two_kernels));
    EXPECT_EQ(clUnloadPlatformCompiler(platform), CL_SUCCESS);
    clReleaseProgram(built_program(two_kernels, "-DAGAIN"));
    EXPECT_EQ(clUnloadCompiler(), CL_SUCCESS);
    EXPECT_EQ(clUnloadPlatformCompiler(nullptr), CL_INVALID_PLATFORM);
}

} // namespace
} // namespace rivulet::testing
