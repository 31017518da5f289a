// SPDX-License-Identifier: Apache-2.0
//
// Files that programs of ours write. This throws std::runtime_error with a sentence for people.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace rivulet::command_line {

/// A file that is there under its name as a whole or not at all. What has that name already and is
/// no regular file (a device node, a FIFO, /dev/stdout) is written into, since replacing it would
/// destroy it; a link stays, and what it leads to is replaced.
class OutputFile {
public:
    /// A secret can be read by its owner alone, whatever a file that is there permits.
    explicit OutputFile(const std::string &path, bool is_secret = false);
    OutputFile(const OutputFile &) = delete;
    OutputFile &operator=(const OutputFile &) = delete;
    /// Removes what was written, unless commit() was called.
    ~OutputFile();

    [[nodiscard]] int descriptor() const { return descriptor_; }
    void write(std::span<const std::byte> bytes);
    /// Brings the file onto the disk and under its name.
    void commit();

private:
    std::string path_;      // without links
    std::string temporary_; // "": what has the name is written into
    int descriptor_ = -1;
};

void write_output(const std::string &path, std::span<const std::byte> bytes);

} // namespace rivulet::command_line
