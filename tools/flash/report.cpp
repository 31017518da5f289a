// SPDX-License-Identifier: Apache-2.0
#include "tools/flash/report.h"

#include <cstdio>
#include <utility>

#include "tools/command_line/program.h"

namespace rivulet::flash {
namespace {

bool as_json = false;
Json object = Json::object();

void print(const std::string &line) {
    std::printf("%s\n", line.c_str());
    std::fflush(stdout); // the next step may take long
}

} // namespace

void report_as_json() { as_json = true; }

void tell(const char *name, const std::string &text, Json value) {
    constexpr size_t column = 11;
    if (as_json) {
        object[name] = std::move(value);
        return;
    }
    std::string line = name;
    line.resize(column, ' ');
    print(line + text);
}

void tell(const char *name, const std::string &text) { tell(name, text, text); }

void tell_more(const char *list, const std::string &line, Json element) {
    if (as_json)
        object[list].push_back(std::move(element));
    else
        print(line);
}

void end_report(const std::string &error) {
    if (!error.empty())
        std::fprintf(stderr, "rivulet: %s\n", error.c_str());
    if (!as_json)
        return;
    if (!error.empty())
        object["error"] = error;
    print(command_line::to_text(object));
}

} // namespace rivulet::flash
