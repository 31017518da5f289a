// SPDX-License-Identifier: Apache-2.0
#include "hal/conformance/session.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "hal/core/drivers.h"

extern "C" {
extern const std::byte rvl_conformance_riscv64[], rvl_conformance_riscv64_end[];
extern const std::byte rvl_conformance_riscv32[], rvl_conformance_riscv32_end[];
extern const std::byte rvl_conformance_host[], rvl_conformance_host_end[];
}

namespace rivulet::hal::conformance {
namespace {

std::mutex log_mutex;
std::string log_lines;

constexpr uint64_t whole_pages(uint64_t bytes) {
    return (bytes + RVL_PAGE_BYTES - 1) & ~uint64_t{RVL_PAGE_BYTES - 1};
}

std::span<const std::byte> image_for(const Device &device) {
    if (std::string_view(device.description().isa) == "host")
        return {rvl_conformance_host, rvl_conformance_host_end};
    if (device.description().xlen == 32)
        return {rvl_conformance_riscv32, rvl_conformance_riscv32_end};
    return {rvl_conformance_riscv64, rvl_conformance_riscv64_end};
}

} // namespace

void log_line(int level, std::string_view text) {
    const std::scoped_lock lock(log_mutex);
    log_lines += "<" + std::to_string(level) + "> " + std::string(text) + "\n";
}

std::string log_text() {
    const std::scoped_lock lock(log_mutex);
    return log_lines;
}

void clear_log() {
    const std::scoped_lock lock(log_mutex);
    log_lines.clear();
}

Config configuration() {
    std::vector<Error> errors;
    const auto devices = Config::of_host(errors);
    for (const Error &error : errors)
        log_line(0, error.message);
    return devices.empty() ? Config{} : devices.front();
}

Result<std::unique_ptr<Device>> open_device(const rvl_driver *driver) {
    const Config config = configuration();
    return driver != nullptr ? Device::open(*driver, config, log_line)
                             : Device::open(config, log_line);
}

const rvl_driver &driver_under_test() {
    static const rvl_driver &driver = **find_driver(configuration());
    return driver;
}

Session::Session(std::unique_ptr<Device> device) : device_(std::move(device)) {
    if (!device_) {
        auto opened = open_device();
        if (!opened)
            throw std::runtime_error("open: " + opened.error().message);
        device_ = std::move(*opened);
    }
    if (const auto started = device_->start(); !started)
        throw std::runtime_error("start: " + started.error().message);
    load_kernels();
}

void Session::load_kernels() {
    const auto image = image_for(*device_);
    const rvl_hello &hello = device_->hello();
    code_ = whole_pages(hello.heap_base);
    code_bytes_ = whole_pages(image.size());
    arena_ = code_ + code_bytes_;
    next_ = arena_;
    completed_.clear();
    ASSERT_LE(arena_end() - hello.heap_base, hello.heap_bytes) << "give the machine more memory";

    kernels_.resize(static_cast<size_t>(Kernel::deep) + 1);
    std::memcpy(kernels_.data(), image.data() + 64, kernels_.size() * sizeof kernels_[0]);

    const uint64_t staging = allocate(image.size());
    const auto written = device_->write(staging, image);
    ASSERT_TRUE(written) << written.error().message;
    rvl_slot load{};
    load.header = {.group = RVL_GROUP_MEMORY,
                   .service = RVL_MEMORY_LOAD_CODE,
                   .flags = 0,
                   .length = sizeof load.load_code,
                   .token = ++tokens_};
    load.load_code = {
        .destination = code_, .source = staging, .bytes = image.size(), .signature = 0};
    submit({&load, 1});
    const auto loaded = await(tokens_);
    ASSERT_TRUE(loaded);
    ASSERT_EQ(loaded->result, RVL_RESULT_OK) << log_text();
}

uint64_t Session::allocate(size_t bytes) {
    const uint64_t address = next_;
    next_ += whole_pages(bytes);
    EXPECT_LE(next_, arena_end());
    const std::vector<std::byte> zeros(whole_pages(bytes));
    const auto written = device_->write(address, zeros);
    EXPECT_TRUE(written) << written.error().message;
    return address;
}

rvl_slot Session::command(const Task &task) {
    rvl_launch_record record{};
    record.version = RVL_PROTOCOL_VERSION;
    record.dimensions = 1;
    record.start = record.image_base = code_;
    record.kernel = code_ + kernels_[static_cast<size_t>(task.kernel)];
    for (int i = 0; i < 3; ++i) {
        record.global_size[i] = record.group_count[i] = i == 0 ? task.groups : 1;
        record.local_size[i] = 1;
    }
    record.total_groups = task.groups;
    record.chunk = task.chunk;
    record.stack_bytes = 1024;
    record.argument_bytes = 16;
    std::memcpy(record.arguments, &task.buffer, 8);
    std::memcpy(record.arguments + 8, &task.value, 8);
    const uint64_t address = allocate(RVL_LAUNCH_BYTES);
    const auto written = device_->write(address, std::as_bytes(std::span(&record, 1)));
    EXPECT_TRUE(written) << written.error().message;

    rvl_slot slot{};
    slot.header = {.group = RVL_GROUP_LAUNCH,
                   .service = RVL_LAUNCH_NDRANGE,
                   .flags = task.flags,
                   .length = sizeof slot.launch,
                   .token = ++tokens_};
    const auto page = [](uint64_t a) { return static_cast<uint32_t>(a / RVL_PAGE_BYTES); };
    slot.launch = {.launch = ++launches_,
                   .stream = task.stream,
                   .record = address,
                   .hart_mask = task.harts,
                   .arena_page = page(arena_),
                   .arena_pages = page(arena_bytes),
                   .code_page = page(code_),
                   .code_pages = page(code_bytes_),
                   .time_limit = task.time_limit,
                   .context = 0,
                   .second_page = 0,
                   .second_pages = 0};
    return slot;
}

void Session::submit(std::span<const rvl_slot> commands) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!commands.empty()) {
        const auto count = device_->submit(commands);
        ASSERT_TRUE(count) << count.error().message;
        commands = commands.subspan(*count);
        if (commands.empty())
            return;
        const auto done = device_->completions(patience);
        ASSERT_TRUE(done) << done.error().message;
        for (const rvl_slot &slot : *done)
            completed_[slot.header.token] = slot.completion;
        ASSERT_LT(std::chrono::steady_clock::now(), deadline) << "the ring stays full";
    }
}

std::optional<rvl_completion> Session::await(uint16_t token) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!completed_.contains(token)) {
        const auto left = deadline - std::chrono::steady_clock::now();
        const auto done = device_->completions(left);
        if (!done || left.count() <= 0) {
            ADD_FAILURE() << "no completion of token " << token << ": "
                          << (done ? "time is over" : done.error().message) << "\n"
                          << log_text();
            return std::nullopt;
        }
        for (const rvl_slot &slot : *done)
            completed_[slot.header.token] = slot.completion;
    }
    return completed_.extract(token).mapped();
}

std::optional<rvl_completion> Session::run(const Task &task) {
    const rvl_slot slot = command(task);
    submit({&slot, 1});
    return await(slot.header.token);
}

rvl_slot Session::ping(uint16_t token) {
    rvl_slot slot{};
    slot.header = {
        .group = RVL_GROUP_BASE, .service = RVL_BASE_PING, .flags = 0, .length = 0, .token = token};
    return slot;
}

std::vector<uint32_t> Session::words(uint64_t address, size_t count) {
    std::vector<uint32_t> values(count);
    const auto read = device_->read(address, std::as_writable_bytes(std::span(values)));
    EXPECT_TRUE(read) << read.error().message;
    return values;
}

void Session::write_word(uint64_t address, uint32_t value) {
    const auto written = device_->write(address, std::as_bytes(std::span(&value, 1)));
    EXPECT_TRUE(written) << written.error().message;
}

bool Session::see(uint64_t address, uint32_t value) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (words(address, 1)[0] != value) {
        if (std::chrono::steady_clock::now() > deadline || !device_->alive())
            return false;
        std::this_thread::sleep_for(1ms);
    }
    return true;
}

} // namespace rivulet::hal::conformance
