// SPDX-License-Identifier: Apache-2.0
//
// Detects fork(): a child has none of the library's threads, and resources opened by its parent
// remain the parent's.
#pragma once

#include <cstdint>

namespace rivulet {

/// Differs between a process and its forked children. May be called on any thread.
uint32_t process_generation();

/// Registers a function that every child of fork() calls before fork returns there. Can't be
/// undone.
void call_in_forked_children(void (*function)());

} // namespace rivulet
