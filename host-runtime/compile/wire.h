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

/// An error of the other side.
struct WireError {
    std::string reason;
    bool is_gone = false; // it closed the connection or died
};

/// Reads frames up to the result, and opens the files that the server requests.
std::expected<CompileResult, WireError> receive_result(int fd, CallerFiles *files);

} // namespace rivulet
