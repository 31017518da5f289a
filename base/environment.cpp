// SPDX-License-Identifier: Apache-2.0
#include "base/environment.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <sys/auxv.h>
#include <unistd.h>

#include "base/c_locale.h"
#include "base/parse.h"
#include "base/printable.h"

namespace rivulet {
namespace {

enum class Kind : unsigned char { text, path, number, decimal, choice };

struct Row {
    const char *name;
    Kind kind;
    std::string_view permitted;
    const char *otherwise;
};

constexpr Row rows[] = {
#define RIVULET_VARIABLE(id, name, kind, permitted, otherwise, meaning)                            \
    {name, Kind::kind, permitted, otherwise},
#include "base/environment.def"
};

const Row &row_of(Variable variable) { return rows[static_cast<size_t>(variable)]; }

std::optional<double> parse_decimal(const char *text) {
    const CLocale c_locale;
    char *end = nullptr;
    const double value = std::strtod(text, &end);
    return end != text && *end == 0 ? std::optional(value) : std::nullopt;
}

/// Parses `text` as a number within the row's limits.
std::optional<double> number_in(const Row &row, const char *text) {
    const auto dots = row.permitted.find("..");
    const auto least = parse_number(row.permitted.substr(0, dots));
    const auto most = parse_number(row.permitted.substr(dots + 2));
    std::optional<double> value;
    if (row.kind == Kind::decimal)
        value = parse_decimal(text);
    else if (const auto whole = parse_number(text))
        value = static_cast<double>(*whole);
    const bool fits = value && least && most && *value >= static_cast<double>(*least) &&
                      *value <= static_cast<double>(*most); // false for NaN, too
    return fits ? value : std::nullopt;
}

std::optional<size_t> choice_in(const Row &row, std::string_view text) {
    size_t index = 0;
    for (std::string_view rest = row.permitted;; ++index) {
        const std::string_view word = rest.substr(0, rest.find('|'));
        if (word == text)
            return index;
        if (word.size() == rest.size())
            return std::nullopt;
        rest.remove_prefix(word.size() + 1);
    }
}

bool is_permitted(const Row &row, const char *text) {
    switch (row.kind) {
    case Kind::text:
    case Kind::path:
        return true;
    case Kind::number:
    case Kind::decimal:
        return number_in(row, text).has_value();
    case Kind::choice:
        return choice_in(row, text).has_value();
    }
    return true;
}

void complain_once(const Row &row, const char *text) {
    static std::array<std::atomic<bool>, std::size(rows)> told{};
    if (told[static_cast<size_t>(&row - rows)].exchange(true))
        return;
    const char *what = row.kind == Kind::number    ? "whole numbers"
                       : row.kind == Kind::decimal ? "numbers"
                                                   : "values";
    std::fprintf(stderr, "rivulet: error: %s=%s: permitted are %s %.*s; the default is used: %s\n",
                 row.name, text, what, static_cast<int>(row.permitted.size()), row.permitted.data(),
                 row.otherwise);
}

bool is_known(std::string_view name) {
    constexpr std::string_view of_tests[] = {
#define RIVULET_TEST_VARIABLE(name, meaning) name,
#include "base/environment.def"
    };
    return std::ranges::find(rows, name, &Row::name) != std::end(rows) ||
           std::ranges::find(of_tests, name) != std::end(of_tests);
}

} // namespace

void warn_of_unknown_variables() {
    if (getauxval(AT_SECURE) != 0)
        return;
    for (char **entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view variable = *entry;
        const auto name = variable.substr(0, variable.find('='));
        if (!name.starts_with("RIVULET_") || is_known(name))
            continue;
        const Row &nearest = *std::ranges::min_element(
            rows, {}, [name](const Row &row) { return edits(name, row.name); });
        const bool is_near = edits(name, nearest.name) <= 3;
        std::string text(name);
        make_printable(text);
        std::fprintf(stderr, "rivulet: warning: the environment's %s is not known%s%s%s\n",
                     text.c_str(), is_near ? " (did you mean " : "", is_near ? nearest.name : "",
                     is_near ? "?)" : "; `rivulet info --environment` lists all variables");
    }
}

const char *name_of(Variable variable) { return row_of(variable).name; }

const char *environment(Variable variable) {
    const Row &row = row_of(variable);
    const char *text = secure_getenv(row.name);
    if (text == nullptr || *text == 0)
        return nullptr;
    if (is_permitted(row, text))
        return text;
    complain_once(row, text);
    return nullptr;
}

std::optional<double> environment_number(Variable variable) {
    const Row &row = row_of(variable);
    const char *text = environment(variable);
    return number_in(row, text != nullptr ? text : row.otherwise);
}

size_t environment_choice(Variable variable) {
    const Row &row = row_of(variable);
    const char *text = environment(variable);
    return choice_in(row, text != nullptr ? text : row.otherwise).value_or(0);
}

const char *foreign_environment(const char *name) { return secure_getenv(name); }

} // namespace rivulet
