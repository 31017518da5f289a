// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SUPPORT_MEMORY_FILE_H
#define RIVULET_COMPILER_SUPPORT_MEMORY_FILE_H

#include <string>

#include <llvm/ADT/ArrayRef.h>

namespace rivulet::compiler {

// A file in memory, for lld and other programs, which want names of files. Nothing stays behind in
// the file system when this process is killed.
class MemoryFile {
public:
    // `name`: for people who look into /proc.
    explicit MemoryFile(const char *name);
    MemoryFile(const MemoryFile &) = delete;
    MemoryFile &operator=(const MemoryFile &) = delete;
    ~MemoryFile();

    // Appends; false: there is no memory left.
    [[nodiscard]] bool write(llvm::ArrayRef<char> bytes) const;
    // All that it holds, also what others wrote.
    [[nodiscard]] std::string read() const;

    [[nodiscard]] int descriptor() const { return descriptor_; }
    // Good in this process and in its children.
    [[nodiscard]] std::string path() const;

private:
    int descriptor_;
};

} // namespace rivulet::compiler

#endif
