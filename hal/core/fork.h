// SPDX-License-Identifier: Apache-2.0
//
// The one watch for fork(): a child has none of the library's threads, and what its parent opened
// stays its parent's.
#pragma once

#include <cstdint>

namespace rivulet::hal {

/// Differs between a process and its forked children. Any thread.
uint32_t process_generation();

/// From now on each child of fork() calls the function before fork returns there. Never undone.
void call_in_forked_children(void (*function)());

} // namespace rivulet::hal
