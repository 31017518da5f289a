// SPDX-License-Identifier: Apache-2.0
#include "tools/bench/measure.h"

#include <malloc.h>

namespace {

/// Heap growth per object, measured over many objects existing at the same time.
template <class Make> double heap_bytes(Make make) {
    constexpr size_t count = 1000;
    std::vector<decltype(make())> objects;
    objects.reserve(count);
    make(); // one-time allocations of the first object don't count
    const size_t before = mallinfo2().uordblks;
    for (size_t i = 0; i < count; ++i)
        objects.push_back(make());
    return double(mallinfo2().uordblks - before) / double(count);
}

} // namespace

Json object_bytes(const cl::Context &context, const cl::Device &device,
                  const cl::Program &program) {
    return {
        {"buffer", heap_bytes([&] { return cl::Buffer(context, CL_MEM_READ_WRITE, 64); })},
        {"user_event", heap_bytes([&] { return cl::UserEvent(context); })},
        {"kernel", heap_bytes([&] { return cl::Kernel(program, "nothing"); })},
        {"queue", heap_bytes([&] { return cl::CommandQueue(context, device); })},
        {"program", heap_bytes([&] { return cl::Program(context, "kernel void f() {}"); })},
    };
}
