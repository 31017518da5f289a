// SPDX-License-Identifier: Apache-2.0
//
// Linux on the same chip starts the firmware: the file is copied to the kernel's firmware
// directory, its name and commands are written to files in /sys/class/remoteproc
// (Documentation/ABI/testing/sysfs-class-remoteproc).
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "base/file_descriptor.h"
#include "base/read_file.h"
#include "tools/flash/methods.h"
#include "tools/flash/report.h"
#include "tools/flash/write.h"

namespace rivulet::flash {

namespace {

constexpr int start_limit_ms = 10000, poll_ms = 20;

/// The sysfs files of one processor.
class Processor {
public:
    explicit Processor(std::string folder) : folder_(std::move(folder)) {}

    [[nodiscard]] Result<std::string> get(const char *name) const {
        const auto bytes = read_file(folder_ + "/" + name);
        if (!bytes)
            return std::unexpected(bytes.error());
        std::string text(reinterpret_cast<const char *>(bytes->data()), bytes->size());
        while (!text.empty() && (text.back() == '\n' || text.back() == '\0'))
            text.pop_back();
        return text;
    }
    [[nodiscard]] Result<> set(const char *name, const std::string &value) const {
        const std::string path = folder_ + "/" + name;
        const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
        if (!file ||
            ::write(file.get(), value.data(), value.size()) != static_cast<ssize_t>(value.size()))
            return fail(RVL_IO, {"cannot write \"", value, "\" to ", path, ": ", errno_text(errno),
                                 "; the kernel's log may say why"});
        return {};
    }
    /// Returns an error if it crashes or takes too long.
    [[nodiscard]] Result<> await(const char *wanted) const {
        for (int waited = 0; waited < start_limit_ms; waited += poll_ms) {
            const auto state = get("state");
            if (!state)
                return std::unexpected(state.error());
            if (*state == wanted)
                return {};
            if (*state == "crashed")
                return fail(RVL_DEAD, "the processor has crashed; the kernel's log may say why");
            usleep(poll_ms * 1000);
        }
        return fail(RVL_TIMEOUT, {"the processor does not get \"", wanted, "\" within ",
                                  start_limit_ms / 1000, " s"});
    }

private:
    std::string folder_;
};

Result<> stop_if_running(const Job &job, const Processor &processor) {
    const auto state = processor.get("state");
    if (!state)
        return fail(state.error().status, {state.error().message,
                                           "; [remoteproc] processor in "
                                           "flash.toml names another one, --sysroot another root"});
    tell("state", *state);
    if (*state == "offline" || *state == "crashed")
        return {};
    if (!job.options.force)
        return fail(RVL_INVALID, {"the processor is ", *state, "; use --force to stop it"});
    if (auto stopped = processor.set("state", "stop"); !stopped)
        return stopped;
    return processor.await("offline");
}

} // namespace

Result<> by_remoteproc(const Job &job) {
    const std::string &root = job.options.sysroot;
    const std::string name = text({"rivulet-", job.options.board, ".elf"});
    const std::string folder = root + "/sys/class/remoteproc/" + job.recipe.remoteproc.processor;
    const std::string file = root + "/lib/firmware/" + name;
    tell("write", file);
    tell("start", folder);
    if (job.options.dry_run)
        return {};
    const Processor processor(folder);
    if (auto stopped = stop_if_running(job, processor); !stopped)
        return stopped;
    if (auto written = write_file(file, job.elf); !written)
        return written;
    const auto there = read_file(file);
    if (!there || *there != job.elf)
        return fail(RVL_IO, {file, " differs from what was written; it is not started"});
    if (auto named = processor.set("firmware", name); !named)
        return named;
    if (auto started = processor.set("state", "start"); !started)
        return started;
    if (auto runs = processor.await("running"); !runs)
        return runs;
    tell("running", "according to Linux; rivulet info --start asks the firmware", "says Linux");
    return {};
}

} // namespace rivulet::flash
