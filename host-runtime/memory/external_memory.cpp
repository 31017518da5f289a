// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/memory/external_memory.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "host-runtime/object/entry.h"

namespace rivulet {
namespace {

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

    void add(FileDescriptor read_end, std::shared_ptr<const ExternalMemory> memory) {
        trim();
        const Lock lock(mutex_);
        const FileId id = FileId::of(read_end.get());
        handles_.push_back({id, std::move(read_end), std::move(memory)});
    }

    std::shared_ptr<const ExternalMemory> find(int descriptor) {
        const FileId id = FileId::of(descriptor);
        const Lock lock(mutex_);
        const auto found = std::ranges::find(handles_, id, &Handle::id);
        return found == handles_.end() ? nullptr : found->memory;
    }

    /// Forgets the handles that have been closed.
    void trim() override {
        std::vector<Handle> closed; // their memory is freed without the lock
        const Lock lock(mutex_);
        const auto first_closed = std::ranges::partition(handles_, [](const Handle &handle) {
                                      pollfd end{handle.read_end.get(), 0, 0};
                                      return poll(&end, 1, 0) == 0;
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
    Mutex mutex_{LockRank::leaf};
    std::vector<Handle> handles_;
};

} // namespace

ExternalMemory::ExternalMemory(const ContextDevice &context_device, size_t bytes)
    : instance_(context_device.instance_reference()), bytes_(bytes),
      block_(context_device.allocate_shared(bytes)) {
    context_device.add(Handles::get());
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
    Handles::get()->add(std::move(read_end), std::move(memory));
    return handle;
}

std::shared_ptr<const ExternalMemory> ExternalMemory::of_opaque_handle(int descriptor) {
    return Handles::get()->find(descriptor);
}

} // namespace rivulet
