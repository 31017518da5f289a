// SPDX-License-Identifier: Apache-2.0
//
// cl_khr_command_buffer_mutable_dispatch: launches of a command buffer that change after recording.
#include "host-runtime/include/CL/cl_ext_rivulet.h"
#include "tests/api/on_device.h"

namespace rivulet::test {
namespace {

using testing::Each;
using testing::ElementsAre;

using Config = cl_mutable_dispatch_config_095;
using Argument = cl_mutable_dispatch_arg_khr;

constexpr size_t items = 1000;

class MutableCommands : public OnDevice {
protected:
    ~MutableCommands() override {
        if (commands != nullptr) {
            EXPECT_EQ(EXTENSION(clReleaseCommandBufferKHR)(commands), CL_SUCCESS);
        }
    }
    void make(cl_command_buffer_properties_khr flags = 0) {
        const cl_command_buffer_properties_khr properties[] = {
            CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_MUTABLE_KHR | flags, 0};
        cl_int code = 1;
        commands = EXTENSION(clCreateCommandBufferKHR)(1, &queue(), properties, &code);
        EXPECT_EQ(code, CL_SUCCESS);
    }
    cl_mutable_command_khr record(const cl::Kernel &kernel,
                                  std::vector<cl_command_properties_khr> properties = {},
                                  const size_t *local = nullptr) {
        cl_mutable_command_khr command = nullptr;
        EXPECT_EQ(COMMAND(clCommandNDRangeKernelKHR)(
                      commands, nullptr, properties.empty() ? nullptr : properties.data(), kernel(),
                      1, nullptr, &items, local, 0, nullptr, nullptr, &command),
                  CL_SUCCESS);
        return command;
    }
    void finalize() { EXPECT_EQ(EXTENSION(clFinalizeCommandBufferKHR)(commands), CL_SUCCESS); }
    void run(cl::CommandQueue *on = nullptr) {
        EXPECT_EQ(EXTENSION(clEnqueueCommandBufferKHR)(on ? 1 : 0, on ? &(*on)() : nullptr,
                                                       commands, 0, nullptr, nullptr),
                  CL_SUCCESS);
    }
    cl_int update(const std::vector<Config> &configs) {
        const std::vector<cl_uint> types(configs.size(),
                                         CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_095);
        std::vector<const void *> pointers;
        for (const Config &config : configs)
            pointers.push_back(&config);
        return extension<clUpdateMutableCommandsKHR_095_fn>("clUpdateMutableCommandsKHR")(
            commands, static_cast<cl_uint>(configs.size()), types.data(), pointers.data());
    }
    static Config with_arguments(cl_mutable_command_khr command, const Argument *arguments,
                                 cl_uint count) {
        Config config{};
        config.command = command;
        config.num_args = count;
        config.arg_list = arguments;
        return config;
    }
    template <class T>
    static std::vector<T> info(cl_mutable_command_khr command, cl_mutable_command_info_khr name) {
        const auto get = EXTENSION(clGetMutableCommandInfoKHR);
        size_t bytes = 0;
        EXPECT_EQ(get(command, name, 0, nullptr, &bytes), CL_SUCCESS);
        std::vector<T> values(bytes / sizeof(T));
        EXPECT_EQ(get(command, name, bytes, values.data(), nullptr), CL_SUCCESS);
        return values;
    }
    cl_command_buffer_state_khr state() {
        cl_command_buffer_state_khr state = 9;
        EXPECT_EQ(EXTENSION(clGetCommandBufferInfoKHR)(commands, CL_COMMAND_BUFFER_STATE_KHR,
                                                       sizeof state, &state, nullptr),
                  CL_SUCCESS);
        return state;
    }
    cl::Kernel adder(const cl::Buffer &buffer, cl_uint value) {
        cl::Kernel kernel = this->kernel("kernel void test(global uint *data, uint value) {"
                                         "    data[get_global_id(0)] += value;"
                                         "}");
        kernel.setArg(0, buffer);
        kernel.setArg(1, value);
        return kernel;
    }

    cl_command_buffer_khr commands = nullptr;
};

TEST_F(MutableCommands, UpdatedArgumentsStayAndLeaveTheKernelsAlone) {
    const cl::Buffer data = buffer(std::vector<cl_uint>(items, 1));
    const cl::Buffer other = buffer(std::vector<cl_uint>(items, 1));
    const cl::Kernel add = adder(data, 10);
    make();
    const auto first = record(add), second = record(add);
    finalize();
    run();
    const cl_uint value = 100;
    const Argument arguments[] = {{0, sizeof(cl_mem), &other()}, {1, sizeof value, &value}};
    EXPECT_EQ(update({with_arguments(second, arguments, 2)}), CL_SUCCESS);
    run();
    run();
    EXPECT_THAT(read<cl_uint>(data, items), Each(41u));
    EXPECT_THAT(read<cl_uint>(other, items), Each(201u));
    queue.enqueueNDRangeKernel(add, {}, cl::NDRange(items)); // as before
    EXPECT_THAT(read<cl_uint>(data, items), Each(51u));
    // A later configuration of the same command adds to an earlier one.
    const cl_uint more = 1000;
    const Argument to_data{0, sizeof(cl_mem), &data()}, with_more{1, sizeof more, &more};
    EXPECT_EQ(update({with_arguments(second, &to_data, 1), with_arguments(second, &with_more, 1),
                      with_arguments(first, &with_more, 1)}),
              CL_SUCCESS);
    run();
    EXPECT_THAT(read<cl_uint>(data, items), Each(2051u));
}

TEST_F(MutableCommands, ArgumentsMayBeSetAfterRecording) {
    const cl::Buffer data = buffer(std::vector<cl_uint>(items, 1));
    cl::Kernel add = kernel("kernel void test(global uint *data, uint value) {"
                            "    data[get_global_id(0)] += value;"
                            "}");
    add.setArg(0, data);
    make();
    const auto command = record(
        add, {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, 0});
    EXPECT_EQ(state(), cl_uint{CL_COMMAND_BUFFER_STATE_RECORDING_KHR});
    finalize();
    EXPECT_EQ(state(), cl_uint{CL_COMMAND_BUFFER_STATE_FINALIZED_KHR});
    EXPECT_EQ(EXTENSION(clEnqueueCommandBufferKHR)(0, nullptr, commands, 0, nullptr, nullptr),
              CL_INVALID_OPERATION);
    const cl_uint value = 5;
    const Argument argument{1, sizeof value, &value};
    EXPECT_EQ(update({with_arguments(command, &argument, 1)}), CL_SUCCESS);
    EXPECT_EQ(state(), cl_uint{CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR});
    run();
    EXPECT_THAT(read<cl_uint>(data, items), Each(6u));
}

TEST_F(MutableCommands, SizesChangeAndAreTold) {
    const cl::Buffer data = buffer(std::vector<cl_uint>(items));
    cl::Kernel sizes = kernel("kernel void test(global uint *data) {"
                              "    data[get_global_id(0)] = get_global_size(0) * 100 +"
                              "                             get_local_size(0);"
                              "}");
    sizes.setArg(0, data);
    make();
    const size_t ten = 10;
    const std::vector<cl_command_properties_khr> asserted = {
        CL_MUTABLE_DISPATCH_ASSERTS_KHR, CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR,
        0};
    const auto command = record(sizes, asserted, &ten);
    const auto free = record(sizes);
    finalize();
    const size_t offset = 500, global = 64, local = 16;
    Config config{};
    config.command = command;
    config.global_work_offset = &offset;
    config.global_work_size = &global;
    config.local_work_size = &local;
    config.work_dim = 1;
    Config fewer{}; // of the other command, so that it doesn't write where that one does
    fewer.command = free;
    const size_t one = 1;
    fewer.global_work_size = &one;
    EXPECT_EQ(update({config, fewer}), CL_SUCCESS);
    run();
    const auto seen = read<cl_uint>(data, items);
    for (size_t i = 1; i < items; ++i)
        ASSERT_EQ(seen[i], i >= 500 && i < 564 ? 6416u : 0u) << i;

    EXPECT_THAT(info<size_t>(command, CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR),
                ElementsAre(offset));
    EXPECT_THAT(info<size_t>(command, CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR),
                ElementsAre(global));
    EXPECT_THAT(info<size_t>(command, CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR), ElementsAre(local));
    EXPECT_THAT(info<size_t>(free, CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR), ElementsAre(0u));
    EXPECT_THAT(info<size_t>(free, CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR), ElementsAre(0u));
    EXPECT_THAT(info<cl_uint>(command, CL_MUTABLE_DISPATCH_DIMENSIONS_KHR), ElementsAre(1u));
    EXPECT_THAT(info<cl_kernel>(command, CL_MUTABLE_DISPATCH_KERNEL_KHR), ElementsAre(sizes()));
    EXPECT_THAT(info<cl_command_queue>(command, CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR),
                ElementsAre(queue()));
    EXPECT_THAT(info<cl_command_buffer_khr>(command, CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR),
                ElementsAre(commands));
    EXPECT_THAT(info<cl_command_type>(command, CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR),
                ElementsAre(cl_command_type{CL_COMMAND_NDRANGE_KERNEL}));
    EXPECT_EQ(info<cl_command_properties_khr>(command, CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR),
              asserted);
    EXPECT_TRUE(
        info<cl_command_properties_khr>(free, CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR).empty());
}

TEST_F(MutableCommands, AFailedUpdateChangesNoCommand) {
    const cl::Buffer data = buffer(std::vector<cl_uint>(items));
    const cl::Kernel add = adder(data, 1);
    make();
    const auto first = record(add), second = record(add);
    finalize();
    const cl_uint value = 7;
    const Argument right{1, sizeof value, &value}, wrong{1, 1, &value};
    EXPECT_EQ(update({with_arguments(first, &right, 1), with_arguments(second, &wrong, 1)}),
              CL_INVALID_ARG_SIZE);
    run();
    EXPECT_THAT(read<cl_uint>(data, items), Each(2u));
}

TEST_F(MutableCommands, AnUpdateLeavesWhatIsEnqueuedAlone) {
    cl::CommandQueue unordered(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const cl::Buffer a = buffer(std::vector<cl_uint>(items)),
                     b = buffer(std::vector<cl_uint>(items));
    const cl::Kernel add = adder(a, 3);
    make(CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
    const auto command = record(add);
    finalize();
    cl::UserEvent gate(context);
    EXPECT_EQ(EXTENSION(clEnqueueCommandBufferKHR)(1, &unordered(), commands, 1, &gate(), nullptr),
              CL_SUCCESS);
    const Argument to_b{0, sizeof(cl_mem), &b()};
    EXPECT_EQ(update({with_arguments(command, &to_b, 1)}), CL_SUCCESS);
    run(&unordered);
    gate.setStatus(CL_COMPLETE);
    unordered.finish();
    EXPECT_THAT(read<cl_uint>(a, items), Each(3u));
    EXPECT_THAT(read<cl_uint>(b, items), Each(3u));
}

// The copy of the kernel that keeps the arguments is not attached to the program.
TEST_F(MutableCommands, ProgramsMayBeBuiltAgain) {
    const cl::Buffer data = buffer(std::vector<cl_uint>(items));
    cl::Program program = build("kernel void test(global uint *p) { p[get_global_id(0)] += 2; }");
    cl_mutable_command_khr command = nullptr;
    {
        cl::Kernel kernel(program, "test");
        kernel.setArg(0, data);
        make();
        command = record(kernel);
    }
    finalize();
    EXPECT_EQ(program.build(device), CL_SUCCESS);
    const size_t half = items / 2;
    Config config{};
    config.command = command;
    config.global_work_size = &half;
    EXPECT_EQ(update({config}), CL_SUCCESS);
    run();
    const auto seen = read<cl_uint>(data, items);
    EXPECT_EQ(seen[half - 1], 2u);
    EXPECT_EQ(seen[half], 0u);
}

TEST_F(MutableCommands, HandlesEndWithTheirCommandBuffer) {
    make();
    const auto command = record(kernel("kernel void test() {}"));
    EXPECT_EQ(info<cl_command_buffer_khr>(command, CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR).at(0),
              commands);
    EXPECT_EQ(EXTENSION(clReleaseCommandBufferKHR)(std::exchange(commands, nullptr)), CL_SUCCESS);
    EXPECT_EQ(EXTENSION(clGetMutableCommandInfoKHR)(command, CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, 0,
                                                    nullptr, nullptr),
              CL_INVALID_MUTABLE_COMMAND_KHR);
}

} // namespace
} // namespace rivulet::test
