// SPDX-License-Identifier: Apache-2.0
//
// The files that a build includes, as its caller sees them: opened by a thread of this process,
// which has the rights and the root that the process has then, and from the working folder that it
// had when the caller asked for the build.
#pragma once

#include <string>

#include "hal/core/file_descriptor.h"

namespace rivulet {

class CallerFiles {
public:
    /// Of the working folder that the process has now.
    CallerFiles();

    /// The folder's path; "": it was deleted.
    [[nodiscard]] const std::string &folder() const { return path_; }

    /// Opens a file for reading, or only to be looked at (O_PATH). None: errno says why.
    hal::FileDescriptor open(const std::string &path, bool to_read);

    /// What to say of a build that failed: nothing, or why no relative path led to a file.
    [[nodiscard]] const char *advice() const;

private:
    hal::FileDescriptor folder_;
    std::string path_;
    bool has_missed_relative_path_ = false;
};

} // namespace rivulet
