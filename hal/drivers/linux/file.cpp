// SPDX-License-Identifier: Apache-2.0
//
// Windows that are files: a regular file, memory of another process (/proc/PID/fd/N), a node of
// reserved memory, a PCI resource file, a buffer of a dma-buf heap.
#include <endian.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <linux/magic.h>
#include <linux/pci_regs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>

#include "hal/drivers/linux/source.h"

namespace rivulet::hal::window {
namespace {

class File : public Source {
public:
    File(std::string path, FileDescriptor file, uint64_t offset, uint64_t bytes)
        : path_(std::move(path)), file_(std::move(file)), offset_(offset), bytes_(bytes) {}

    Result<Mapping> memory(uint64_t wanted) override {
        return Mapping::create(file_.get(), offset_, bytes_, path_, wanted);
    }
    // Opens the file again: a duplicate would share the lock, which would last until all processes
    // have closed it.
    Result<SharedFile> shared_file() const override {
        struct stat status{};
        struct statfs system{}; // resources of PCI functions in sysfs are regular files, too
        if (fstat(file_.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
            fstatfs(file_.get(), &system) != 0 || system.f_type == SYSFS_MAGIC)
            return Source::shared_file();
        SharedFile file{FileDescriptor(::open(text({"/proc/self/fd/", file_.get()}).c_str(),
                                              O_RDWR | O_CLOEXEC)),
                        offset_};
        if (!file.descriptor)
            return fail(RVL_IO, {"cannot open ", path_, " again: ", errno_text(errno)});
        return file;
    }

protected:
    [[nodiscard]] int descriptor() const { return file_.get(); }

private:
    std::string path_;
    FileDescriptor file_;
    uint64_t offset_, bytes_;
};

/// A buffer of a dma-buf heap; the kernel maintains its caches.
class HeapBuffer final : public File {
public:
    using File::File;
    std::optional<bool> sync(rvl_sync_direction direction) override {
        // A transfer to the device ends a CPU access, one from the device begins one.
        const bool begins = direction == RVL_SYNC_FROM_DEVICE;
        dma_buf_sync request{
            .flags = static_cast<uint64_t>(begins ? DMA_BUF_SYNC_START : DMA_BUF_SYNC_END) |
                     DMA_BUF_SYNC_RW};
        while (ioctl(descriptor(), DMA_BUF_IOCTL_SYNC, &request) != 0)
            if (errno != EINTR && errno != EAGAIN)
                return false;
        return true;
    }
};

/// The BARs of a PCI function, through sysfs.
class PciResources final : public Source {
public:
    PciResources(std::string folder, unsigned bar, uint64_t offset, uint64_t bytes)
        : folder_(std::move(folder)), bar_(bar), offset_(offset), bytes_(bytes) {}

    Result<Mapping> memory(uint64_t wanted) override {
        // If a function does not decode addresses, loads return all ones and stores are lost.
        uint16_t command = PCI_COMMAND_MEMORY;
        const FileDescriptor config(::open((folder_ + "/config").c_str(), O_RDONLY | O_CLOEXEC));
        static_cast<void>(!pread(config.get(), &command, sizeof command, PCI_COMMAND));
        if ((le16toh(command) & PCI_COMMAND_MEMORY) == 0)
            return fail(RVL_IO, {folder_,
                                 " is disabled, as functions without a driver may be: "
                                 "echo 1 >",
                                 folder_, "/enable"});
        auto file = open_alone(path(bar_));
        if (!file)
            return std::unexpected(file.error());
        window_ = std::move(*file);
        const auto bytes = size_of(window_);
        if (offset_ > bytes || bytes_ > bytes - offset_)
            return fail(RVL_INVALID, {path(bar_), " has ", bytes_text(bytes),
                                      ", less than \"window.offset\" and \"window.bytes\" say"});
        return Mapping::create(window_.get(), offset_, bytes_ != 0 ? bytes_ : bytes - offset_,
                               path(bar_), wanted);
    }
    Result<Mapping> registers(unsigned region) override {
        const FileDescriptor file(::open(path(region).c_str(), O_RDWR | O_CLOEXEC | O_SYNC));
        if (!file)
            return fail(RVL_IO, {"cannot open ", path(region), ": ", errno_text(errno)});
        return Mapping::create(file.get(), 0, size_of(file), path(region));
    }
    [[nodiscard]] bool maps() const override { return false; }
    [[nodiscard]] std::string pci_function() const override {
        return folder_.substr(folder_.rfind('/') + 1);
    }

private:
    [[nodiscard]] std::string path(unsigned bar) const { return text({folder_, "/resource", bar}); }
    static uint64_t size_of(const FileDescriptor &file) {
        struct stat status{};
        return fstat(file.get(), &status) == 0 ? static_cast<uint64_t>(status.st_size) : 0;
    }

    std::string folder_;
    unsigned bar_;
    uint64_t offset_, bytes_;
    FileDescriptor window_; // its lock is held while this exists
};

struct Piece {
    uint64_t offset, bytes;
};

Result<Piece> piece_of(const Settings &settings) {
    const auto offset = number(settings, "window.offset", 0);
    const auto bytes = number(settings, "window.bytes", 0);
    if (!offset || !bytes)
        return std::unexpected(!offset ? offset.error() : bytes.error());
    if (*offset % RVL_PAGE_BYTES != 0 || *bytes % RVL_PAGE_BYTES != 0)
        return fail(RVL_INVALID, "\"window.offset\" and \"window.bytes\" must be whole pages");
    return Piece{*offset, *bytes};
}

} // namespace

Result<std::unique_ptr<Source>> open_file(const Settings &settings) {
    const auto path = settings.get("window.file");
    auto piece = piece_of(settings);
    if (!piece)
        return std::unexpected(piece.error());
    auto file = open_alone(path);
    if (!file)
        return std::unexpected(file.error());
    struct stat status{};
    if (fstat(file->get(), &status) == 0 && S_ISREG(status.st_mode)) {
        const auto size = static_cast<uint64_t>(status.st_size);
        if (piece->offset > size || piece->bytes > size - piece->offset)
            return fail(RVL_INVALID, {path, " has ", bytes_text(size),
                                      ", less than \"window.offset\" and \"window.bytes\" say"});
        if (piece->bytes == 0)
            piece->bytes = (size - piece->offset) / RVL_PAGE_BYTES * RVL_PAGE_BYTES;
    }
    if (piece->bytes == 0)
        return fail(RVL_INVALID, {path, " has no known size: set \"window.bytes\""});
    return std::make_unique<File>(path, std::move(*file), piece->offset, piece->bytes);
}

Result<std::unique_ptr<Source>> open_heap(const Settings &settings) {
    const auto path = settings.get("window.heap");
    const auto piece = piece_of(settings);
    if (!piece)
        return std::unexpected(piece.error());
    if (piece->bytes == 0 || piece->offset != 0)
        return fail(RVL_INVALID, "a window of a dma-buf heap needs \"window.bytes\", and has no "
                                 "offset");
    const FileDescriptor heap(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!heap)
        return fail(RVL_NOT_FOUND, {"cannot open ", path, ": ", errno_text(errno),
                                    "; /dev/dma_heap lists the available heaps"});
    dma_heap_allocation_data request{};
    request.len = piece->bytes;
    request.fd_flags = O_RDWR | O_CLOEXEC;
    if (ioctl(heap.get(), DMA_HEAP_IOCTL_ALLOC, &request) != 0)
        return fail(RVL_NO_MEMORY, {path, " has no buffer of ", bytes_text(piece->bytes), ": ",
                                    errno_text(errno)});
    return std::make_unique<HeapBuffer>(path, FileDescriptor(static_cast<int>(request.fd)), 0,
                                        piece->bytes);
}

Result<std::unique_ptr<Source>> open_pci(const Settings &settings) {
    const auto piece = piece_of(settings);
    const auto bar = number(settings, "window.bar", 0);
    if (!piece || !bar)
        return std::unexpected(!piece ? piece.error() : bar.error());
    return std::make_unique<PciResources>(
        sysfs_path(settings, {"/bus/pci/devices/", settings.get("window.pci")}),
        static_cast<unsigned>(*bar), piece->offset, piece->bytes);
}

} // namespace rivulet::hal::window
