// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/memory/external_memory.h"

#include <fcntl.h>
#include <linux/dma-buf.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "host-runtime/object/entry.h"

namespace rivulet {
namespace {

constexpr size_t whole_pages(size_t bytes) {
    return (bytes + RVL_PAGE_BYTES - 1) / RVL_PAGE_BYTES * RVL_PAGE_BYTES;
}

/// What identifies an open file.
struct FileId {
    dev_t device = 0;
    ino_t inode = 0;
    bool operator==(const FileId &) const = default;

    static FileId of(int descriptor) {
        struct stat status{};
        return fstat(descriptor, &status) == 0 ? FileId{status.st_dev, status.st_ino} : FileId{};
    }
};

/// The handles that may be open.
class Handles final : public Trimmable {
public:
    static const std::shared_ptr<Handles> &get() {
        static const auto *all = new std::shared_ptr<Handles>(std::make_shared<Handles>());
        return *all;
    }

    /// `read_end` tells when the last duplicate of the handle is closed; without one it is a
    /// dma-buf, of which the device knows.
    void add(int handle, FileDescriptor read_end, std::shared_ptr<const ExternalMemory> memory) {
        trim();
        const Lock lock(mutex_);
        handles_.push_back({FileId::of(handle), std::move(read_end), std::move(memory)});
    }

    std::shared_ptr<const ExternalMemory> find(int descriptor) {
        trim(); // the number of a closed file may be another's now
        const FileId id = FileId::of(descriptor);
        const Lock lock(mutex_);
        const auto found = std::ranges::find(handles_, id, &Handle::id);
        return found == handles_.end() ? nullptr : found->memory;
    }

    /// Forgets the handles that have been closed.
    void trim() override {
        std::vector<DmaBuf> ended;
        std::vector<Handle> closed;
        {
            const Lock lock(mutex_);
            for (const Handle &handle : handles_)
                if (!handle.read_end)
                    ended.push_back({handle.id, handle.memory});
        }
        // Devices are asked, and memory is freed, without the lock.
        std::erase_if(ended, [](const DmaBuf &each) { return !each.memory->export_ended(); });
        const Lock lock(mutex_);
        const auto first_closed =
            std::ranges::partition(handles_, [&](const Handle &handle) {
                if (!handle.read_end) // the memory may have got another dma-buf meanwhile
                    return std::ranges::find(ended, handle.id, &DmaBuf::id) == ended.end();
                pollfd end{handle.read_end.get(), 0, 0};
                return poll(&end, 1, 0) != 1; // signals interrupt it, even if it doesn't wait
            }).begin();
        std::ranges::move(first_closed, handles_.end(), std::back_inserter(closed));
        handles_.erase(first_closed, handles_.end());
    }

private:
    struct Handle {
        FileId id;
        FileDescriptor read_end;
        std::shared_ptr<const ExternalMemory> memory;
    };
    struct DmaBuf {
        FileId id;
        std::shared_ptr<const ExternalMemory> memory;
    };
    Mutex mutex_{LockRank::leaf};
    std::vector<Handle> handles_;
};

} // namespace

ExternalMemory::ExternalMemory(const ContextDevice &context_device, size_t bytes)
    : instance_(context_device.instance_reference()), bytes_(bytes),
      block_(context_device.allocate_shared(whole_pages(bytes))) {
    context_device.add(Handles::get());
}

ExternalMemory::ExternalMemory(const ContextDevice &context_device, size_t bytes, int dma_buf)
    : ExternalMemory(context_device, bytes) {
    FileDescriptor own(fcntl(dma_buf, F_DUPFD_CLOEXEC, 0));
    require(bool(own), CL_OUT_OF_HOST_MEMORY, "the process can't have more open files: %",
            errno_text(errno).c_str());
    const auto imported = instance_->import_memory(address(), whole_pages(bytes), dma_buf);
    if (!imported)
        fail(CL_INVALID_VALUE,
             "the memory of dma-buf % is not the device's, and nothing is copied behind your back: "
             "make the buffer here (CL_MEM_EXPORT_HANDLE_TYPES_RIVULET), and import its dma-buf "
             "where the data comes from; %",
             {dma_buf, imported.error().message});
    imported_ = std::move(own);
}

ExternalMemory::~ExternalMemory() {
    if (imported_)
        instance_->end_import(address(), whole_pages(bytes_));
}

bool ExternalMemory::export_ended() const {
    return instance_->export_ended(address(), whole_pages(bytes_));
}

FileDescriptor ExternalMemory::dma_buf(std::shared_ptr<const ExternalMemory> memory) {
    auto handle = memory->instance_->export_memory(memory->address(), whole_pages(memory->bytes_));
    if (!handle)
        fail(CL_INVALID_OPERATION, "%", {handle.error().message});
    Handles::get()->add(handle->get(), {}, std::move(memory));
    return std::move(*handle);
}

void ExternalMemory::begin_access() const {
    dma_buf_sync access{.flags = DMA_BUF_SYNC_START | DMA_BUF_SYNC_RW};
    if (imported_)
        static_cast<void>(ioctl(imported_.get(), DMA_BUF_IOCTL_SYNC, &access));
}

void ExternalMemory::end_access() const {
    dma_buf_sync access{.flags = DMA_BUF_SYNC_END | DMA_BUF_SYNC_RW};
    if (imported_)
        static_cast<void>(ioctl(imported_.get(), DMA_BUF_IOCTL_SYNC, &access));
}

const ContextDevice &ExternalMemory::home(const Context &context) const {
    for (const auto &context_device : context.context_devices()) {
        if (&context_device->instance() == instance_.get()) {
            context_device->share_pages();
            return *context_device;
        }
        require(&context_device->instance().hal() != &instance_->hal(), CL_OUT_OF_RESOURCES,
                "the device of the memory was lost, and with it the memory");
    }
    fail(CL_INVALID_DEVICE, "the memory is on a device that is not in the context");
}

FileDescriptor ExternalMemory::opaque_handle(std::shared_ptr<const ExternalMemory> memory) {
    int ends[2];
    require(pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0, CL_OUT_OF_HOST_MEMORY,
            "the process can't have more open files: %", errno_text(errno).c_str());
    FileDescriptor read_end(ends[0]);
    FileDescriptor handle(ends[1]);
    Handles::get()->add(handle.get(), std::move(read_end), std::move(memory));
    return handle;
}

std::shared_ptr<const ExternalMemory> ExternalMemory::of_handle(int descriptor) {
    return Handles::get()->find(descriptor);
}

} // namespace rivulet
