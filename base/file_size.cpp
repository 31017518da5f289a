// SPDX-License-Identifier: Apache-2.0
#include "base/file_size.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace rivulet {

bool may_have_file_of(uint64_t bytes) {
    rlimit limit{};
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
           bytes <= limit.rlim_cur;
}

bool set_file_size(int descriptor, uint64_t bytes) {
    if (!may_have_file_of(bytes) || !std::in_range<off_t>(bytes)) {
        errno = EFBIG;
        return false;
    }
    return ftruncate(descriptor, static_cast<off_t>(bytes)) == 0;
}

} // namespace rivulet
