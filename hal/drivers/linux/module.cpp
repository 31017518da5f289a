// SPDX-License-Identifier: Apache-2.0
//
// Windows of the kernel module rivulet_window (kernel/), which has a node for each.
#include <fcntl.h>
#include <sys/ioctl.h>

#include <cerrno>

#include "base/data_directory.h"
#include "hal/drivers/linux/kernel/rivulet_window.h"
#include "hal/drivers/linux/source.h"

namespace rivulet::hal::window {
namespace {

class Module final : public Source {
public:
    Module(std::string path, FileDescriptor node, const rivulet_window_info &info)
        : path_(std::move(path)), node_(std::move(node)), info_(info) {}

    Result<Mapping> memory(uint64_t wanted) override {
        return Mapping::create(node_.get(), 0, info_.bytes, path_, wanted);
    }
    std::optional<Pulse> pulse(uint64_t line) override {
        if (line >= 64 || (info_.lines >> line & 1) == 0)
            return std::nullopt;
        return Pulse{&node_, uint64_t{1} << line};
    }
    Result<Interrupt> interrupt() override {
        if ((info_.flags & RIVULET_WINDOW_INTERRUPT) == 0)
            return Interrupt{};
        Interrupt interrupt{FileDescriptor(fcntl(node_.get(), F_DUPFD_CLOEXEC, 0)),
                            InterruptKind::event};
        if (!interrupt.descriptor)
            return fail(RVL_IO, {"cannot duplicate ", path_, ": ", errno_text(errno)});
        return interrupt;
    }
    [[nodiscard]] bool can_export() const override { return true; }
    Result<FileDescriptor> export_pages(uint64_t offset, uint64_t bytes) override {
        rivulet_window_export pages{.offset = offset, .bytes = bytes, .fd = -1, .reserved = 0};
        if (ioctl(node_.get(), RIVULET_WINDOW_EXPORT, &pages) != 0)
            return fail(RVL_IO, {path_, " makes no dma-buf of ", bytes_text(bytes), ": ",
                                 errno_text(errno)});
        return FileDescriptor(pages.fd);
    }
    [[nodiscard]] bool exports(uint64_t offset, uint64_t bytes) const override {
        rivulet_window_export pages{.offset = offset, .bytes = bytes, .fd = 0, .reserved = 0};
        return ioctl(node_.get(), RIVULET_WINDOW_EXPORTED, &pages) == 0 && pages.fd != 0;
    }
    [[nodiscard]] std::optional<uint64_t> address() const override { return info_.address; }

private:
    std::string path_;
    FileDescriptor node_;
    rivulet_window_info info_;
};

} // namespace

Result<std::unique_ptr<Source>> open_module(const Settings &settings) {
    const auto path = text({settings.get("dev", "/dev"), "/", settings.get("window.module")});
    FileDescriptor node(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK));
    const int error = errno;
    if (!node && error == EBUSY)
        return fail(RVL_IO, {path, " is in use by another process; a device serves one at a time: "
                                   "end that one first"});
    if (!node)
        return fail(error == ENOENT ? RVL_NOT_FOUND : RVL_IO,
                    {"cannot open ", path, ": ", errno_text(error),
                     error == ENOENT   ? std::string("; load the module rivulet_window")
                     : error == EACCES ? text({"; ", name_of_document("docs/products.md"),
                                               " says who may open a device"})
                                       : std::string()});
    rivulet_window_info info{};
    if (ioctl(node.get(), RIVULET_WINDOW_INFO, &info) != 0)
        return fail(RVL_INVALID, {path, " is not a node of the module rivulet_window"});
    if (info.version != RIVULET_WINDOW_VERSION)
        return fail(RVL_BAD_VERSION,
                    {path, " is of version ", info.version,
                     " of the module rivulet_window, this library needs ", RIVULET_WINDOW_VERSION});
    return std::make_unique<Module>(path, std::move(node), info);
}

} // namespace rivulet::hal::window
