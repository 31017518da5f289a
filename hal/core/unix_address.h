// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/un.h>

#include <string_view>

#include "hal/core/error.h"

namespace rivulet::hal {

/// The address of the UNIX socket at a path; RVL_INVALID if the path is empty, has a NUL, or is
/// longer than sockaddr_un has room for.
Result<sockaddr_un> unix_address(std::string_view path);

} // namespace rivulet::hal
