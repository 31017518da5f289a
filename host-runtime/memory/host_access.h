// SPDX-License-Identifier: Apache-2.0
//
// Memory of the application that a command works on long after the application gave it: it may be
// unmapped by then, and what lies in a file mapped for reading can't be stored to. The operating
// system is asked before the first access, so that such a command fails and the process goes on.
#pragma once

#include <cstddef>
#include <span>

namespace rivulet {

/// Fails with CL_INVALID_HOST_PTR if a page of it is not mapped. Costs as much as one system call,
/// however long it is.
void require_mapped(const void *memory, size_t bytes);

/// Stores the pages, or parts of pages, that differ, and no others. Fails with CL_INVALID_HOST_PTR
/// if one of these can't be written.
void store_changes(std::byte *to, std::span<const std::byte> from);

} // namespace rivulet
