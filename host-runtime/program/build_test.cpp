// SPDX-License-Identifier: Apache-2.0
//
// 5.6.2 … 5.6.5: building, compiling, linking.
#include <future>

#include "host-runtime/tests/api_fixture.h"

namespace rivulet::testing {
namespace {

constexpr const char *simple = "kernel void simple(global int *a) { *a = VALUE; }";
constexpr const char *wrong = "kernel void wrong(global int *a) { *a = no_such_name; }";

struct Finished {
    std::promise<cl_program> promise;
    static void CL_CALLBACK notify(cl_program program, void *finished) {
        static_cast<Finished *>(finished)->promise.set_value(program);
    }
};

struct BuildProgram : Api {};

TEST_F(BuildProgram, GivesAnExecutable) {
    const cl_program program = built_program(simple, "-D VALUE=3 -cl-std=CL1.2");
    EXPECT_EQ(status(program), CL_BUILD_SUCCESS);
    EXPECT_EQ(build_text(program, CL_PROGRAM_BUILD_OPTIONS), "-D VALUE=3 -cl-std=CL1.2");
    EXPECT_EQ(binary_type(program), cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_EXECUTABLE});
    clReleaseProgram(program);
}

TEST_F(BuildProgram, FailureHasTheCompilersLog) {
    const cl_program program = make_program(wrong);
    EXPECT_EQ(build(program), CL_BUILD_PROGRAM_FAILURE);
    EXPECT_EQ(status(program), CL_BUILD_ERROR);
    EXPECT_THAT(log(program), HasSubstr("no_such_name"));
    EXPECT_EQ(clCreateKernel(program, "wrong", &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_PROGRAM_EXECUTABLE);
    clReleaseProgram(program);
}

TEST_F(BuildProgram, BadOptionsAreNamed) {
    const cl_program program = make_program(simple);
    EXPECT_EQ(build(program, "-no-such-option"), CL_INVALID_BUILD_OPTIONS);
    EXPECT_THAT(log(program), HasSubstr("-no-such-option"));
    EXPECT_EQ(build(program, "-DVALUE=1"), CL_SUCCESS) << "a later build may be right";
    clReleaseProgram(program);
}

TEST_F(BuildProgram, CallbackComesWhenItIsDone) {
    const cl_program program = make_program(simple);
    Finished finished;
    ASSERT_EQ(clBuildProgram(program, 1, &device, "-DVALUE=1", Finished::notify, &finished),
              CL_SUCCESS);
    EXPECT_EQ(finished.promise.get_future().get(), program);
    EXPECT_EQ(status(program), CL_BUILD_SUCCESS);
    Finished failed;
    ASSERT_EQ(clBuildProgram(program, 0, nullptr, "-DVALUE=x", Finished::notify, &failed),
              CL_SUCCESS);
    EXPECT_EQ(failed.promise.get_future().get(), program);
    EXPECT_EQ(status(program), CL_BUILD_ERROR);
    clReleaseProgram(program);
}

TEST_F(BuildProgram, ProgramMayBeReleasedWhileItIsBuilt) {
    const cl_program program = make_program(simple);
    Finished finished;
    ASSERT_EQ(clBuildProgram(program, 0, nullptr, "-DVALUE=1", Finished::notify, &finished),
              CL_SUCCESS);
    EXPECT_EQ(clReleaseProgram(program), CL_SUCCESS);
    EXPECT_EQ(finished.promise.get_future().get(), program);
}

TEST_F(BuildProgram, WaitsForKernelsToBeReleased) {
    const cl_program program = built_program(simple, "-DVALUE=1");
    const cl_kernel kernel = clCreateKernel(program, "simple", &code);
    ASSERT_EQ(code, CL_SUCCESS);
    EXPECT_EQ(build(program, "-DVALUE=2"), CL_INVALID_OPERATION);
    EXPECT_EQ(compile(program, "-DVALUE=2"), CL_INVALID_OPERATION);
    EXPECT_EQ(status(program), CL_BUILD_SUCCESS) << "as it was";
    EXPECT_EQ(clReleaseKernel(kernel), CL_SUCCESS);
    EXPECT_EQ(build(program, "-DVALUE=2"), CL_SUCCESS);
    clReleaseProgram(program);
}

TEST_F(BuildProgram, ManyThreadsBuildSideBySide) {
    std::vector<std::future<cl_int>> builds;
    for (int i = 0; i < 8; ++i)
        builds.push_back(std::async(std::launch::async, [&, i] {
            const cl_program program = clCreateProgramWithSource(
                context, 1, const_cast<const char **>(&simple), nullptr, nullptr);
            const cl_int result = build(program, ("-DVALUE=" + std::to_string(i)).c_str());
            clReleaseProgram(program);
            return result;
        }));
    for (auto &each : builds)
        EXPECT_EQ(each.get(), CL_SUCCESS);
}

TEST_F(BuildProgram, RefusesBadArguments) {
    const cl_program program = make_program(simple);
    const cl_device_id no_device = nullptr;
    EXPECT_EQ(build(nullptr), CL_INVALID_PROGRAM);
    EXPECT_EQ(clBuildProgram(program, 1, nullptr, nullptr, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clBuildProgram(program, 0, &device, nullptr, nullptr, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, nullptr, nullptr, &code), CL_INVALID_VALUE);
    EXPECT_EQ(clBuildProgram(program, 1, &no_device, nullptr, nullptr, nullptr), CL_INVALID_DEVICE);
    clReleaseProgram(program);
}

struct CompileProgram : Api {};

TEST_F(CompileProgram, GivesAnObjectThatLinks) {
    const cl_program caller =
        make_program("int helper(int); kernel void call(global int *a) { *a = helper(*a); }");
    const cl_program helper = make_program("int helper(int x) { return x + 1; }");
    ASSERT_EQ(compile(caller), CL_SUCCESS) << log(caller);
    ASSERT_EQ(compile(helper), CL_SUCCESS) << log(helper);
    EXPECT_EQ(binary_type(caller), cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT});
    EXPECT_EQ(clCreateKernel(caller, "call", &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_PROGRAM_EXECUTABLE);
    const cl_program linked = link({caller, helper});
    EXPECT_EQ(code, CL_SUCCESS) << (linked ? log(linked) : "");
    EXPECT_EQ(binary_type(linked), cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_EXECUTABLE});
    EXPECT_EQ(text(linked, CL_PROGRAM_KERNEL_NAMES), "call");
    EXPECT_EQ(text(linked, CL_PROGRAM_SOURCE), "");
    EXPECT_EQ(build(linked), CL_INVALID_OPERATION) << "it has no source";
    EXPECT_EQ(compile(linked), CL_INVALID_OPERATION);
    for (const cl_program program : {linked, helper, caller})
        clReleaseProgram(program);
}

TEST_F(CompileProgram, FindsHeadersInOtherPrograms) {
    const cl_program program = make_program("#include <dir/value.h>\n"
                                            "kernel void k(global int *a) { *a = VALUE; }");
    const cl_program header = make_program("#include \"inner.h\"\n");
    const cl_program inner = make_program("#define VALUE 42\n");
    const cl_program headers[] = {header, inner};
    const char *names[] = {"dir/value.h", "inner.h"};
    EXPECT_EQ(compile(program), CL_COMPILE_PROGRAM_FAILURE);
    EXPECT_THAT(log(program), HasSubstr("dir/value.h"));
    EXPECT_EQ(clCompileProgram(program, 0, nullptr, nullptr, 2, headers, names, nullptr, nullptr),
              CL_SUCCESS)
        << log(program);
    for (const cl_program each : {program, header, inner})
        clReleaseProgram(each);
}

TEST_F(CompileProgram, RefusesBadArguments) {
    const cl_program program = make_program(simple);
    const cl_program header = make_program("");
    const char *name = "header.h";
    const char *no_name = nullptr;
    const cl_program no_program = nullptr;
    const auto with = [&](cl_uint count, const cl_program *headers, const char **names) {
        return clCompileProgram(program, 0, nullptr, "-DVALUE=1", count, headers, names, nullptr,
                                nullptr);
    };
    EXPECT_EQ(compile(nullptr), CL_INVALID_PROGRAM);
    EXPECT_EQ(with(0, &header, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(with(0, nullptr, &name), CL_INVALID_VALUE);
    EXPECT_EQ(with(1, nullptr, &name), CL_INVALID_VALUE);
    EXPECT_EQ(with(1, &header, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(with(1, &header, &no_name), CL_INVALID_VALUE);
    EXPECT_EQ(with(1, &no_program, &name), CL_INVALID_PROGRAM);
    EXPECT_EQ(with(1, &header, &name), CL_SUCCESS);
    EXPECT_EQ(compile(program, "-no-such-option"), CL_INVALID_COMPILER_OPTIONS);
    EXPECT_EQ(clCompileProgram(program, 1, nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(clCompileProgram(program, 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr, &code),
              CL_INVALID_VALUE);
    const cl_device_id no_device = nullptr;
    EXPECT_EQ(
        clCompileProgram(program, 1, &no_device, nullptr, 0, nullptr, nullptr, nullptr, nullptr),
        CL_INVALID_DEVICE);
    clReleaseProgram(header);
    clReleaseProgram(program);
}

struct LinkProgram : Api {
    cl_program compiled(const char *source) {
        const cl_program program = make_program(source);
        EXPECT_EQ(compile(program), CL_SUCCESS) << log(program);
        return program;
    }
};

TEST_F(LinkProgram, MakesLibrariesAndUsesThem) {
    const cl_program helper = compiled("int helper(int x) { return x + 1; }");
    const cl_program library = link({helper}, "-create-library");
    ASSERT_EQ(code, CL_SUCCESS);
    EXPECT_EQ(binary_type(library), cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_LIBRARY});
    const cl_program copy = program_from(binary(library));
    ASSERT_EQ(code, CL_SUCCESS) << reports->text();
    EXPECT_EQ(binary_type(copy), cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_LIBRARY});
    EXPECT_EQ(build(copy), CL_INVALID_BINARY) << "no executable";
    const cl_program caller =
        compiled("int helper(int); kernel void call(global int *a) { *a = helper(*a); }");
    const cl_program linked = link({caller, copy});
    EXPECT_EQ(code, CL_SUCCESS);
    EXPECT_EQ(text(linked, CL_PROGRAM_KERNEL_NAMES), "call");
    for (const cl_program program : {linked, caller, copy, library, helper})
        clReleaseProgram(program);
}

TEST_F(LinkProgram, FailureGivesAProgramWithALog) {
    const cl_program caller =
        compiled("int helper(int); kernel void call(global int *a) { *a = helper(*a); }");
    const cl_program linked = link({caller});
    EXPECT_EQ(code, CL_LINK_PROGRAM_FAILURE);
    ASSERT_NE(linked, nullptr);
    EXPECT_EQ(status(linked), CL_BUILD_ERROR);
    EXPECT_THAT(log(linked), HasSubstr("helper"));
    clReleaseProgram(linked);
    clReleaseProgram(caller);
}

TEST_F(LinkProgram, CallbackGetsTheNewProgram) {
    const cl_program object = compiled("kernel void k(global int *a) { *a = 1; }");
    Finished finished;
    const cl_program linked =
        clLinkProgram(context, 0, nullptr, nullptr, 1, &object, Finished::notify, &finished, &code);
    EXPECT_EQ(code, CL_SUCCESS);
    EXPECT_EQ(finished.promise.get_future().get(), linked);
    EXPECT_EQ(status(linked), CL_BUILD_SUCCESS);
    clReleaseProgram(linked);
    clReleaseProgram(object);
}

TEST_F(LinkProgram, RefusesBadArguments) {
    const cl_program object = compiled("kernel void k(global int *a) { *a = 1; }");
    const cl_program source = make_program(simple);
    const cl_program no_program = nullptr;
    const auto with = [&](cl_context c, cl_uint devices, const cl_device_id *list, cl_uint count,
                          const cl_program *programs, void *data = nullptr) {
        EXPECT_EQ(clLinkProgram(c, devices, list, nullptr, count, programs, nullptr, data, &code),
                  nullptr);
        return code;
    };
    EXPECT_EQ(with(nullptr, 0, nullptr, 1, &object), CL_INVALID_CONTEXT);
    EXPECT_EQ(with(context, 1, nullptr, 1, &object), CL_INVALID_VALUE);
    EXPECT_EQ(with(context, 0, &device, 1, &object), CL_INVALID_VALUE);
    EXPECT_EQ(with(context, 0, nullptr, 0, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(with(context, 0, nullptr, 0, &object), CL_INVALID_VALUE);
    EXPECT_EQ(with(context, 0, nullptr, 1, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(with(context, 0, nullptr, 1, &object, &code), CL_INVALID_VALUE);
    EXPECT_EQ(with(context, 0, nullptr, 1, &no_program), CL_INVALID_PROGRAM);
    const cl_device_id no_device = nullptr;
    EXPECT_EQ(with(context, 1, &no_device, 1, &object), CL_INVALID_DEVICE);
    EXPECT_EQ(link({source}), nullptr);
    EXPECT_EQ(code, CL_INVALID_OPERATION) << "not compiled";
    EXPECT_EQ(link({object, source}), nullptr);
    EXPECT_EQ(code, CL_INVALID_OPERATION) << "one of them not compiled";
    EXPECT_EQ(link({object}, "-DVALUE"), nullptr);
    EXPECT_EQ(code, CL_INVALID_LINKER_OPTIONS);
    clReleaseProgram(source);
    clReleaseProgram(object);
}

} // namespace
} // namespace rivulet::testing
