// SPDX-License-Identifier: Apache-2.0
//
// A device of the linux driver whose window is a file or a BAR, mapped again read-only. The lock
// that excludes a second host is not taken.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "base/file_descriptor.h"
#include "base/parse.h"
#include "hal/core/config.h"
#include "hal/drivers/linux/sensors.h"
#include "tools/rivulet/watch/memory.h"

namespace rivulet::tools {
namespace {

using namespace hal;

class Window final : public WatchedMemory {
public:
    Window(std::string path, FileDescriptor file, uint64_t offset, const std::byte *start,
           uint64_t base, uint64_t bytes, std::optional<uint64_t> mailbox, window::Sensors sensors)
        : path_(std::move(path)), file_(std::move(file)), offset_(offset), start_(start),
          base_(base), bytes_(bytes), mailbox_(mailbox), sensors_(std::move(sensors)) {}
    Window(const Window &) = delete;
    Window &operator=(const Window &) = delete;
    ~Window() override { munmap(const_cast<std::byte *>(start_), bytes_); }

    // Reads aligned words: a BAR may be mapped as device memory.
    Result<> read(uint64_t address, std::span<std::byte> to) override {
        if (!contains(address, to.size()))
            return fail(RVL_INVALID, {"the device has no memory at ", hex(address)});
        if (!is_whole())
            return fail(RVL_DEAD, {path_, " has become shorter"});
        constexpr uint64_t word_bytes = sizeof(uint32_t);
        uint64_t at = address - base_;
        while (!to.empty()) {
            const uint64_t into = at % word_bytes;
            const uint32_t word = __atomic_load_n(
                reinterpret_cast<const uint32_t *>(start_ + (at - into)), __ATOMIC_ACQUIRE);
            const auto count = std::min<size_t>(word_bytes - into, to.size());
            std::memcpy(to.data(), reinterpret_cast<const std::byte *>(&word) + into, count);
            to = to.subspan(count);
            at += count;
        }
        return {};
    }
    [[nodiscard]] uint64_t base() const override { return base_; }
    [[nodiscard]] uint64_t bytes() const override { return bytes_; }
    [[nodiscard]] std::string title() const override { return path_; }
    [[nodiscard]] std::optional<uint64_t> mailbox() const override { return mailbox_; }
    Conditions conditions() override {
        rvl_conditions now = unknown_conditions;
        Conditions conditions{.max_clock_mhz = sensors_.max_clock_mhz(), .now = {}};
        if (sensors_.read(now) == RVL_OK)
            conditions.now = now;
        return conditions;
    }

private:
    // An access beyond the end of a file raises SIGBUS.
    [[nodiscard]] bool is_whole() const {
        struct stat status{};
        return fstat(file_.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
               static_cast<uint64_t>(status.st_size) >= offset_ + bytes_;
    }

    std::string path_;
    FileDescriptor file_;
    uint64_t offset_;
    const std::byte *start_;
    uint64_t base_, bytes_;
    std::optional<uint64_t> mailbox_;
    window::Sensors sensors_;
};

Result<uint64_t> number(const Config &config, std::string_view key, uint64_t fallback) {
    const auto given = config.get(key);
    if (given.empty())
        return fallback;
    if (const auto value = parse_bytes(given))
        return *value;
    return fail(RVL_INVALID, {"\"", key, "\" is ", given, ", which is no number"});
}

std::optional<uint64_t> noted_mailbox(const Config &config) {
    if (const auto given = parse_bytes(config.get("mailbox")))
        return *given;
    const auto path = config.get("firmware.file", config.get("firmware"));
    Config named = config;
    named.set("firmware", path);
    if (path.empty())
        return std::nullopt; // it is searched
    const auto mailbox = mailbox_of_firmware(named, "", 0);
    return mailbox ? std::optional(*mailbox) : std::nullopt;
}

/// Those that the driver would read.
Result<window::Sensors> sensors_of(const Config &config) {
    const DriverConfig settings(config);
    return window::Sensors::create(Settings(&settings.get()));
}

} // namespace

Result<std::unique_ptr<WatchedMemory>> open_window(const Config &config) {
    std::string path = config.get("window.file");
    if (const auto function = config.get("window.pci"); !function.empty())
        path = text({config.get("sysfs", "/sys"), "/bus/pci/devices/", function, "/resource",
                     config.get("window.bar", "0")});
    if (path.empty())
        return fail(RVL_UNSUPPORTED,
                    "only windows that are files or resources of PCI functions (window.file, "
                    "window.pci) can be opened while a program uses them; for a card of "
                    "this machine, name the process of `rivulet card` with --pid");
    FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file)
        return fail(RVL_NOT_FOUND, {"cannot open ", path, ": ", errno_text(errno)});
    const auto offset = number(config, "window.offset", 0);
    auto bytes = number(config, "window.bytes", 0);
    const auto base = number(config, "base", 0x80000000);
    for (const auto *part : {&offset, &std::as_const(bytes), &base})
        if (!*part)
            return std::unexpected(part->error());
    struct stat status{};
    if (fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode)) {
        const auto size = static_cast<uint64_t>(status.st_size);
        if (*offset > size || *bytes > size - *offset)
            return fail(RVL_INVALID, {path, " has ", bytes_text(size),
                                      ", less than \"window.offset\" and \"window.bytes\" say"});
        if (*bytes == 0)
            bytes = (size - *offset) / RVL_PAGE_BYTES * RVL_PAGE_BYTES;
    }
    if (*bytes == 0)
        return fail(RVL_INVALID, {path, " does not tell its size: set \"window.bytes\""});
    auto sensors = sensors_of(config);
    if (!sensors)
        return std::unexpected(sensors.error());
    void *start =
        mmap(nullptr, *bytes, PROT_READ, MAP_SHARED, file.get(), static_cast<off_t>(*offset));
    if (start == MAP_FAILED)
        return fail(RVL_IO, {"cannot map ", path, ": ", errno_text(errno)});
    return std::make_unique<Window>(path, std::move(file), *offset,
                                    static_cast<const std::byte *>(start), *base, *bytes,
                                    noted_mailbox(config), std::move(*sensors));
}

} // namespace rivulet::tools
