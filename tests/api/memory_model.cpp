// SPDX-License-Identifier: Apache-2.0
//
// The compiler may assume of a work-item's accesses to memory: of pointers that don't alias, of one
// memory under two types, and of volatile memory.
#include <cstring>

#include "on_device.h"

namespace rivulet::test {
namespace {

class MemoryModel : public OnDevice {
protected:
    template <class... Arguments>
    void run(cl::Kernel kernel, const cl::NDRange &items, const Arguments &...arguments) {
        cl_uint index = 0;
        (kernel.setArg(index++, arguments), ...);
        queue.enqueueNDRangeKernel(kernel, {}, items);
    }
    static std::vector<cl_uint> bits_of(const std::vector<cl_float> &values) {
        std::vector<cl_uint> bits(values.size());
        std::memcpy(bits.data(), values.data(), values.size() * sizeof(cl_uint));
        return bits;
    }
    static std::vector<cl_float> numbers(size_t count) {
        std::vector<cl_float> values(count);
        for (size_t i = 0; i < count; ++i)
            values[i] = float(i) * 0.75f + 3;
        return values;
    }
};

// C99, 6.7.3.1: `restrict` applies during one execution of the function's block.
TEST_F(MemoryModel, RestrictParametersSpeakOfOneCallOnly) {
    const cl::Kernel test = kernel(R"(
void relax(global float *restrict to, global const float *restrict from) {
    *to = *from * 0.5f + 1.0f;
}
kernel void test(global float *a, global float *b, int rounds) {
    size_t i = get_global_id(0);
    global float *from = a + i, *to = b + i;
    for (int round = 0; round < rounds; ++round) {
        relax(to, from);
        global float *last = to;
        to = from;
        from = last;
    }
})",
                                   "test");
    const auto first = numbers(100);
    for (const cl_int rounds : {1, 2, 7, 8, 9, 16, 33}) {
        auto a = first, b = std::vector<cl_float>(first.size());
        for (cl_int round = 0; round < rounds; ++round) {
            auto &from = round % 2 == 0 ? a : b, &to = round % 2 == 0 ? b : a;
            for (size_t i = 0; i < from.size(); ++i)
                to[i] = from[i] * 0.5f + 1;
        }
        const cl::Buffer one = buffer(first), other = buffer(std::vector<cl_float>(first.size()));
        run(test, cl::NDRange(first.size()), one, other, rounds);
        EXPECT_EQ(read<cl_float>(one, a.size()), a) << rounds;
        EXPECT_EQ(read<cl_float>(other, b.size()), b) << rounds;
    }
}

// A group's memory is used again, for values of another type.
TEST_F(MemoryModel, BarriersOrderAccessesOfDifferentTypes) {
    constexpr size_t group = 32, items = 4 * group;
    const std::string source = R"(
#define KERNEL kernel __attribute__((reqd_work_group_size(32, 1, 1)))
KERNEL void local_array(global const float *in, global uint *out, global float *unused) {
    local float floats[32];
    local uint *words = (local uint *)floats;
    size_t l = get_local_id(0), i = get_global_id(0);
    words[l] = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint before = words[31 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    floats[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint first = words[31 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    floats[l] = in[i] * 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = first * 3 + words[31 - l] + before;
}
KERNEL void local_union(global const float *in, global uint *out, global float *unused) {
    local union { float f; uint u; } t[32];
    size_t l = get_local_id(0), i = get_global_id(0);
    t[l].u = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint before = t[31 - l].u;
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l].f = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint first = t[31 - l].u;
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l].f = in[i] * 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = first * 3 + t[31 - l].u + before;
}
KERNEL void global_array(global const float *in, global uint *out, global float *floats) {
    size_t i = get_global_id(0), mirror = i ^ 31;
    global uint *words = (global uint *)floats;
    words[i] = 7;
    barrier(CLK_GLOBAL_MEM_FENCE);
    uint before = words[mirror];
    barrier(CLK_GLOBAL_MEM_FENCE);
    floats[i] = in[i];
    barrier(CLK_GLOBAL_MEM_FENCE);
    uint first = words[mirror];
    barrier(CLK_GLOBAL_MEM_FENCE);
    floats[i] = in[i] * 2;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = first * 3 + words[mirror] + before;
}
KERNEL void private_array(global const float *in, global uint *out, global float *unused) {
    float floats[8];
    uint *words = (uint *)floats;
    size_t l = get_local_id(0), i = get_global_id(0), mirror = i ^ 31;
    uint at = in[0] == 0 ? 1 : l % 8;
    words[at] = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint before = words[at];
    floats[at] = in[mirror];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint first = words[at];
    floats[at] = in[mirror] * 2;
    out[i] = first * 3 + words[at] + before;
})";
    const auto in = numbers(items);
    auto doubled = in;
    for (cl_float &value : doubled)
        value *= 2;
    const auto once = bits_of(in), twice = bits_of(doubled);
    std::vector<cl_uint> expected(items);
    for (size_t i = 0; i < items; ++i)
        expected[i] = once[i ^ (group - 1)] * 3 + twice[i ^ (group - 1)] + 7;
    const cl::Program program = build(source);
    for (const char *name : {"local_array", "local_union", "global_array", "private_array"}) {
        const cl::Buffer out = buffer(std::vector<cl_uint>(items));
        run(cl::Kernel(program, name), cl::NDRange(items), buffer(in), out, buffer(in));
        EXPECT_EQ(read<cl_uint>(out, items), expected) << name;
    }
}

// Values of every type, at indices of every shape, under masks and in loops of different lengths.
TEST_F(MemoryModel, VolatileMemoryKeepsItsValues) {
    constexpr size_t items = 131;
    for (const char *type : {"uchar", "float", "long", "int4"}) {
        const cl::Kernel test =
            kernel(R"(
kernel void test(volatile global T *a, volatile global T *b, global int *sums) {
    size_t i = get_global_id(0);
    volatile T own[3];
    for (int k = 0; k < 3; ++k)
        own[k] = a[i];
    (void)b[i];
    if (i % 3 == 1)
        b[2 * i] = (T)(own[i % 3] + (T)1);
    for (size_t k = 0; k < i % 4; ++k)
        a[i] = (T)(a[i] + own[k % 3]);
    b[2 * i + 1] = (T)(5);
    sums[i] = (int)(FIRST(a[i]) + FIRST(b[2 * i]) + FIRST(b[2 * i + 1]));
})",
                   "test",
                   (std::string("-DT=") + type +
                    (std::string(type) == "int4" ? " -DFIRST(x)=(x).s3" : " -DFIRST(x)=(x)"))
                       .c_str());
        const cl::Program fill = build(R"(
kernel void fill(global T *a) { a[get_global_id(0)] = (T)(get_global_id(0) % 7); })",
                                       (std::string("-DT=") + type).c_str());
        const cl::Buffer a = buffer(std::vector<cl_int4>(items));
        run(cl::Kernel(fill, "fill"), cl::NDRange(items), a);
        const cl::Buffer b = buffer(std::vector<cl_int4>(2 * items));
        const cl::Buffer sums = buffer(std::vector<cl_int>(items));
        run(test, cl::NDRange(items), a, b, sums);
        std::vector<cl_int> expected(items);
        for (size_t i = 0; i < items; ++i) {
            const int value = int(i % 7);
            expected[i] = value * int(1 + i % 4) + (i % 3 == 1 ? value + 1 : 0) + 5;
        }
        EXPECT_EQ(read<cl_int>(sums, items), expected) << type;
    }
}

// OpenCL 3.1: inclusive scopes may differ, as long as both include the other work-item.
TEST_F(MemoryModel, ScopesOfWhatSynchronisesMayDiffer) {
    struct Scope {
        const char *name;
        size_t group; // so many work-items of a group are in the scope; 0: several groups
    };
    constexpr size_t items = 256;
    const std::string source = R"(
#define SUM(name, RELEASE, ADD, EXCHANGE, ACQUIRE)                                                 \
    kernel void name(global int *scratch, global atomic_int *counter, global int *result) {        \
        const int id = get_global_id(0), total = get_global_size(0);                               \
        scratch[id] = id;                                                                          \
        RELEASE;                                                                                   \
        atomic_fetch_add_explicit(counter, 1, ADD, PRODUCER);                                      \
        int count = total;                                                                         \
        atomic_compare_exchange_strong_explicit(counter, &count, 0, EXCHANGE,                      \
                                                memory_order_relaxed, CONSUMER);                   \
        if (count != total)                                                                        \
            return;                                                                                \
        ACQUIRE;                                                                                   \
        int sum = 0;                                                                               \
        for (int i = 0; i < total; ++i)                                                            \
            sum += scratch[i];                                                                     \
        *result = sum;                                                                             \
    }
SUM(operations, , memory_order_release, memory_order_acquire, )
SUM(fences, atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, PRODUCER),
    memory_order_relaxed, memory_order_relaxed,
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, CONSUMER))
)";
    constexpr Scope scopes[] = {{"memory_scope_sub_group", 2},
                                {"memory_scope_work_group", 64},
                                {"memory_scope_device", 0},
                                {"memory_scope_all_svm_devices", 0}};
    for (const Scope &producer : scopes)
        for (const Scope &consumer : scopes) {
            if (&producer == &consumer)
                continue;
            const std::string options = std::string("-cl-std=CL3.1 -DPRODUCER=") + producer.name +
                                        " -DCONSUMER=" + consumer.name;
            const cl::Program program = build(source, options.c_str());
            const size_t both = std::min(producer.group ? producer.group : items,
                                         consumer.group ? consumer.group : items);
            for (const char *name : {"operations", "fences"}) {
                cl::Kernel sum(program, name);
                const cl::Buffer scratch = buffer(std::vector<cl_int>(items));
                const cl::Buffer counter = buffer(std::vector<cl_int>(1));
                const cl::Buffer result = buffer(std::vector<cl_int>(1));
                sum.setArg(0, scratch);
                sum.setArg(1, counter);
                sum.setArg(2, result);
                queue.enqueueNDRangeKernel(sum, {}, cl::NDRange(both),
                                           cl::NDRange(std::min<size_t>(both, 64)));
                EXPECT_EQ(read<cl_int>(result, 1)[0], cl_int(both * (both - 1) / 2))
                    << name << ' ' << options;
            }
        }
}

} // namespace
} // namespace rivulet::test
