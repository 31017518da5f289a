// SPDX-License-Identifier: Apache-2.0
#include "hal/core/config_toml.h"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// toml++ 3.3 asserts conditions that a file can violate, for example with a key that begins with a
// backtick.
#define TOML_ASSERT(condition) ((condition) ? void() : throw std::logic_error(#condition))
#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include "base/error.h"
#include "base/printable.h"

namespace rivulet::hal {
namespace {

/// True if the text contains control characters, including U+0080 to U+009F in UTF-8, that a
/// terminal would interpret.
bool obeyed_by_terminals(std::string_view text) {
    for (size_t at = 0; at < text.size(); ++at) {
        const auto byte = static_cast<unsigned char>(text[at]);
        const auto next = static_cast<unsigned char>(at + 1 < text.size() ? text[at + 1] : 0);
        if (is_control(text[at]) || (byte == 0xc2 && next >= 0x80 && next < 0xa0))
            return true;
    }
    return false;
}

/// The number of the first line that has more dots than any key, or 0. Each dot nests a table
/// within the previous one, and the parser destroys nested tables recursively.
uint32_t line_of_too_many_dots(std::string_view content) {
    constexpr int most_dots = 64;
    int dots = 0;
    uint32_t line = 1;
    bool is_comment = false;
    char before = '\n';
    for (const char c : content) {
        if (before == '\n') {
            is_comment = c == '#';
            dots = 0;
        }
        if (c == '.' && before != '.' && !is_comment && ++dots > most_dots)
            return line;
        line += c == '\n' ? 1 : 0;
        before = c;
    }
    return 0;
}

uint32_t line_of(const toml::node &node) { return node.source().begin.line; }

/// Reports the settings of each [[device]]; settings of nested tables are called TABLE.KEY.
class Reader {
public:
    explicit Reader(const rivulet_config_sink &sink) : sink_(sink) {}

    void read(std::string_view content) {
        // toml++ 3.3 reaches unreachable code on non-ASCII letters, and asserts that there are no
        // control characters where a key begins.
        const auto strange = std::ranges::find_if(content, [](char c) {
            return (c < ' ' && c != '\t' && c != '\n' && c != '\r') || c > '~';
        });
        if (strange != content.end())
            return error(1 + static_cast<uint32_t>(std::count(content.begin(), strange, '\n')),
                         "it holds a character that is not ASCII (in a string, write \\u00e9)");
        if (const uint32_t line = line_of_too_many_dots(content); line != 0)
            return error(line, "its tables are nested too deeply");
        toml::table parsed;
        try {
            parsed = toml::parse(content);
        } catch (const toml::parse_error &wrong) {
            return error(wrong.source().begin.line, std::string(wrong.description()));
        } catch (const std::logic_error &) {
            return error(1, "it is not valid TOML; the parser can't say where");
        }
        for (const auto &[key, node] : parsed)
            if (key != "device" || !node.is_array_of_tables())
                return error(line_of(node), text({"expected [[device]] and found ", key.str()}));
        if (const auto *devices = parsed["device"].as_array())
            for (const auto &device : *devices) {
                sink_.device(sink_.user, line_of(device));
                read(*device.as_table(), "");
            }
    }

private:
    void error(uint32_t line, const std::string &what) const {
        sink_.error(sink_.user, line, what.c_str());
    }

    void read(const toml::table &table, const std::string &prefix) {
        // In file order, so that a message names the first of two mistakes.
        std::vector<std::pair<std::string, const toml::node *>> entries;
        for (const auto &[key, node] : table)
            entries.emplace_back(prefix + std::string(key.str()), &node);
        std::ranges::sort(entries, {}, [](const auto &entry) { return line_of(*entry.second); });
        for (const auto &[key, node] : entries)
            read(key, *node);
    }

    void read(const std::string &key, const toml::node &node) {
        std::string value;
        if (const auto *table = node.as_table())
            return read(*table, key + ".");
        if (const auto *string = node.as_string())
            value = string->get();
        else if (const auto *number = node.as_integer())
            value = std::to_string(number->get());
        else if (const auto *boolean = node.as_boolean())
            value = boolean->get() ? "true" : "false";
        else
            return error(line_of(node), text({"the setting ", key,
                                              " is neither a string nor an integer nor true or "
                                              "false"}));
        if (key.contains('=') || obeyed_by_terminals(key) || obeyed_by_terminals(value))
            return error(line_of(node), "a setting contains an invalid character");
        sink_.setting(sink_.user, key.c_str(), value.c_str(), line_of(node));
    }

    const rivulet_config_sink &sink_;
};

} // namespace
} // namespace rivulet::hal

void rivulet_read_config(const char *text, size_t bytes, const rivulet_config_sink *sink) {
    try {
        rivulet::hal::Reader(*sink).read({text, bytes});
    } catch (const std::exception &) { // out of memory only
        sink->error(sink->user, 1, "not enough memory to read it");
    }
}
