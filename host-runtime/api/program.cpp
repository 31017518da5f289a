// SPDX-License-Identifier: Apache-2.0
//
// 5.6.1, 5.6.6, 5.6.7: creating and querying programs. Building is in build.cpp.
#include <algorithm>
#include <cstring>
#include <ranges>

#include "host-runtime/compile/compiler.h"
#include "host-runtime/device/platform.h"
#include "host-runtime/object/query.h"
#include "host-runtime/program/program.h"
#include "host-runtime/program/spirv.h"

using namespace rivulet;

namespace {

/// 5.6.1: concatenates all strings, without NULs that lengths may include.
std::string concatenated(cl_uint count, const char **strings, const size_t *lengths) {
    std::string source;
    for (cl_uint i = 0; i < count; ++i) {
        if (lengths && lengths[i] != 0)
            source.append(strings[i], lengths[i]);
        else
            source.append(strings[i]);
    }
    std::erase(source, '\0');
    return source;
}

std::vector<Ref<Device>> devices_of_program(const Context &context, cl_uint count,
                                            const cl_device_id *list) {
    require(list && count > 0, CL_INVALID_VALUE, "num_devices is %, device_list is %", count,
            address_of(list));
    std::vector<Ref<Device>> devices;
    for (cl_uint i = 0; i < count; ++i) {
        devices.push_back(checked(list[i]));
        require(context.has(*devices.back()), CL_INVALID_DEVICE,
                "device_list[%] is not in the context", i);
    }
    return devices;
}

/// 5.6.7: kernels are known once the program is built for some device.
size_t kernel_count(const Program &program) {
    program.finish_builds();
    const std::vector<DeviceProgram> built = program.built();
    require_built(built);
    return kernels_of(built).size();
}

std::string kernel_names(const Program &program) {
    program.finish_builds();
    const std::vector<DeviceProgram> built = program.built();
    require_built(built);
    std::string names;
    for (const ImageKernel *kernel : kernels_of(built)) {
        names += names.empty() ? "" : ";";
        names += kernel->name;
    }
    return names;
}

std::vector<std::vector<std::byte>> binaries(const Program &program) {
    program.finish_builds();
    std::vector<std::vector<std::byte>> binaries;
    for (const DeviceProgram &state : program.states())
        binaries.push_back(state.binary.file(instruction_set(*state.device)));
    return binaries;
}

std::vector<size_t> binary_sizes(const Program &program) {
    std::vector<size_t> sizes;
    std::ranges::transform(binaries(program), std::back_inserter(sizes),
                           [](const auto &binary) { return binary.size(); });
    return sizes;
}

constexpr auto program_queries = queries<Program>(
    row(CL_PROGRAM_REFERENCE_COUNT, [](const Program &p) { return p.handle_references(); }),
    row(CL_PROGRAM_CONTEXT, [](const Program &p) { return handle_of<cl_context>(&p.context()); }),
    row(CL_PROGRAM_NUM_DEVICES,
        [](const Program &p) { return static_cast<cl_uint>(p.devices().size()); }),
    row(CL_PROGRAM_DEVICES,
        [](const Program &p) {
            std::vector<cl_device_id> handles;
            for (const Ref<Device> &device : p.devices())
                handles.push_back(handle_of<cl_device_id>(device.get()));
            return handles;
        }),
    row(CL_PROGRAM_SOURCE, [](const Program &p) { return p.source(); }),
    row(CL_PROGRAM_IL, [](const Program &p) { return p.intermediate(); }),
    row<binary_sizes>(CL_PROGRAM_BINARY_SIZES), row<kernel_count>(CL_PROGRAM_NUM_KERNELS),
    row<kernel_names>(CL_PROGRAM_KERNEL_NAMES),
    row(CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, [](const Program &) -> cl_bool { return CL_FALSE; }),
    row(CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT,
        [](const Program &) -> cl_bool { return CL_FALSE; }));

constexpr auto build_queries = queries<DeviceProgram>(
    row(CL_PROGRAM_BUILD_STATUS, [](const DeviceProgram &p) { return p.status; }),
    row(CL_PROGRAM_BUILD_OPTIONS, [](const DeviceProgram &p) { return p.options; }),
    row(CL_PROGRAM_BUILD_LOG, [](const DeviceProgram &p) { return p.log; }),
    row(CL_PROGRAM_BINARY_TYPE, [](const DeviceProgram &p) { return p.binary.type; }),
    row(CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, [](const DeviceProgram &p) {
        return p.binary.executable ? p.binary.executable->global_variable_bytes() : 0;
    }));

void require_spirv() {
    require(Compiler::get().takes_spirv(), CL_INVALID_OPERATION,
            "SPIR-V needs a compiler and llvm-spirv (RIVULET_LLVM_SPIRV)");
}

/// CL_PROGRAM_BINARIES: `value` points to one pointer per device; each that is not NULL receives
/// its binary.
void give_binaries(const Program &program, size_t size, void *value, size_t *size_ret) {
    const auto all = binaries(program);
    const size_t bytes = all.size() * sizeof(unsigned char *);
    require(!value || size >= bytes, CL_INVALID_VALUE,
            "param_value_size is %, the pointers to the binaries have %", size, bytes);
    if (value) {
        auto *const *to = static_cast<unsigned char *const *>(value);
        for (size_t i = 0; i < all.size(); ++i)
            if (to[i] && !all[i].empty())
                std::memcpy(to[i], all[i].data(), all[i].size());
    }
    if (size_ret)
        *size_ret = bytes;
}

/// The names between semicolons, each once.
std::vector<std::string_view> names_in(std::string_view list) {
    std::vector<std::string_view> names;
    for (const auto part : std::views::split(list, ';'))
        if (const std::string_view name(part);
            !name.empty() && std::ranges::find(names, name) == names.end())
            names.push_back(name);
    return names;
}

const hal::BuiltInKernel *built_in_kernel(const Device &device, std::string_view name) {
    const auto kernels = device.built_in_kernels();
    const auto found = std::ranges::find(kernels, name, &hal::BuiltInKernel::name);
    return found == kernels.end() ? nullptr : &*found;
}

/// The driver says what the units do, the firmware drives them.
void require_units(const std::vector<const hal::BuiltInKernel *> &kernels, const rvl_hello &hello) {
    for (const hal::BuiltInKernel *kernel : kernels)
        require(std::ranges::find(hello.units, kernel->unit) != std::end(hello.units),
                CL_OUT_OF_RESOURCES,
                "the device's driver has kernel %, but its firmware has no unit %: use both of the "
                "same release",
                kernel->name, Hex{kernel->unit});
}

} // namespace

cl_program CL_API_CALL clCreateProgramWithSource(cl_context context_handle, cl_uint count,
                                                 const char **strings, const size_t *lengths,
                                                 cl_int *errcode_ret) {
    return create(context_handle, errcode_ret, [&](Context &context) {
        require(count > 0 && strings, CL_INVALID_VALUE, "count is %, strings is %", count,
                address_of(strings));
        require(std::ranges::none_of(std::span(strings, count),
                                     [](const char *string) { return string == nullptr; }),
                CL_INVALID_VALUE, "one of the strings is NULL");
        return give<cl_program>(make<Program>(Ref(context), Program::Origin::source,
                                              context.devices(),
                                              concatenated(count, strings, lengths)));
    });
}

cl_program CL_API_CALL clCreateProgramWithBinary(cl_context context_handle, cl_uint num_devices,
                                                 const cl_device_id *device_list,
                                                 const size_t *lengths,
                                                 const unsigned char **binaries,
                                                 cl_int *binary_status, cl_int *errcode_ret) {
    return create(context_handle, errcode_ret, [&](Context &context) {
        require(lengths && binaries, CL_INVALID_VALUE, "lengths is %, binaries is %",
                address_of(lengths), address_of(binaries));
        auto devices = devices_of_program(context, num_devices, device_list);
        const auto program =
            make<Program>(Ref(context), Program::Origin::binary, std::move(devices));
        Failure first{CL_SUCCESS, {}};
        for (cl_uint i = 0; i < num_devices; ++i) {
            // Memory can't extend beyond the last address.
            const bool exists = binaries[i] && lengths[i] != 0 &&
                                lengths[i] <= SIZE_MAX - reinterpret_cast<uintptr_t>(binaries[i]);
            cl_int status = exists ? CL_SUCCESS : CL_INVALID_VALUE;
            std::string why = exists ? "" : "it is NULL or its length 0";
            if (status == CL_SUCCESS) {
                const Device &device = *program->devices()[i];
                auto binary = Binary::read(std::as_bytes(std::span(binaries[i], lengths[i])),
                                           instruction_set(device));
                if (binary) {
                    program->set_binary(device, std::move(*binary));
                } else { // without a program there is no build log
                    why = std::move(binary.error());
                    status = CL_INVALID_BINARY;
                }
            }
            if (binary_status)
                binary_status[i] = status;
            if (first.code == CL_SUCCESS && status != CL_SUCCESS)
                first = {status, text({"binaries[", i, "]: ", why})};
        }
        if (first.code != CL_SUCCESS)
            throw std::move(first);
        return give<cl_program>(program);
    });
}

// 5.6.1: each kernel must be known to one of the devices at least.
cl_program CL_API_CALL clCreateProgramWithBuiltInKernels(cl_context context_handle,
                                                         cl_uint num_devices,
                                                         const cl_device_id *device_list,
                                                         const char *kernel_names,
                                                         cl_int *errcode_ret) {
    return create(context_handle, errcode_ret, [&](Context &context) {
        require(kernel_names, CL_INVALID_VALUE, "kernel_names is NULL");
        auto devices = devices_of_program(context, num_devices, device_list);
        const std::vector<std::string_view> names = names_in(kernel_names);
        require(!names.empty(), CL_INVALID_VALUE, "kernel_names is empty");
        for (const std::string_view name : names)
            require(std::ranges::any_of(
                        devices,
                        [&](const Ref<Device> &device) { return built_in_kernel(*device, name); }),
                    CL_INVALID_VALUE, "no device of device_list has a built-in kernel %", name);
        const auto program =
            make<Program>(Ref(context), Program::Origin::built_in, std::move(devices));
        for (const Ref<Device> &device : program->devices()) {
            std::vector<const hal::BuiltInKernel *> kernels;
            for (const std::string_view name : names)
                if (const hal::BuiltInKernel *kernel = built_in_kernel(*device, name))
                    kernels.push_back(kernel);
            require_units(kernels, context.context_device(*device).instance().hello());
            if (!kernels.empty())
                program->set_built_in(*device, kernels);
        }
        return give<cl_program>(program);
    });
}

// 3.0, cl_khr_il_program: SPIR-V.
static cl_program create_with_il(cl_context context_handle, const void *il, size_t length,
                                 cl_int *errcode_ret, Caller caller = __builtin_FUNCTION()) {
    return create(
        context_handle, errcode_ret,
        [&](Context &context) {
            require_spirv();
            const std::span bytes(static_cast<const std::byte *>(il), il ? length : 0);
            require(spirv::is_module(bytes), CL_INVALID_VALUE,
                    "il, of % bytes, is not a SPIR-V module", bytes.size());
            auto program =
                make<Program>(Ref(context), Program::Origin::intermediate, context.devices());
            program->set_intermediate({bytes.begin(), bytes.end()});
            return give<cl_program>(program);
        },
        caller);
}

cl_program CL_API_CALL clCreateProgramWithIL(cl_context context, const void *il, size_t length,
                                             cl_int *errcode_ret) {
    return create_with_il(context, il, length, errcode_ret);
}

extern "C" CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithILKHR(cl_context context,
                                                                        const void *il,
                                                                        size_t length,
                                                                        cl_int *errcode_ret) {
    return create_with_il(context, il, length, errcode_ret);
}

cl_int CL_API_CALL clSetProgramSpecializationConstant(cl_program program, cl_uint spec_id,
                                                      size_t spec_size, const void *spec_value) {
    return entry(program, [&](Program &object) {
        require_spirv();
        require(object.origin() == Program::Origin::intermediate, CL_INVALID_PROGRAM,
                "the program was not created from SPIR-V");
        require(spec_value, CL_INVALID_VALUE, "spec_value is NULL");
        object.specialize(spec_id, {static_cast<const std::byte *>(spec_value), spec_size});
    });
}

// 3.0: no device supports destructors of program-scope variables.
cl_int CL_API_CALL clSetProgramReleaseCallback(cl_program program,
                                               void(CL_CALLBACK *pfn_notify)(cl_program, void *),
                                               void *) {
    return entry(program, [&](Program &) {
        require(pfn_notify, CL_INVALID_VALUE, "pfn_notify is NULL");
        fail(CL_INVALID_OPERATION, "destructors of program-scope variables are not supported");
    });
}

cl_int CL_API_CALL clRetainProgram(cl_program program) { return retain_entry(program); }
cl_int CL_API_CALL clReleaseProgram(cl_program program) { return release_entry(program); }

cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id platform) {
    return entry(platform, [](Platform &) { Compiler::get().unload(); });
}

cl_int CL_API_CALL clUnloadCompiler() {
    return entry([] { Compiler::get().unload(); });
}

cl_int CL_API_CALL clGetProgramInfo(cl_program program, cl_program_info param_name,
                                    size_t param_value_size, void *param_value,
                                    size_t *param_value_size_ret) {
    return entry(program, [&](const Program &object) {
        if (param_name == CL_PROGRAM_BINARIES)
            give_binaries(object, param_value_size, param_value, param_value_size_ret);
        else
            query(program_queries, object, param_name, param_value_size, param_value,
                  param_value_size_ret);
    });
}

cl_int CL_API_CALL clGetProgramBuildInfo(cl_program program, cl_device_id device_handle,
                                         cl_program_build_info param_name, size_t param_value_size,
                                         void *param_value, size_t *param_value_size_ret) {
    return entry(program, [&](const Program &object) {
        const Ref<Device> device = checked(device_handle);
        require(object.has(*device), CL_INVALID_DEVICE, "device is not one of the program's");
        query(build_queries, object.state(*device), param_name, param_value_size, param_value,
              param_value_size_ret);
    });
}
