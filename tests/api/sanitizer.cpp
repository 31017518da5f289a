// SPDX-License-Identifier: Apache-2.0
//
// -rv-sanitize=address: what is out of bounds ends the launch, and the report says which work-item
// did what to which object in which line.

#include "reports.h"

namespace rivulet::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Sanitizer : public Reports {
protected:
    cl::Kernel sanitized(const std::string &source, const std::string &options = "") {
        return OnDevice::kernel(source, "test", ("-rv-sanitize=address " + options).c_str());
    }

    /// Messages that the context gets about a launch that fails.
    std::string report_of(const cl::Kernel &kernel, size_t items, size_t group = 0) {
        cl::Event event;
        queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(items),
                                   group ? cl::NDRange(group) : cl::NullRange, nullptr, &event);
        EXPECT_NE(status_of([&] { event.wait(); }), CL_SUCCESS);
        EXPECT_EQ(execution_status(event), CL_OUT_OF_RESOURCES);
        return log.next();
    }

    void expect_fine(const cl::Kernel &kernel, size_t items, size_t group = 0) {
        cl::Event event;
        queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(items),
                                   group ? cl::NDRange(group) : cl::NullRange, nullptr, &event);
        EXPECT_EQ(status_of([&] { event.wait(); }), CL_SUCCESS);
        EXPECT_THAT(log.take_all(), testing::IsEmpty());
    }
};

TEST_F(Sanitizer, StoreBehindTheEndOfABuffer) {
    cl::Kernel test = sanitized("kernel void test(global int *in, global int *out, int by) {\n"
                                "    size_t i = get_global_id(0);\n"
                                "    out[i + by] = in[i];\n"
                                "}\n");
    test.setArg(0, buffer(std::vector<int>(256)));
    test.setArg(1, buffer(std::vector<int>(255)));
    test.setArg(2, 0);
    expect_fine(test, 255);
    EXPECT_THAT(report_of(test, 256),
                AllOf(HasSubstr("kernel test: store of 4 bytes out of bounds: 0 bytes past the "
                                "end of argument 1 'out' (1020 bytes) in allocation "),
                      HasSubstr(" of 1020 bytes, work-item (255, 0, 0), program.cl:3")));
    test.setArg(2, -2);
    EXPECT_THAT(report_of(test, 255),
                AllOf(HasSubstr("bytes before argument 1 'out'"), HasSubstr("(0, 0, 0)")));
    expect_healthy();
}

TEST_F(Sanitizer, TellsTheLaneUnderAMask) {
    cl::Kernel test = sanitized("kernel void test(global const int *index, global int *out) {\n"
                                "    int i = get_global_id(0);\n"
                                "    if (i % 3 == 1)\n"
                                "        out[i] = out[index[i]];\n"
                                "}\n");
    std::vector<int> index(300, 1 << 30); // inactive work-items read nothing
    for (size_t i = 1; i < index.size(); i += 3)
        index[i] = static_cast<int>(i) - 1;
    index[142] = -1;
    index[145] = 300;
    test.setArg(0, buffer(index));
    test.setArg(1, buffer(std::vector<int>(300)));
    EXPECT_THAT(report_of(test, 300),
                AllOf(HasSubstr("load of 4 bytes"), HasSubstr("argument 1 'out'"),
                      testing::ContainsRegex("work-item \\((142|145), 0, 0\\), program.cl:4$")));
    index[142] = 0;
    index[145] = 299;
    test.setArg(0, buffer(index));
    expect_fine(test, 300);
}

TEST_F(Sanitizer, WorkItemsOfThreeDimensionsAndOffsets) {
    cl::Kernel test =
        sanitized("kernel void test(global char *out) {\n"
                  "    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
                  "    out[x == 13 && y == 5 && z == 3 ? 4096 : x] = 1;\n"
                  "}\n");
    test.setArg(0, buffer(std::vector<char>(64)));
    cl::Event event;
    queue.enqueueNDRangeKernel(test, cl::NDRange(8, 2, 1), cl::NDRange(16, 4, 4),
                               cl::NDRange(4, 2, 2), nullptr, &event);
    EXPECT_NE(status_of([&] { event.wait(); }), CL_SUCCESS);
    EXPECT_THAT(log.next(), AllOf(HasSubstr("store of 1 byte out of bounds: 4032 bytes"),
                                  HasSubstr("work-item (13, 5, 3), program.cl:3")));
}

TEST_F(Sanitizer, LocalVariablesAndArguments) {
    cl::Kernel test =
        sanitized("kernel void test(local int *tmp, global int *out, int n, int m) {\n"
                  "    local int before[16], tile[64], behind[16];\n"
                  "    int i = get_local_id(0);\n"
                  "    before[i & 15] = behind[i & 15] = 1;\n"
                  "    tile[i + n] = i;\n"
                  "    tmp[i + m] = i;\n"
                  "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                  "    out[get_global_id(0)] = tile[i ^ 1] + tmp[i ^ 1] + before[0] +"
                  " behind[1];\n"
                  "}\n");
    test.setArg(0, cl::Local(256));
    test.setArg(1, buffer(std::vector<int>(128)));
    test.setArg(2, 0);
    test.setArg(3, 0);
    expect_fine(test, 128, 64);
    test.setArg(2, 1);
    EXPECT_THAT(report_of(test, 64, 64), AllOf(HasSubstr("store of 4 bytes"),
                                               HasSubstr("local variable 'tile' of 256 bytes"),
                                               HasSubstr("work-item (63, 0, 0), program.cl:5")));
    test.setArg(2, 0);
    test.setArg(3, 1);
    EXPECT_THAT(report_of(test, 64, 64),
                AllOf(HasSubstr("argument 0 'tmp', 256 bytes of local memory"),
                      HasSubstr("work-item (63, 0, 0), program.cl:6")));
}

TEST_F(Sanitizer, PrivateArraysAndConstants) {
    cl::Kernel test = sanitized("constant int table[5] = {1, 2, 3, 5, 8};\n"
                                "kernel void test(global int *out, int n, int m) {\n"
                                "    int i = get_global_id(0), mine[7];\n"
                                "    for (int k = 0; k < 7; ++k) mine[k] = out[k] + k;\n"
                                "    mine[(i + n) % 9] = 3;\n"
                                "    int sum = table[i % 5 + m];\n"
                                "    for (int k = 0; k < 7; ++k) sum += mine[k];\n"
                                "    out[i] = sum;\n"
                                "}\n");
    test.setArg(0, buffer(std::vector<int>(128)));
    test.setArg(1, 0);
    test.setArg(2, 0);
    expect_fine(test, 7);
    EXPECT_THAT(report_of(test, 8),
                AllOf(HasSubstr("store of 4 bytes"), HasSubstr("private var"),
                      HasSubstr(" of 28 bytes, work-item (7, 0, 0)"), HasSubstr("program.cl:5")));
    test.setArg(2, 1);
    EXPECT_THAT(report_of(test, 5),
                AllOf(HasSubstr("load of 4 bytes"), HasSubstr("constant variable 'table' of 20"),
                      HasSubstr("work-item (4, 0, 0), program.cl:6")));
}

TEST_F(Sanitizer, AtomicsVectorsFunctionsAndAsyncCopies) {
    const struct {
        const char *source, *what, *location;
    } cases[] = {
        {"kernel void test(global int *out, int n) {\n"
         "    atomic_add(out + get_global_id(0) + n, 1);\n"
         "}\n",
         "atomic access of 4 bytes", "work-item (63, 0, 0), program.cl:2"},
        {"kernel void test(global int *out, int n) {\n"
         "    int i = get_global_id(0);\n"
         "    if (i < 16) vstore4((int4)(i), i, out + n);\n"
         "}\n",
         "store of ", "work-item (15, 0, 0), program.cl:3"},
        {"int twice(global const int *p) {\n"
         "    return 2 * *p;\n"
         "}\n"
         "kernel void test(global int *out, int n) {\n"
         "    int value = twice(out + get_global_id(0) + n);\n"
         "    out[get_global_id(0)] = value;\n"
         "}\n",
         "load of 4 bytes", "work-item (63, 0, 0), program.cl:2"},
        {"kernel void test(global int *out, int n) {\n"
         "    local int tile[64];\n"
         "    event_t done = async_work_group_copy(tile, out + n, 64, 0);\n"
         "    wait_group_events(1, &done);\n"
         "    out[get_global_id(0)] = tile[get_local_id(0)];\n"
         "}\n",
         "async copy's load of 4 bytes", "program.cl:3"},
        {"kernel void test(global int *out, int n) {\n"
         "    global int *p = out + n;\n"
         "    for (int k = 0; k < 64; ++k, ++p) *p += k;\n"
         "}\n",
         " of 4 bytes", "program.cl:3"},
    };
    for (const auto &[source, what, location] : cases) {
        cl::Kernel test = sanitized(source);
        test.setArg(0, buffer(std::vector<int>(64)));
        test.setArg(1, 0);
        expect_fine(test, 64, 64);
        test.setArg(1, 1);
        EXPECT_THAT(report_of(test, 64, 64),
                    AllOf(HasSubstr(what), HasSubstr(location), HasSubstr("argument 0 'out'")))
            << source;
    }
}

TEST_F(Sanitizer, NullAndSubBuffers) {
    cl::Kernel test = sanitized("kernel void test(global int *in, global int *out) {\n"
                                "    out[get_global_id(0)] = in[get_global_id(0)];\n"
                                "}\n");
    cl::Buffer whole = buffer(std::vector<int>(1024));
    cl_buffer_region region{0, 128};
    cl::Buffer part =
        whole.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
    test.setArg(0, whole);
    test.setArg(1, part);
    expect_fine(test, 32);
    EXPECT_THAT(report_of(test, 33),
                AllOf(HasSubstr("argument 1 'out' (128 bytes)"), HasSubstr("(32, 0, 0)")));
    clSetKernelArg(test(), 0, sizeof(cl_mem), nullptr);
    EXPECT_THAT(report_of(test, 32),
                AllOf(HasSubstr("argument 0 'in', which is NULL"), HasSubstr("program.cl:2")));
}

TEST_F(Sanitizer, PointersFromMemory) {
    const std::string take = "kernel void test(global void *p, global ulong *out) {\n"
                             "    *out = (ulong)p;\n"
                             "}\n";
    const std::string use = "kernel void test(global ulong *list, global int *out, int n) {\n"
                            "    int i = get_global_id(0);\n"
                            "    global int *p = (global int *)(size_t)list[0];\n"
                            "    out[i] = p[i + n];\n"
                            "}\n";
    cl::Buffer list = buffer(std::vector<cl_ulong>(1));
    cl::Buffer out = buffer(std::vector<int>(64));
    cl::Kernel tell = sanitized(take);
    cl::Kernel test = sanitized(use);
    {
        const cl::Buffer data(context, CL_MEM_READ_WRITE, 252);
        tell.setArg(0, data);
        tell.setArg(1, list);
        expect_fine(tell, 1);
        test.setArg(0, list);
        test.setArg(1, out);
        test.setArg(2, 0);
        expect_fine(test, 63);
        EXPECT_THAT(report_of(test, 64),
                    AllOf(HasSubstr("load of 4 bytes out of bounds: at address 0x"),
                          HasSubstr("0 bytes past the end of allocation"),
                          HasSubstr("work-item (63, 0, 0), program.cl:4")));
    }
    // Released memory is not soon reused for another buffer.
    const cl::Buffer other(context, CL_MEM_READ_WRITE, 252);
    EXPECT_THAT(report_of(test, 63, 63),
                AllOf(HasSubstr("in released memory, allocation "), HasSubstr(" of 252 bytes"),
                      HasSubstr("work-item (0, 0, 0), program.cl:4")));
    expect_healthy();
}

// The launch record has bounds for the first 128 pointers. Further ones are looked up.
TEST_F(Sanitizer, MorePointersThanTheRecordHasBoundsFor) {
    constexpr cl_uint pointers = 130;
    std::string source = "kernel void test(int n";
    for (cl_uint i = 0; i < pointers; ++i)
        source += ", global int *p" + std::to_string(i);
    source += ") {\n    int i = get_global_id(0) + n;\n    p0[0] = 1; p129[i] = i;\n}\n";
    cl::Kernel test = sanitized(source);
    for (cl_uint i = 1; i <= pointers; ++i)
        test.setArg(i, buffer(std::vector<int>(63))); // the next one isn't right behind it
    test.setArg(0, 0);
    expect_fine(test, 63);
    test.setArg(0, 1);
    EXPECT_THAT(report_of(test, 63),
                AllOf(HasSubstr("store of 4 bytes out of bounds: at address 0x"),
                      HasSubstr("0 bytes past the end of allocation"),
                      HasSubstr("work-item (62, 0, 0), program.cl:3")));
    expect_healthy();
}

TEST_F(Sanitizer, SharedMemoryFromItsMiddle) {
    if (!device.getInfo<CL_DEVICE_SVM_CAPABILITIES>())
        GTEST_SKIP() << "no SVM";
    cl::Kernel test = sanitized("kernel void test(global int *p, int n) {\n"
                                "    p[(int)get_global_id(0) - 16 + n] = 1;\n"
                                "}\n");
    auto *memory = static_cast<int *>(clSVMAlloc(context(), CL_MEM_READ_WRITE, 128, 0));
    ASSERT_EQ(clSetKernelArgSVMPointer(test(), 0, memory + 16), CL_SUCCESS);
    test.setArg(1, 0);
    expect_fine(test, 32);
    test.setArg(1, -1);
    EXPECT_THAT(report_of(test, 32),
                AllOf(HasSubstr("4 bytes before argument 0 'p'"), HasSubstr("(0, 0, 0)")));
    test.setArg(1, 1);
    EXPECT_THAT(report_of(test, 32), HasSubstr("work-item (31, 0, 0), program.cl:2"));
    clSVMFree(context(), memory);
    test.setArg(1, 0);
    EXPECT_THAT(report_of(test, 32), HasSubstr("argument 0 'p', released memory"));
}

// Checks of loops are done before them (compiler/lowering/sanitizer_hoisting.h), neighbours
// together: the report is that of the access that would have happened.
TEST_F(Sanitizer, LoopsReportTheIterationThatIsOutOfBounds) {
    const char *const stepped = "kernel void test(global int *out, int n, int from, int step) {\n"
                                "    int sum = 0;\n"
                                "    for (int k = 0; k < n; ++k) sum += out[from + k * step];\n"
                                "    if (sum == 12345) out[0] = sum;\n"
                                "}\n";
    const struct {
        const char *source;
        std::vector<cl_int> fine, bad; // n, from, step
        const char *report;
    } cases[] = {
        // Only the last iteration is out of bounds, in all work-items: the first lane reports it.
        {stepped,
         {256, 0, 1},
         {257, 0, 1},
         "load of 4 bytes out of bounds: 0 bytes past the end of argument 0 'out' (1024 bytes)"},
        // The loop counts down, from the end to before the beginning.
        {stepped,
         {128, 255, -2},
         {129, 255, -2},
         "load of 4 bytes out of bounds: 4 bytes before argument 0 'out'"},
        // The first iteration is out of bounds.
        {stepped,
         {2, 100, 100},
         {2, -1, 100},
         "load of 4 bytes out of bounds: 4 bytes before argument 0 'out'"},
        // The step leads far beyond any memory.
        {stepped,
         {1, 0, 0x7fffffff},
         {2, 0, 0x40000000},
         "load of 4 bytes out of bounds: 4294966272 bytes past the end of argument 0"},
        // Nested loops read neighbours of each element.
        {"kernel void test(global int *out, int n, int from, int step) {\n"
         "    int sum = 0;\n"
         "    for (int y = 0; y < n; ++y)\n"
         "        for (int x = 0; x < 6; ++x) {\n"
         "            int i = from + y * step + x;\n"
         "            sum += out[i] + out[i + 1] +\n"
         "                   out[i + 2];\n"
         "        }\n"
         "    if (sum == 12345) out[0] = sum;\n"
         "}\n",
         {32, 0, 8},
         {32, 1, 8},
         "load of 4 bytes out of bounds: 0 bytes past the end of argument 0 'out'"},
        // The element before the buffer is read first, at i - 1.
        {"kernel void test(global int *out, int n, int from, int step) {\n"
         "    int sum = 0;\n"
         "    for (int k = from; k < n; k += step) sum += out[k + 1] - out[k - 1];\n"
         "    if (sum == 12345) out[0] = sum;\n"
         "}\n",
         {255, 1, 1},
         {255, 0, 1},
         "load of 4 bytes out of bounds: 4 bytes before argument 0 'out'"},
    };
    for (const auto &[source, fine, bad, report] : cases) {
        cl::Kernel test = sanitized(source);
        test.setArg(0, buffer(std::vector<int>(256)));
        for (cl_uint i = 0; i < 3; ++i)
            test.setArg(i + 1, fine[i]);
        expect_fine(test, 70);
        for (cl_uint i = 0; i < 3; ++i)
            test.setArg(i + 1, bad[i]);
        EXPECT_THAT(report_of(test, 70), AllOf(HasSubstr(report), HasSubstr("program.cl:")))
            << source;
    }
}

TEST_F(Sanitizer, LoopsOfOneWorkItemOnly) {
    cl::Kernel test = sanitized("kernel void test(global const int *ends, global int *out) {\n"
                                "    int i = get_global_id(0), sum = 0;\n"
                                "    for (int k = i; k < ends[i]; ++k)\n"
                                "        sum += out[k];\n"
                                "    for (int k = ends[i] - 1, first = i; k >= first; --k)\n"
                                "        sum += out[k];\n"
                                "    int end = ends[i];\n"
                                "    for (int k = 0; k < end; ++k)\n"
                                "        sum -= out[k];\n"
                                "    if (sum == 12345) out[i] = sum;\n"
                                "}\n");
    std::vector<int> ends(200);
    for (size_t i = 0; i < ends.size(); ++i)
        ends[i] = static_cast<int>(i % 7 == 0 ? 0 : i); // some don't run at all
    test.setArg(0, buffer(ends));
    test.setArg(1, buffer(std::vector<int>(200)));
    expect_fine(test, 200);
    ends[117] = 201;
    test.setArg(0, buffer(ends));
    EXPECT_THAT(report_of(test, 200),
                AllOf(HasSubstr("load of 4 bytes out of bounds: 0 bytes past the end"),
                      HasSubstr("work-item (117, 0, 0), program.cl:")));
}

// An access that isn't executed isn't reported, whatever its address is.
TEST_F(Sanitizer, LoopsThatDoNotComeToTheAccess) {
    const char *const sources[] = {
        // The loop has no iterations.
        "for (int k = 1000000; k < n - 256; ++k) sum += out[k];",
        // The loop is left before it gets there.
        "for (int k = 0; k < 1000000; ++k) { if (k == n) break; sum += out[k]; }",
        // A condition guards the access.
        "for (int k = 0; k < 1000; ++k) if (k < n) sum += out[k];",
        // The access is in an inner loop that does not run.
        "for (int k = 0; k < 4; ++k) for (int l = n; l < 256; ++l) sum += out[l + 1000 * k];",
        // A work-item returns in the middle.
        "for (int k = 0; k < 300; ++k) { if (k == n - 1) return; sum += out[k]; }",
        // Unsigned indices wrap, and stay in bounds.
        "for (uint k = 0, l = 250; k < 6; ++k, l -= 4294967295u) sum += out[l];",
        // Only one of two neighbours is accessed.
        "int m = n - 1; sum += out[m]; if (m + 1 < n) sum += out[m + 1];",
        "for (int k = 0; k < n; k += 2) { sum += out[k]; if (k + 2 < n) sum += out[k + 2]; }",
    };
    for (const char *source : sources) {
        cl::Kernel test =
            sanitized("kernel void test(global int *out, int n) {\n"
                      "    int sum = 0;\n    " +
                      std::string(source) + "\n    if (sum == 12345) out[0] = sum;\n}\n");
        test.setArg(0, buffer(std::vector<int>(256)));
        test.setArg(1, 256);
        SCOPED_TRACE(source);
        expect_fine(test, 70);
    }
}

// Both ends of a strip are checked for all lanes: any of them may be the faulty one.
TEST_F(Sanitizer, EachLaneOfAStrip) {
    cl::Kernel test = sanitized("kernel void test(global int *out, int from, int step) {\n"
                                "    int i = get_global_id(0);\n"
                                "    out[from + i * step] = i;\n"
                                "}\n");
    test.setArg(0, buffer(std::vector<int>(1000)));
    const struct {
        cl_int from, step;
        const char *location, *item;
    } cases[] = {
        {-1, 1, "4 bytes before", "(0, 0, 0)"},       {999, -10, "4 bytes before", "(100, 0, 0)"},
        {0, 10, "0 bytes past", "(100, 0, 0)"},       {999, 1, "0 bytes past", "(1, 0, 0)"},
        {0, 0x40000000, "past the end", "(1, 0, 0)"}, {500, -0x10000000, "before", "(1, 0, 0)"},
        {1000, 0, "0 bytes past", "(0, 0, 0)"},
    };
    for (const auto &[from, step, location, item] : cases) {
        test.setArg(1, 0);
        test.setArg(2, 1);
        expect_fine(test, 1000);
        test.setArg(1, from);
        test.setArg(2, step);
        EXPECT_THAT(report_of(test, 128, 128), AllOf(HasSubstr(location), HasSubstr(item)))
            << from << " + i * " << step;
    }
}

TEST_F(Sanitizer, NeighboursReportTheirOwnLines) {
    cl::Kernel test = sanitized("kernel void test(global int *out, int by) {\n"
                                "    int i = get_global_id(0) + by;\n"
                                "    int a = out[i - 1];\n"
                                "    int b = out[i];\n"
                                "    int c = out[i + 1];\n"
                                "    out[i] = a + b + c;\n"
                                "}\n");
    test.setArg(0, buffer(std::vector<int>(128)));
    test.setArg(1, 1);
    expect_fine(test, 126);
    EXPECT_THAT(report_of(test, 127), AllOf(HasSubstr("(126, 0, 0), program.cl:5")));
    test.setArg(1, 0);
    EXPECT_THAT(report_of(test, 126), AllOf(HasSubstr("4 bytes before"), HasSubstr("cl:3")));
    test.setArg(1, -1);
    EXPECT_THAT(report_of(test, 1), HasSubstr("8 bytes before"));
}

TEST_F(Sanitizer, BarriersThatNotAllReach) {
    const struct {
        const char *body;
        std::vector<const char *> report; // of 64 work-items, n == 37
    } cases[] = {
        {"    if (i < n)\n"
         "        barrier(CLK_LOCAL_MEM_FENCE);\n"
         "    tile[i] = i;\n",
         {"one waits in line 5, this one returns, work-item (37, 0, 0)"}},
        {"    if (i == n) return;\n"
         "    barrier(CLK_LOCAL_MEM_FENCE);\n"
         "    tile[i] = i;\n",
         {"one waits in line 5, this one returns, work-item (37, 0, 0), program.cl:"}},
        {"    for (int k = 0; k < (i == n ? 3 : 4); ++k)\n"
         "        barrier(CLK_LOCAL_MEM_FENCE);\n"
         "    tile[i] = i;\n",
         {"one waits in line 5, this one returns, work-item (37, 0, 0)"}},
        {"    if (i == n)\n"
         "        barrier(CLK_LOCAL_MEM_FENCE);\n"
         "    else\n"
         "        barrier(CLK_GLOBAL_MEM_FENCE);\n"
         "    tile[i] = i;\n",
         {"one waits in line 7, this one waits, work-item (37, 0, 0), program.cl:5"}},
    };
    for (const auto &[body, report] : cases) {
        cl::Kernel test = sanitized("kernel void test(global int *out, int n) {\n"
                                    "    local int tile[64];\n"
                                    "    int i = get_local_id(0);\n" +
                                    std::string(body) +
                                    "    out[get_global_id(0)] = tile[i];\n"
                                    "}\n");
        test.setArg(0, buffer(std::vector<int>(128)));
        test.setArg(1, 1000);
        if (std::string(body).find("else") == std::string::npos)
            expect_fine(test, 128, 64);
        test.setArg(1, 37);
        const std::string found = report_of(test, 64, 64);
        EXPECT_THAT(found,
                    AllOf(HasSubstr("barrier that not all work-items of a group reach: one waits "),
                          HasSubstr("program.cl:")))
            << body;
        for (const char *part : report)
            EXPECT_THAT(found, HasSubstr(part)) << body;
    }
}

TEST_F(Sanitizer, BarriersThatWholeGroupsReach) {
    cl::Kernel test = sanitized("kernel void test(global int *out, global const int *count) {\n"
                                "    local int tile[64];\n"
                                "    int i = get_local_id(0), g = get_group_id(0);\n"
                                "    if (g == 1) return;\n"
                                "    tile[i] = 0;\n"
                                "    for (int k = 0; k < count[g]; ++k) {\n"
                                "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                                "        if (g & 2) barrier(CLK_LOCAL_MEM_FENCE);\n"
                                "        else { barrier(CLK_LOCAL_MEM_FENCE); tile[i ^ 1] += k; }\n"
                                "        if (k == 7) break;\n"
                                "    }\n"
                                "    out[get_global_id(0)] = tile[i];\n"
                                "    if (i >= 5) return;\n"
                                "    out[get_global_id(0)] += 1;\n"
                                "}\n");
    std::vector<int> count(8);
    std::iota(count.begin(), count.end(), 4);
    test.setArg(0, buffer(std::vector<int>(512)));
    test.setArg(1, buffer(count));
    expect_fine(test, 512, 64);
}

TEST_F(Sanitizer, OptionsAreChecked) {
    cl::Program program(context, "kernel void test() {}");
    EXPECT_EQ(status_of([&] { program.build(device, "-rv-sanitize=thread"); }),
              CL_INVALID_BUILD_OPTIONS);
}

} // namespace
} // namespace rivulet::test
