// SPDX-License-Identifier: Apache-2.0
#include "hal/isa/isa_string.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace rivulet::isa {
namespace {

using Names = std::vector<std::string>;

constexpr std::string_view known_names[] = {
#define RIVULET_ISA_EXTENSION(name) #name,
#include "hal/isa/extension_names.def"
#undef RIVULET_ISA_EXTENSION
};

// Ratified, reserved by the manual, or used by old systems (s and u for modes; n).
constexpr std::string_view known_letters = "iemafdqlcbkjtpvnhgu";

// Implied extensions. Zicsr, Zifencei and the counters were part of I before they got names, and
// device trees still omit them.
constexpr struct {
    std::string_view name, implied;
} implications[] = {
    {"g", "i m a f d zicsr zifencei"},
    {"i", "zicsr zifencei zicntr zihpm"},
    {"m", "zmmul"},
    {"a", "zaamo zalrsc"},
    {"b", "zba zbb zbs"},
    {"c", "zca zcd zcf"},
    {"d", "f"},
    {"v", "zve64d"},
    {"zve64d", "zve64f"},
    {"zve64f", "zve64x zve32f"},
    {"zve64x", "zve32x"},
    {"zve32f", "zve32x"},
    {"zfh", "zfhmin"},
    {"zvfh", "zvfhmin"},
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }
bool has(const Names &names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

/// "zve32f1p0" → "zve32f". A number without 'p' is part of the name ("zve32x").
std::string_view without_version(std::string_view name) {
    size_t end = name.size();
    while (end > 0 && is_digit(name[end - 1]))
        --end;
    if (end == name.size() || end < 2 || name[end - 1] != 'p' || !is_digit(name[end - 2]))
        return name;
    --end;
    while (end > 0 && is_digit(name[end - 1]))
        --end;
    return name.substr(0, end);
}

void add(Names &names, std::string_view name) {
    if (!has(names, name))
        names.emplace_back(name);
}

/// Edit distance: insertions, deletions, substitutions and transpositions of neighbours.
size_t edits(std::string_view from, std::string_view to) {
    std::vector<size_t> before, row(to.size() + 1), next(to.size() + 1);
    for (size_t x = 0; x < row.size(); ++x)
        row[x] = x;
    for (size_t y = 0; y < from.size(); ++y) {
        next[0] = y + 1;
        for (size_t x = 0; x < to.size(); ++x) {
            next[x + 1] = std::min({row[x] + (from[y] != to[x]), row[x + 1] + 1, next[x] + 1});
            if (x > 0 && y > 0 && from[y] == to[x - 1] && from[y - 1] == to[x])
                next[x + 1] = std::min(next[x + 1], before[x - 1] + 1);
        }
        before = row;
        row = next;
    }
    return row.back();
}

/// Zvl32b, Zvl64b, … Zvl65536b.
bool is_least_vector_length(std::string_view name) {
    if (!name.starts_with("zvl") || !name.ends_with("b"))
        return false;
    const char *end = name.data() + name.size() - 1;
    unsigned bits = 0;
    const auto [stop, error] = std::from_chars(name.data() + 3, end, bits);
    return error == std::errc() && stop == end && bits >= 32 && bits <= 65536 &&
           (bits & (bits - 1)) == 0;
}

bool has_form(std::string_view name) {
    return name.size() > 1 && std::string_view("zsx").contains(name[0]) &&
           std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || is_digit(c); });
}

/// The known extension that was probably meant, or "" if none is similar or `present` has them all.
std::string meant(std::string_view name, const Names &present) {
    std::vector<std::string> candidates(std::begin(known_names), std::end(known_names));
    for (unsigned bits = 32; bits <= 65536; bits *= 2)
        candidates.push_back("zvl" + std::to_string(bits) + "b");
    const size_t most = name.size() < 8 ? 1 : 2;
    std::string nearest;
    size_t least = most + 1;
    for (const std::string &candidate : candidates) {
        const size_t distance = edits(name, candidate);
        if (distance <= most && has(present, candidate))
            return "";
        if (distance < least) {
            least = distance;
            nearest = candidate;
        }
    }
    return nearest;
}

} // namespace

Names names(std::string_view isa) {
    std::string text(isa);
    std::ranges::transform(text, text.begin(), lower);
    std::string_view rest = text;
    Names names;
    add(names, rest.substr(0, 4)); // "rv64": counted as an extension, so that it is compared too
    rest.remove_prefix(std::min<size_t>(4, rest.size()));
    while (!rest.empty()) {
        const std::string_view word = rest.substr(0, rest.find('_'));
        if (rest[0] == '_') {
            rest.remove_prefix(1);
        } else if (std::string_view("zsx").contains(rest[0]) || !known_letters.contains(rest[0])) {
            add(names, without_version(word));
            rest.remove_prefix(word.size());
        } else {
            add(names, rest.substr(0, 1));
            rest.remove_prefix(1);
            while (!rest.empty() &&
                   (is_digit(rest[0]) || (rest[0] == 'p' && rest.size() > 1 && is_digit(rest[1]))))
                rest.remove_prefix(1);
        }
    }
    return names;
}

void add_implied(Names &names) {
    for (size_t i = 0; i < names.size(); ++i) { // `names` grows during the loop
        for (const auto &[name, implied] : implications) {
            if (name != names[i])
                continue;
            for (std::string_view rest = implied; !rest.empty();) {
                const std::string_view word = rest.substr(0, rest.find(' '));
                add(names, word);
                rest.remove_prefix(std::min(word.size() + 1, rest.size()));
            }
        }
    }
}

std::string join(std::string_view base, Names extensions) {
    std::string isa(base.substr(0, 4));
    for (const char letter : base.substr(isa.size()))
        add(extensions, std::string_view(&letter, 1));
    for (const char letter : std::string_view("iemafdqcbvh"))
        if (has(extensions, std::string_view(&letter, 1)))
            isa += letter;
    for (const std::string &extension : extensions)
        if (extension.size() > 1 && extension[0] != 's')
            isa += "_" + extension;
    return isa;
}

bool is_known(std::string_view name) {
    if (name.size() == 1)
        return known_letters.contains(name[0]);
    return std::ranges::find(known_names, name) != std::end(known_names) ||
           is_least_vector_length(name);
}

Verdict check(std::string_view isa) {
    const Names written = names(isa);
    Names present = written;
    add_implied(present);
    Verdict verdict;
    for (size_t i = 1; i < written.size(); ++i) { // after "rv64"
        const std::string &name = written[i];
        if (is_known(name))
            continue;
        if (!has_form(name)) {
            verdict.error = "'" + name +
                            "' is not an extension name: those have one letter, or begin "
                            "with z, s or x";
            return verdict;
        }
        if (const std::string nearest = meant(name, present); !nearest.empty()) {
            verdict.error = "there is no extension '" + name + "'; did you mean '" + nearest +
                            "'? Kernels use no extension that is unknown here: it can be left out";
            return verdict;
        }
        verdict.unknown.push_back(name);
    }
    return verdict;
}

} // namespace rivulet::isa
