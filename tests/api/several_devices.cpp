// SPDX-License-Identifier: Apache-2.0
//
// Machines of different kinds in one context: programs are built for all of them, and memory moves
// between them. CTest runs it with two vector lengths.
#include <algorithm>
#include <array>
#include <list>
#include <random>
#include <span>

#include "on_device.h"

namespace rivulet::test {
namespace {

class SeveralDevices : public testing::Test {
protected:
    SeveralDevices() {
        std::vector<cl::Platform> platforms;
        cl::Platform::get(&platforms);
        platforms.at(0).getDevices(CL_DEVICE_TYPE_ALL, &devices);
        context = cl::Context(devices);
        for (const cl::Device &device : devices)
            queues.emplace_back(context, device);
    }
    cl::Program build(const std::string &source) {
        cl::Program program(context, source);
        program.build(devices);
        return program;
    }

    std::vector<cl::Device> devices;
    cl::Context context;
    std::vector<cl::CommandQueue> queues;
};

constexpr const char *step = "kernel void test(global uint *data, uint factor) {"
                             "    size_t i = get_global_id(0);"
                             "    data[i] = data[i] * factor + i;"
                             "}";

TEST_F(SeveralDevices, ShareMemoryThatMovesBetweenThem) {
    ASSERT_GE(devices.size(), 2u);
    cl::Kernel kernel(build(step), "test");
    const cl::Buffer data(context, CL_MEM_READ_WRITE, 4000);
    std::vector<cl_uint> expected(1000, 1);
    queues[0].enqueueWriteBuffer(data, CL_TRUE, 0, 4000, expected.data());
    std::vector<cl::Event> last;
    for (cl_uint round = 0; round < 8; ++round) {
        const cl_uint factor = round + 2;
        kernel.setArg(0, data);
        kernel.setArg(1, factor);
        cl::Event event;
        queues[round % queues.size()].enqueueNDRangeKernel(kernel, {}, cl::NDRange(1000), {},
                                                           last.empty() ? nullptr : &last, &event);
        last = {event};
        for (cl_uint i = 0; i < 1000; ++i)
            expected[i] = expected[i] * factor + i;
    }
    std::vector<cl_uint> result(1000);
    queues.back().enqueueReadBuffer(data, CL_TRUE, 0, 4000, result.data(), &last);
    EXPECT_EQ(result, expected);
}

TEST_F(SeveralDevices, MigrateAndCopyBetweenThem) {
    const auto values = iota<cl_uint>(1000);
    const cl::Buffer from(context, CL_MEM_READ_WRITE, 4000);
    const cl::Buffer to(context, CL_MEM_READ_WRITE, 4000);
    queues.front().enqueueWriteBuffer(from, CL_TRUE, 0, 4000, values.data());
    queues.back().enqueueMigrateMemObjects({from}, 0);
    queues.back().enqueueCopyBuffer(from, to, 0, 0, 4000);
    queues.back().finish();
    queues.front().enqueueMigrateMemObjects({to}, CL_MIGRATE_MEM_OBJECT_HOST);
    std::vector<cl_uint> result(1000);
    queues.front().enqueueReadBuffer(to, CL_TRUE, 0, 4000, result.data());
    EXPECT_EQ(result, values);
}

TEST_F(SeveralDevices, EachHasItsOwnBinary) {
    const cl::Program program = build(step);
    const auto binaries = program.getInfo<CL_PROGRAM_BINARIES>();
    ASSERT_EQ(binaries.size(), devices.size());
    std::vector<cl_int> statuses;
    cl::Program again(context, devices, binaries, &statuses);
    EXPECT_THAT(statuses, testing::Each(CL_SUCCESS));
    again.build(devices);
    const auto swapped = [&] { cl::Program(context, {devices[0]}, {binaries[1]}); };
    if (binaries[0] != binaries[1])
        EXPECT_EQ(status_of(swapped), CL_INVALID_BINARY);
}

// Writers of non-overlapping ranges run concurrently, on all devices and the host; each waits only
// for what it needs. The expected contents are those of the same commands in sequence.
class SeveralDevicesStress : public SeveralDevices {
public: // the commands are chosen by pointers to members
    static constexpr size_t blocks = 16;
    static constexpr size_t items = 64; // of a block
    static constexpr size_t block_bytes = items * sizeof(cl_uint);

    /// A run of blocks, and what has used them.
    struct Window {
        size_t first;
        size_t count;
        cl::Buffer buffer;
        [[nodiscard]] size_t bytes() const { return count * block_bytes; }
    };
    struct Memory {
        cl::Buffer parent;
        std::vector<Window> windows;
        std::vector<cl_uint> expected = std::vector<cl_uint>(blocks * items, 1);
        std::array<cl::Event, blocks> writer;
        std::array<std::vector<cl::Event>, blocks> readers;
    };
    /// A read that has been enqueued, and what it must give.
    struct Read {
        std::vector<cl_uint> seen;
        std::vector<cl_uint> expected;
    };

    size_t pick(size_t below) { return random_() % below; }

    void make_memories() {
        for (Memory &memory : memories) {
            memory.parent = cl::Buffer(context, CL_MEM_COPY_HOST_PTR, blocks * block_bytes,
                                       memory.expected.data());
            memory.windows.push_back({0, blocks, memory.parent});
            for (size_t count = blocks / 2; count; count /= 2)
                for (size_t first = 0; first < blocks; first += count) {
                    const cl_buffer_region region{first * block_bytes, count * block_bytes};
                    memory.windows.push_back(
                        {first, count,
                         memory.parent.createSubBuffer(0, CL_BUFFER_CREATE_TYPE_REGION, &region)});
                }
        }
    }
    Window &any_window(Memory &memory) { return memory.windows[pick(memory.windows.size())]; }
    Window &window_like(Memory &memory, const Window &other) {
        for (;;)
            if (Window &window = any_window(memory); window.count == other.count)
                return window;
    }
    static void wait_for(std::vector<cl::Event> &waits, Memory &memory, const Window &window,
                         bool writes) {
        for (size_t n = window.first; n < window.first + window.count; ++n) {
            if (memory.writer[n]())
                waits.push_back(memory.writer[n]);
            if (writes)
                waits.insert(waits.end(), memory.readers[n].begin(), memory.readers[n].end());
        }
    }
    static void used(Memory &memory, const Window &window, bool writes, const cl::Event &event) {
        for (size_t n = window.first; n < window.first + window.count; ++n) {
            if (writes) {
                memory.writer[n] = event;
                memory.readers[n].clear();
            } else {
                memory.readers[n].push_back(event);
            }
        }
    }
    static std::span<cl_uint> expected(Memory &memory, const Window &window) {
        return std::span(memory.expected).subspan(window.first * items, window.count * items);
    }

    void launch_step(cl::CommandQueue &queue);
    void launch_sum(cl::CommandQueue &queue);
    void read(cl::CommandQueue &queue);
    void write(cl::CommandQueue &queue);
    void fill(cl::CommandQueue &queue);
    void copy(cl::CommandQueue &queue);
    void map(cl::CommandQueue &queue);
    void migrate(cl::CommandQueue &queue);
    /// Enqueues one command or two on its window: `enqueue` takes waits and returns the event.
    template <class Enqueue>
    void command(Memory &memory, const Window &window, bool writes, Enqueue enqueue) {
        std::vector<cl::Event> waits;
        wait_for(waits, memory, window, writes);
        cl::Event event;
        enqueue(waits.empty() ? nullptr : &waits, &event);
        used(memory, window, writes, event);
    }

    std::mt19937 random_;
    std::array<Memory, 2> memories;
    std::vector<cl::Kernel> step_kernels; // kept: their arguments are of the launch
    cl::Program program;
    std::list<Read> reads;
    std::list<std::vector<cl_uint>> written;
};

void SeveralDevicesStress::launch_step(cl::CommandQueue &queue) {
    Memory &memory = memories[pick(2)];
    const Window &window = any_window(memory);
    const auto factor = static_cast<cl_uint>(pick(100));
    cl::Kernel kernel(program, "step");
    kernel.setArg(0, window.buffer);
    kernel.setArg(1, factor);
    command(memory, window, true, [&](auto *waits, auto *event) {
        queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(window.count * items), {}, waits, event);
    });
    cl_uint i = 0;
    for (cl_uint &value : expected(memory, window))
        value = value * factor + i++;
}

void SeveralDevicesStress::launch_sum(cl::CommandQueue &queue) {
    const size_t which = pick(2);
    const Window &from = any_window(memories[which]);
    const Window &to = window_like(memories[1 - which], from);
    cl::Kernel kernel(program, pick(2) ? "sum" : "sum_constant");
    kernel.setArg(0, from.buffer);
    kernel.setArg(1, to.buffer);
    std::vector<cl::Event> waits;
    wait_for(waits, memories[which], from, false);
    wait_for(waits, memories[1 - which], to, true);
    cl::Event event;
    queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(to.count * items), {},
                               waits.empty() ? nullptr : &waits, &event);
    used(memories[which], from, false, event);
    used(memories[1 - which], to, true, event);
    for (size_t i = 0; i < to.count * items; ++i)
        expected(memories[1 - which], to)[i] += expected(memories[which], from)[i];
}

void SeveralDevicesStress::read(cl::CommandQueue &queue) {
    Memory &memory = memories[pick(2)];
    const Window &window = any_window(memory);
    const auto values = expected(memory, window);
    Read &read = reads.emplace_back(
        Read{std::vector<cl_uint>(values.size()), {values.begin(), values.end()}});
    command(memory, window, false, [&](auto *waits, auto *event) {
        queue.enqueueReadBuffer(memory.parent, CL_FALSE, window.first * block_bytes, window.bytes(),
                                read.seen.data(), waits, event);
    });
}

void SeveralDevicesStress::write(cl::CommandQueue &queue) {
    Memory &memory = memories[pick(2)];
    const Window &window = any_window(memory);
    auto &values = written.emplace_back(window.count * items);
    for (cl_uint &value : values)
        value = static_cast<cl_uint>(random_());
    std::ranges::copy(values, expected(memory, window).begin());
    command(memory, window, true, [&](auto *waits, auto *event) {
        if (pick(2))
            return queue.enqueueWriteBuffer(window.buffer, CL_FALSE, 0, window.bytes(),
                                            values.data(), waits, event);
        return queue.enqueueWriteBufferRect(memory.parent, CL_FALSE, {0, window.first, 0},
                                            {0, 0, 0}, {block_bytes, window.count, 1}, block_bytes,
                                            0, block_bytes, 0, values.data(), waits, event);
    });
}

void SeveralDevicesStress::fill(cl::CommandQueue &queue) {
    Memory &memory = memories[pick(2)];
    const Window &window = any_window(memory);
    const auto value = static_cast<cl_uint>(random_());
    command(memory, window, true, [&](auto *waits, auto *event) {
        queue.enqueueFillBuffer(window.buffer, value, 0, window.bytes(), waits, event);
    });
    std::ranges::fill(expected(memory, window), value);
}

void SeveralDevicesStress::copy(cl::CommandQueue &queue) {
    const size_t which = pick(2);
    const Window &from = any_window(memories[which]);
    const Window &to = window_like(memories[1 - which], from);
    std::vector<cl::Event> waits;
    wait_for(waits, memories[which], from, false);
    wait_for(waits, memories[1 - which], to, true);
    cl::Event event;
    queue.enqueueCopyBuffer(from.buffer, to.buffer, 0, 0, to.bytes(),
                            waits.empty() ? nullptr : &waits, &event);
    used(memories[which], from, false, event);
    used(memories[1 - which], to, true, event);
    std::ranges::copy(expected(memories[which], from), expected(memories[1 - which], to).begin());
}

void SeveralDevicesStress::map(cl::CommandQueue &queue) {
    Memory &memory = memories[pick(2)];
    const Window &window = any_window(memory);
    std::vector<cl::Event> waits;
    wait_for(waits, memory, window, true);
    auto *values = static_cast<cl_uint *>(
        queue.enqueueMapBuffer(window.buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                               window.bytes(), waits.empty() ? nullptr : &waits));
    const auto want = expected(memory, window);
    EXPECT_TRUE(std::ranges::equal(std::span(values, want.size()), want));
    for (size_t i = 0; i < want.size(); ++i)
        want[i] = values[i] += 7;
    cl::Event event;
    queue.enqueueUnmapMemObject(window.buffer, values, nullptr, &event);
    used(memory, window, true, event);
}

void SeveralDevicesStress::migrate(cl::CommandQueue &queue) {
    Memory &memory = memories[pick(2)];
    const Window &window = any_window(memory);
    command(memory, window, false, [&](auto *waits, auto *event) {
        queue.enqueueMigrateMemObjects({window.buffer}, 0, waits, event);
    });
}

TEST_F(SeveralDevicesStress, RandomCommandsOfSeveralDevicesGiveWhatOneAfterTheOtherGives) {
    ASSERT_GE(devices.size(), 2u);
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    random_.seed(seed);
    for (const cl::Device &device : devices)
        queues.emplace_back(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    program = build("kernel void step(global uint *data, uint factor) {"
                    "    size_t i = get_global_id(0);"
                    "    data[i] = data[i] * factor + i;"
                    "}"
                    "kernel void sum(global const uint *from, global uint *to) {"
                    "    to[get_global_id(0)] += from[get_global_id(0)];"
                    "}"
                    "kernel void sum_constant(constant uint *from, global uint *to) {"
                    "    to[get_global_id(0)] += from[get_global_id(0)];"
                    "}");
    make_memories();
    constexpr std::array commands = {
        &SeveralDevicesStress::launch_step, &SeveralDevicesStress::launch_step,
        &SeveralDevicesStress::launch_sum,  &SeveralDevicesStress::launch_sum,
        &SeveralDevicesStress::read,        &SeveralDevicesStress::write,
        &SeveralDevicesStress::fill,        &SeveralDevicesStress::copy,
        &SeveralDevicesStress::map,         &SeveralDevicesStress::migrate};
    for (int round = 0; round < 20; ++round) {
        for (int n = 0; n < 60; ++n)
            (this->*commands[pick(commands.size())])(queues[pick(queues.size())]);
        for (const cl::CommandQueue &queue : queues)
            queue.flush();
        for (const cl::CommandQueue &queue : queues)
            queue.finish();
        for (const Read &read : reads)
            ASSERT_EQ(read.seen, read.expected) << "round " << round;
        for (Memory &memory : memories) {
            std::vector<cl_uint> seen(blocks * items);
            queues[pick(queues.size())].enqueueReadBuffer(memory.parent, CL_TRUE, 0,
                                                          blocks * block_bytes, seen.data());
            ASSERT_EQ(seen, memory.expected) << "round " << round;
        }
        reads.clear();
        written.clear();
    }
}

// Users of the pointer fetch nothing, so what another device wrote must be visible when the command
// has ended.
TEST_F(SeveralDevices, SharedMemoryHasWhatAnotherDeviceDidWithItsBuffer) {
    const auto owner = std::ranges::find_if(devices, [](const cl::Device &device) {
        return device.getInfo<CL_DEVICE_SVM_CAPABILITIES>() != 0;
    });
    if (owner == devices.end())
        GTEST_SKIP() << "no device shares its memory";
    constexpr size_t count = 1000;
    auto *shared = static_cast<cl_uint *>(
        clSVMAlloc(context(), CL_MEM_READ_WRITE, count * sizeof(cl_uint), 0));
    ASSERT_TRUE(shared);
    cl::Kernel kernel(build(step), "test");
    {
        const cl::Buffer buffer(context, CL_MEM_USE_HOST_PTR, count * sizeof(cl_uint), shared);
        const cl::CommandQueue &first = queues[static_cast<size_t>(owner - devices.begin())];
        std::vector<cl_uint> expected(count);
        for (cl_uint round = 0; round < 4; ++round)
            for (const cl::CommandQueue &queue : queues) {
                clEnqueueSVMMap(first(), CL_TRUE, CL_MAP_WRITE, shared, count * sizeof(cl_uint), 0,
                                nullptr, nullptr);
                EXPECT_TRUE(round == 0 || std::ranges::equal(std::span(shared, count), expected));
                for (cl_uint i = 0; i < count; ++i)
                    expected[i] = (shared[i] = i + round) * 3 + i;
                clEnqueueSVMUnmap(first(), shared, 0, nullptr, nullptr);
                first.finish();
                kernel.setArg(0, buffer);
                kernel.setArg(1, cl_uint{3});
                queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(count));
                queue.finish();
                EXPECT_TRUE(std::ranges::equal(std::span(shared, count), expected));
            }
    }
    clSVMFree(context(), shared);
}

// The second launch of a chain runs on while the first one's results are brought to the pointer.
TEST_F(SeveralDevices, SharedMemoryHasWhatAChainOfLaunchesOnAnotherDeviceDid) {
    const auto owner = std::ranges::find_if(devices, [](const cl::Device &device) {
        return device.getInfo<CL_DEVICE_SVM_CAPABILITIES>() != 0;
    });
    if (owner == devices.end())
        GTEST_SKIP() << "no device shares its memory";
    constexpr size_t count = 1 << 16;
    auto *shared = static_cast<cl_uint *>(
        clSVMAlloc(context(), CL_MEM_READ_WRITE, count * sizeof(cl_uint), 0));
    ASSERT_TRUE(shared);
    cl::Kernel kernel(build(step), "test");
    {
        const cl::Buffer buffer(context, CL_MEM_USE_HOST_PTR, count * sizeof(cl_uint), shared);
        kernel.setArg(0, buffer);
        kernel.setArg(1, cl_uint{3});
        std::vector<cl_uint> expected(count, 1);
        queues[0].enqueueFillBuffer(buffer, cl_uint{1}, 0, count * sizeof(cl_uint));
        queues[0].finish();
        for (const cl::CommandQueue &queue : queues) {
            for (int n = 0; n < 6; ++n) {
                queue.enqueueNDRangeKernel(kernel, {}, cl::NDRange(count));
                for (cl_uint i = 0; i < count; ++i)
                    expected[i] = expected[i] * 3 + i;
            }
            queue.finish();
            EXPECT_TRUE(std::ranges::equal(std::span(shared, count), expected));
        }
    }
    clSVMFree(context(), shared);
}

// Something aligned for one device only would share cache blocks with its neighbours on another.
TEST_F(SeveralDevices, SubBuffersAreUsedWhereTheyAreAligned) {
    std::vector<size_t> alignments;
    for (const cl::Device &device : devices)
        alignments.push_back(device.getInfo<CL_DEVICE_MEM_BASE_ADDR_ALIGN>() / 8);
    const size_t least = std::ranges::min(alignments);
    cl::Kernel kernel(build(step), "test");
    kernel.setArg(1, cl_uint{3});
    for (const bool reversed : {false, true}) {
        const std::vector<cl::Device> order =
            reversed ? std::vector<cl::Device>(devices.rbegin(), devices.rend()) : devices;
        const cl::Context other(order);
        cl::Buffer buffer(other, CL_MEM_READ_WRITE, 8192);
        for (const size_t origin : {least / 2, least, 2 * least}) {
            const cl_buffer_region region{origin, least};
            EXPECT_EQ(status_of([&] {
                          buffer.createSubBuffer(0, CL_BUFFER_CREATE_TYPE_REGION, &region);
                      }),
                      origin < least ? CL_MISALIGNED_SUB_BUFFER_OFFSET : CL_SUCCESS);
        }
    }
    cl::Buffer buffer(context, CL_MEM_READ_WRITE, 8192);
    const cl::Buffer other(context, CL_MEM_READ_WRITE, 8192);
    const cl::Image2D image(context, CL_MEM_READ_WRITE, {CL_RGBA, CL_UNSIGNED_INT8}, 1, 1);
    const std::array<cl::size_type, 3> zero{0, 0, 0}, bytes{4, 1, 1}, pixel{1, 1, 1};
    cl_uint word = 0;
    for (size_t origin = 0; origin < 8192; origin += least) {
        const cl_buffer_region region{origin, least};
        const cl::Buffer window = buffer.createSubBuffer(0, CL_BUFFER_CREATE_TYPE_REGION, &region);
        kernel.setArg(0, window);
        // 5.2.2 … 5.2.5, 5.3.5, 5.10: the commands that have the error. Migrating has none, and a
        // pointer that was mapped can always be given back.
        using Command = std::function<void(cl::CommandQueue &)>;
        const Command commands[] = {
            [&](auto &q) { q.enqueueNDRangeKernel(kernel, {}, cl::NDRange(least / 4)); },
            [&](auto &q) { q.enqueueReadBuffer(window, CL_TRUE, 0, 4, &word); },
            [&](auto &q) { q.enqueueWriteBuffer(window, CL_TRUE, 0, 4, &word); },
            [&](auto &q) {
                q.enqueueReadBufferRect(window, CL_TRUE, zero, zero, bytes, 0, 0, 0, 0, &word);
            },
            [&](auto &q) {
                q.enqueueWriteBufferRect(window, CL_TRUE, zero, zero, bytes, 0, 0, 0, 0, &word);
            },
            [&](auto &q) { q.enqueueCopyBuffer(window, other, 0, 0, 4); },
            [&](auto &q) { q.enqueueCopyBuffer(other, window, 0, 0, 4); },
            [&](auto &q) { q.enqueueCopyBufferRect(window, other, zero, zero, bytes, 0, 0, 0, 0); },
            [&](auto &q) { q.enqueueCopyBufferRect(other, window, zero, zero, bytes, 0, 0, 0, 0); },
            [&](auto &q) { q.enqueueFillBuffer(window, word, 0, 4); },
            [&](auto &q) {
                void *mapped = q.enqueueMapBuffer(window, CL_TRUE, CL_MAP_WRITE, 0, 4);
                q.enqueueUnmapMemObject(window, mapped);
            },
            [&](auto &q) { q.enqueueCopyBufferToImage(window, image, 0, zero, pixel); },
            [&](auto &q) { q.enqueueCopyImageToBuffer(image, window, zero, pixel, 0); },
        };
        for (size_t n = 0; n < devices.size(); ++n) {
            for (const Command &command : commands)
                EXPECT_EQ(status_of([&] {
                              command(queues[n]);
                              queues[n].finish();
                          }),
                          origin % alignments[n] ? CL_MISALIGNED_SUB_BUFFER_OFFSET : CL_SUCCESS)
                    << "origin " << origin << ", device " << n << ", command "
                    << &command - commands;
            queues[n].enqueueMigrateMemObjects({window}, 0);
            queues[n].finish();
        }
    }
}

} // namespace
} // namespace rivulet::test
