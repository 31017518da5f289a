// SPDX-License-Identifier: Apache-2.0
#include "tests/debug_module/machine.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/file_descriptor.h"

namespace rivulet::debug_module {
namespace {

using namespace std::chrono_literals;

constexpr unsigned misa = 0x301, first_fpr = 33;
constexpr size_t most_put_off = 4096;

[[noreturn]] void give_up(const std::string &why) {
    std::fprintf(stderr, "debug module: %s\n", why.c_str());
    std::exit(1);
}

template <class Value> Value must(Result<Value> result) {
    if (!result)
        give_up(result.error().message);
    if constexpr (!std::is_void_v<Value>)
        return std::move(*result);
}

} // namespace

Machine::Machine(const std::string &stub, const std::string &memory, uint64_t base)
    : stub_(must(hal::gdb::Stub::open("unix:" + stub, 60s))), halted_(stub_->threads().size()),
      base_(base) {
    if (const auto number = stub_->register_number("misa"))
        first_csr_ = *number - misa;
    const FileDescriptor file(open(memory.c_str(), O_RDWR | O_CLOEXEC));
    struct stat status{};
    if (!file || fstat(file.get(), &status) != 0)
        give_up("no memory at " + memory);
    memory_bytes_ = static_cast<size_t>(status.st_size);
    void *mapped = mmap(nullptr, memory_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
    if (mapped == MAP_FAILED)
        give_up("can't map " + memory);
    memory_ = static_cast<std::byte *>(mapped);
}

Machine::~Machine() { munmap(memory_, memory_bytes_); }

// ---- harts

void Machine::stop() {
    flush();
    must(stub_->halt());
}

void Machine::go_on() {
    flush();
    if (runs_)
        must(stub_->resume());
}

void Machine::halt(size_t hart) {
    runs_ = false;
    stop();
    halted_[hart] = true;
}

void Machine::resume(size_t hart) {
    halted_[hart] = false;
    runs_ = std::ranges::find(halted_, true) == halted_.end();
    go_on();
}

// QEMU's reset unlocks as many PMP entries as are in use, which need not be those that are locked.
void Machine::reset(const std::vector<bool> &halted) {
    constexpr uint64_t all_in_use = 0x1818181818181818; // NAPOT, no rights
    stop();
    for (const char *name : {"pmpcfg0", "pmpcfg1"})
        if (const auto number = stub_->register_number(name))
            for (const auto &thread : stub_->threads())
                must(stub_->write_register(thread, *number, all_in_use));
    must(stub_->monitor("system_reset"));
    halted_ = halted;
    runs_ = std::ranges::find(halted_, true) == halted_.end();
    go_on();
}

// ---- registers

bool Machine::access(size_t hart, unsigned number, uint64_t &value, bool writes) {
    flush();
    const auto &thread = stub_->threads()[hart];
    if (writes) {
        const auto done = stub_->write_register(thread, number, value);
        if (!done && done.error().status == RVL_DEAD)
            give_up(done.error().message);
        return done.has_value();
    }
    const auto got = stub_->read_register(thread, number);
    if (!got && got.error().status == RVL_DEAD)
        give_up(got.error().message);
    value = got.value_or(0);
    return got.has_value();
}

bool Machine::gpr(size_t hart, unsigned number, uint64_t &value, bool writes) {
    return access(hart, number, value, writes);
}
bool Machine::fpr(size_t hart, unsigned number, uint64_t &value, bool writes) {
    return access(hart, first_fpr + number, value, writes);
}
bool Machine::csr(size_t hart, unsigned number, uint64_t &value, bool writes) {
    return first_csr_ != 0 && access(hart, first_csr_ + number, value, writes);
}

uint32_t Machine::mode(size_t hart) {
    uint64_t value = 3; // M
    if (const auto number = stub_->register_number("priv"))
        access(hart, *number, value, false);
    return static_cast<uint32_t>(value);
}

// ---- memory

bool Machine::is_memory(uint64_t address, size_t bytes) const {
    return address >= base_ && address - base_ <= memory_bytes_ - bytes;
}

bool Machine::read(uint64_t address, std::span<std::byte> to) {
    flush();
    if (is_memory(address, to.size())) {
        std::memcpy(to.data(), memory_ + (address - base_), to.size());
        return true;
    }
    stop();
    const bool there = stub_->read(address, to).has_value();
    go_on();
    return there;
}

// While the harts are halted, QEMU has to know what is written, because it may be code. Consecutive
// words are passed to it in one piece.
bool Machine::write(uint64_t address, std::span<const std::byte> from) {
    const bool memory = is_memory(address, from.size());
    if (memory && runs_) {
        std::memcpy(memory_ + (address - base_), from.data(), from.size());
        return true;
    }
    if (!memory) {
        stop();
        const bool there = stub_->write(address, from).has_value();
        go_on();
        return there;
    }
    if (put_off_at_ + put_off_.size() != address || put_off_.size() >= most_put_off)
        flush();
    if (put_off_.empty())
        put_off_at_ = address;
    put_off_.insert(put_off_.end(), from.begin(), from.end());
    return true;
}

void Machine::flush() {
    if (put_off_.empty())
        return;
    const auto written = std::exchange(put_off_, {});
    must(stub_->write(put_off_at_, written));
}

} // namespace rivulet::debug_module
