// SPDX-License-Identifier: Apache-2.0
//
// 5.6.2, 5.6.3: building, compiling and linking programs.
#include <algorithm>

#include "host-runtime/compile/compiler.h"
#include "host-runtime/object/entry.h"
#include "host-runtime/object/log.h"
#include "host-runtime/program/build.h"

using namespace rivulet;

namespace {

using Notify = BuildTask::Notify;

void check_notify(Notify notify, const void *user_data) {
    require(notify || !user_data, CL_INVALID_VALUE, "user_data is given without pfn_notify");
}

/// The devices in the list, which must be among `all` and unique, and their sub-devices in `all`;
/// without a list, all of them.
std::vector<Ref<Device>> devices_to_build_for(const std::vector<Ref<Device>> &all, cl_uint count,
                                              const cl_device_id *list) {
    require((list == nullptr) == (count == 0), CL_INVALID_VALUE,
            "num_devices is %, device_list is %", count, address_of(list));
    if (!list)
        return all;
    std::vector<Ref<Device>> devices;
    for (cl_uint i = 0; i < count; ++i) {
        Ref<Device> device = checked(list[i]);
        require(std::ranges::find(all, device) != all.end(), CL_INVALID_DEVICE,
                "device_list[%] is not one of the program's devices, or the context's", i);
        if (std::ranges::find(devices, device) == devices.end())
            devices.push_back(std::move(device));
    }
    // A program built for a device can also be used on its sub-devices.
    for (const Ref<Device> &device : all)
        for (Ref<Device> above = device->parent(); above; above = above->parent())
            if (std::ranges::find(devices, above) != devices.end() &&
                std::ranges::find(devices, device) == devices.end())
                devices.push_back(device);
    return devices;
}

/// Claims the devices and runs the task. Without a compiler the call fails, and the build log says
/// what to do; a failed build also leaves a log.
cl_int run(BuildTask task, cl_int without_compiler, Notify notify, void *user_data) {
    std::vector<Ref<Device>> devices;
    std::ranges::transform(task.targets, std::back_inserter(devices), &BuildTask::Target::device);
    task.program->begin_build(devices, task.options);
    const Ref<Program> program = task.program;
    try {
        const bool needs_compiler = program->origin() != Program::Origin::binary;
        if (!needs_compiler || Compiler::get().is_available())
            return BuildTask::run(std::move(task), notify, user_data);
        const std::string why = Compiler::get().absence();
        for (const Ref<Device> &device : devices)
            program->end_build({device, CL_BUILD_ERROR, task.options, why, {}, nullptr});
        log(0, why);
        return without_compiler;
    } catch (...) {
        for (const Ref<Device> &device : devices)
            program->abandon_build(*device);
        throw;
    }
}

std::vector<BuildTask::Target> targets_of(const std::vector<Ref<Device>> &devices) {
    std::vector<BuildTask::Target> targets;
    for (const Ref<Device> &device : devices)
        targets.push_back({device, {}});
    return targets;
}

std::vector<CompileRequest::Header> checked_headers(const Context &context, cl_uint count,
                                                    const cl_program *programs,
                                                    const char **names) {
    require((count != 0) == (programs != nullptr) && (count != 0) == (names != nullptr),
            CL_INVALID_VALUE,
            "num_input_headers is %, input_headers is %, header_include_names is %", count,
            address_of(programs), address_of(names));
    std::vector<CompileRequest::Header> headers;
    for (cl_uint i = 0; i < count; ++i) {
        require(names[i], CL_INVALID_VALUE, "header_include_names[%] is NULL", i);
        const Ref<Program> program = checked(programs[i], context);
        require(program->origin() == Program::Origin::source, CL_INVALID_OPERATION,
                "input_headers[%] was not created from source", i);
        headers.push_back({names[i], program->source()});
    }
    return headers;
}

/// 5.6.3: for each device, either all inputs are compiled objects or libraries, or none is.
std::vector<BuildTask::Target> checked_inputs(const std::vector<Ref<Device>> &devices,
                                              const std::vector<Ref<Program>> &inputs) {
    std::vector<BuildTask::Target> targets;
    for (const Ref<Device> &device : devices) {
        BuildTask::Target target{device, {}};
        for (const Ref<Program> &input : inputs) {
            if (!input->has(*device))
                continue;
            DeviceProgram state = input->state(*device);
            require(state.status != CL_BUILD_IN_PROGRESS, CL_INVALID_OPERATION,
                    "an input program is being built");
            if (!state.binary.object.empty())
                target.objects.push_back(std::move(state.binary.object));
        }
        require(target.objects.empty() || target.objects.size() == inputs.size(),
                CL_INVALID_OPERATION,
                "for one device % of % input programs are compiled: all must be, or none",
                target.objects.size(), inputs.size());
        if (!target.objects.empty())
            targets.push_back(std::move(target));
    }
    require(!targets.empty(), CL_INVALID_OPERATION,
            "no input program is compiled for any device: clCompileProgram comes first");
    return targets;
}

} // namespace

cl_int CL_API_CALL clBuildProgram(cl_program program_handle, cl_uint num_devices,
                                  const cl_device_id *device_list, const char *options,
                                  Notify pfn_notify, void *user_data) {
    return entry(program_handle, [&](Program &program) {
        check_notify(pfn_notify, user_data);
        const auto devices = devices_to_build_for(program.devices(), num_devices, device_list);
        if (program.origin() == Program::Origin::binary)
            for (const Ref<Device> &device : devices)
                require(
                    bool(program.state(*device).binary.executable), CL_INVALID_BINARY,
                    "the binary is a compiled object or library: clLinkProgram creates programs "
                    "of those");
        require(program.origin() != Program::Origin::built_in, CL_INVALID_OPERATION,
                "the program has built-in kernels, which need no build");
        require(program.origin() != Program::Origin::linked, CL_INVALID_OPERATION,
                "the program was created by clLinkProgram, which has built it");
        BuildTask task{
            Ref(program), RVL_FRAME_BUILD, options ? options : "", targets_of(devices), {}};
        const cl_int code = run(std::move(task), CL_COMPILER_NOT_AVAILABLE, pfn_notify, user_data);
        if (code != CL_SUCCESS)
            fail(code, program.first_error());
    });
}

cl_int CL_API_CALL clCompileProgram(cl_program program_handle, cl_uint num_devices,
                                    const cl_device_id *device_list, const char *options,
                                    cl_uint num_input_headers, const cl_program *input_headers,
                                    const char **header_include_names, Notify pfn_notify,
                                    void *user_data) {
    return entry(program_handle, [&](Program &program) {
        auto headers = checked_headers(program.context(), num_input_headers, input_headers,
                                       header_include_names);
        check_notify(pfn_notify, user_data);
        const auto devices = devices_to_build_for(program.devices(), num_devices, device_list);
        require(program.is_compiled(), CL_INVALID_OPERATION, "the program has no source");
        BuildTask task{Ref(program), RVL_FRAME_COMPILE, options ? options : "", targets_of(devices),
                       std::move(headers)};
        const cl_int code = run(std::move(task), CL_COMPILER_NOT_AVAILABLE, pfn_notify, user_data);
        if (code != CL_SUCCESS)
            fail(code, program.first_error());
    });
}

// A link that can be started returns a program even if it fails: its log says why.
cl_program CL_API_CALL clLinkProgram(cl_context context_handle, cl_uint num_devices,
                                     const cl_device_id *device_list, const char *options,
                                     cl_uint num_input_programs, const cl_program *input_programs,
                                     Notify pfn_notify, void *user_data, cl_int *errcode_ret) {
    cl_int outcome = CL_SUCCESS;
    cl_int code = CL_SUCCESS;
    const cl_program linked = create(context_handle, &code, [&](Context &context) {
        require(num_input_programs > 0 && input_programs, CL_INVALID_VALUE,
                "num_input_programs is %, input_programs is %", num_input_programs,
                address_of(input_programs));
        check_notify(pfn_notify, user_data);
        auto devices = devices_to_build_for(context.devices(), num_devices, device_list);
        std::vector<Ref<Program>> inputs;
        for (cl_uint i = 0; i < num_input_programs; ++i)
            inputs.push_back(checked(input_programs[i], context));
        const auto program =
            make<Program>(Ref(context), Program::Origin::linked, std::move(devices));
        BuildTask task{program,
                       RVL_FRAME_LINK,
                       options ? options : "",
                       checked_inputs(program->devices(), inputs),
                       {}};
        const cl_program handle = give<cl_program>(program);
        outcome = run(std::move(task), CL_LINKER_NOT_AVAILABLE, pfn_notify, user_data);
        if (outcome == CL_LINK_PROGRAM_FAILURE)
            context.report(
                text({"clLinkProgram: ", failure_text(outcome, program->first_error())}));
        if (outcome == CL_SUCCESS || outcome == CL_LINK_PROGRAM_FAILURE)
            return handle;
        program->release_handle();
        fail(outcome, program->first_error());
    });
    if (errcode_ret)
        *errcode_ret = code == CL_SUCCESS ? outcome : code;
    return linked;
}
