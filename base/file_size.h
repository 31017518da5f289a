// SPDX-License-Identifier: Apache-2.0
//
// Limits on file sizes (RLIMIT_FSIZE, `ulimit -f`), which terminate a process with SIGXFSZ instead
// of returning an error. They also apply to shared memory (memfd_create).
#pragma once

#include <cstdint>

namespace rivulet {

/// True if this process may create a file of this size.
bool may_have_file_of(uint64_t bytes);

/// ftruncate that fails with EFBIG if the size exceeds the process's limit.
bool set_file_size(int descriptor, uint64_t bytes);

} // namespace rivulet
