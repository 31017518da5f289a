// SPDX-License-Identifier: Apache-2.0
//
// A request to rivulet-cc, and its answer; the wire format is in hal/protocol/compile.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hal/protocol/compile.h"

namespace rivulet {

class CallerFiles;

/// Refers to data owned by the caller.
struct CompileRequest {
    struct Header {
        std::string name;
        std::string text;
    };

    rvl_frame_kind kind = RVL_FRAME_BUILD;
    std::string_view isa; // as in rvl_hello, or "host"
    uint32_t vlen = 0;
    std::string_view core; // as in rvl_hello; may be empty
    std::string_view options;
    std::string_view source;
    std::span<const Header> headers;
    Header instructions; // the board's instructions.h; no text: it has none
    std::span<const std::vector<std::byte>> objects;
    std::span<const std::byte> spirv;
    std::span<const std::byte> image; // of SYMBOLIZE
    uint64_t address = 0;             // of SYMBOLIZE
    CallerFiles *files = nullptr;     // provides the files it may include
};

struct CompileResult {
    rvl_compile_status status = RVL_COMPILE_CRASHED;
    std::string text;              // the log; of PING and SYMBOLIZE the answer
    std::vector<std::byte> output; // kernel image, object or library
};

struct CompileLimits {
    uint32_t seconds = 300; // of processor time
    uint64_t memory_bytes = uint64_t{4} << 30;
};

} // namespace rivulet
