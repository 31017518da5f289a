// SPDX-License-Identifier: Apache-2.0
//
// Built-in functions of a board's own (docs/integrators.md): their instructions give what their
// bodies give, and a build log tells what is wrong with a table.
#include <filesystem>
#include <random>
#include <regex>

#include "on_device.h"

namespace rivulet::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class BoardInstructions : public OnDevice {
protected:
    void SetUp() override { use(RIVULET_TEST_INSTRUCTIONS); }
    void TearDown() override { unsetenv("RIVULET_INSTRUCTIONS"); }
    static void use(const std::string &path) { setenv("RIVULET_INSTRUCTIONS", path.c_str(), 1); }

    static std::string table() {
        std::ifstream file(RIVULET_TEST_INSTRUCTIONS);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    /// The same functions for programs, called body_…, without instructions.
    static std::string bodies() {
        return "#define rivulet_instruction(...) unused\n" +
               std::regex_replace(table(), std::regex("acme_"), "body_");
    }

    /// The log of a program that calls f(int, int) of a table with this text.
    std::string log_with(const std::string &text) {
        const auto path = std::filesystem::path(testing::TempDir()) /
                          ("instructions-" + std::to_string(getpid()) + ".h");
        std::ofstream(path) << text;
        use(path);
        cl::Program program(context, std::string("kernel void test(global int *out) {\n"
                                                 "    size_t i = get_global_id(0);\n"
                                                 "    out[i] = f(out[i], 1);\n"
                                                 "}\n"));
        EXPECT_NE(status_of([&] { program.build(device); }), CL_SUCCESS);
        std::filesystem::remove(path);
        return program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device);
    }
};

// Each function, with operands of all lanes and with a scalar, for all lanes, for some, and in
// loops that lanes leave one by one.
TEST_F(BoardInstructions, GiveWhatTheirBodiesGive) {
    const std::regex function(R"((\w+) acme_(\w+)\(([^)]*)\) )");
    const std::string text = table();
    std::string source = bodies();
    std::vector<std::string> names;
    for (std::sregex_iterator found(text.begin(), text.end(), function), end; found != end;
         ++found) {
        const std::string result = (*found)[1], name = (*found)[2], parameters = (*found)[3];
        const auto count = 1 + std::ranges::count(parameters, ',');
        std::string lanes, scalar;
        std::istringstream types(parameters);
        for (long i = 0; i < count; ++i) {
            std::string type, variable;
            types >> type >> variable;
            // Small numbers, so that sums of floats are exact and no NaN has to be compared.
            const auto of = [&](const std::string &value) {
                if (type == "bool")
                    return "(bool)(" + value + " & 1)";
                return type == "float" ? "(float)(short)" + value : "(" + type + ")" + value;
            };
            lanes += (i ? ", " : "") + of(std::string(1, "abc"[i]) + "[i]");
            // The last but one of three factors is the scalar: vd, rs1, vs2.
            scalar +=
                (i ? ", " : "") + of(count > 1 && i == 1 ? "s" : std::string(1, "abc"[i]) + "[i]");
        }
        const auto loop = [&](const std::string &prefix, const std::string &to) {
            return "    { ulong sum = 0;\n"
                   "      for (uint k = 0; k < (c[i] & 7); ++k) sum = sum * 3 + (ulong)" +
                   prefix + name + "(" + lanes + ") + k;\n      if (b[i] & 2) sum += (ulong)" +
                   prefix + name + "(" + scalar + ");\n      " + to + "[i] = sum; }\n";
        };
        source += "kernel void test_" + name +
                  "(global const ulong *a, global const ulong *b, global const ulong *c, ulong s,\n"
                  "    global ulong *out, global ulong *expected) {\n"
                  "    size_t i = get_global_id(0), n = get_global_size(0);\n"
                  "    out[i] = (ulong)acme_" +
                  name + "(" + lanes +
                  ");\n"
                  "    expected[i] = (ulong)body_" +
                  name + "(" + lanes +
                  ");\n"
                  "    i += n; a -= n; b -= n; c -= n;\n"
                  "    out[i] = (ulong)acme_" +
                  name + "(" + scalar +
                  ");\n"
                  "    expected[i] = (ulong)body_" +
                  name + "(" + scalar +
                  ");\n"
                  "    i += n; a -= n; b -= n; c -= n;\n" +
                  loop("acme_", "out") + loop("body_", "expected") + "}\n";
        names.push_back(name);
    }
    ASSERT_EQ(names.size(), 14u);
    const cl::Program program = build(source);
    constexpr uint64_t seed = 1;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937_64 random(seed);
    for (const std::string &name : names) {
        const size_t items = 1 + random() % 300;
        SCOPED_TRACE(name + " with " + std::to_string(items) + " work-items");
        cl::Kernel kernel(program, ("test_" + name).c_str());
        for (cl_uint argument = 0; argument < 3; ++argument) {
            std::vector<cl_ulong> values(items);
            std::ranges::generate(values, std::ref(random));
            kernel.setArg(argument, buffer(values));
        }
        kernel.setArg(3, cl_ulong{random()});
        const cl::Buffer out = buffer(std::vector<cl_ulong>(3 * items, 1));
        const cl::Buffer expected = buffer(std::vector<cl_ulong>(3 * items, 2));
        kernel.setArg(4, out);
        kernel.setArg(5, expected);
        launch(kernel, items);
        EXPECT_EQ(read<cl_ulong>(out, 3 * items), read<cl_ulong>(expected, 3 * items));
    }
}

// A body that its instruction contradicts, on purpose, tells which of them has run.
TEST_F(BoardInstructions, RunInPlaceOfTheirBodies) {
    const auto path = std::filesystem::path(testing::TempDir()) /
                      ("instructions-" + std::to_string(getpid()) + ".h");
    std::ofstream(path) << "__attribute__((rivulet_instruction(\"xacme\", "
                           "\"v: .insn r 0x0b, 5, 1, %0, %1, %1\")))\n"
                           "int acme_not_body(int a) { return a + 2; }\n";
    use(path);
    cl::Kernel test = kernel("kernel void test(global int *out) {\n"
                             "    size_t i = get_global_id(0);\n"
                             "    out[i] = acme_not_body(out[i]);\n}\n");
    std::filesystem::remove(path);
    const size_t items = 100;
    const cl::Buffer out = buffer(std::vector<int>(items));
    test.setArg(0, out);
    launch(test, items);
    const char *machine = std::getenv("RIVULET_MACHINE");
    const bool has_xacme = machine && std::string_view(machine).contains("acme.cfg");
    EXPECT_EQ(read<int>(out, items), std::vector<int>(items, has_xacme ? 1 : 2));
}

TEST_F(BoardInstructions, AreInObjectsThatAreLinked) {
    cl::Program one(context, std::string("int both(int a, int b) { return acme_mix(a, b); }")),
        two(context, std::string("int both(int, int);\n"
                                 "kernel void test(global int *out) {\n"
                                 "    size_t i = get_global_id(0);\n"
                                 "    out[i] = both(i, 5) + acme_mix(i, 1); }"));
    one.compile();
    two.compile();
    TearDown();
    const cl::Program program = cl::linkProgram(std::vector<cl::Program>{one, two});
    cl::Kernel kernel(program, "test");
    const cl::Buffer out = buffer(std::vector<int>(8));
    kernel.setArg(0, out);
    launch(kernel, 8);
    const std::vector<int> result = read<int>(out, 8);
    for (int i = 0; i < 8; ++i)
        EXPECT_EQ(result[static_cast<size_t>(i)], ((i << 3) ^ 5) + ((i << 3) ^ 1));
}

TEST_F(BoardInstructions, AnotherTableIsAnotherProgram) {
    const auto value = [&](const std::string &number) {
        const auto path = std::filesystem::path(testing::TempDir()) /
                          ("instructions-" + std::to_string(getpid()) + ".h");
        std::ofstream(path) << "__attribute__((rivulet_instruction(\"xabsent\", \"v: nop\")))\n"
                               "int acme_number(int a) { return " +
                                   number + "; }\n";
        use(path);
        cl::Kernel test = kernel("kernel void test(global int *out) { *out = acme_number(1); }");
        std::filesystem::remove(path);
        const cl::Buffer out = buffer(std::vector<int>(1));
        test.setArg(0, out);
        launch(test, 1);
        return read<int>(out, 1)[0];
    };
    EXPECT_EQ(value("7"), 7);
    EXPECT_EQ(value("8"), 8);
}

// The same function with the hart's vectors and assembly, and as a loop in C, for sub-groups of any
// size, the last one of a work-group included.
TEST_F(BoardInstructions, SubGroupFunctionsComputeOnVectors) {
    const cl::Program program = build(R"(
#ifdef __riscv_vector
#include <riscv_vector.h>
#endif
__attribute__((rivulet_sub_group))
void on_vectors(global uint *p, local const uint *q, uint factor, uint n) {
#ifdef __riscv_vector
    for (size_t done = 0, vl; done < n; done += vl) {
        vl = __riscv_vsetvl_e32m2(n - done);
        vuint32m2_t a = __riscv_vle32_v_u32m2(p + done, vl), b = __riscv_vle32_v_u32m2(q + done, vl);
        a = __riscv_vmacc(a, factor, b, vl);
        __asm__("vsetvli zero, %2, e32, m2, ta, ma\n\tvxor.vv %0, %0, %1"
                : "+vr"(a) : "vr"(b), "r"(vl) : "vl", "vtype");
        __riscv_vse32(p + done, a, vl);
    }
#else
    for (uint i = 0; i < n; ++i)
        p[i] = (p[i] + factor * q[i]) ^ q[i];
#endif
}
__attribute__((rivulet_sub_group))
void in_c(global uint *p, local const uint *q, uint factor, uint n) {
    for (uint i = 0; i < n; ++i)
        p[i] = (p[i] + factor * q[i]) ^ q[i];
}
kernel void test(global uint *out, global uint *expected, uint factor) {
    local uint q[256];
    const uint l = get_local_linear_id(), first = l - get_sub_group_local_id();
    const uint group = get_group_id(0) * get_enqueued_local_size(0);
    const uint value = out[get_global_id(0)];
    q[l] = value * 0x9e3779b9 >> 3;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    const uint start = sub_group_broadcast(first, 0);
    on_vectors(out + group + start, q + start, factor, get_sub_group_size());
    in_c(expected + group + start, q + start, factor, get_sub_group_size());
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    // What lanes held is what it was, and lanes go on as before.
    out[get_global_id(0)] += value * 3;
    expected[get_global_id(0)] += value * 3;
})",
                                      "-cl-std=CL3.0");
    constexpr uint64_t seed = 2;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937_64 random(seed);
    for (const size_t local : {1, 3, 8, 17, 64, 100}) {
        const size_t items = 1 + random() % 400;
        SCOPED_TRACE(testing::Message() << items << " work-items in groups of " << local);
        std::vector<cl_uint> values(items);
        std::ranges::generate(values, [&] { return static_cast<cl_uint>(random()); });
        const cl::Buffer out = buffer(values), expected = buffer(values);
        cl::Kernel kernel(program, "test");
        kernel.setArg(0, out);
        kernel.setArg(1, expected);
        kernel.setArg(2, static_cast<cl_uint>(random()));
        queue.enqueueNDRangeKernel(kernel, cl::NullRange, items, local);
        queue.finish();
        const auto result = read<cl_uint>(out, items);
        EXPECT_EQ(result, read<cl_uint>(expected, items));
        EXPECT_NE(result, values);
    }
}

TEST_F(BoardInstructions, MistakesAreInTheLogWithTheirLine) {
    const auto with = [&](const std::string &attribute, const std::string &body = "return a;") {
        return log_with("// a table\n__attribute__((rivulet_instruction(" + attribute +
                        ")))\nint f(int a, int b) { " + body + " }\n");
    };
    EXPECT_THAT(with("\"zvbbb\", \"vv: vandn.vv %0, %1, %2\""),
                AllOf(HasSubstr(".h:2:"), HasSubstr("did you mean 'zvbb'?")));
    EXPECT_THAT(with("\"zvbb\", \"v: vandn.vv %0, %1, %2\""),
                AllOf(HasSubstr(".h:2:"), HasSubstr("'v' has 1 letters; the function has 2")));
    EXPECT_THAT(with("\"zvbb\", \"vv: vandn.vv %0, %1, %3\""), HasSubstr("'%3'"));
    EXPECT_THAT(with("\"zvbb\", \"vv: llvm.riscv.vandnn\""),
                HasSubstr("did you mean 'llvm.riscv.vandn'?"));
    EXPECT_THAT(with("\"zvbb\", \"vv: vandn.vv %0, %1, %2\"", "return c;"),
                AllOf(HasSubstr(".h:3:"), HasSubstr("undeclared identifier 'c'")));
    EXPECT_THAT(with("\"zvbb\", \"vv: vandn.vv %0, %1, %2\"", "barrier(1); return a;"),
                AllOf(HasSubstr(".h:3: error: built-in function 'f'"), HasSubstr("only compute")));
    use("/nonexistent/instructions.h");
    cl::Program program(context, std::string("kernel void test() {}"));
    EXPECT_NE(status_of([&] { program.build(device); }), CL_SUCCESS);
    EXPECT_THAT(program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device),
                HasSubstr("cannot open /nonexistent/instructions.h"));
}

} // namespace
} // namespace rivulet::test
