// SPDX-License-Identifier: Apache-2.0
#include "tools/command_line/program.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace rivulet::command_line {

std::optional<int> parse(CLI::App &app, int argc, char **argv, const std::function<void()> &check) {
    try {
        app.parse(argc, argv);
        if (check)
            check();
    } catch (const CLI::ParseError &error) { // one class per kind of mistake, and for --help
        return app.exit(error) == 0 ? 0 : 2;
    }
    return std::nullopt;
}

std::string to_text(const nlohmann::ordered_json &document, int indent) {
    return document.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

void print(const nlohmann::ordered_json &document) {
    std::printf("%s\n", to_text(document).c_str());
}

int finish(const char *program, int status) {
    errno = 0; // stays 0 if an earlier write failed
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0)
        return status;
    std::fprintf(stderr, "%s: standard output can't be written%s%s\n", program,
                 errno != 0 ? ": " : "", errno != 0 ? std::strerror(errno) : "");
    return status != 0 ? status : 1;
}

} // namespace rivulet::command_line
