// SPDX-License-Identifier: Apache-2.0
#include "hal/drivers/linux/source.h"
#include "base/data_directory.h"
#include "base/parse.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cerrno>
#include <cstdio>
#include <fstream>

namespace rivulet::hal::window {
namespace {

/// The process that holds a flock on the descriptor's file; 0 if it is not visible from here.
int holder_of(const FileDescriptor &file) {
    struct stat status{};
    if (fstat(file.get(), &status) != 0)
        return 0;
    std::ifstream locks("/proc/locks");
    for (std::string line; std::getline(locks, line);) {
        int pid = 0;
        unsigned device_major = 0;
        unsigned device_minor = 0;
        unsigned long inode = 0;
        if (std::sscanf(line.c_str(), "%*d: FLOCK %*s %*s %d %x:%x:%lu", &pid, &device_major,
                        &device_minor, &inode) == 4 &&
            inode == status.st_ino && device_major == major(status.st_dev) &&
            device_minor == minor(status.st_dev))
            return pid;
    }
    return 0;
}

constexpr struct {
    const char *key;
    Result<std::unique_ptr<Source>> (*open)(const Settings &);
} kinds[] = {
    {"window.file", open_file},     {"window.heap", open_heap}, {"window.uio", open_uio},
    {"window.pci", open_pci},       {"window.vfio", open_vfio}, {"window.ivshmem", open_ivshmem},
    {"window.module", open_module},
};

} // namespace

Result<Mapping> Source::registers(unsigned region) {
    return fail(RVL_INVALID, {"the window has no registers (region ", region,
                              "): only uio, pci and vfio do; use doorbell.poll or "
                              "doorbell.node instead of doorbell.ring"});
}

const FileDescriptor *Source::event(uint64_t) { return nullptr; }

std::optional<Source::Pulse> Source::pulse(uint64_t) { return std::nullopt; }

Result<FileDescriptor> Source::export_pages(uint64_t, uint64_t) {
    return fail(RVL_UNSUPPORTED, "only windows of the module rivulet_window become dma-bufs");
}

Result<Source::SharedFile> Source::shared_file() const {
    return fail(RVL_UNSUPPORTED,
                "only windows that are plain files and those of rivulet card can be "
                "mapped by other processes");
}

Result<Interrupt> Source::interrupt() { return Interrupt{}; }

Result<uint64_t> number(const Settings &settings, std::string_view key, uint64_t fallback) {
    const char *value = settings.find(key);
    if (value == nullptr)
        return fallback;
    if (const auto bytes = parse_bytes(value))
        return *bytes;
    return fail(RVL_INVALID,
                {"\"", key, "\" is ", value, ", which is not a number; use 4096, 0x1000 or 64M"});
}

Result<std::unique_ptr<Source>> open_source(const Settings &settings) {
    const char *first = nullptr;
    Result<std::unique_ptr<Source>> (*open)(const Settings &) = nullptr;
    for (const auto &kind : kinds) {
        if (settings.find(kind.key) == nullptr)
            continue;
        if (first != nullptr)
            return fail(RVL_INVALID, {"the device has a \"", first, "\" and a \"", kind.key,
                                      "\": a window is of one kind"});
        first = kind.key;
        open = kind.open;
    }
    if (open == nullptr)
        return fail(RVL_INVALID,
                    {"the driver linux needs a window: one of window.vfio, window.uio, "
                     "window.pci, window.file, window.heap and window.ivshmem; ",
                     name_of_document("docs/products.md"), " has examples"});
    return open(settings);
}

Result<FileDescriptor> open_alone(const std::string &path) {
    FileDescriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_SYNC | O_NONBLOCK));
    const int error = errno;
    if (!file)
        return fail(error == ENOENT ? RVL_NOT_FOUND : RVL_IO,
                    {"cannot open ", path, ": ", errno_text(error),
                     error == EACCES ? text({"; ", name_of_document("docs/products.md"),
                                             " says who may open a device"})
                                     : std::string()});
    if (flock(file.get(), LOCK_EX | LOCK_NB) == 0)
        return file;
    if (errno != EWOULDBLOCK)
        return fail(RVL_IO, {"cannot lock ", path, ": ", errno_text(errno)});
    const int pid = holder_of(file);
    return fail(RVL_IO, {path, " is in use by ",
                         pid > 0 ? text({"process ", pid}) : std::string("another process"),
                         "; a device serves one process at a time: end that one first"});
}

} // namespace rivulet::hal::window
