// SPDX-License-Identifier: Apache-2.0
//
// The compiler as the rest of the runtime sees it: where it is, whether it is there, and what it
// makes of a request, from the cache when that has it.
#pragma once

#include <span>
#include <string>

#include "host-runtime/compile/cache.h"
#include "host-runtime/compile/server.h"

namespace rivulet {

class Compiler {
public:
    /// The one that RIVULET_CC names, or ../bin/rivulet-cc from this library.
    static Compiler &get();

    Compiler(std::string path, CompileLimits limits, std::string cache_directory);

    /// CL_DEVICE_COMPILER_AVAILABLE. Without it programs come from binaries.
    [[nodiscard]] bool is_available() const;
    /// True if there is a compiler that takes SPIR-V, too.
    [[nodiscard]] bool takes_spirv() const;
    /// For build logs, when it isn't: what to do.
    [[nodiscard]] std::string absence() const;

    /// Blocks. Any thread; requests of several threads are worked on side by side.
    CompileResult run(const CompileRequest &request);
    /// The same from the compiler itself: for when what run() gave turned out to be useless.
    CompileResult run_again(const CompileRequest &request);

    /// "function at file:line" of an address in a kernel image; empty: not known.
    std::string symbolize(std::span<const std::byte> image, uint64_t address);

    void unload() { server_.unload(); }

private:
    [[nodiscard]] std::string identity() const;

    const std::string path_;
    const std::string first_identity_; // before the server was started
    CompileServer server_;
    CompileCache cache_;
};

} // namespace rivulet
