// SPDX-License-Identifier: Apache-2.0
//
// VFIO: a PCI function owned by one process, behind an IOMMU: its group, regions and MSI-X vectors.
#include <fcntl.h>
#include <linux/pci_regs.h>
#include <linux/vfio.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/data_directory.h"
#include "hal/drivers/linux/source.h"

namespace rivulet::hal::window {
namespace {

std::unexpected<Error> refused(const std::string &address, const char *what) {
    return fail(RVL_IO, {"VFIO, ", address, ": ", what, ": ", errno_text(errno)});
}

class Vfio final : public Source {
public:
    Vfio(std::string address, unsigned bar, unsigned vector)
        : address_(std::move(address)), bar_(bar), vector_(vector) {}

    Result<> open(const std::string &group_number) {
        container_ = FileDescriptor(::open("/dev/vfio/vfio", O_RDWR | O_CLOEXEC));
        if (!container_)
            return fail(RVL_NOT_FOUND, {"cannot open /dev/vfio/vfio: ", errno_text(errno),
                                        "; load the module vfio-pci"});
        const auto path = text({"/dev/vfio/", group_number});
        group_ = FileDescriptor(::open(path.c_str(), O_RDWR | O_CLOEXEC));
        const int error = errno;
        if (!group_ && error == EBUSY)
            return fail(RVL_IO, {path, " (", address_,
                                 ") is in use by another process; a device "
                                 "serves one at a time: end that one first"});
        if (!group_)
            return fail(error == ENOENT ? RVL_NOT_FOUND : RVL_IO,
                        {"cannot open ", path, ": ", errno_text(error), "; bind ", address_,
                         " to vfio-pci (driver_override, then drivers_probe) and give its group "
                         "to this user: ",
                         name_of_document("docs/products.md")});
        vfio_group_status status{};
        status.argsz = sizeof status;
        if (ioctl(group_.get(), VFIO_GROUP_GET_STATUS, &status) != 0)
            return refused(address_, "the group's status");
        if ((status.flags & VFIO_GROUP_FLAGS_VIABLE) == 0)
            return fail(RVL_IO, {"the IOMMU group ", group_number, " of ", address_,
                                 " holds devices that other drivers have: bind all of them to "
                                 "vfio-pci"});
        const int container = container_.get();
        if (ioctl(group_.get(), VFIO_GROUP_SET_CONTAINER, &container) != 0)
            return refused(address_, "the group's container");
        if (ioctl(container, VFIO_SET_IOMMU, VFIO_TYPE1_IOMMU) != 0)
            return refused(address_, "the IOMMU (module vfio_iommu_type1)");
        device_ = FileDescriptor(ioctl(group_.get(), VFIO_GROUP_GET_DEVICE_FD, address_.c_str()));
        return device_ ? switch_on() : refused(address_, "the device");
    }

    Result<Mapping> memory(uint64_t wanted) override { return map(bar_, wanted); }
    Result<Mapping> registers(unsigned region) override { return map(region, 0); }
    [[nodiscard]] std::string pci_function() const override { return address_; }

    Result<Interrupt> interrupt() override {
        Interrupt interrupt{FileDescriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
                            InterruptKind::event};
        if (!interrupt.descriptor)
            return refused(address_, "an eventfd");
        alignas(vfio_irq_set) std::array<std::byte, sizeof(vfio_irq_set) + sizeof(int)> room{};
        auto &request = *reinterpret_cast<vfio_irq_set *>(room.data());
        request.argsz = sizeof room;
        request.flags = VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER;
        request.index = VFIO_PCI_MSIX_IRQ_INDEX;
        request.start = vector_;
        request.count = 1;
        const int event = interrupt.descriptor.get();
        std::memcpy(room.data() + sizeof(vfio_irq_set), &event, sizeof event);
        if (ioctl(device_.get(), VFIO_DEVICE_SET_IRQS, room.data()) != 0)
            return refused(address_, text({"MSI-X vector ", vector_}).c_str());
        return interrupt;
    }
    [[nodiscard]] bool maps() const override {
#if defined(__x86_64__)
        return true;
#else
        return false; // vfio-pci maps BARs as device memory: unaligned accesses fault
#endif
    }

private:
    [[nodiscard]] Result<vfio_region_info> region(unsigned index) const {
        vfio_region_info info{};
        info.argsz = sizeof info;
        info.index = index;
        if (ioctl(device_.get(), VFIO_DEVICE_GET_REGION_INFO, &info) != 0 || info.size == 0)
            return fail(RVL_NOT_FOUND, {address_, " has no BAR ", index});
        return info;
    }

    [[nodiscard]] Result<Mapping> map(unsigned index, uint64_t wanted) const {
        const auto info = region(index);
        if (!info)
            return std::unexpected(info.error());
        if ((info->flags & VFIO_REGION_INFO_FLAG_MMAP) == 0)
            return fail(RVL_UNSUPPORTED, {"BAR ", index, " of ", address_, " can't be mapped"});
        return Mapping::create(device_.get(), info->offset, info->size,
                               text({"BAR ", index, " of ", address_}), wanted);
    }

    /// Enables memory accesses and bus mastering, without which there are no MSI-X messages.
    [[nodiscard]] Result<> switch_on() const {
        const auto config = region(VFIO_PCI_CONFIG_REGION_INDEX);
        if (!config)
            return std::unexpected(config.error());
        const auto at = static_cast<off_t>(config->offset + PCI_COMMAND);
        uint16_t command = 0;
        if (pread(device_.get(), &command, sizeof command, at) != sizeof command)
            return refused(address_, "reading the command register");
        command |= PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER;
        if (pwrite(device_.get(), &command, sizeof command, at) != sizeof command)
            return refused(address_, "switching on bus mastering");
        return {};
    }

    std::string address_;
    unsigned bar_, vector_;
    FileDescriptor container_, group_, device_;
};

} // namespace

Result<std::unique_ptr<Source>> open_vfio(const Settings &settings) {
    const auto address = settings.get("window.vfio");
    const auto bar = number(settings, "window.bar", 0);
    const auto vector = number(settings, "doorbell.vfio-msix", 0);
    if (!bar || !vector)
        return std::unexpected(!bar ? bar.error() : vector.error());
    const auto link = sysfs_path(settings, {"/bus/pci/devices/", address, "/iommu_group"});
    std::error_code error;
    const auto group = std::filesystem::read_symlink(link, error);
    if (error)
        return fail(RVL_NOT_FOUND,
                    {"there is no PCI function ", address, " with an IOMMU group (", link,
                     "); lspci -D shows the functions, and the IOMMU must be switched on"});
    auto source = std::make_unique<Vfio>(address, static_cast<unsigned>(*bar),
                                         static_cast<unsigned>(*vector));
    if (auto opened = source->open(group.filename()); !opened)
        return std::unexpected(opened.error());
    return source;
}

} // namespace rivulet::hal::window
