// SPDX-License-Identifier: Apache-2.0
#include "compiler/support/memory_file.h"

#include <algorithm>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rivulet::compiler {

// The descriptor stays open over exec: a child opens the file by the same path.
MemoryFile::MemoryFile(const char *name) : descriptor_(memfd_create(name, 0)) {}

MemoryFile::~MemoryFile() { close(descriptor_); }

bool MemoryFile::write(llvm::ArrayRef<char> bytes) const {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written <= 0)
            return false;
        bytes = bytes.drop_front(static_cast<size_t>(written));
    }
    return true;
}

std::string MemoryFile::read() const {
    struct stat status = {};
    fstat(descriptor_, &status);
    std::string bytes(static_cast<size_t>(status.st_size), '\0');
    const ssize_t count = pread(descriptor_, bytes.data(), bytes.size(), 0);
    bytes.resize(static_cast<size_t>(std::max<ssize_t>(0, count)));
    return bytes;
}

std::string MemoryFile::path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

} // namespace rivulet::compiler
