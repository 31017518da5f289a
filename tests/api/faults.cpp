// SPDX-License-Identifier: Apache-2.0
//
// A faulty kernel ends with an error event and a report, and the device continues to work.
// RIVULET_TIME_LIMIT (seconds) is set by CTest for this suite.
#include "reports.h"

namespace rivulet::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Fault : public Reports {
protected:
    /// Runs a kernel `test(global int *out, ulong address)` that has to fail; returns the report.
    std::string expect_fault(const std::string &source, cl_ulong address = 0, size_t items = 1) {
        return expect_fault(OnDevice::kernel(source), address, items);
    }
    std::string expect_fault(cl::Kernel bad, cl_ulong address, size_t items) {
        const cl::Buffer out = buffer(std::vector<int>(items));
        bad.setArg(0, out);
        bad.setArg(1, address);
        const cl::Event event = launch(bad, items);
        EXPECT_NE(status_of([&] { event.wait(); }), CL_SUCCESS);
        EXPECT_LT(execution_status(event), 0);
        const std::string report = log.next();
        EXPECT_THAT(report, HasSubstr(bad.getInfo<CL_KERNEL_FUNCTION_NAME>()));
        expect_healthy();
        return report;
    }
};

constexpr cl_ulong firmware = 0x80000000; // where RAM, and the firmware, begins on these machines

constexpr const char *store_at = "kernel void test(global int *out, ulong address) {"
                                 "    *(volatile global int *)address = 42;"
                                 "}";

constexpr const char *endless = "kernel void test(global int *out, ulong address) {"
                                "    while (*(volatile global int *)out == 0) {}"
                                "}";

TEST_F(Fault, StoreToFirmwareMemoryEndsTheLaunchAndTheNextKernelRuns) {
    for (int i = 0; i < 3; ++i)
        expect_fault(store_at, firmware + 0x100);
}

TEST_F(Fault, StoreToNullAndToDeviceRegisters) {
    expect_fault(store_at, 0);
    expect_fault(store_at, 0x100000);   // the test finisher, which would end QEMU
    expect_fault(store_at, 0x02000000); // CLINT
}

TEST_F(Fault, LoadOfFirmwareMemory) {
    expect_fault("kernel void test(global int *out, ulong address) {"
                 "    *out = *(volatile global int *)address;"
                 "}",
                 firmware + 0x100);
}

TEST_F(Fault, JumpToNowhere) {
    expect_fault("kernel void test(global int *out, ulong address) {"
                 "    __asm__ volatile(\"jr %0\" : : \"r\"(address));"
                 "}",
                 firmware);
}

TEST_F(Fault, ReportsNameTheLineOfTheSource) {
    struct Case {
        const char *what;
        const char *source; // the wild access is in line 3
    };
    constexpr Case cases[] = {
        {"the same for all", "kernel void test(global int *out, ulong address) {\n"
                             "    out[get_global_id(0)] = 1;\n"
                             "    *(global int *)address = 42;\n"
                             "}\n"},
        {"vector store", "kernel void test(global int *out, ulong address) {\n"
                         "    size_t i = get_global_id(0);\n"
                         "    ((global int *)address)[i] = i;\n"
                         "    out[i] = 1;\n"
                         "}\n"},
        {"gather", "kernel void test(global int *out, ulong address) {\n"
                   "    size_t i = get_global_id(0);\n"
                   "    out[i] = ((global int *)address)[out[i] * 3];\n"
                   "}\n"},
        {"merged stores", "kernel void test(global int *out, ulong address) {\n"
                          "    size_t i = get_global_id(0);\n"
                          "    if (out[i]) ((global int *)address)[i] = i;\n"
                          "    else ((global int *)address)[i] = 3 * i;\n"
                          "}\n"},
        {"in a function", "void store(global int *to, int value) {\n"
                          "    if (value >= 0)\n"
                          "        *to = value;\n"
                          "}\n"
                          "kernel void test(global int *out, ulong address) {\n"
                          "    store((global int *)address + get_global_id(0), 7);\n"
                          "}\n"},
        {"scalar", "kernel void test(global int *out, ulong address) {\n"
                   "    size_t i = get_global_id(0);\n"
                   "    __asm__ volatile(\"sw zero, 0(%0)\" : : \"r\"(address + i));\n"
                   "}\n"},
        {"after a barrier", "kernel void test(global int *out, ulong address) {\n"
                            "    local int s; s = 1; barrier(CLK_LOCAL_MEM_FENCE);\n"
                            "    ((global int *)address)[get_global_id(0) + get_local_id(1)] = s;\n"
                            "    barrier(CLK_LOCAL_MEM_FENCE); out[get_global_id(0)] = s;\n"
                            "}\n"},
        {"atomic", "kernel void test(global int *out, ulong address) {\n"
                   "    size_t i = get_global_id(0);\n"
                   "    atomic_add((global int *)address + i, out[i]);\n"
                   "}\n"},
    };
    for (const auto &[what, source] : cases) {
        const std::string merged = what == std::string("merged stores") ? "[34]" : "3";
        EXPECT_THAT(expect_fault(source, firmware + 0x100, 256),
                    testing::ContainsRegex("program.cl:" + merged + "$"))
            << what;
    }
}

// Its lines are instructions of a set that no translator of LLVM 15 knows.
TEST_F(Fault, ReportsNameTheLineOfAModuleInSpirv) {
    if (device.getInfo<CL_DEVICE_IL_VERSION>().empty() ||
        device.getInfo<CL_DEVICE_ADDRESS_BITS>() != 64)
        GTEST_SKIP() << "the module has addresses of 64 bits, and needs llvm-spirv";
    std::ifstream file(RIVULET_TEST_MODULES "/producers.spv", std::ios::binary);
    const std::vector<char> words{std::istreambuf_iterator<char>(file), {}};
    const cl::Program program(context, words, /*build=*/true);
    EXPECT_THAT(expect_fault(cl::Kernel(program, "wild"), firmware + 0x100, 1),
                testing::ContainsRegex("wild.cl:9$"));
}

TEST_F(Fault, IllegalInstruction) {
    expect_fault("kernel void test(global int *out, ulong address) {"
                 "    __asm__ volatile(\".word 0\");"
                 "}");
}

TEST_F(Fault, PrivilegedInstruction) {
    expect_fault("kernel void test(global int *out, ulong address) {"
                 "    __asm__ volatile(\"csrw mtvec, zero\");"
                 "}");
}

TEST_F(Fault, EndlessLoopEndsByTheTimeLimit) {
    EXPECT_THAT(expect_fault(endless),
                AllOf(HasSubstr("time limit"), Not(HasSubstr("value")))); // no address caused it
}

TEST_F(Fault, EveryHartInAnEndlessLoop) {
    EXPECT_THAT(expect_fault(endless, 0, 64), HasSubstr("time limit"));
}

TEST_F(Fault, ReportNamesKernelAndAddress) {
    EXPECT_THAT(expect_fault(store_at, firmware + 0x1230),
                AllOf(HasSubstr("test"), HasSubstr("80001230")));
}

TEST_F(Fault, CommandsThatWaitForItFailAndOthersRun) {
    cl::Kernel bad = OnDevice::kernel(store_at);
    bad.setArg(0, buffer(std::vector<int>(1)));
    bad.setArg(1, firmware);
    cl::Kernel good = OnDevice::kernel("kernel void test(global int *out) { *out += 1; }");
    const cl::Buffer out = buffer(std::vector<int>(1));
    good.setArg(0, out);
    const std::vector<cl::Event> failed{launch(bad, 1)};
    const cl::Event dependent = launch(good, 1, &failed);
    const cl::Event independent = launch(good, 1);
    queue.flush();
    EXPECT_EQ(status_of([&] { dependent.wait(); }), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    EXPECT_EQ(execution_status(dependent), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    independent.wait();
    EXPECT_EQ(read<int>(out, 1)[0], 1);
}

TEST_F(Fault, CommandsOfOtherQueuesThatWaitForItFailAndDoNotRun) {
    cl::CommandQueue second(context, device), third(context, device);
    cl::Kernel bad = OnDevice::kernel(store_at);
    cl::Kernel good = OnDevice::kernel("kernel void test(global int *out) {"
                                       "    out[get_global_id(0)] = 7;"
                                       "}");
    const cl::Buffer out = buffer(std::vector<int>(1));
    const cl::Buffer later = buffer(std::vector<int>(1));
    bad.setArg(0, out);
    bad.setArg(1, firmware);
    good.setArg(0, later);
    cl::Event held, behind, other;
    const std::vector<cl::Event> failing{launch(bad, 1)};
    second.enqueueNDRangeKernel(good, {}, cl::NDRange(1), {}, &failing, &held);
    const std::vector<cl::Event> waits{held};
    third.enqueueNDRangeKernel(good, {}, cl::NDRange(1), {}, &waits, &behind);
    queue.finish();
    second.finish();
    third.finish();
    EXPECT_EQ(execution_status(held), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    EXPECT_EQ(execution_status(behind), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    EXPECT_EQ(read<int>(later, 1), std::vector<int>(1, 0));
    second.enqueueNDRangeKernel(good, {}, cl::NDRange(1), {}, nullptr, &other);
    second.finish();
    EXPECT_EQ(execution_status(other), CL_COMPLETE);
    EXPECT_EQ(read<int>(later, 1), std::vector<int>(1, 7));
}

TEST_F(Fault, OtherContextsAreOutOfReach) {
    const cl::Context other(device);
    const cl::CommandQueue other_queue(other, device);
    const cl::Buffer secret(other, CL_MEM_READ_WRITE, 4096);
    other_queue.enqueueFillBuffer(secret, 0x5ec7e7, 0, 4096);
    other_queue.finish();
    // A kernel of that context returns the buffer's address.
    const cl::Program program(other, "kernel void test(global int *secret, global ulong *told) {"
                                     "    *told = (ulong)secret;"
                                     "}");
    program.build(device);
    const cl::Buffer told(other, CL_MEM_READ_WRITE, 8);
    cl::Kernel tell(program, "test");
    tell.setArg(0, secret);
    tell.setArg(1, told);
    other_queue.enqueueNDRangeKernel(tell, {}, cl::NDRange(1));
    cl_ulong address = 0;
    other_queue.enqueueReadBuffer(told, CL_TRUE, 0, 8, &address);
    ASSERT_NE(address, 0u);
    expect_fault(store_at, address);
    int value = 0;
    other_queue.enqueueReadBuffer(secret, CL_TRUE, 0, 4, &value);
    EXPECT_EQ(value, 0x5ec7e7);
}

} // namespace
} // namespace rivulet::test
