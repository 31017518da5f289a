// SPDX-License-Identifier: Apache-2.0
//
// Frames of hal/protocol/compile.h over a stream socket.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "host-runtime/compile/request.h"

namespace rivulet {

std::vector<std::byte> encode(const CompileRequest &request, const CompileLimits &limits);

bool send_all(int fd, const std::vector<std::byte> &bytes);

/// Reads frames until the result; an error says what the other side did wrong.
std::expected<CompileResult, std::string> receive_result(int fd);

} // namespace rivulet
