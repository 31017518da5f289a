// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/memory/host_access.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hal/core/file_descriptor.h"
#include "host-runtime/object/entry.h"

namespace rivulet {
namespace {

constexpr size_t block_bytes = 4096; // no page is smaller

/// Brings the pages of a range in, as accesses to all of them would. 0 or errno: ENOMEM, EFAULT:
/// one isn't there; EINVAL: one has other rights or is a device's, or Linux is older than 5.14.
int populate(const void *memory, size_t bytes, int advice) {
    static const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto start = reinterpret_cast<uintptr_t>(memory) & ~(page - 1);
    const auto end = reinterpret_cast<uintptr_t>(memory) + bytes;
    while (madvise(reinterpret_cast<void *>(start), end - start, advice) != 0)
        if (errno != EINTR && errno != EAGAIN)
            return errno;
    return 0;
}

/// Copies through the kernel, which refuses where an access of our own would end the process.
class CheckedCopy {
public:
    CheckedCopy() {
        int ends[2];
        require(pipe2(ends, O_CLOEXEC) == 0, CL_OUT_OF_HOST_MEMORY);
        out_ = hal::FileDescriptor(ends[0]);
        in_ = hal::FileDescriptor(ends[1]);
    }
    /// Not more than a block.
    [[nodiscard]] bool copy(void *to, const void *from, size_t bytes) const {
        return write(in_.get(), from, bytes) == static_cast<ssize_t>(bytes) &&
               read(out_.get(), to, bytes) == static_cast<ssize_t>(bytes);
    }

private:
    hal::FileDescriptor in_, out_;
};

} // namespace

void require_readable(const void *memory, size_t bytes) {
    const int error = bytes ? populate(memory, bytes, MADV_POPULATE_READ) : 0;
    require(error != ENOMEM && error != EFAULT, CL_INVALID_HOST_PTR);
    if (error == 0)
        return;
    const CheckedCopy checked; // memory without any rights, say
    std::byte first;
    require(checked.copy(&first, memory, 1) &&
                checked.copy(&first, static_cast<const std::byte *>(memory) + bytes - 1, 1),
            CL_INVALID_HOST_PTR);
}

bool is_writable(void *memory, size_t bytes) {
    return populate(memory, bytes, MADV_POPULATE_WRITE) == 0;
}

void store_changes(std::byte *to, std::span<const std::byte> from) {
    require_readable(to, from.size());
    const CheckedCopy checked;
    while (!from.empty()) {
        const size_t rest = block_bytes - reinterpret_cast<uintptr_t>(to) % block_bytes;
        const size_t bytes = std::min(from.size(), rest);
        require(std::memcmp(to, from.data(), bytes) == 0 || checked.copy(to, from.data(), bytes),
                CL_INVALID_HOST_PTR);
        to += bytes;
        from = from.subspan(bytes);
    }
}

} // namespace rivulet
