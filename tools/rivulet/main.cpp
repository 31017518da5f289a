// SPDX-License-Identifier: Apache-2.0
//
// rivulet: information about devices and operations on them, without writing an OpenCL program.
#include <cstdio>
#include <exception>
#include <string_view>

#include "base/build_version.h"
#include "tools/command_line/documents.h"
#include "tools/command_line/program.h"
#include "tools/rivulet/commands.h"

namespace {

constexpr const char *footer =
    "RIVULET_MACHINE picks the machine (rv64-v512,harts=4,memory=1G), RIVULET_DRIVER the driver;\n"
    "`rivulet info --environment` prints all variables.";

int run(int argc, char **argv) try {
    // CLI11 would interpret a "--" among the arguments.
    if (argc > 1)
        for (const auto run : {rivulet::tools::run_program, rivulet::tools::run_script})
            if (const auto status = run(argv[1], {argv + 2, argv + argc}))
                return *status;
    CLI::App app("Devices of the Rivulet OpenCL runtime", "rivulet");
    app.require_subcommand(1);
    app.footer(footer);
    app.set_version_flag("--version", std::string("rivulet ") + rivulet::build_version());
    rivulet::tools::Action action;
    rivulet::tools::add_info(app, action);
    rivulet::tools::add_machines(app, action);
    rivulet::tools::add_card(app, action);
    rivulet::tools::add_monitor(app, action);
    rivulet::tools::add_dump(app, action);
    rivulet::tools::add_debug(app, action);
    rivulet::tools::add_scripts(app);
    rivulet::tools::add_programs(app);
    rivulet::tools::add_trace(app, action);
    rivulet::tools::add_doctor(app, action);
    rivulet::tools::add_version(app, action);
    for (CLI::App *subcommand : app.get_subcommands({}))
        subcommand->set_version_flag("--version",
                                     std::string("rivulet ") + rivulet::build_version());
    if (const std::string_view word = argc > 1 ? argv[1] : "";
        word.starts_with("--print-") || word == "--write-documents") {
        auto description = rivulet::command_line::describe(app);
        description.version = RIVULET_VERSION;
        rivulet::tools::describe_programs(description);
        if (const auto status = rivulet::command_line::answer(description, argc, argv))
            return *status;
    }
    // CLI11 would only say that a subcommand is missing.
    if (argc > 1 && argv[1][0] != '-' &&
        app.get_subcommands([&](CLI::App *known) { return known->get_name() == argv[1]; })
            .empty()) {
        std::fprintf(stderr, "rivulet: there is no subcommand %s; rivulet --help lists them\n",
                     argv[1]);
        return 2;
    }
    if (const auto status = rivulet::command_line::parse(app, argc, argv))
        return *status;
    return action();
} catch (const std::exception &error) {
    std::fprintf(stderr, "rivulet: %s\n", error.what());
    return 1;
}

} // namespace

int main(int argc, char **argv) {
    return rivulet::command_line::finish("rivulet", run(argc, argv));
}
