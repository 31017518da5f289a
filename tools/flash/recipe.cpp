// SPDX-License-Identifier: Apache-2.0
#include "tools/flash/recipe.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "base/parse.h"

namespace rivulet::flash {
namespace {

/// Takes keys out of tables and remembers errors.
class Reader {
public:
    Reader(std::string path, const toml::table &all) : path_(std::move(path)), all_(all) {}

    void take(const char *table, const char *key, std::string &to) {
        const auto *node = find(table, key);
        const auto value = node != nullptr ? node->value_exact<std::string>() : std::nullopt;
        if (value)
            to = *value;
        else if (node != nullptr)
            wrong(table, key, "a text");
    }
    void take(const char *table, const char *key, uint64_t &to) {
        const auto *node = find(table, key);
        const auto value = node != nullptr ? node->value_exact<int64_t>() : std::nullopt;
        if (value && *value >= 0)
            to = static_cast<uint64_t>(*value);
        else if (node != nullptr)
            wrong(table, key, "a number from 0");
    }
    void take(const char *table, const char *key, bool &to) {
        const auto *node = find(table, key);
        const auto value = node != nullptr ? node->value_exact<bool>() : std::nullopt;
        if (value)
            to = *value;
        else if (node != nullptr)
            wrong(table, key, "true or false");
    }
    /// An error for the first key that has the wrong type or is unknown.
    [[nodiscard]] Result<> finish() const {
        if (!error_.empty())
            return fail(RVL_INVALID, error_);
        for (const auto &[table, node] : all_)
            if (const auto *keys = node.as_table()) {
                for (const auto &[key, value] : *keys)
                    if (auto name = text({table.str(), ".", key.str()}); !known_.contains(name))
                        return fail(RVL_INVALID, {path_, ":", value.source().begin.line,
                                                  ": unknown key ", name, suggestion(name)});
            } else {
                return fail(RVL_INVALID, {path_, ": \"", table.str(), "\" must be in a table"});
            }
        return {};
    }

private:
    /// The known key that is most like the unknown one, if any is.
    [[nodiscard]] std::string suggestion(const std::string &unknown) const {
        const auto distance = [&](const std::string &known) { return edits(unknown, known); };
        const auto nearest = std::ranges::min_element(known_, {}, distance);
        if (nearest == known_.end() || 2 * distance(*nearest) > unknown.size())
            return "";
        return text({" (did you mean ", *nearest, "?)"});
    }
    const toml::node *find(const char *table, const char *key) {
        known_.insert(text({table, ".", key}));
        const auto *keys = all_[table].as_table();
        return keys != nullptr ? keys->get(key) : nullptr;
    }
    void wrong(const char *table, const char *key, const char *wanted) {
        if (error_.empty())
            error_ = text({path_, ": ", table, ".", key, " has to be ", wanted});
    }

    std::string path_;
    const toml::table &all_;
    std::set<std::string> known_;
    std::string error_;
};

} // namespace

Result<Recipe> read_recipe(const std::string &data, const std::string &board) {
    const std::string path = text({data, "/boards/", board, "/flash.toml"});
    if (board.empty() || board.find('/') != board.npos || !std::filesystem::exists(path))
        return fail(RVL_NOT_FOUND, {"board \"", board, "\" has no recipe: there is no ", path,
                                    "; --board names a folder in ", data, "/boards"});
    const auto parsed = toml::parse_file(path);
    if (!parsed) {
        std::ostringstream where;
        where << parsed.error();
        return fail(RVL_INVALID, {path, ": ", where.str()});
    }
    Recipe recipe;
    recipe.board = board;
    Reader reader(path, parsed.table());
    reader.take("flash", "method", recipe.method);
    reader.take("flash", "slot_bytes", recipe.slot_bytes);
    reader.take("sdcard", "offset", recipe.sdcard.offset);
    reader.take("sdcard", "magic", recipe.sdcard.magic);
    reader.take("sdcard", "payload_offset", recipe.sdcard.payload_offset);
    reader.take("pflash", "bytes", recipe.pflash.bytes);
    reader.take("pflash", "base", recipe.pflash.base);
    reader.take("pflash", "block_bytes", recipe.pflash.block_bytes);
    reader.take("pflash", "slot_a", recipe.pflash.slot_a);
    reader.take("pflash", "slot_b", recipe.pflash.slot_b);
    reader.take("pflash", "floor", recipe.pflash.floor);
    reader.take("gdb", "target", recipe.gdb_target);
    reader.take("openocd", "interface", recipe.openocd.interface);
    reader.take("openocd", "config", recipe.openocd.config);
    reader.take("fastboot", "target", recipe.fastboot.target);
    reader.take("fastboot", "product", recipe.fastboot.product);
    reader.take("fastboot", "reads_back", recipe.fastboot.reads_back);
    reader.take("remoteproc", "processor", recipe.remoteproc.processor);
    if (auto finished = reader.finish(); !finished)
        return std::unexpected(finished.error());
    return recipe;
}

} // namespace rivulet::flash
