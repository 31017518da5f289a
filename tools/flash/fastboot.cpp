// SPDX-License-Identifier: Apache-2.0
//
// A loader on the board receives the firmware in RAM and starts it: `fastboot stage`, `continue`.
#include <cstdlib>
#include <filesystem>

#include "base/read_file.h"
#include "tools/flash/command.h"
#include "tools/flash/methods.h"
#include "tools/flash/report.h"
#include "tools/flash/write.h"

namespace rivulet::flash {

namespace {

/// A temporary directory, removed by the destructor.
class Scratch {
public:
    Scratch() {
        std::string name =
            (std::filesystem::temp_directory_path() / "rivulet-flash-XXXXXX").string();
        if (mkdtemp(name.data()) != nullptr)
            path_ = name;
    }
    ~Scratch() {
        std::error_code ignored;
        if (!path_.empty())
            std::filesystem::remove_all(path_, ignored);
    }
    Scratch(const Scratch &) = delete;
    Scratch &operator=(const Scratch &) = delete;
    [[nodiscard]] std::string file(const char *name) const { return path_ + "/" + name; }
    [[nodiscard]] bool exists() const { return !path_.empty(); }

private:
    std::string path_;
};

std::vector<std::string> fastboot(const Job &job, std::initializer_list<std::string> words) {
    std::vector<std::string> command = {"fastboot"};
    const auto &target =
        !job.options.target.empty() ? job.options.target : job.recipe.fastboot.target;
    if (!target.empty())
        command.insert(command.end(), {"-s", target});
    command.insert(command.end(), words);
    return command;
}

Result<> run(const Job &job, const std::vector<std::string> &command) {
    tell_more("commands", "command    " + command_text(command), command);
    if (job.options.dry_run)
        return {};
    return run_command(command, [](const std::string &line) {
        if (!line.empty())
            tell_more("output", "           " + line, line);
    });
}

Result<> check_product(const Job &job) {
    const auto &wanted = job.recipe.fastboot.product;
    if (wanted.empty() || job.options.dry_run)
        return {};
    std::string product;
    const auto asked =
        run_command(fastboot(job, {"getvar", "product"}), [&](const std::string &line) {
            constexpr std::string_view key = "product: ";
            if (line.starts_with(key))
                product = line.substr(key.size());
        });
    if (!asked)
        return asked;
    if (product != wanted && !job.options.force)
        return fail(RVL_INVALID, {"the board calls itself \"", product, "\", not \"", wanted,
                                  "\"; use --force to continue anyway"});
    return {};
}

Result<> compare(const Job &job, const Bytes &image, const std::string &file) {
    if (!job.recipe.fastboot.reads_back) {
        tell("verify", "not possible: this loader can't read back", Json());
        return {};
    }
    if (auto got = run(job, fastboot(job, {"get_staged", file})); !got || job.options.dry_run)
        return got;
    const auto there = read_file(file);
    if (!there)
        return std::unexpected(there.error());
    if (*there != image)
        return fail(RVL_IO, "the board's memory differs from what was sent; it is not started");
    tell("verify", "the board's memory matches what was sent", true);
    return {};
}

} // namespace

Result<> by_fastboot(const Job &job) {
    const Bytes &image = job.flat.bytes;
    const Scratch scratch;
    if (!scratch.exists())
        return fail(RVL_IO, "cannot create a temporary folder; set TMPDIR to another place");
    const std::string file = scratch.file("firmware.bin");
    if (auto written = write_file(file, image); !written)
        return written;
    if (auto right = check_product(job); !right)
        return right;
    if (auto staged = run(job, fastboot(job, {"stage", file})); !staged)
        return staged;
    if (auto same = compare(job, image, scratch.file("read-back.bin")); !same)
        return same;
    return run(job, fastboot(job, {"continue"}));
}

} // namespace rivulet::flash
