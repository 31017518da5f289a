// SPDX-License-Identifier: Apache-2.0
//
// cl_ext_buffer_device_address: buffers whose addresses the application passes to kernels.
#include "host-runtime/include/CL/cl_ext_rivulet.h"
#include "tests/api/on_device.h"

namespace rivulet::test {
namespace {

using testing::Each;

using Address = cl_mem_device_address_ext;

const auto set_address = [](const cl::Kernel &kernel, cl_uint index, Address address) {
    return EXTENSION(clSetKernelArgDevicePointerEXT)(kernel(), index, address);
};

cl_int use(const cl::Kernel &kernel, const std::vector<Address> &addresses) {
    return clSetKernelExecInfo(kernel(), CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT,
                               addresses.size() * sizeof(Address),
                               addresses.empty() ? nullptr : addresses.data());
}

cl::Buffer addressed(const cl::Context &context, size_t bytes) {
    const cl_mem_properties properties[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};
    cl_int code = 1;
    const cl_mem made =
        clCreateBufferWithProperties(context(), properties, 0, bytes, nullptr, &code);
    EXPECT_EQ(code, CL_SUCCESS);
    return cl::Buffer(made);
}

std::vector<Address> addresses_of(const cl::Buffer &buffer, size_t devices = 1) {
    std::vector<Address> addresses(devices);
    size_t bytes = 0;
    EXPECT_EQ(clGetMemObjectInfo(buffer(), CL_MEM_DEVICE_ADDRESS_EXT, devices * sizeof(Address),
                                 addresses.data(), &bytes),
              CL_SUCCESS);
    EXPECT_EQ(bytes, devices * sizeof(Address));
    return addresses;
}

constexpr size_t items = 1000;
constexpr const char *follow = "kernel void test(global const ulong *where, uint value) {"
                               "    global uint *data = (global uint *)(size_t)*where;"
                               "    data[get_global_id(0)] += value + get_global_id(0);"
                               "}";

class DeviceAddresses : public OnDevice {};

TEST_F(DeviceAddresses, KernelsFollowAddressesInMemory) {
    const cl::Buffer data = addressed(context, items * 4);
    queue.enqueueFillBuffer(data, cl_uint{1}, 0, items * 4);
    const cl::Buffer where = buffer(addresses_of(data));
    cl::Kernel kernel = this->kernel(follow);
    kernel.setArg(0, where);
    kernel.setArg(1, cl_uint{5});
    EXPECT_EQ(use(kernel, addresses_of(data)), CL_SUCCESS);
    launch(kernel, items);
    EXPECT_EQ(read<cl_uint>(data, items), iota<cl_uint>(items, 6));
    EXPECT_EQ(addresses_of(data), read<Address>(where, 1)); // it is the same for ever
    EXPECT_EQ(use(kernel, {}), CL_SUCCESS);
}

TEST_F(DeviceAddresses, ArgumentsMayPointIntoABuffer) {
    const cl::Buffer data = addressed(context, items * 4);
    queue.enqueueFillBuffer(data, cl_uint{7}, 0, items * 4);
    cl::Kernel kernel = this->kernel("kernel void test(global uint *data) {"
                                     "    data[get_global_id(0)] = data[-1];"
                                     "}");
    queue.enqueueFillBuffer(data, cl_uint{9}, 99 * 4, 4);
    EXPECT_EQ(set_address(kernel, 0, addresses_of(data)[0] + 100 * 4), CL_SUCCESS);
    launch(kernel, 50);
    const auto seen = read<cl_uint>(data, items);
    for (size_t i = 0; i < items; ++i)
        ASSERT_EQ(seen[i], i >= 99 && i < 150 ? 9u : 7u) << i;
    // Any other address will do if the kernel doesn't use it.
    EXPECT_EQ(set_address(kernel, 0, 1), CL_SUCCESS);
    queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(0));
    queue.finish();
}

TEST_F(DeviceAddresses, OnlyBuffersMadeWithThePropertyTellThem) {
    const cl_mem_properties none[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_FALSE, 0};
    const cl::Buffer without(
        clCreateBufferWithProperties(context(), none, 0, 64, nullptr, nullptr));
    cl_buffer_region region{0, 64};
    cl::Buffer whole = addressed(context, 4096);
    const cl::Buffer part = whole.createSubBuffer(0, CL_BUFFER_CREATE_TYPE_REGION, &region);
    for (const cl::Buffer &buffer : {without, part, cl::Buffer(context, 0, 64)}) {
        Address address = 0;
        EXPECT_EQ(clGetMemObjectInfo(buffer(), CL_MEM_DEVICE_ADDRESS_EXT, sizeof address, &address,
                                     nullptr),
                  CL_INVALID_OPERATION);
    }
    EXPECT_NE(addresses_of(whole)[0], 0u);
}

// Each device has an address and a copy, which are brought up to date for the launches.
TEST(SeveralDevicesAddresses, AreOfTheirOwn) {
    std::vector<cl::Platform> platforms;
    cl::Platform::get(&platforms);
    std::vector<cl::Device> devices;
    platforms.at(0).getDevices(CL_DEVICE_TYPE_ALL, &devices);
    ASSERT_GE(devices.size(), 2u);
    const cl::Context context(devices);
    cl::Program program(context, follow);
    program.build(devices);
    const cl::Buffer data = addressed(context, items * 4);
    const auto addresses = addresses_of(data, devices.size());
    cl::Kernel kernel(program, "test");
    kernel.setArg(1, cl_uint{5});
    EXPECT_EQ(use(kernel, addresses), CL_SUCCESS);
    std::vector<cl::Buffer> where;
    std::vector<cl::CommandQueue> queues;
    for (size_t i = 0; i < devices.size(); ++i) {
        queues.emplace_back(context, devices[i]);
        where.emplace_back(context, CL_MEM_COPY_HOST_PTR, sizeof(Address),
                           const_cast<Address *>(&addresses[i]));
    }
    queues[0].enqueueFillBuffer(data, cl_uint{1}, 0, items * 4);
    queues[0].finish();
    std::vector<cl_uint> expected(items, 1);
    for (size_t round = 0; round < 2; ++round)
        for (size_t i = 0; i < devices.size(); ++i) {
            kernel.setArg(0, where[i]);
            queues[i].enqueueNDRangeKernel(kernel, {}, cl::NDRange(items));
            queues[i].finish();
            for (cl_uint item = 0; item < items; ++item)
                expected[item] += 5 + item;
        }
    std::vector<cl_uint> seen(items);
    queues[0].enqueueReadBuffer(data, CL_TRUE, 0, items * 4, seen.data());
    EXPECT_EQ(seen, expected);
    cl::Kernel direct(program, "test"); // an argument that is an address
    const auto of_where = [&](size_t i) {
        const cl::Buffer pointer = addressed(context, sizeof(Address));
        queues[i].enqueueWriteBuffer(pointer, CL_TRUE, 0, sizeof(Address), &addresses[i]);
        return pointer;
    };
    direct.setArg(1, cl_uint{0});
    EXPECT_EQ(use(direct, addresses), CL_SUCCESS);
    for (size_t i = 0; i < devices.size(); ++i) {
        const cl::Buffer pointer = of_where(i);
        EXPECT_EQ(set_address(direct, 0, addresses_of(pointer, devices.size())[i]), CL_SUCCESS);
        queues[i].enqueueNDRangeKernel(direct, {}, cl::NDRange(items));
        queues[i].finish();
        for (cl_uint item = 0; item < items; ++item)
            expected[item] += item;
    }
    queues[0].enqueueReadBuffer(data, CL_TRUE, 0, items * 4, seen.data());
    EXPECT_EQ(seen, expected);
}

} // namespace
} // namespace rivulet::test
