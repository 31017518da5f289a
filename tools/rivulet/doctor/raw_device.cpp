// SPDX-License-Identifier: Apache-2.0
#include "tools/rivulet/doctor/raw_device.h"

#include <cstring>
#include <mutex>

#include "base/parse.h"
#include "hal/core/drivers.h"

namespace rivulet::tools {

using namespace hal;

namespace {
std::mutex words_mutex; // drivers log on their own threads
constexpr size_t most_words = 100;
} // namespace

Result<std::unique_ptr<RawDevice>> RawDevice::open(Config config) {
    const auto driver = find_driver(config);
    if (!driver)
        return std::unexpected(driver.error());
    const auto table = usable_table(**driver);
    if (!table)
        return std::unexpected(table.error());
    if (auto normal = normalise(config); !normal)
        return std::unexpected(normal.error());
    const DriverConfig settings(config);

    std::unique_ptr<RawDevice> raw(new RawDevice);
    raw->driver_ = *table;
    raw->callbacks_ =
        std::make_unique<DriverCallbacks>([&words = raw->words_](int, std::string_view line) {
            const std::scoped_lock lock(words_mutex);
            if (words.size() < most_words)
                words.emplace_back(line);
        });
    raw->callbacks_->clear_error();
    const auto devices = find_devices(*table, settings.get(), *raw->callbacks_);
    if (!devices)
        return std::unexpected(devices.error());
    const uint64_t number = parse_number(config.get("device", "0")).value_or(0);
    if (number >= devices->size())
        return fail(RVL_NOT_FOUND, {"driver ", table->name, " finds no device"});
    raw->description_ = (*devices)[number];
    raw->callbacks_->clear_error();
    if (const auto status = table->open(&settings.get(), &raw->description_,
                                        raw->callbacks_->c_interface(), &raw->device_);
        status != RVL_OK)
        return std::unexpected(
            raw->callbacks_->to_error(status, text({"opening ", raw->description_.name})));
    table->describe(raw->device_, &raw->description_);
    return raw;
}

RawDevice::~RawDevice() {
    if (device_ != nullptr)
        driver_.close(device_);
}

Result<> RawDevice::answer(rvl_status status, const char *what) {
    if (callbacks_->dead())
        return std::unexpected(callbacks_->death());
    if (status == RVL_OK)
        return {};
    return std::unexpected(callbacks_->to_error(status, what));
}

Result<std::byte *> RawDevice::map(uint64_t address, size_t bytes) {
    const uint64_t base = description_.memory_base, size = description_.memory_bytes;
    const uint64_t offset = address - base;
    if (offset > size || bytes > size - offset)
        return fail(RVL_INVALID, {hex(address), " is not in the device's memory, ",
                                  bytes_text(size), " from ", hex(base)});
    rvl_status status = RVL_OK;
    if (memory_ == nullptr)
        status = driver_.map(device_, base, size, &memory_);
    if (auto done = answer(status, "mapping memory"); !done)
        return std::unexpected(done.error());
    return static_cast<std::byte *>(memory_) + offset;
}

void RawDevice::sync(uint64_t address, size_t bytes, rvl_sync_direction direction) {
    if (!has(RVL_DEVICE_COHERENT) && driver_.sync != nullptr)
        driver_.sync(device_, address, bytes, direction);
}

Result<> RawDevice::read(uint64_t address, void *to, size_t bytes) {
    callbacks_->clear_error();
    if (has(RVL_DEVICE_MAPS)) {
        const auto mapped = map(address, bytes);
        if (!mapped)
            return std::unexpected(mapped.error());
        sync(address, bytes, RVL_SYNC_FROM_DEVICE);
        std::memcpy(to, *mapped, bytes);
        return {};
    }
    return answer(driver_.read(device_, address, to, bytes), "reading memory");
}

Result<> RawDevice::write(uint64_t address, const void *from, size_t bytes) {
    callbacks_->clear_error();
    if (has(RVL_DEVICE_MAPS)) {
        const auto mapped = map(address, bytes);
        if (!mapped)
            return std::unexpected(mapped.error());
        std::memcpy(*mapped, from, bytes);
        sync(address, bytes, RVL_SYNC_TO_DEVICE);
        return {};
    }
    return answer(driver_.write(device_, address, from, bytes), "writing memory");
}

Result<> RawDevice::load(const std::vector<std::byte> &elf) {
    callbacks_->clear_error();
    return answer(driver_.load(device_, elf.data(), elf.size()), "loading the firmware");
}

Result<> RawDevice::start() {
    callbacks_->clear_error();
    return answer(driver_.start(device_), "starting the harts");
}

Result<> RawDevice::ring() {
    callbacks_->clear_error();
    return answer(driver_.ring(device_, 1), "ringing the device's doorbell");
}

Result<bool> RawDevice::wait(uint64_t timeout_ns) {
    callbacks_->clear_error();
    const auto status = driver_.wait(device_, timeout_ns);
    if (status == RVL_TIMEOUT && !callbacks_->dead())
        return false;
    if (auto done = answer(status, "waiting for the device's doorbell"); !done)
        return std::unexpected(done.error());
    return true;
}

std::string RawDevice::last_words() const {
    constexpr size_t shown = 5;
    const std::scoped_lock lock(words_mutex);
    std::string words;
    for (size_t i = words_.size() > shown ? words_.size() - shown : 0; i < words_.size(); ++i)
        words += text({"\n    ", words_[i]});
    return words;
}

} // namespace rivulet::tools
