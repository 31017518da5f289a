// SPDX-License-Identifier: Apache-2.0
//
// Opens the files included by a build on behalf of the caller: on a thread of this process, with
// its privileges and root directory at that time, relative to the working directory at the time of
// the call.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/file_descriptor.h"
#include "host-runtime/object/hash.h"

namespace rivulet {

class CallerFiles {
public:
    /// Remembers the process's current working directory.
    CallerFiles();
    /// For a later build: `folder` is what folder() said. Relative paths are not found in a
    /// directory that has been moved.
    explicit CallerFiles(std::string folder);

    /// The directory's path; "" if it has been deleted.
    [[nodiscard]] const std::string &folder() const { return path_; }

    /// Opens a file for reading, or only for checking it (O_PATH). On failure, errno is set.
    FileDescriptor open(const std::string &path, bool to_read);

    /// The files that were found since the last call of `forget`, by path. Which paths the compiler
    /// tries in vain depends on what it did before.
    using Contents = std::map<std::string, Hash>;
    /// Nothing if they can't be known, as those of a pipe.
    [[nodiscard]] std::optional<Contents> contents() const { return contents_; }
    void forget() { contents_.emplace(); }

    /// Advice for a failed build: empty, or why relative paths did not work.
    [[nodiscard]] const char *advice() const;

private:
    void note(const std::string &path, const FileDescriptor &file);

    FileDescriptor folder_;
    std::string path_;
    bool has_missed_relative_path_ = false;
    std::optional<Contents> contents_ = Contents{};
};

} // namespace rivulet
