// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_SUPPORT_NO_FILES_H
#define RIVULET_COMPILER_SUPPORT_NO_FILES_H

#include <sys/resource.h>

namespace rivulet::compiler {

// While an object exists, this process can't open files: the system refuses (EMFILE).
class NoFiles {
public:
    NoFiles() {
        getrlimit(RLIMIT_NOFILE, &before_);
        const rlimit none = {0, before_.rlim_max};
        setrlimit(RLIMIT_NOFILE, &none);
    }
    NoFiles(const NoFiles &) = delete;
    NoFiles &operator=(const NoFiles &) = delete;
    ~NoFiles() { setrlimit(RLIMIT_NOFILE, &before_); }

private:
    rlimit before_ = {};
};

} // namespace rivulet::compiler

#endif
