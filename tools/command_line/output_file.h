// SPDX-License-Identifier: Apache-2.0
//
// Output files of our programs. Throws std::runtime_error with a message for the user.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace rivulet::command_line {

/// A file that appears under its name either complete or not at all. If the name refers to
/// something other than a regular file (a device node, a FIFO, /dev/stdout), that is written to,
/// because replacing it would destroy it; for a link, the target is replaced.
class OutputFile {
public:
    /// A secret is only readable by its owner, whatever the permissions of an existing file.
    explicit OutputFile(const std::string &path, bool is_secret = false);
    OutputFile(const OutputFile &) = delete;
    OutputFile &operator=(const OutputFile &) = delete;
    /// Removes the output unless commit() was called.
    ~OutputFile();

    [[nodiscard]] int descriptor() const { return descriptor_; }
    void write(std::span<const std::byte> bytes);
    /// Flushes the file to disk and gives it its name.
    void commit();

private:
    std::string path_;      // with links resolved
    std::string temporary_; // "": writes directly to an existing special file
    int descriptor_ = -1;
};

void write_output(const std::string &path, std::span<const std::byte> bytes);

} // namespace rivulet::command_line
