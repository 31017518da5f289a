// SPDX-License-Identifier: Apache-2.0
//
// One clBuildProgram, clCompileProgram or clLinkProgram on its way through the compiler.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host-runtime/compile/caller_files.h"
#include "host-runtime/compile/request.h"
#include "host-runtime/program/kernel_versions.h"
#include "host-runtime/program/program.h"

namespace rivulet {

struct BuildTask {
    using Objects = KernelVersions::Objects;
    using Notify = void(CL_CALLBACK *)(cl_program, void *);

    struct Target {
        Ref<Device> device;
        Objects objects; // input of a link
    };

    Ref<Program> program; // its devices are claimed by Program::begin_build
    rvl_frame_kind kind = RVL_FRAME_BUILD;
    std::string options;
    std::vector<Target> targets;
    std::vector<CompileRequest::Header> headers; // for a compile
    CallerFiles files = {};                      // other included files
    std::optional<CallerFiles::Contents> included =
        {}; // their contents, if the binary was compiled

    /// Without a callback, returns when done, with CL_SUCCESS or the error. With one, returns
    /// CL_SUCCESS at once and continues on a separate thread.
    static cl_int run(BuildTask task, Notify notify, void *user_data);

private:
    struct Outcome {
        cl_int code;
        DeviceProgram state;
    };

    cl_int run_all();
    void report(cl_int code) const;
    Outcome run_one(const Target &target);
    cl_int compile(const Target &target, const Recipe &recipe, DeviceProgram &state);
    void rebuild_sanitized(const Target &target, DeviceProgram &state);
    void rebuild_for_large_buffers(const Target &target, DeviceProgram &state);
    void place_image(const Target &target, DeviceProgram &state) const;
    [[nodiscard]] std::optional<KernelVersions::Source>
    source_of_versions(const Target &target, const DeviceProgram &state) const;
    void initialise(const Target &target, DeviceProgram &state) const;
    [[nodiscard]] std::string all_options(const Target &target, const Recipe &recipe) const;
};

} // namespace rivulet
