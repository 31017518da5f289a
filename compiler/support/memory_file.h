// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SUPPORT_MEMORY_FILE_H
#define RIVULET_COMPILER_SUPPORT_MEMORY_FILE_H

#include <string>

#include <llvm/ADT/ArrayRef.h>

namespace rivulet::compiler {

// A file in memory, for lld and other programs that expect names of files. The file system keeps
// nothing when this process is killed.
class MemoryFile {
public:
    // `name` is shown in /proc.
    explicit MemoryFile(const char *name);
    MemoryFile(const MemoryFile &) = delete;
    MemoryFile &operator=(const MemoryFile &) = delete;
    ~MemoryFile();

    // Appends; false if no memory is left.
    [[nodiscard]] bool write(llvm::ArrayRef<char> bytes) const;
    // The whole contents, including what others wrote.
    [[nodiscard]] std::string read() const;

    [[nodiscard]] int descriptor() const { return descriptor_; }
    // Valid in this process and in its children.
    [[nodiscard]] std::string path() const;

private:
    int descriptor_;
};

} // namespace rivulet::compiler

#endif
