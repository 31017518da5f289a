// SPDX-License-Identifier: Apache-2.0
//
// Messages on standard error.
#pragma once

#include <string_view>

namespace rivulet {

/// Messages for the user on standard error: RIVULET_LOG=0 (errors), 1 (warnings), 2, 3. Must not be
/// called under a lock, because standard error may be a pipe without a reader.
void log(int level, std::string_view text);
/// Logs a kernel fault, which no error code describes: a warning that is shown unless
/// RIVULET_LOG=0. Without RIVULET_LOG, only the first few of a process are shown.
void log_fault(std::string_view text);

} // namespace rivulet
