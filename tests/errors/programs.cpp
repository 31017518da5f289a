// SPDX-License-Identifier: Apache-2.0
//
// 5.6: programs. ErrorsWithoutCompiler runs without rivulet-cc.
#include "errors.h"

namespace rivulet::test {
namespace {

constexpr const char *text = "kernel void test(global int *out) { *out = 1; }";
constexpr const char *broken = "kernel void test(global int *out) { *out = ; }";
constexpr const char *unresolved = "void elsewhere(global int *); "
                                   "kernel void test(global int *out) { elsewhere(out); }";
const auto notify = +[](cl_program, void *) {};

class ProgramErrors : public Errors {
protected:
    std::vector<unsigned char> binary_of(cl_program program) {
        size_t bytes = 0;
        EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, nullptr),
                  CL_SUCCESS);
        std::vector<unsigned char> binary(bytes);
        unsigned char *to = binary.data();
        EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof to, &to, nullptr),
                  CL_SUCCESS);
        return binary;
    }
    cl_program from_binary(const std::vector<unsigned char> &binary) {
        const size_t bytes = binary.size();
        const unsigned char *start = binary.data();
        return released_later(clReleaseProgram, made(clCreateProgramWithBinary, context, 1u,
                                                     &device, &bytes, &start, nullptr));
    }
    cl_program compiled(const char *from) {
        const cl_program program = source(from);
        EXPECT_EQ(clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
                  CL_SUCCESS);
        return program;
    }
};

TEST_F(ProgramErrors, InCreating) {
    const char *with_null[] = {text, nullptr};
    EXPECT_FAILS(CL_INVALID_CONTEXT, clCreateProgramWithSource, nullptr, 1u,
                 const_cast<const char **>(&text), nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateProgramWithSource, context, 0u, with_null, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateProgramWithSource, context, 1u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateProgramWithSource, context, 2u, with_null, nullptr);

    const unsigned char rubbish[] = "this is no kernel image";
    const unsigned char *start = rubbish;
    const unsigned char *null = nullptr;
    const size_t length = sizeof rubbish;
    const size_t zero = 0;
    const cl_device_id part = sub_device();
    EXPECT_FAILS(CL_INVALID_CONTEXT, clCreateProgramWithBinary, nullptr, 1u, &device, &length,
                 &start, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateProgramWithBinary, context, 0u, &device, &length, &start,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateProgramWithBinary, context, 1u, nullptr, &length, &start,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateProgramWithBinary, context, 1u, &device, nullptr, &start,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateProgramWithBinary, context, 1u, &device, &zero, &start,
                 nullptr);
    cl_int status = 1;
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateProgramWithBinary, context, 1u, &device, &length, &null,
                 &status);
    EXPECT_EQ(status, CL_INVALID_VALUE);
    EXPECT_FAILS(CL_INVALID_DEVICE, clCreateProgramWithBinary, context, 1u, &part, &length, &start,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_BINARY, clCreateProgramWithBinary, context, 1u, &device, &length,
                 &start, &status);
    EXPECT_EQ(status, CL_INVALID_BINARY);

    EXPECT_FAILS(CL_INVALID_CONTEXT, clCreateProgramWithBuiltInKernels, nullptr, 1u, &device, "k");
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateProgramWithBuiltInKernels, context, 1u, nullptr, "k");
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateProgramWithBuiltInKernels, context, 1u, &device,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateProgramWithBuiltInKernels, context, 1u, &device, "k");
    EXPECT_FAILS(CL_INVALID_DEVICE, clCreateProgramWithBuiltInKernels, context, 1u, &part, "k");
}

TEST_F(ProgramErrors, OfIntermediateLanguage) {
    const cl_program program = source(text);
    const cl_uint value = 1;
    size_t version = 0;
    clGetDeviceInfo(device, CL_DEVICE_IL_VERSION, 0, nullptr, &version);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clCreateProgramWithIL, nullptr, data, sizeof data);
    EXPECT_FAILS(CL_INVALID_PROGRAM, clSetProgramSpecializationConstant, nullptr, 1u, sizeof value,
                 &value);
    EXTENSION(clCreateProgramWithILKHR);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clCreateProgramWithILKHR, nullptr, data, sizeof data);
    if (version <= 1) {
        EXPECT_FAILS(CL_INVALID_OPERATION, clCreateProgramWithIL, context, data, sizeof data);
        EXPECT_FAILS(CL_INVALID_OPERATION, clCreateProgramWithILKHR, context, data, sizeof data);
        EXPECT_FAILS(CL_INVALID_OPERATION, clSetProgramSpecializationConstant, program, 1u,
                     sizeof value, &value);
        GTEST_SKIP() << "the device has no intermediate language";
    }
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateProgramWithIL, context, nullptr, sizeof data);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateProgramWithIL, context, data, 0u);
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateProgramWithILKHR, context, data, sizeof data);
    EXPECT_FAILS(CL_INVALID_PROGRAM, clSetProgramSpecializationConstant, program, 1u, sizeof value,
                 &value);                                   // it is not of intermediate language
    const cl_uint empty[] = {0x07230203, 0x10000, 0, 1, 0}; // a header of SPIR-V 1.0
    const cl_program module =
        released_later(clReleaseProgram, made(clCreateProgramWithIL, context, empty, sizeof empty));
    EXPECT_FAILS(CL_INVALID_SPEC_ID, clSetProgramSpecializationConstant, module, 1u, sizeof value,
                 &value);
    EXPECT_FAILS(CL_INVALID_VALUE, clSetProgramSpecializationConstant, module, 1u, sizeof value,
                 nullptr);
}

TEST_F(ProgramErrors, InQueries) {
    const cl_program program = source(text);
    EXPECT_FAILS(CL_INVALID_PROGRAM, clRetainProgram, nullptr);
    EXPECT_FAILS(CL_INVALID_PROGRAM, clReleaseProgram, as<cl_program>(context));
    const auto released = +[](cl_program, void *) {};
    EXPECT_FAILS(CL_INVALID_PROGRAM, clSetProgramReleaseCallback, nullptr, released, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clSetProgramReleaseCallback, program, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clSetProgramReleaseCallback, program, released, nullptr);

    EXPECT_FAILS(CL_INVALID_PROGRAM, clGetProgramInfo, nullptr, CL_PROGRAM_SOURCE, 0u, nullptr,
                 &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetProgramInfo, program, nonsense, 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetProgramInfo, program, CL_PROGRAM_SOURCE, 1u, data, &size);
    EXPECT_FAILS(CL_INVALID_PROGRAM_EXECUTABLE, clGetProgramInfo, program, CL_PROGRAM_NUM_KERNELS,
                 0u, nullptr, &size);
    EXPECT_FAILS(CL_INVALID_PROGRAM_EXECUTABLE, clGetProgramInfo, program, CL_PROGRAM_KERNEL_NAMES,
                 0u, nullptr, &size);
    constexpr cl_program_build_info log = CL_PROGRAM_BUILD_LOG;
    EXPECT_FAILS(CL_INVALID_PROGRAM, clGetProgramBuildInfo, nullptr, device, log, 0u, nullptr,
                 &size);
    EXPECT_FAILS(CL_INVALID_DEVICE, clGetProgramBuildInfo, program, nullptr, log, 0u, nullptr,
                 &size);
    EXPECT_FAILS(CL_INVALID_DEVICE, clGetProgramBuildInfo, program, sub_device(), log, 0u, nullptr,
                 &size);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetProgramBuildInfo, program, device, nonsense, 0u, nullptr,
                 &size);
}

TEST_F(ProgramErrors, InBuilding) {
    const cl_program program = source(text);
    const cl_device_id part = sub_device();
    EXPECT_FAILS(CL_INVALID_PROGRAM, clBuildProgram, nullptr, 0u, nullptr, "", nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clBuildProgram, program, 1u, nullptr, "", nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clBuildProgram, program, 0u, &device, "", nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clBuildProgram, program, 0u, nullptr, "", nullptr, data);
    EXPECT_FAILS(CL_INVALID_DEVICE, clBuildProgram, program, 1u, &part, "", notify, nullptr);
    EXPECT_FAILS(CL_INVALID_BINARY, clBuildProgram, from_binary(binary_of(compiled(text))), 0u,
                 nullptr, "", nullptr, nullptr);
    for (const char *options : {"-nonsense", "-cl-std=CL7.0", "-D", "-I"})
        EXPECT_FAILS(CL_INVALID_BUILD_OPTIONS, clBuildProgram, program, 0u, nullptr, options,
                     nullptr, nullptr);
    EXPECT_FAILS(CL_BUILD_PROGRAM_FAILURE, clBuildProgram, source(broken), 0u, nullptr, "", nullptr,
                 nullptr);
    const cl_program in_use = built(text);
    const cl_kernel kernel = made(clCreateKernel, in_use, "test");
    EXPECT_FAILS(CL_INVALID_OPERATION, clBuildProgram, in_use, 0u, nullptr, "", nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clCompileProgram, in_use, 0u, nullptr, "", 0u, nullptr,
                 nullptr, nullptr, nullptr);
    clReleaseKernel(kernel);
}

TEST_F(ProgramErrors, InCompiling) {
    const cl_program program = source(text);
    const cl_program header = source("");
    const cl_program no_header = as<cl_program>(context);
    const cl_device_id part = sub_device();
    const char *name = "header.h";
    EXPECT_FAILS(CL_INVALID_PROGRAM, clCompileProgram, nullptr, 0u, nullptr, "", 0u, nullptr,
                 nullptr, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_PROGRAM, clCompileProgram, program, 0u, nullptr, "", 1u, &no_header,
                 &name, nullptr, nullptr);
    const cl_program foreign = source("", other_context);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clCompileProgram, program, 0u, nullptr, "", 1u, &foreign,
                 &name, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCompileProgram, program, 1u, nullptr, "", 0u, nullptr, nullptr,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCompileProgram, program, 0u, &device, "", 0u, nullptr, nullptr,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCompileProgram, program, 0u, nullptr, "", 1u, nullptr, &name,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCompileProgram, program, 0u, nullptr, "", 0u, &header, nullptr,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clCompileProgram, program, 0u, nullptr, "", 0u, nullptr, nullptr,
                 nullptr, data);
    EXPECT_FAILS(CL_INVALID_DEVICE, clCompileProgram, program, 1u, &part, "", 0u, nullptr, nullptr,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_COMPILER_OPTIONS, clCompileProgram, program, 0u, nullptr, "-nonsense",
                 0u, nullptr, nullptr, nullptr, nullptr);
    EXPECT_FAILS(CL_COMPILE_PROGRAM_FAILURE, clCompileProgram, source(broken), 0u, nullptr, "", 0u,
                 nullptr, nullptr, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clCompileProgram, from_binary(binary_of(built(text))), 0u,
                 nullptr, "", 0u, nullptr, nullptr, nullptr, nullptr);
}

TEST_F(ProgramErrors, InLinking) {
    const cl_program program = compiled(text);
    const cl_program no_program = as<cl_program>(context);
    const cl_program raw = source(text);
    const cl_program mixed[] = {program, raw};
    const cl_device_id part = sub_device();
    EXPECT_FAILS(CL_INVALID_CONTEXT, clLinkProgram, nullptr, 0u, nullptr, "", 1u, &program, nullptr,
                 nullptr);
    const cl_program foreign = source(text, other_context);
    EXPECT_FAILS(CL_INVALID_CONTEXT, clLinkProgram, context, 0u, nullptr, "", 1u, &foreign, nullptr,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clLinkProgram, context, 1u, nullptr, "", 1u, &program, nullptr,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clLinkProgram, context, 0u, nullptr, "", 0u, nullptr, nullptr,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clLinkProgram, context, 0u, nullptr, "", 1u, nullptr, nullptr,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clLinkProgram, context, 0u, nullptr, "", 1u, &program, nullptr,
                 data);
    EXPECT_FAILS(CL_INVALID_PROGRAM, clLinkProgram, context, 0u, nullptr, "", 1u, &no_program,
                 nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_DEVICE, clLinkProgram, context, 1u, &part, "", 1u, &program, nullptr,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_LINKER_OPTIONS, clLinkProgram, context, 0u, nullptr, "-nonsense", 1u,
                 &program, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clLinkProgram, context, 0u, nullptr, "", 1u, &raw, nullptr,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_OPERATION, clLinkProgram, context, 0u, nullptr, "", 2u, mixed, nullptr,
                 nullptr);
    const cl_program missing = compiled(unresolved);
    cl_int code = 1;
    const cl_program failed =
        clLinkProgram(context, 0, nullptr, "", 1, &missing, nullptr, nullptr, &code);
    EXPECT_CODE(CL_LINK_PROGRAM_FAILURE, clLinkProgram, code);
    ASSERT_NE(failed, nullptr); // its build log says why
    EXPECT_EQ(clReleaseProgram(failed), CL_SUCCESS);
}

TEST_F(ProgramErrors, NotForSubDevicesOfADeviceThatIsBuiltFor) {
    const cl_device_id both[] = {device, sub_device()};
    const cl_context family = released_later(
        clReleaseContext, made(clCreateContext, nullptr, 2u, both, nullptr, nullptr));
    const cl_program program = source(text, family);
    ASSERT_EQ(clBuildProgram(program, 1, &device, "", nullptr, nullptr), CL_SUCCESS);
    for (const cl_device_id one : both) {
        cl_build_status status = CL_BUILD_NONE;
        clGetProgramBuildInfo(program, one, CL_PROGRAM_BUILD_STATUS, sizeof status, &status,
                              nullptr);
        EXPECT_EQ(status, CL_BUILD_SUCCESS);
    }
}

class ErrorsWithoutCompiler : public ProgramErrors {};

TEST_F(ErrorsWithoutCompiler, OfBuilding) {
    const cl_program program = source(text);
    EXPECT_FAILS(CL_COMPILER_NOT_AVAILABLE, clBuildProgram, program, 0u, nullptr, "", nullptr,
                 nullptr);
    EXPECT_FAILS(CL_COMPILER_NOT_AVAILABLE, clCompileProgram, program, 0u, nullptr, "", 0u, nullptr,
                 nullptr, nullptr, nullptr);
    const cl_program object = from_binary({'B', 'C', 0xc0, 0xde}); // of LLVM
    EXPECT_FAILS(CL_LINKER_NOT_AVAILABLE, clLinkProgram, context, 0u, nullptr, "", 1u, &object,
                 nullptr, nullptr);
    cl_bool available = CL_TRUE;
    for (const cl_device_info part : {CL_DEVICE_COMPILER_AVAILABLE, CL_DEVICE_LINKER_AVAILABLE}) {
        clGetDeviceInfo(device, part, sizeof available, &available, nullptr);
        EXPECT_EQ(available, CL_FALSE);
    }
    EXPECT_EQ(clUnloadPlatformCompiler(platform), CL_SUCCESS);
    EXPECT_EQ(clUnloadCompiler(), CL_SUCCESS);
}

} // namespace
} // namespace rivulet::test
