// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/un.h>

#include <string_view>

#include "base/error.h"

namespace rivulet {

/// The socket address for a path; RVL_INVALID if the path is empty, contains a NUL, or is longer
/// than sockaddr_un allows.
Result<sockaddr_un> unix_address(std::string_view path);

} // namespace rivulet
