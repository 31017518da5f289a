// SPDX-License-Identifier: Apache-2.0
//
// Samples a device repeatedly, and keeps the state needed to report changes.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "hal/protocol/crash.h"
#include "hal/protocol/fault.h"
#include "hal/protocol/mailbox.h"
#include "tools/rivulet/watch/memory.h"

namespace rivulet::tools {

struct RingFill {
    uint32_t used = 0;
    uint32_t slots = 0;
};

struct HartSample {
    rvl_hart_statistics statistics{};
    uint32_t wake_count = 0;
    double idle_s = 0;      // up to now, including a wait in progress
    double busy_share = -1; // since the last sample; below 0: not known yet
    double since_s = -1;    // duration of its current activity; below 0: unknown
};

struct Sample {
    rvl_hello hello{};
    uint32_t state = 0;
    RingFill commands, completions, log;
    uint32_t log_lost = 0;
    rvl_heartbeat heartbeat{};
    double heartbeat_age_s = -1; // since the last observed change
    std::vector<HartSample> harts;
    std::vector<rvl_fault> faults;      // oldest first
    rvl_crash crash{};                  // magic 0: none; in any state
    std::vector<std::string> log_lines; // since the last sample; in the first one, all that are
                                        // still available
    Conditions conditions;
    bool began_anew = false; // the firmware has been restarted since the last check
};

class Watcher {
public:
    explicit Watcher(std::unique_ptr<WatchedMemory> memory) : memory_(std::move(memory)) {}

    /// Fails if there is no mailbox (yet), or the device is gone.
    Result<Sample> look();
    [[nodiscard]] WatchedMemory &memory() const { return *memory_; }
    [[nodiscard]] uint64_t mailbox() const { return mailbox_; }

private:
    using Clock = std::chrono::steady_clock;

    Result<> find_mailbox();
    Result<> take_harts(Sample &sample);
    Result<> take_faults(Sample &sample);
    Result<> take_log(Sample &sample, uint32_t tail);
    void take_crash(Sample &sample);
    void relate_clocks(const Sample &sample);
    [[nodiscard]] double device_now(const Sample &sample) const;

    std::unique_ptr<WatchedMemory> memory_;
    uint64_t mailbox_ = 0;
    Clock::time_point now_;
    Clock::time_point last_look_; // 0: none
    Clock::time_point heartbeat_changed_;
    uint32_t heartbeat_count_ = 0;
    bool looked_ = false;
    double clock_offset_s_ = 0; // lower bound of device time minus host time
    std::vector<double> last_idle_s_;
    uint32_t log_tail_ = 0;
    std::string log_part_; // of an incomplete line
    std::array<uint8_t, 20> build_id_{};
};

/// "running", "crashed", …: the names used by Linux remoteproc.
std::string state_text(uint32_t state);
std::string fault_text(const rvl_fault &fault);
/// All but the log.
nlohmann::ordered_json described(Watcher &watcher, const Sample &sample);

} // namespace rivulet::tools
