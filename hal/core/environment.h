// SPDX-License-Identifier: Apache-2.0
//
// The one way to a variable of the environment.
#pragma once

namespace rivulet::hal {

/// nullptr when the variable is not set, and in a program that runs with rights that its caller
/// does not have (set-user-ID and the like): the caller must not choose drivers, compilers or
/// files for it.
const char *environment(const char *name);

} // namespace rivulet::hal
