// SPDX-License-Identifier: Apache-2.0
//
// Build options as the application writes them (5.6.4, 5.6.5).
#ifndef RIVULET_COMPILER_FRONTEND_BUILD_OPTIONS_H
#define RIVULET_COMPILER_FRONTEND_BUILD_OPTIONS_H

#include <array>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/support/program.h"

namespace rivulet::compiler {

enum class Stage { build, compile, link };

// What a version of a kernel is made for (kernel_version.h).
struct KernelVersion {
    std::string kernel;
    std::array<uint32_t, 3> local_size{}; // 0: unknown
    struct Argument {
        bool is_sampler;
        uint32_t index;
        std::string values; // of the mark in lowering/known_arguments.h
    };
    std::vector<Argument> arguments; // that are known
};

struct Options {
    std::vector<std::string> front_end; // for clang
    std::string standard = "CL1.2";     // for clang
    // __OPENCL_C_VERSION__ of versions that clang doesn't know or we build as another one: 200 and
    // 310, of which the standard is CL3.0. __OPENCL_CPP_VERSION__: 100, of which it is CLC++2021.
    // Else 0.
    uint32_t language_version = 0;
    bool optimise = true;       // not with -cl-opt-disable
    bool argument_info = false; // -cl-kernel-arg-info
    bool debug = false;         // -g: variables too, not lines alone
    bool create_library = false;
    bool initialise_local = false; // cl_khr_initialize_memory, requested by the context
    bool initialise_private = false;
    bool sanitize = false;      // -rv-sanitize=address
    bool large_buffers = false; // -rvl-large-buffers: kernels also for buffers beyond 2 GiB
    bool verify = false;        // -rvl-verify: after each pass
    bool time_report = false;   // -ftime-report: where compiling takes its time
    Vectorise vectorise = Vectorise::spmd;
    std::optional<std::string> core;       // -mcpu=: LLVM's name; empty: any
    std::optional<uint32_t> inline_budget; // -rvl-inline-budget=, for tests
    KernelVersion version;                 // -rvl-kernel= and so on; for all kernels without name
};

// An error says what is wrong with the options, for the build log.
std::expected<Options, std::string> parse_options(std::string_view text, Stage stage);

// True if the word is a build option, so that a command line can contain both kinds; `takes_value`
// says that the next word is its value.
bool is_build_option(std::string_view word, bool &takes_value);

} // namespace rivulet::compiler

#endif
