// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/memory/host_access.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file_descriptor.h"
#include "host-runtime/object/entry.h"

namespace rivulet {
namespace {

constexpr size_t block_bytes = 4096; // the minimum page size

struct Pages {
    void *start;
    size_t bytes;
};
Pages pages_of(const void *memory, size_t bytes) {
    static const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<uintptr_t>(memory);
    const uintptr_t start = begin & ~(page - 1);
    return {reinterpret_cast<void *>(start), begin + bytes - start};
}

/// True if the page is known to be writable; never for device memory, or before Linux 5.14.
bool is_writable(void *memory) {
    const Pages page = pages_of(memory, 1);
    return madvise(page.start, page.bytes, MADV_POPULATE_WRITE) == 0;
}

/// Copies through the kernel, which returns an error where a direct access would crash.
class CheckedCopy {
public:
    CheckedCopy() {
        int ends[2];
        require(pipe2(ends, O_CLOEXEC) == 0, CL_OUT_OF_HOST_MEMORY,
                "can't open a pipe, which is needed to check host_ptr");
        out_ = FileDescriptor(ends[0]);
        in_ = FileDescriptor(ends[1]);
    }
    /// At most one block.
    [[nodiscard]] bool copy(void *to, const void *from, size_t bytes) const {
        return write(in_.get(), from, bytes) == static_cast<ssize_t>(bytes) &&
               read(out_.get(), to, bytes) == static_cast<ssize_t>(bytes);
    }

private:
    FileDescriptor in_, out_;
};

} // namespace

void require_mapped(const void *memory, size_t bytes) {
    const Pages pages = pages_of(memory, bytes);
    // Since Linux 2.6.19 this has no other effect.
    require(msync(pages.start, pages.bytes, MS_ASYNC) == 0 || errno != ENOMEM, CL_INVALID_HOST_PTR,
            "some of the % bytes at % are not mapped", bytes, address_of(memory));
}

void store_changes(std::byte *to, std::span<const std::byte> from) {
    const auto block_at = [&](size_t offset) {
        const size_t rest = block_bytes - reinterpret_cast<uintptr_t>(to + offset) % block_bytes;
        return std::min(from.size() - offset, rest);
    };
    const auto differs = [&](size_t offset) {
        return offset < from.size() && std::memcmp(to + offset, &from[offset], block_at(offset));
    };
    for (size_t begin = 0; begin < from.size();) {
        size_t end = begin;
        while (differs(end))
            end += block_at(end);
        if (end == begin) {
            begin += block_at(begin);
            continue;
        }
        if (is_writable(to + begin) && is_writable(to + end - 1)) {
            std::memcpy(to + begin, &from[begin], end - begin);
            begin = end;
            continue;
        }
        for (const CheckedCopy checked; begin < end;) {
            const size_t bytes = block_at(begin);
            require(checked.copy(to + begin, &from[begin], bytes), CL_INVALID_HOST_PTR,
                    "% bytes of host_ptr at % can't be written", bytes, address_of(to + begin));
            begin += bytes;
        }
    }
}

} // namespace rivulet
