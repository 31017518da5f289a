// SPDX-License-Identifier: Apache-2.0
//
// UIO: device maps described in sysfs, and an interrupt counted by the node.
#include <fcntl.h>

#include <cerrno>

#include "base/parse.h"
#include "hal/drivers/linux/source.h"

namespace rivulet::hal::window {
namespace {

class Uio final : public Source {
public:
    Uio(const Settings &settings, std::string name, FileDescriptor node, unsigned window)
        : sysfs_(sysfs_path(settings, {"/class/uio/", name, "/maps/map"})), name_(std::move(name)),
          node_(std::move(node)), window_(window) {}

    Result<Mapping> memory(uint64_t wanted) override { return map(window_, wanted); }
    Result<Mapping> registers(unsigned region) override { return map(region, 0); }
    Result<Interrupt> interrupt() override {
        // The node is read: once per process, so the descriptor is duplicated.
        Interrupt interrupt{FileDescriptor(fcntl(node_.get(), F_DUPFD_CLOEXEC, 0)),
                            InterruptKind::uio};
        if (!interrupt.descriptor)
            return fail(RVL_IO, {"cannot duplicate ", name_, ": ", errno_text(errno)});
        return interrupt;
    }
    [[nodiscard]] bool maps() const override {
#if defined(__x86_64__)
        return true;
#else
        return false; // device memory: unaligned accesses fault
#endif
    }

private:
    /// Map N is at page N of the node, whatever its address.
    Result<Mapping> map(unsigned region, uint64_t wanted) const {
        const auto size = read_line(text({sysfs_, region, "/size"}));
        if (!size)
            return fail(RVL_NOT_FOUND, {name_, " has no map ", region, ": ", size.error().message});
        const auto bytes = parse_number(*size);
        if (!bytes || *bytes == 0)
            return fail(RVL_INVALID, {name_, ": the size of map ", region, " is ", *size});
        const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
        // Memory and registers may begin within their first page; sizes are then whole pages.
        const auto offset = read_line(text({sysfs_, region, "/offset"}));
        const auto skipped = offset ? parse_number(*offset).value_or(page) : 0;
        if (skipped >= page || skipped >= *bytes)
            return fail(RVL_INVALID, {name_, ": the offset of map ", region, " is ", *offset});
        return Mapping::create(node_.get(), region * page + skipped,
                               *bytes % page == 0 ? *bytes - skipped : *bytes, name_, wanted);
    }

    std::string sysfs_;
    std::string name_;
    FileDescriptor node_;
    unsigned window_;
};

} // namespace

Result<std::unique_ptr<Source>> open_uio(const Settings &settings) {
    const auto name = settings.get("window.uio");
    const auto map = number(settings, "window.map", 0);
    if (!map)
        return std::unexpected(map.error());
    auto node = open_alone(text({settings.get("dev", "/dev"), "/", name}));
    if (!node)
        return std::unexpected(node.error());
    return std::make_unique<Uio>(settings, name, std::move(*node), static_cast<unsigned>(*map));
}

} // namespace rivulet::hal::window
