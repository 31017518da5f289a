// SPDX-License-Identifier: Apache-2.0
//
// The frame of rivulet-flash and rivulet-sign: command line, messages, exit status.
#pragma once

#include <exception>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "hal/protocol/boot_slot.h"
#include "tools/command_line/documents.h"
#include "tools/command_line/program.h"
#include "tools/flash/report.h"
#include "tools/flash/signing.h"

namespace rivulet::flash {

/// The maximum accepted from users: larger numbers are negative to other tools, and all ones is
/// erased flash.
constexpr uint64_t largest_sequence = INT64_MAX;

inline void add_numbers(CLI::App &app, WantedNumbers &numbers) {
    app.add_option("--sequence", numbers.sequence,
                   "number that the signature says the firmware has, of two the newer starts; the "
                   "time, or what follows on the chip's")
        ->check(CLI::Range(uint64_t{1}, largest_sequence));
    app.add_option(
           "--security-version", numbers.security_version,
           "boards on which it has come up start none that is lower; what the firmware says")
        ->check(CLI::Range(0u, RVL_SECURITY_VERSIONS));
}

/// Parses the command line with `app`, calls `check` (which throws CLI::ValidationError) and then
/// `work`. Returns the exit status: 2 for an invalid command line, 1 for a failure.
template <class Check, class Work>
int run_program(CLI::App &app, int argc, char **argv, Check check, Work work) try {
    bool json = false;
    app.add_flag("--json", json, "print JSON: one object, with \"error\" where something failed");
    if (const auto status = command_line::answer(app, RIVULET_VERSION, argc, argv))
        return *status;
    if (const auto status = command_line::parse(app, argc, argv, check))
        return *status;
    if (json)
        report_as_json();
    const Result<> done = work();
    end_report(done ? "" : done.error().message);
    return done ? 0 : 1;
} catch (const std::exception &error) {
    end_report(error.what());
    return 1;
}

} // namespace rivulet::flash
