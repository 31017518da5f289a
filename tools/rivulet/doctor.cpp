// SPDX-License-Identifier: Apache-2.0
//
// rivulet doctor: reports what is missing on this machine, with the command that fixes it.
#include "tools/rivulet/doctor.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <span>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/environment.h"
#include "tools/command_line/program.h"
#include "tools/rivulet/commands.h"

namespace rivulet::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char *words[] = {"ok", "note", "bad"};

/// Colours only on terminals, and not if the user has disabled them (no-color.org).
bool in_colour() {
    const char *never = foreign_environment("NO_COLOR");
    const char *terminal = foreign_environment("TERM");
    return isatty(STDOUT_FILENO) != 0 && (never == nullptr || *never == 0) &&
           (terminal == nullptr || std::string_view(terminal) != "dumb");
}

void print(std::span<const Finding> findings) {
    constexpr const char *colours[] = {"\033[32m", "\033[33m", "\033[1;31m"};
    const bool colour = in_colour();
    for (const Finding &finding : findings) {
        std::printf("%s%-5s%s%-12s%s\n", colour ? colours[finding.state] : "", words[finding.state],
                    colour ? "\033[0m" : "", finding.name.c_str(), finding.text.c_str());
        if (!finding.mend.empty())
            std::printf("%17s%s\n", "", finding.mend.c_str());
    }
    std::fflush(stdout); // the next check may take long
}

int doctor(bool json) {
    Findings findings;
    for (const auto check : {check_emulator, check_data, check_compiler, check_vendors, check_cache,
                             check_limits, check_environment, check_device}) {
        const size_t before = findings.size();
        check(findings);
        if (!json)
            print(std::span(findings).subspan(before));
    }
    if (json) {
        Json all = Json::array();
        for (const Finding &finding : findings)
            all.push_back({{"check", finding.name},
                           {"state", words[finding.state]},
                           {"text", finding.text},
                           {"mend", finding.mend}});
        command_line::print(all);
    }
    return std::ranges::any_of(findings, [](const Finding &f) { return f.state == Finding::bad; });
}

} // namespace

void add_doctor(CLI::App &app, Action &action) {
    auto *command = app.add_subcommand(
        "doctor", "Finds what is missing on this machine, and the command that fixes it");
    const auto json = std::make_shared<bool>(false);
    const auto board = std::make_shared<std::string>();
    const auto quick = std::make_shared<bool>(false);
    const auto seconds = std::make_shared<unsigned>(30);
    command->add_flag("--json", *json, "print JSON");
    command->footer(
        "Checks QEMU, firmware, compiler, OpenCL platform files, the cache, process limits "
        "and\nenvironment variables, and starts the device. Fails if a check is bad; "
        "notes concern\noptional parts.");
    command->add_option(
        "--board", *board,
        "run the steps of share/doc/rivulet/docs/porting.md on this board until one "
        "fails");
    command->add_flag("--quick", *quick, "with --board: skip the HAL suite")->needs("--board");
    command->add_option("--seconds", *seconds, "with --board: time to wait for each sign of life")
        ->check(CLI::Range(1u, 3600u))
        ->capture_default_str();
    command->callback([&action, json, board, quick, seconds] {
        action = [json, board, quick, seconds] {
            return board->empty() ? doctor(*json) : doctor_board(*board, *quick, *seconds, *json);
        };
    });
}

} // namespace rivulet::tools
