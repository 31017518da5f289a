// SPDX-License-Identifier: Apache-2.0
//
// A device started in order to be watched.
#include <cstdio>

#include "hal/core/config.h"
#include "tools/rivulet/watch/memory.h"

namespace rivulet::tools {
namespace {

using namespace hal;

void log_line(int level, std::string_view text) {
    if (level <= 1)
        std::fprintf(stderr, "rivulet: %.*s\n", static_cast<int>(text.size()), text.data());
}

class OwnDevice final : public WatchedMemory {
public:
    OwnDevice(std::unique_ptr<Device> device, uint64_t mailbox)
        : device_(std::move(device)), mailbox_(mailbox) {}
    ~OwnDevice() override { device_->stop(); }

    Result<> read(uint64_t address, std::span<std::byte> to) override {
        return device_->read(address, to);
    }
    [[nodiscard]] uint64_t base() const override { return device_->description().memory_base; }
    [[nodiscard]] uint64_t bytes() const override { return device_->description().memory_bytes; }
    [[nodiscard]] std::string title() const override {
        return text({device_->description().name, ", started to be watched"});
    }
    [[nodiscard]] std::optional<uint64_t> mailbox() const override { return mailbox_; }
    [[nodiscard]] bool is_there() override { return device_->alive(); }
    Conditions conditions() override { return conditions_of(*device_); }
    // Waiting for completions also answers pings and checks for signs of life.
    void pass_time(std::chrono::milliseconds time) override {
        if (!device_->completions(time))
            WatchedMemory::pass_time(time);
    }

private:
    std::unique_ptr<Device> device_;
    uint64_t mailbox_;
};

} // namespace

Result<std::unique_ptr<WatchedMemory>> start_own(const Config &config) {
    auto device = Device::open(config, log_line);
    if (!device)
        return std::unexpected(device.error());
    if (auto started = (*device)->start(); !started)
        return std::unexpected(started.error());
    const rvl_device_desc &description = (*device)->description();
    Result<uint64_t> mailbox = description.mailbox;
    if (*mailbox == 0)
        mailbox = mailbox_of_firmware(config, description.board, description.xlen);
    if (!mailbox)
        return std::unexpected(mailbox.error());
    return std::make_unique<OwnDevice>(std::move(*device), *mailbox);
}

} // namespace rivulet::tools
