// SPDX-License-Identifier: Apache-2.0
#include "hal/drivers/linux/firmware.h"

#include <chrono>
#include <thread>

#include "base/read_file.h"
#include "hal/core/firmware_file.h"
#include "hal/drivers/qemu/ivshmem.h"

namespace rivulet::hal::window {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto patience = std::chrono::seconds(30);
constexpr auto settling = std::chrono::milliseconds(10); // after a reset that reports no completion
constexpr uint64_t look_ns = 10'000'000;

} // namespace

Result<Firmware> Firmware::create(const Settings &settings, Source &source) {
    Firmware firmware;
    if (settings.get("firmware.running") == "true")
        firmware.kind_ = Kind::running;
    if (const auto name = settings.get("firmware.remoteproc"); !name.empty()) {
        if (firmware.kind_ == Kind::running)
            return fail(RVL_INVALID,
                        "\"firmware.running\" and \"firmware.remoteproc\" exclude "
                        "each other: firmware started by remoteproc is not running yet");
        firmware.kind_ = Kind::remoteproc;
        firmware.remoteproc_ = sysfs_path(settings, {"/class/remoteproc/", name});
        firmware.name_ = settings.get("firmware.name");
        if (const auto state = read_line(firmware.remoteproc_ + "/state"); !state)
            return std::unexpected(state.error());
    }
    const char *file = settings.find("firmware");
    if (file == nullptr || *file == 0)
        file = settings.find("firmware.file");
    if (file != nullptr && *file != 0) {
        const auto content = read_file(file);
        if (!content)
            return std::unexpected(content.error());
        const auto parsed = parse_firmware(*content, file);
        if (!parsed)
            return std::unexpected(parsed.error());
        firmware.note_ = parsed->note;
    }
    auto reset = Line::find(settings, "reset", source, ivshmem::reset_line);
    if (!reset)
        return std::unexpected(reset.error());
    auto start = Line::find(settings, "start", source, ivshmem::release_line);
    if (!start)
        return std::unexpected(start.error());
    firmware.reset_ = std::move(*reset);
    firmware.start_ = std::move(*start);
    firmware.answers_ = source.event(ivshmem::reset_line) != nullptr;
    if (firmware.kind_ == Kind::copied && !firmware.start_)
        return fail(RVL_INVALID, "firmware that is copied needs a register that lets the harts "
                                 "run: start = { bar = 0, offset = 16, value = 1 }; else set "
                                 "firmware.remoteproc or firmware.running");
    return firmware;
}

Result<> Firmware::load(const Window &window, std::span<const std::byte> elf) const {
    const auto parsed = parse_firmware(elf, "the firmware");
    if (!parsed)
        return std::unexpected(parsed.error());
    for (const auto &segment : parsed->segments) {
        if (!window.contains(segment.address, segment.bytes))
            return fail(RVL_INVALID, {"the firmware's segment of ", bytes_text(segment.bytes),
                                      " at ", hex(segment.address), " is outside the window, ",
                                      bytes_text(window.memory.bytes()), " from ", hex(window.base),
                                      "; \"base\" is the window's address as seen by the device"});
        copy_in(window.at(segment.address), segment.contents.data(), segment.contents.size());
        clear(window.at(segment.address) + segment.contents.size(),
              segment.bytes - segment.contents.size());
    }
    return {};
}

Result<> Firmware::set_state(const char *state) const {
    return write_line(remoteproc_ + "/state", state);
}

Result<> Firmware::start(const Window &window, uint64_t mailbox) const {
    if (kind_ == Kind::running)
        return {};
    if (kind_ == Kind::copied) {
        start_->signal();
        return {};
    }
    // The kernel may clear the mailbox along with the rest of the firmware's memory, so the boot
    // block is written afterwards; the firmware waits for it.
    rvl_boot boot{};
    auto *const boot_block = window.at(mailbox) + offsetof(rvl_mailbox, boot);
    copy_out(&boot, boot_block, sizeof boot);
    if (!name_.empty())
        if (auto named = write_line(remoteproc_ + "/firmware", name_); !named)
            return named;
    if (auto started = set_state("start"); !started)
        return started;
    copy_in(boot_block, &boot, sizeof boot);
    return {};
}

Result<> Firmware::pull_reset(const Doorbell &doorbell) const {
    doorbell.consume();
    reset_->signal();
    if (!answers_) {
        std::this_thread::sleep_for(settling);
        return {};
    }
    for (const auto deadline = Clock::now() + patience; Clock::now() < deadline;) {
        if (doorbell.consume() >= ivshmem::reset_done)
            return {};
        std::this_thread::sleep_for(std::chrono::nanoseconds(look_ns));
    }
    return fail(RVL_DEAD, "the card does not answer its reset line; is rivulet card stopped?");
}

Result<> Firmware::reset(const Window &window, const Doorbell &doorbell, uint64_t mailbox) const {
    if (kind_ == Kind::remoteproc) {
        const auto state = read_line(remoteproc_ + "/state");
        if (!state)
            return std::unexpected(state.error());
        return *state == "offline" ? Result<>{} : set_state("stop");
    }
    if (!reset_)
        return fail(RVL_UNSUPPORTED, "the device has no reset: name a register that stops its "
                                     "harts, reset = { bar = 0, offset = 16, value = 0 }");
    if (kind_ == Kind::copied)
        return pull_reset(doorbell);
    // Removes the old hello, so that any later one is the new firmware's.
    const uint32_t none = 0;
    copy_in(window.at(mailbox), &none, sizeof none);
    reset_->signal();
    for (const auto deadline = Clock::now() + patience; Clock::now() < deadline;) {
        uint32_t magic = 0;
        copy_out(&magic, window.at(mailbox), sizeof magic);
        if (magic == RVL_MAILBOX_MAGIC)
            return {};
        std::this_thread::sleep_for(std::chrono::nanoseconds(look_ns));
    }
    return fail(RVL_DEAD, "the firmware did not boot after the reset; check the device's console");
}

} // namespace rivulet::hal::window
