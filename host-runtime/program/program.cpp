// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/program/program.h"

#include <algorithm>

#include "host-runtime/object/entry.h"
#include "host-runtime/program/spirv.h"

namespace rivulet {

InstructionSet instruction_set(const Device &device) {
    return {std::string(device.isa()), device.xlen(), device.vlen()};
}

Program::Program(Ref<Context> context, Origin origin, std::vector<Ref<Device>> devices,
                 std::string source)
    : Object(Kind::program), context_(std::move(context)), origin_(origin),
      source_(std::move(source)), devices_(std::move(devices)), states_(devices_.size()) {
    for (size_t i = 0; i < devices_.size(); ++i)
        states_[i].device = devices_[i];
}

Program::~Program() = default;

void require_built(const std::vector<DeviceProgram> &built) {
    require(!built.empty(), CL_INVALID_PROGRAM_EXECUTABLE,
            "the program is not built for any device: call clBuildProgram and check "
            "CL_PROGRAM_BUILD_LOG");
}

std::vector<const ImageKernel *> kernels_of(const std::vector<DeviceProgram> &built) {
    std::vector<const ImageKernel *> kernels;
    for (const DeviceProgram &state : built)
        for (const ImageKernel &kernel : state.loaded->image().kernels())
            if (&state == &built.front() ||
                std::ranges::find(kernels, kernel.name, &ImageKernel::name) == kernels.end())
                kernels.push_back(&kernel);
    return kernels;
}

bool Program::has(const Device &device) const { return index_of(device) < devices_.size(); }

size_t Program::index_of(const Device &device) const {
    const auto found = std::ranges::find(devices_, &device, &Ref<Device>::get);
    return static_cast<size_t>(found - devices_.begin());
}

DeviceProgram Program::state(const Device &device) const {
    const Lock lock(mutex_);
    return states_[index_of(device)];
}

std::vector<DeviceProgram> Program::states() const {
    const Lock lock(mutex_);
    return states_;
}

void Program::finish_builds() const {
    Lock lock(mutex_);
    build_ended_.wait(lock, [&] {
        return std::ranges::none_of(states_, [](const DeviceProgram &state) {
            return state.status == CL_BUILD_IN_PROGRESS;
        });
    });
}

std::vector<DeviceProgram> Program::built() const {
    std::vector<DeviceProgram> built = states();
    std::erase_if(built, [](const DeviceProgram &state) { return !state.is_built(); });
    return built;
}

std::string Program::first_error() const {
    for (const DeviceProgram &state : states()) {
        const std::string_view log = state.log;
        if (state.status != CL_BUILD_ERROR || log.empty())
            continue;
        const size_t error = log.find("error: ");
        const size_t start = error == log.npos ? 0 : log.rfind('\n', error) + 1;
        return text({"the build log says: ", log.substr(start, log.find('\n', start) - start)});
    }
    return "it ended without a build log";
}

void Program::set_binary(const Device &device, Binary binary) {
    const Lock lock(mutex_);
    states_[index_of(device)].binary = std::move(binary);
}

void Program::set_built_in(const Device &device,
                           std::span<const hal::BuiltInKernel *const> kernels) {
    const auto loaded = std::make_shared<LoadedKernelImage>(KernelImage::of(kernels));
    const Lock lock(mutex_);
    DeviceProgram &state = states_[index_of(device)];
    state.status = CL_BUILD_SUCCESS;
    state.binary.type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    state.loaded = loaded;
}

void Program::set_intermediate(std::vector<std::byte> module) {
    specialized_ = module;
    intermediate_ = std::move(module);
}

std::vector<std::byte> Program::specialized() const {
    const Lock lock(mutex_);
    return specialized_;
}

void Program::specialize(cl_uint id, std::span<const std::byte> value) {
    const Lock lock(mutex_);
    const cl_int code = spirv::specialize(specialized_, id, value);
    require(code != CL_INVALID_SPEC_ID, code, "the module has no specialization constant %", id);
    require(code == CL_SUCCESS, code, "spec_size is %, not that of specialization constant %",
            value.size(), id);
}

void Program::begin_build(const std::vector<Ref<Device>> &devices, const std::string &options) {
    const Lock lock(mutex_);
    require(kernels_ == 0, CL_INVALID_OPERATION,
            "% kernels of the program exist: release them first", kernels_.load());
    for (const Ref<Device> &device : devices)
        require(states_[index_of(*device)].status != CL_BUILD_IN_PROGRESS, CL_INVALID_OPERATION,
                "the program is already being built");
    for (const Ref<Device> &device : devices)
        states_[index_of(*device)].options = options;
    for (const Ref<Device> &device : devices) {
        DeviceProgram &state = states_[index_of(*device)];
        state.status = CL_BUILD_IN_PROGRESS;
        state.log.clear();
    }
}

void Program::abandon_build(const Device &device) {
    const Lock lock(mutex_);
    DeviceProgram &state = states_[index_of(device)];
    if (state.status == CL_BUILD_IN_PROGRESS)
        state.status = CL_BUILD_ERROR;
    build_ended_.notify_all();
}

void Program::end_build(DeviceProgram outcome) {
    const Lock lock(mutex_);
    std::swap(states_[index_of(*outcome.device)], outcome); // the old state is destroyed without
                                                            // the lock
    build_ended_.notify_all();
}

} // namespace rivulet
