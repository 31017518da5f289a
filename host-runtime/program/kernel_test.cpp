// SPDX-License-Identifier: Apache-2.0
//
// 5.7: kernels, their arguments, and queries for both.
#include "host-runtime/tests/api_fixture.h"

namespace rivulet::testing {
namespace {

constexpr const char *source = R"(
    typedef struct { int a; char b; } pair;
    kernel void values(int i, float4 f, pair p, uint3 u) {}
    kernel void pointers(global const float *restrict g, constant int *c, local volatile int *l) {}
    __attribute__((reqd_work_group_size(4, 2, 1))) kernel void sized(global int *g) { *g = 1; }
    kernel void nothing() {}
)";

struct KernelObject : Api {
    cl_program program = nullptr;

    void SetUp() override {
        Api::SetUp();
        program = built_program(source, "-cl-kernel-arg-info");
    }
    void TearDown() override {
        clReleaseProgram(program);
        Api::TearDown();
    }
    cl_kernel kernel(const char *name) {
        const cl_kernel kernel = clCreateKernel(program, name, &code);
        EXPECT_EQ(code, CL_SUCCESS);
        return kernel;
    }
    template <class T> T info(cl_kernel kernel, cl_kernel_info name) {
        T value{};
        EXPECT_EQ(clGetKernelInfo(kernel, name, sizeof value, &value, nullptr), CL_SUCCESS);
        return value;
    }
    std::string text(cl_kernel kernel, cl_kernel_info name) {
        char value[256] = "";
        EXPECT_EQ(clGetKernelInfo(kernel, name, sizeof value, value, nullptr), CL_SUCCESS);
        return value;
    }
    template <class T> T group_info(cl_kernel kernel, cl_kernel_work_group_info name) {
        T value{};
        EXPECT_EQ(clGetKernelWorkGroupInfo(kernel, device, name, sizeof value, &value, nullptr),
                  CL_SUCCESS);
        return value;
    }
    template <class T> T argument_info(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name) {
        T value{};
        EXPECT_EQ(clGetKernelArgInfo(kernel, index, name, sizeof value, &value, nullptr),
                  CL_SUCCESS);
        return value;
    }
    std::string argument_text(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name) {
        char value[64] = "";
        EXPECT_EQ(clGetKernelArgInfo(kernel, index, name, sizeof value, value, nullptr),
                  CL_SUCCESS);
        return value;
    }
};

TEST_F(KernelObject, IsMadeByName) {
    const cl_kernel values = kernel("values");
    EXPECT_EQ(text(values, CL_KERNEL_FUNCTION_NAME), "values");
    EXPECT_EQ(info<cl_uint>(values, CL_KERNEL_NUM_ARGS), 4u);
    EXPECT_EQ(info<cl_uint>(values, CL_KERNEL_REFERENCE_COUNT), 1u);
    EXPECT_EQ(info<cl_context>(values, CL_KERNEL_CONTEXT), context);
    EXPECT_EQ(info<cl_program>(values, CL_KERNEL_PROGRAM), program);
    EXPECT_EQ(text(values, CL_KERNEL_ATTRIBUTES), "");
    EXPECT_EQ(clRetainKernel(values), CL_SUCCESS);
    EXPECT_EQ(info<cl_uint>(values, CL_KERNEL_REFERENCE_COUNT), 2u);
    EXPECT_EQ(clReleaseKernel(values), CL_SUCCESS);
    EXPECT_EQ(clReleaseKernel(values), CL_SUCCESS);

    EXPECT_EQ(clCreateKernel(nullptr, "values", &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_PROGRAM);
    EXPECT_EQ(clCreateKernel(program, "no such kernel", &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_KERNEL_NAME);
    EXPECT_EQ(clCreateKernel(program, nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_VALUE);
    EXPECT_EQ(clRetainKernel(nullptr), CL_INVALID_KERNEL);
    EXPECT_EQ(clReleaseKernel(reinterpret_cast<cl_kernel>(program)), CL_INVALID_KERNEL);
    char small;
    EXPECT_EQ(clGetKernelInfo(nullptr, CL_KERNEL_NUM_ARGS, 0, nullptr, nullptr), CL_INVALID_KERNEL);
    const cl_kernel nothing = kernel("nothing");
    EXPECT_EQ(clGetKernelInfo(nothing, CL_KERNEL_NUM_ARGS, 1, &small, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clGetKernelInfo(nothing, CL_PROGRAM_SOURCE, 0, nullptr, nullptr), CL_INVALID_VALUE);
    clReleaseKernel(nothing);
}

TEST_F(KernelObject, AllOfAProgramAreMadeAtOnce) {
    cl_uint count = 0;
    EXPECT_EQ(clCreateKernelsInProgram(program, 0, nullptr, &count), CL_SUCCESS);
    ASSERT_EQ(count, 4u);
    cl_kernel kernels[4] = {};
    EXPECT_EQ(clCreateKernelsInProgram(program, 3, kernels, nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(clCreateKernelsInProgram(program, 4, kernels, nullptr), CL_SUCCESS);
    for (const cl_kernel each : kernels)
        EXPECT_EQ(clReleaseKernel(each), CL_SUCCESS);
    EXPECT_EQ(clCreateKernelsInProgram(nullptr, 0, nullptr, &count), CL_INVALID_PROGRAM);
    const cl_program unbuilt = make_program(source);
    EXPECT_EQ(clCreateKernelsInProgram(unbuilt, 0, nullptr, &count), CL_INVALID_PROGRAM_EXECUTABLE);
    clReleaseProgram(unbuilt);
}

TEST_F(KernelObject, ValuesHaveTheSizeOfTheirType) {
    const cl_kernel values = kernel("values");
    const cl_int four = 4;
    const cl_float4 vector{};
    const struct {
        int a;
        char b;
    } pair{};
    EXPECT_EQ(clSetKernelArg(nullptr, 0, sizeof four, &four), CL_INVALID_KERNEL);
    EXPECT_EQ(clSetKernelArg(values, 4, sizeof four, &four), CL_INVALID_ARG_INDEX);
    EXPECT_EQ(clSetKernelArg(values, 0, sizeof four, nullptr), CL_INVALID_ARG_VALUE);
    EXPECT_EQ(clSetKernelArg(values, 0, 2, &four), CL_INVALID_ARG_SIZE);
    EXPECT_EQ(clSetKernelArg(values, 0, sizeof four, &four), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(values, 1, sizeof vector, &vector), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(values, 2, sizeof pair, &pair), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(values, 3, 3 * sizeof four, &vector), CL_INVALID_ARG_SIZE);
    EXPECT_EQ(clSetKernelArg(values, 3, sizeof(cl_uint3), &vector), CL_SUCCESS);
    clReleaseKernel(values);
}

TEST_F(KernelObject, PointersTakeBuffersOrNull) {
    const cl_kernel pointers = kernel("pointers");
    const cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    const cl_mem null = nullptr;
    EXPECT_EQ(clSetKernelArg(pointers, 0, sizeof buffer, &buffer), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(pointers, 0, sizeof buffer, &null), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(pointers, 0, sizeof buffer, nullptr), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(pointers, 1, sizeof buffer, &buffer), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(pointers, 0, 64, &buffer), CL_INVALID_ARG_SIZE);
    EXPECT_EQ(clSetKernelArg(pointers, 0, sizeof buffer, &program), CL_INVALID_MEM_OBJECT);
    const cl_context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    const cl_mem foreign = clCreateBuffer(other, CL_MEM_READ_WRITE, 64, nullptr, &code);
    EXPECT_EQ(clSetKernelArg(pointers, 0, sizeof foreign, &foreign), CL_INVALID_CONTEXT);
    clReleaseMemObject(foreign);
    clReleaseContext(other);
    clReleaseMemObject(buffer);
    EXPECT_EQ(clSetKernelArg(pointers, 0, sizeof buffer, &buffer), CL_INVALID_MEM_OBJECT);
    clReleaseKernel(pointers);
}

TEST_F(KernelObject, LocalArgumentsHaveASizeOnly) {
    const cl_kernel pointers = kernel("pointers");
    EXPECT_EQ(group_info<cl_ulong>(pointers, CL_KERNEL_LOCAL_MEM_SIZE), 0u);
    EXPECT_EQ(clSetKernelArg(pointers, 2, 0, nullptr), CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(pointers, 2, 256, &code), CL_INVALID_ARG_VALUE);
    EXPECT_EQ(clSetKernelArg(pointers, 2, 256, nullptr), CL_SUCCESS);
    EXPECT_EQ(group_info<cl_ulong>(pointers, CL_KERNEL_LOCAL_MEM_SIZE), 256u);
    clReleaseKernel(pointers);
}

TEST_F(KernelObject, CloneHasItsOwnArguments) {
    const cl_kernel pointers = kernel("pointers");
    EXPECT_EQ(clSetKernelArg(pointers, 2, 256, nullptr), CL_SUCCESS);
    const cl_kernel clone = clCloneKernel(pointers, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    EXPECT_EQ(clSetKernelArg(pointers, 2, 512, nullptr), CL_SUCCESS);
    EXPECT_EQ(group_info<cl_ulong>(clone, CL_KERNEL_LOCAL_MEM_SIZE), 256u);
    EXPECT_EQ(text(clone, CL_KERNEL_FUNCTION_NAME), "pointers");
    clReleaseKernel(pointers);
    EXPECT_EQ(build(program), CL_INVALID_OPERATION) << "the clone is attached";
    clReleaseKernel(clone);
    EXPECT_EQ(clCloneKernel(nullptr, &code), nullptr);
    EXPECT_EQ(code, CL_INVALID_KERNEL);
}

TEST_F(KernelObject, KnowsItsArguments) {
    const cl_kernel pointers = kernel("pointers");
    const cl_kernel values = kernel("values");
    EXPECT_EQ(argument_text(pointers, 0, CL_KERNEL_ARG_NAME), "g");
    EXPECT_EQ(argument_text(pointers, 0, CL_KERNEL_ARG_TYPE_NAME), "float*");
    EXPECT_EQ(argument_text(values, 3, CL_KERNEL_ARG_TYPE_NAME), "uint3");
    using Address = cl_kernel_arg_address_qualifier;
    const auto address = [&](cl_kernel of, cl_uint index) {
        return argument_info<Address>(of, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER);
    };
    EXPECT_EQ(address(pointers, 0), Address{CL_KERNEL_ARG_ADDRESS_GLOBAL});
    EXPECT_EQ(address(pointers, 1), Address{CL_KERNEL_ARG_ADDRESS_CONSTANT});
    EXPECT_EQ(address(pointers, 2), Address{CL_KERNEL_ARG_ADDRESS_LOCAL});
    EXPECT_EQ(address(values, 0), Address{CL_KERNEL_ARG_ADDRESS_PRIVATE});
    using Type = cl_kernel_arg_type_qualifier;
    const auto type = [&](cl_kernel of, cl_uint index) {
        return argument_info<Type>(of, index, CL_KERNEL_ARG_TYPE_QUALIFIER);
    };
    EXPECT_EQ(type(pointers, 0), Type{CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT});
    EXPECT_EQ(type(pointers, 1), Type{CL_KERNEL_ARG_TYPE_CONST});
    EXPECT_EQ(type(pointers, 2), Type{CL_KERNEL_ARG_TYPE_VOLATILE});
    EXPECT_EQ(
        argument_info<cl_kernel_arg_access_qualifier>(values, 0, CL_KERNEL_ARG_ACCESS_QUALIFIER),
        cl_kernel_arg_access_qualifier{CL_KERNEL_ARG_ACCESS_NONE});

    char small;
    EXPECT_EQ(clGetKernelArgInfo(nullptr, 0, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr),
              CL_INVALID_KERNEL);
    EXPECT_EQ(clGetKernelArgInfo(values, 4, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr),
              CL_INVALID_ARG_INDEX);
    EXPECT_EQ(clGetKernelArgInfo(values, 0, CL_KERNEL_NUM_ARGS, 0, nullptr, nullptr),
              CL_INVALID_VALUE);
    EXPECT_EQ(clGetKernelArgInfo(values, 0, CL_KERNEL_ARG_TYPE_NAME, 1, &small, nullptr),
              CL_INVALID_VALUE);
    clReleaseKernel(values);
    clReleaseKernel(pointers);
}

TEST_F(KernelObject, KnowsItsWorkGroups) {
    const cl_kernel sized = kernel("sized");
    const cl_kernel nothing = kernel("nothing");
    using Sizes = std::array<size_t, 3>;
    EXPECT_EQ(group_info<Sizes>(sized, CL_KERNEL_COMPILE_WORK_GROUP_SIZE), (Sizes{4, 2, 1}));
    EXPECT_EQ(group_info<Sizes>(nothing, CL_KERNEL_COMPILE_WORK_GROUP_SIZE), (Sizes{0, 0, 0}));
    EXPECT_THAT(text(sized, CL_KERNEL_ATTRIBUTES), HasSubstr("reqd_work_group_size(4,2,1)"));
    EXPECT_GE(group_info<size_t>(nothing, CL_KERNEL_WORK_GROUP_SIZE), 1u);
    EXPECT_GE(group_info<size_t>(nothing, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE), 1u);
    group_info<cl_ulong>(nothing, CL_KERNEL_PRIVATE_MEM_SIZE);

    Sizes sizes;
    EXPECT_EQ(clGetKernelWorkGroupInfo(nothing, nullptr, CL_KERNEL_WORK_GROUP_SIZE, sizeof(size_t),
                                       &sizes, nullptr),
              CL_SUCCESS)
        << "its only device";
    EXPECT_EQ(clGetKernelWorkGroupInfo(nothing, device, CL_KERNEL_GLOBAL_WORK_SIZE, sizeof sizes,
                                       &sizes, nullptr),
              CL_INVALID_VALUE)
        << "for built-in kernels and custom devices";
    EXPECT_EQ(
        clGetKernelWorkGroupInfo(nullptr, device, CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr, nullptr),
        CL_INVALID_KERNEL);
    EXPECT_EQ(clGetKernelWorkGroupInfo(nothing, reinterpret_cast<cl_device_id>(context),
                                       CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr, nullptr),
              CL_INVALID_DEVICE);
    EXPECT_EQ(
        clGetKernelWorkGroupInfo(nothing, device, CL_KERNEL_WORK_GROUP_SIZE, 1, &sizes, nullptr),
        CL_INVALID_VALUE);
    clReleaseKernel(nothing);
    clReleaseKernel(sized);
}

TEST_F(KernelObject, SvmPointersNeedADeviceThatHasThem) {
    const cl_kernel pointers = kernel("pointers");
    cl_device_svm_capabilities svm = 0;
    clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, nullptr);
    const cl_int expected = svm ? CL_SUCCESS : CL_INVALID_OPERATION;
    const void *list[] = {&svm};
    EXPECT_EQ(clSetKernelArgSVMPointer(pointers, 0, nullptr), expected);
    EXPECT_EQ(clSetKernelExecInfo(pointers, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof list, list),
              expected);
    EXPECT_EQ(clSetKernelArgSVMPointer(nullptr, 0, nullptr), CL_INVALID_KERNEL);
    EXPECT_EQ(clSetKernelExecInfo(nullptr, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof list, list),
              CL_INVALID_KERNEL);
    if (svm) {
        const cl_bool yes = CL_TRUE;
        EXPECT_EQ(clSetKernelArgSVMPointer(pointers, 3, nullptr), CL_INVALID_ARG_INDEX);
        EXPECT_EQ(clSetKernelArgSVMPointer(pointers, 2, nullptr), CL_INVALID_ARG_VALUE);
        EXPECT_EQ(clSetKernelExecInfo(pointers, CL_KERNEL_EXEC_INFO_SVM_PTRS, 3, list),
                  CL_INVALID_VALUE);
        EXPECT_EQ(clSetKernelExecInfo(pointers, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, nullptr),
                  CL_INVALID_VALUE);
        EXPECT_EQ(clSetKernelExecInfo(pointers, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
                                      sizeof yes, &yes),
                  CL_INVALID_OPERATION);
        EXPECT_EQ(clSetKernelExecInfo(pointers, 0, sizeof yes, &yes), CL_INVALID_VALUE);
    }
    clReleaseKernel(pointers);
}

} // namespace
} // namespace rivulet::testing
