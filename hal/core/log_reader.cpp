// SPDX-License-Identifier: Apache-2.0
#include "hal/core/log_reader.h"

#include <array>

#include "base/printable.h"

namespace rivulet::hal {
namespace {
// Longer lines are truncated, because the device may write anything.
constexpr size_t longest_line = 4096;
} // namespace

LogReader::LogReader(Memory &memory, DriverCallbacks &callbacks, const RingLayout &layout,
                     uint64_t lost_word)
    : memory_(&memory), callbacks_(&callbacks), address_(layout.elements), ring_(memory, layout),
      lost_word_(lost_word) {}

void LogReader::line(std::string_view text) {
    callbacks_->log(2, rivulet::text({"firmware: ", text}));
}

Result<> LogReader::forget_losses() {
    const auto lost = memory_->load(lost_word_);
    if (!lost)
        return std::unexpected(lost.error());
    lost_ = *lost;
    return {};
}

Result<> LogReader::skip() {
    const auto skipped = ring_.skip();
    return skipped ? forget_losses() : skipped;
}

Result<> LogReader::take_over() {
    const auto taken = ring_.take_over();
    return taken ? forget_losses() : taken;
}

Result<> LogReader::drain() {
    std::array<std::byte, 512> buffer;
    bool any = false;
    for (;;) {
        const auto count = ring_.pop(buffer);
        if (!count)
            return std::unexpected(count.error());
        if (*count == 0)
            break;
        any = true;
        for (const std::byte byte : std::span(buffer).first(*count)) {
            const char c = static_cast<char>(byte);
            const bool ends = c == '\n' || c == 0;
            if (!ends)
                partial_.push_back(is_control(c) && c != '\t' ? '?' : c);
            if (!ends && partial_.size() < longest_line)
                continue;
            if (!partial_.empty())
                line(partial_);
            partial_.clear();
        }
    }
    if (!any) // lost lines are reported with the next complete one
        return {};
    const auto lost = memory_->load(lost_word_);
    if (!lost)
        return std::unexpected(lost.error());
    if (*lost != lost_)
        callbacks_->log(1, text({*lost - lost_, " bytes of the firmware's log were lost"}));
    lost_ = *lost;
    return {};
}

} // namespace rivulet::hal
