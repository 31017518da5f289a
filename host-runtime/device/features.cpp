// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/device/features.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "host-runtime/compile/compiler.h"
#include "host-runtime/device/isa.h"
#include "host-runtime/device/limits.h"

namespace rivulet {
namespace {

struct Feature {
    const char *name;
    cl_version version;
    std::string_view needs;
};

constexpr Feature language_extensions[] = {
#define RVL_EXTENSION(name, major, minor, patch, needs)                                            \
    {#name, CL_MAKE_VERSION(major, minor, patch), #needs},
#include "hal/protocol/features.def"
};

constexpr Feature language_features[] = {
#define RVL_FEATURE(name, major, minor, patch, needs)                                              \
    {#name, CL_MAKE_VERSION(major, minor, patch), #needs},
#include "hal/protocol/features.def"
};

constexpr Feature languages[] = {
#define RVL_LANGUAGE(name, major, minor) {"OpenCL C", CL_MAKE_VERSION(major, minor, 0), "ALWAYS"},
#include "hal/protocol/features.def"
};

constexpr Feature api_extensions[] = {
#define RVL_API_EXTENSION(name, major, minor, patch, needs)                                        \
    {#name, CL_MAKE_VERSION(major, minor, patch), #needs},
#include "hal/protocol/features.def"
};

/// Appends all features for which `has` returns true.
template <class Has>
void append_if(std::vector<cl_name_version> &list, std::span<const Feature> features, Has has) {
    for (const Feature &feature : features) {
        if (feature.needs != "ALWAYS" && !has(feature.needs))
            continue;
        cl_name_version entry{};
        entry.version = feature.version;
        std::strncpy(entry.name, feature.name, sizeof entry.name - 1);
        list.push_back(entry);
    }
}

void append(std::vector<cl_name_version> &list, std::span<const Feature> features,
            std::string_view isa) {
    append_if(list, features,
              [&](std::string_view needs) { return isa == "host" || has_extension(isa, needs); });
}

} // namespace

cl_version opencl_version() {
    return Compiler::get().takes_spirv() ? CL_MAKE_VERSION(RVL_OPENCL_MAJOR, RVL_OPENCL_MINOR, 0)
                                         : CL_MAKE_VERSION(3, 0, 0);
}

std::string opencl_version_text() {
    const cl_version version = opencl_version();
    return text({"OpenCL ", CL_VERSION_MAJOR(version), ".", CL_VERSION_MINOR(version), " Rivulet"});
}

std::vector<cl_name_version> platform_extensions() {
    std::vector<cl_name_version> list;
    append(list, api_extensions, {});
    return list;
}

std::vector<cl_name_version> extensions_of(const Device &device) {
    std::vector<cl_name_version> list;
    append_if(list, api_extensions, [&](std::string_view needs) {
        return needs == "SPIRV"        ? Compiler::get().takes_spirv()
               : needs == "PCI"        ? device.physical_device().has(RVL_DEVICE_PCI)
               : needs == "PRIORITIES" ? !device.physical_device().has(RVL_DEVICE_SHARED) ||
                                             device.physical_device().has(RVL_DEVICE_PRIORITIES)
               : needs == "DMA_BUFS"
                   ? device.physical_device().has(RVL_DEVICE_EXPORTS | RVL_DEVICE_IMPORTS)
                   : svm_capabilities(device) != 0;
    });
    append_if(list, language_extensions, [&](std::string_view needs) {
        return needs == "SPIRV" ? Compiler::get().takes_spirv()
                                : device.isa() == "host" || has_extension(device.isa(), needs);
    });
    return list;
}

std::vector<cl_name_version> language_features_of(const Device &device) {
    std::vector<cl_name_version> list;
    append(list, language_features, device.isa());
    return list;
}

std::vector<cl_name_version> language_versions() {
    std::vector<cl_name_version> list;
    append(list, languages, {});
    return list;
}

std::string names_of(const std::vector<cl_name_version> &list) {
    std::string names;
    for (const auto &entry : list)
        names += (names.empty() ? "" : " ") + std::string(entry.name);
    return names;
}

namespace {

bool contains(const std::vector<cl_name_version> &list, std::string_view name) {
    return std::ranges::any_of(list,
                               [&](const cl_name_version &entry) { return entry.name == name; });
}

} // namespace

bool has_feature(const Device &device, std::string_view name) {
    return contains(language_features_of(device), name);
}

bool has_extension(const Device &device, std::string_view name) {
    return contains(extensions_of(device), name);
}

namespace {

template <class T> struct SpirvItem {
    T value;
    std::string_view needs;
};

constexpr SpirvItem<cl_uint> spirv_capabilities[] = {
#define RVL_SPIRV_CAPABILITY(number, name, needs) {number, #needs},
#include "hal/protocol/spirv.def"
};
constexpr SpirvItem<const char *> spirv_extensions[] = {
#define RVL_SPIRV_EXTENSION(name, needs) {#name, #needs},
#include "hal/protocol/spirv.def"
};
constexpr SpirvItem<const char *> spirv_instruction_sets[] = {
#define RVL_SPIRV_INSTRUCTION_SET(name, needs) {#name, #needs},
#include "hal/protocol/spirv.def"
};

template <class T, size_t N>
std::vector<T> offered(const SpirvItem<T> (&items)[N], const Device &device) {
    std::vector<T> list;
    const std::string_view isa = device.isa();
    for (const SpirvItem<T> &item : items)
        if (Compiler::get().takes_spirv() &&
            (item.needs == "ALWAYS" || isa == "host" || has_extension(isa, item.needs)))
            list.push_back(item.value);
    return list;
}

} // namespace

std::vector<cl_uint> spirv_capabilities_of(const Device &device) {
    return offered(spirv_capabilities, device);
}

std::vector<const char *> spirv_extensions_of(const Device &device) {
    return offered(spirv_extensions, device);
}

std::vector<const char *> spirv_instruction_sets_of(const Device &device) {
    return offered(spirv_instruction_sets, device);
}

} // namespace rivulet
