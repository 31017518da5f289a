// SPDX-License-Identifier: Apache-2.0
//
// The frame of rivulet-flash and rivulet-sign: command line, messages, exit status.
#pragma once

#include <exception>

#include <CLI/CLI.hpp>

#include "hal/core/error.h"
#include "tools/command_line/documents.h"

namespace rivulet::flash {

/// Parses the command line with `app`, asks `check` (which throws CLI::ValidationError) and does
/// `work`. Returns the exit status: 2 for a command line that makes no sense, 1 for what failed.
template <class Check, class Work>
int run_program(CLI::App &app, int argc, char **argv, Check check, Work work) try {
    if (const auto status = command_line::answer(app, RIVULET_VERSION, argc, argv))
        return *status;
    try {
        app.parse(argc, argv);
        check();
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    if (const hal::Result<> done = work(); !done) {
        std::fprintf(stderr, "rivulet: %s\n", done.error().message.c_str());
        return 1;
    }
    return 0;
} catch (const std::exception &error) {
    std::fprintf(stderr, "rivulet: %s\n", error.what());
    return 1;
}

} // namespace rivulet::flash
