// SPDX-License-Identifier: Apache-2.0
//
// Application memory that a command accesses long after the call that passed it: it may have been
// unmapped by then, or be a read-only file mapping. The operating system is asked before the first
// access, so that such a command fails without crashing the process.
#pragma once

#include <cstddef>
#include <span>

namespace rivulet {

/// Fails with CL_INVALID_HOST_PTR if a page is not mapped. Costs one system call, whatever the
/// size.
void require_mapped(const void *memory, size_t bytes);

/// Stores only to pages that differ, and only the differing parts. Fails with CL_INVALID_HOST_PTR
/// if one of them is not writable.
void store_changes(std::byte *to, std::span<const std::byte> from);

} // namespace rivulet
