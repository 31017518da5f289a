// SPDX-License-Identifier: Apache-2.0
//
// The report that the firmware left behind when it failed itself, as text for the log.
#include <algorithm>
#include <array>
#include <cstring>

#include "hal/core/mailbox_device.h"
#include "hal/protocol/crash.h"

namespace rivulet::hal {
namespace {

constexpr std::array register_names = {"zero", "ra", "sp",  "gp",  "tp", "t0", "t1", "t2",
                                       "s0",   "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
                                       "a6",   "a7", "s2",  "s3",  "s4", "s5", "s6", "s7",
                                       "s8",   "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

std::string registers_of(const rvl_crash &crash) {
    std::string lines;
    for (size_t i = 1; i < register_names.size(); ++i)
        lines += text({(i - 1) % 6 == 0 ? "\n  " : " ", register_names[i], "=", hex(crash.x[i])});
    return lines;
}

std::string words_of(std::string_view title, std::span<const uint64_t> words) {
    if (words.empty())
        return "";
    std::string line = text({"\n  ", title});
    for (const uint64_t word : words)
        line += text({" ", hex(word)});
    return line;
}

} // namespace

/// Logs the report once and returns the reason.
std::string MailboxDevice::report_crash() {
    crashed_.store(true);
    static_cast<void>(log_ring_ != 0 ? log_.drain() : Result<>{});
    rvl_crash crash{};
    if (hello_.crash == 0 || !memory_.contains(hello_.crash, sizeof crash) ||
        !memory_.read(hello_.crash, &crash, sizeof crash) || crash.magic != RVL_CRASH_MAGIC)
        return "the firmware failed; its last lines in the log say why";
    crash.reason[sizeof crash.reason - 1] = crash.log[sizeof crash.log - 1] = 0;
    const std::span stack(crash.stack);
    const std::span callers =
        std::span(crash.caller).first(std::min<size_t>(crash.callers, std::size(crash.caller)));
    std::string log = text({"\n  ", crash.log});
    for (size_t at = 0; (at = log.find('\n', at + 1)) != std::string::npos && at + 1 < log.size();)
        log.replace(at, 1, "\n  ");
    while (log.ends_with('\n') || log.ends_with(' '))
        log.pop_back();
    host_->log(0, text({"the firmware failed on hart ", crash.hart, " (mhartid ", crash.hart_id,
                        "): ", crash.reason, "\n  pc=", hex(crash.pc), " mcause=", hex(crash.cause),
                        " mtval=", hex(crash.value), " mstatus=", hex(crash.status),
                        registers_of(crash), words_of("callers (probably):", callers),
                        words_of("stack:", stack), "\n  its last lines:", log}));
    return text({"the firmware failed: ", crash.reason});
}

} // namespace rivulet::hal
