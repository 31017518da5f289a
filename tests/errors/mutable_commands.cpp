// SPDX-License-Identifier: Apache-2.0
//
// cl_khr_command_buffer_mutable_dispatch.
#include <deque>

#include "errors.h"

namespace rivulet::test {
namespace {

using Config = cl_mutable_dispatch_config_095;

class MutableCommandErrors : public Errors {
protected:
    void SetUp() override {
        Errors::SetUp();
        const cl_program program = source(
            "kernel void test(global int *out, int value) { out[get_global_id(0)] = value; }");
        ASSERT_EQ(clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr),
                  CL_SUCCESS);
        test = released_later(clReleaseKernel, made(clCreateKernel, program, "test"));
        ASSERT_EQ(clSetKernelArg(test, 0, sizeof buffer, &buffer), CL_SUCCESS);
        ASSERT_EQ(clSetKernelArg(test, 1, sizeof value, &value), CL_SUCCESS);
        commands = command_buffer(CL_COMMAND_BUFFER_MUTABLE_KHR);
        command = recorded(commands, {});
    }
    cl_command_buffer_khr command_buffer(cl_command_buffer_properties_khr flags) {
        EXTENSION(clCreateCommandBufferKHR);
        EXTENSION(clReleaseCommandBufferKHR);
        const cl_command_buffer_properties_khr properties[] = {CL_COMMAND_BUFFER_FLAGS_KHR, flags,
                                                               0};
        return released_later(clReleaseCommandBufferKHR,
                              made(clCreateCommandBufferKHR, 1u, &queue, properties));
    }
    cl_mutable_command_khr recorded(cl_command_buffer_khr in,
                                    std::vector<cl_command_properties_khr> properties) {
        COMMAND(clCommandNDRangeKernelKHR);
        cl_mutable_command_khr handle = nullptr;
        EXPECT_EQ(clCommandNDRangeKernelKHR(
                      in, nullptr, properties.empty() ? nullptr : properties.data(), test, 1,
                      nullptr, &items, &local, 0, nullptr, nullptr, &handle),
                  CL_SUCCESS);
        return handle;
    }
    void finalize(cl_command_buffer_khr which) {
        EXTENSION(clFinalizeCommandBufferKHR);
        ASSERT_EQ(clFinalizeCommandBufferKHR(which), CL_SUCCESS);
    }

    /// One update in the form of a list, which lives until the test ends.
    const void **config(cl_mutable_command_khr of,
                        const std::function<void(Config &)> &change = {}) {
        Config &made = configs_.emplace_back();
        made.command = of;
        if (change)
            change(made);
        return &pointers_.emplace_back(&made);
    }
    const void **with_argument(const cl_mutable_dispatch_arg_khr &set) {
        arguments_.push_back(set);
        return config(command, [&](Config &c) { c.num_args = 1, c.arg_list = &arguments_.back(); });
    }

    cl_kernel test = nullptr;
    cl_command_buffer_khr commands = nullptr;
    cl_mutable_command_khr command = nullptr;
    const size_t items = 16, local = 8, odd = 15, huge = size_t{1} << 40, zero = 0;
    const cl_int value = 1;
    const cl_uint type = CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_095;
    const cl_bool no = CL_FALSE;
    const cl_mutable_dispatch_arg_khr argument{1, sizeof value, &value};
    const cl_mutable_dispatch_exec_info_khr info{CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM,
                                                 sizeof no, &no};

private:
    std::deque<Config> configs_;
    std::deque<const void *> pointers_;
    std::deque<cl_mutable_dispatch_arg_khr> arguments_;
};

TEST_F(MutableCommandErrors, OfRecording) {
    COMMAND(clCommandNDRangeKernelKHR);
    EXTENSION(clCreateCommandBufferKHR);
    EXTENSION(clReleaseCommandBufferKHR);
    const cl_command_properties_khr unknown[] = {77, 0, 0},
                                    unknown_field[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
                                                       1u << 20, 0},
                                    unknown_assert[] = {CL_MUTABLE_DISPATCH_ASSERTS_KHR, 2, 0},
                                    twice[] = {CL_MUTABLE_DISPATCH_ASSERTS_KHR, 1,
                                               CL_MUTABLE_DISPATCH_ASSERTS_KHR, 1, 0},
                                    asserted[] = {CL_MUTABLE_DISPATCH_ASSERTS_KHR, 1, 0};
    for (const cl_command_properties_khr *properties :
         {unknown, unknown_field, unknown_assert, twice})
        EXPECT_FAILS(CL_INVALID_VALUE, clCommandNDRangeKernelKHR, commands, nullptr, properties,
                     test, 1u, nullptr, &items, &local, 0u, nullptr, nullptr, nullptr);
    // The assertion about work-groups needs their size.
    EXPECT_FAILS(CL_INVALID_VALUE, clCommandNDRangeKernelKHR, commands, nullptr, asserted, test, 1u,
                 nullptr, &items, nullptr, 0u, nullptr, nullptr, nullptr);
    const cl_command_buffer_properties_khr of_all[] = {
        CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR, 1, 0};
    const cl_command_buffer_properties_khr of_none[] = {
        CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR, 2, 0};
    EXPECT_FAILS(CL_INVALID_VALUE, clCreateCommandBufferKHR, 1u, &queue, of_none);
    const auto asserting = released_later(clReleaseCommandBufferKHR,
                                          made(clCreateCommandBufferKHR, 1u, &queue, of_all));
    EXPECT_FAILS(CL_INVALID_VALUE, clCommandNDRangeKernelKHR, asserting, nullptr, nullptr, test, 1u,
                 nullptr, &items, nullptr, 0u, nullptr, nullptr, nullptr);
    // Without the property, all arguments must be set.
    EXPECT_FAILS(CL_INVALID_KERNEL_ARGS, clCommandNDRangeKernelKHR, commands, nullptr, nullptr,
                 kernel(), 1u, nullptr, &items, nullptr, 0u, nullptr, nullptr, nullptr);
}

/// The function has other parameters in older headers.
#define UPDATE                                                                                     \
    const auto clUpdateMutableCommandsKHR = reinterpret_cast<clUpdateMutableCommandsKHR_095_fn>(   \
        clGetExtensionFunctionAddressForPlatform(platform, "clUpdateMutableCommandsKHR"))

TEST_F(MutableCommandErrors, OfUpdates) {
    UPDATE;
    const cl_uint unknown = 7;
    const void *none[] = {nullptr}, **configs = config(command);
    EXPECT_FAILS(CL_INVALID_COMMAND_BUFFER_KHR, clUpdateMutableCommandsKHR, nullptr, 1u, &type,
                 configs);
    EXPECT_FAILS(CL_INVALID_OPERATION, clUpdateMutableCommandsKHR, commands, 1u, &type, configs);
    finalize(commands);
    const auto immutable = command_buffer(0);
    const auto elsewhere = recorded(immutable, {});
    finalize(immutable);
    EXPECT_FAILS(CL_INVALID_OPERATION, clUpdateMutableCommandsKHR, immutable, 1u, &type, configs);
    EXPECT_EQ(clUpdateMutableCommandsKHR(commands, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clUpdateMutableCommandsKHR(commands, 1, &type, configs), CL_SUCCESS);
    EXPECT_FAILS(CL_INVALID_VALUE, clUpdateMutableCommandsKHR, commands, 1u, nullptr, configs);
    EXPECT_FAILS(CL_INVALID_VALUE, clUpdateMutableCommandsKHR, commands, 1u, &type, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clUpdateMutableCommandsKHR, commands, 0u, &type, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clUpdateMutableCommandsKHR, commands, 0u, nullptr, configs);
    EXPECT_FAILS(CL_INVALID_VALUE, clUpdateMutableCommandsKHR, commands, 1u, &unknown, configs);
    EXPECT_FAILS(CL_INVALID_VALUE, clUpdateMutableCommandsKHR, commands, 1u, &type, none);
    for (const cl_mutable_command_khr wrong :
         {cl_mutable_command_khr{}, elsewhere, as<cl_mutable_command_khr>(test)})
        EXPECT_FAILS(CL_INVALID_MUTABLE_COMMAND_KHR, clUpdateMutableCommandsKHR, commands, 1u,
                     &type, config(wrong));
}

TEST_F(MutableCommandErrors, OfFieldsAndLists) {
    UPDATE;
    const auto fixed = recorded(commands, {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 0, 0});
    finalize(commands);
    const std::function<void(Config &)> changes[] = {
        [&](Config &c) { c.global_work_offset = &local; },
        [&](Config &c) { c.global_work_size = &items; },
        [&](Config &c) { c.local_work_size = &local; },
        [&](Config &c) { c.num_args = 1, c.arg_list = &argument; },
        [&](Config &c) { c.num_svm_args = 1, c.arg_svm_list = &argument; },
        [&](Config &c) { c.num_exec_infos = 1, c.exec_info_list = &info; },
    };
    for (const auto &change : changes)
        EXPECT_FAILS(CL_INVALID_OPERATION, clUpdateMutableCommandsKHR, commands, 1u, &type,
                     config(fixed, change));
    EXPECT_FAILS(CL_INVALID_OPERATION, clUpdateMutableCommandsKHR, commands, 1u, &type,
                 config(command, [](Config &c) { c.work_dim = 2; }));
    const std::function<void(Config &)> lists[] = {
        [](Config &c) { c.num_args = 1; },
        [](Config &c) { c.num_svm_args = 1; },
        [](Config &c) { c.num_exec_infos = 1; },
        [&](Config &c) { c.arg_list = &argument; },
        [&](Config &c) { c.arg_svm_list = &argument; },
        [&](Config &c) { c.exec_info_list = &info; },
    };
    for (const auto &list : lists)
        EXPECT_FAILS(CL_INVALID_VALUE, clUpdateMutableCommandsKHR, commands, 1u, &type,
                     config(command, list));
}

TEST_F(MutableCommandErrors, OfSizesAndArguments) {
    UPDATE;
    finalize(commands);
    // Not all work-groups have the same size any more, which the kernel allows.
    EXPECT_FAILS(CL_INVALID_OPERATION, clUpdateMutableCommandsKHR, commands, 1u, &type,
                 config(command, [&](Config &c) { c.global_work_size = &odd; }));
    EXPECT_FAILS(CL_INVALID_GLOBAL_WORK_SIZE, clUpdateMutableCommandsKHR, commands, 1u, &type,
                 config(command, [&](Config &c) { c.global_work_size = &huge; }));
    EXPECT_FAILS(CL_INVALID_GLOBAL_OFFSET, clUpdateMutableCommandsKHR, commands, 1u, &type,
                 config(command, [&](Config &c) { c.global_work_offset = &huge; }));
    EXPECT_FAILS(CL_INVALID_WORK_ITEM_SIZE, clUpdateMutableCommandsKHR, commands, 1u, &type,
                 config(command, [&](Config &c) { c.local_work_size = &huge; }));
    EXPECT_FAILS(CL_INVALID_WORK_GROUP_SIZE, clUpdateMutableCommandsKHR, commands, 1u, &type,
                 config(command, [&](Config &c) { c.local_work_size = &zero; }));
    EXPECT_FAILS(CL_INVALID_ARG_INDEX, clUpdateMutableCommandsKHR, commands, 1u, &type,
                 with_argument({9, sizeof value, &value}));
    EXPECT_FAILS(CL_INVALID_ARG_SIZE, clUpdateMutableCommandsKHR, commands, 1u, &type,
                 with_argument({1, 1, &value}));
    EXPECT_FAILS(CL_INVALID_ARG_VALUE, clUpdateMutableCommandsKHR, commands, 1u, &type,
                 with_argument({1, sizeof value, nullptr}));
    EXPECT_FAILS(CL_INVALID_MEM_OBJECT, clUpdateMutableCommandsKHR, commands, 1u, &type,
                 with_argument({0, sizeof test, &test}));
    EXPECT_FAILS(CL_INVALID_CONTEXT, clUpdateMutableCommandsKHR, commands, 1u, &type,
                 with_argument({0, sizeof other_buffer, &other_buffer}));
    const cl_bool yes = CL_TRUE;
    const cl_mutable_dispatch_exec_info_khr unknown{nonsense, sizeof no, &no},
        system{CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes};
    EXPECT_FAILS(
        CL_INVALID_VALUE, clUpdateMutableCommandsKHR, commands, 1u, &type,
        config(command, [&](Config &c) { c.num_exec_infos = 1, c.exec_info_list = &unknown; }));
    EXPECT_FAILS(
        CL_INVALID_OPERATION, clUpdateMutableCommandsKHR, commands, 1u, &type,
        config(command, [&](Config &c) { c.num_exec_infos = 1, c.exec_info_list = &system; }));
}

TEST_F(MutableCommandErrors, OfQueries) {
    EXTENSION(clGetMutableCommandInfoKHR);
    EXPECT_FAILS(CL_INVALID_MUTABLE_COMMAND_KHR, clGetMutableCommandInfoKHR, nullptr,
                 CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, 0u, nullptr, nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetMutableCommandInfoKHR, command, nonsense, 0u, nullptr,
                 nullptr);
    EXPECT_FAILS(CL_INVALID_VALUE, clGetMutableCommandInfoKHR, command,
                 CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, 1u, data, nullptr);
}

} // namespace
} // namespace rivulet::test
