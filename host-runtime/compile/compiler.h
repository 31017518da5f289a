// SPDX-License-Identifier: Apache-2.0
//
// The compiler as seen by the rest of the runtime: whether it is available, and its results for
// requests, from the cache if possible.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "host-runtime/compile/cache.h"
#include "host-runtime/compile/server.h"

namespace rivulet {

class Compiler {
public:
    /// The compiler named by RIVULET_CC, or ../bin/rivulet-cc relative to this library.
    static Compiler &get();

    Compiler(std::string path, CompileLimits limits, std::string cache_directory);

    /// CL_DEVICE_COMPILER_AVAILABLE. Without a compiler, programs can only be created from
    /// binaries.
    [[nodiscard]] bool is_available() const;
    /// True if there is a compiler that accepts SPIR-V, too.
    [[nodiscard]] bool takes_spirv() const;
    /// For build logs, if it is not available: what to do.
    [[nodiscard]] std::string absence() const;

    /// Blocks. May be called on any thread; requests from several threads run concurrently.
    CompileResult run(const CompileRequest &request);
    /// Its result if that is in the cache.
    [[nodiscard]] std::optional<CompileResult> cached(const CompileRequest &request) const;
    /// The same without the cache, for when the result of run() turned out to be unusable.
    CompileResult run_again(const CompileRequest &request);

    /// "function at file:line" for an address in a kernel image; empty if unknown.
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
