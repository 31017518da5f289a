// SPDX-License-Identifier: Apache-2.0
//
// Opens the files included by a build on behalf of the caller: on a thread of this process, with
// its privileges and root directory at that time, relative to the working directory at the time of
// the call.
#pragma once

#include <string>

#include "base/file_descriptor.h"

namespace rivulet {

class CallerFiles {
public:
    /// Remembers the process's current working directory.
    CallerFiles();

    /// The directory's path; "" if it has been deleted.
    [[nodiscard]] const std::string &folder() const { return path_; }

    /// Opens a file for reading, or only for checking it (O_PATH). On failure, errno is set.
    FileDescriptor open(const std::string &path, bool to_read);

    /// Advice for a failed build: empty, or why relative paths did not work.
    [[nodiscard]] const char *advice() const;

private:
    FileDescriptor folder_;
    std::string path_;
    bool has_missed_relative_path_ = false;
};

} // namespace rivulet
