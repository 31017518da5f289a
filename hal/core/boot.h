// SPDX-License-Identifier: Apache-2.0
//
// Starting firmware: loads it, writes the boot block, then waits for its hello and checks it.
#pragma once

#include <string>

#include "hal/core/crash_report.h"
#include "hal/core/link.h"
#include "hal/core/log_reader.h"

namespace rivulet::hal {

class Boot {
public:
    Boot(Link &link, LogReader &log, CrashReport &crash, uint32_t heartbeat_ms)
        : link_(link), log_(log), crash_(crash), heartbeat_ms_(heartbeat_ms) {}

    Result<> load_firmware();
    /// Of a work-group, as far as driver, settings and the firmware's file tell it.
    [[nodiscard]] uint64_t promised_local_memory() const;
    Result<> write_boot_block(uint32_t session);
    Result<> await_hello();

    // For firmware that runs already, too.
    Result<> read_hello();
    [[nodiscard]] rvl_boot boot_block(uint32_t session) const;
    /// Reads and checks the hello of firmware that is in this state.
    Result<> take_hello(rvl_state state);
    [[nodiscard]] Result<> check_hello() const;
    [[nodiscard]] uint64_t limit_of_start(uint64_t limit_ns) const;
    void open_log();
    /// The last log line of firmware that gave up.
    std::string last_words();
    /// Forwards the log of firmware that did not boot; it says more than the error does.
    void save_last_words();

private:
    [[nodiscard]] bool has_built_in_firmware() const;
    [[nodiscard]] std::string path_of_firmware() const;
    Result<> use_built_in_firmware();
    [[nodiscard]] bool wants_clear_memory() const;
    void look_whether_cleared() const;
    void look_for_report();

    Link &link_;
    LogReader &log_;
    CrashReport &crash_;
    const uint32_t heartbeat_ms_;
};

} // namespace rivulet::hal
