// SPDX-License-Identifier: Apache-2.0
//
// Frames of hal/protocol/compile.h: read from and written to a job's socket.
#ifndef RIVULET_COMPILER_SERVE_COMPILE_PROTOCOL_H
#define RIVULET_COMPILER_SERVE_COMPILE_PROTOCOL_H

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <llvm/Support/ErrorOr.h>

#include "compiler/pipeline/compile.h"

namespace rivulet::compiler {

// The fields of a request frame.
struct Request {
    rvl_frame_kind kind = RVL_FRAME_PING;
    Job job; // of BUILD, COMPILE and LINK
    std::string image;
    uint64_t address = 0;
    uint32_t seconds = 0; // of processor time, 0: no limit
    uint64_t memory_bytes = 0;
    std::optional<std::string> folder; // of a client that opens files
};

// Read field by field: `set_limits` is called with the limits before later fields are read. An
// error describes what is wrong with the frame.
std::expected<Request, std::string>
read_request(int socket, void (*set_limits)(const Request &) = [](const Request &) {});

struct Answer {
    rvl_compile_status status = RVL_COMPILE_OK;
    std::string text;
    rvl_field_tag tag = RVL_FIELD_IMAGE; // of the bytes
    std::string bytes;
};

std::string encode(const Answer &answer);
// Has the client open a file: to read it, or to look at it only. Gives the descriptor.
llvm::ErrorOr<int> ask_to_open(int socket, std::string_view path, bool to_read);
bool write_all(int socket, std::string_view bytes);

} // namespace rivulet::compiler

#endif
