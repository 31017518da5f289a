// SPDX-License-Identifier: Apache-2.0
//
// Limits on the size of files (RLIMIT_FSIZE, `ulimit -f`), which end a process with SIGXFSZ where
// an error would do. They hold for shared memory (memfd_create), too.
#pragma once

#include <cstdint>

namespace rivulet::hal {

/// True if this process may make a file of so many bytes.
bool may_have_file_of(uint64_t bytes);

/// ftruncate that fails with EFBIG where the process has such a limit.
bool set_file_size(int descriptor, uint64_t bytes);

} // namespace rivulet::hal
