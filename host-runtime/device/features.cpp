// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/device/features.h"

#include <algorithm>
#include <cstring>

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
    {"cl_khr_icd", CL_MAKE_VERSION(1, 0, 0), "ALWAYS"},
    {"cl_khr_extended_versioning", CL_MAKE_VERSION(1, 0, 0), "ALWAYS"},
    {"cl_khr_create_command_queue", CL_MAKE_VERSION(1, 0, 0), "ALWAYS"},
    {"cl_khr_suggested_local_work_size", CL_MAKE_VERSION(1, 0, 0), "ALWAYS"},
    {"cl_khr_device_uuid", CL_MAKE_VERSION(1, 0, 0), "ALWAYS"},
    {"cl_khr_initialize_memory", CL_MAKE_VERSION(1, 0, 0), "ALWAYS"},
    {"cl_khr_command_buffer", CL_MAKE_VERSION(0, 9, 8), "ALWAYS"},
};

// Offered if there is a compiler that reads SPIR-V.
constexpr Feature spirv_extensions[] = {
    {"cl_khr_il_program", CL_MAKE_VERSION(1, 0, 0), "ALWAYS"},
};

// Offered by devices whose addresses are the host's.
constexpr Feature shared_memory_extensions[] = {
    {"cl_intel_unified_shared_memory", CL_MAKE_VERSION(1, 0, 0), "ALWAYS"},
};

void append(std::vector<cl_name_version> &list, std::span<const Feature> features,
            std::string_view isa) {
    for (const Feature &feature : features) {
        if (feature.needs != "ALWAYS" && isa != "host" && !has_extension(isa, feature.needs))
            continue;
        cl_name_version entry{};
        entry.version = feature.version;
        std::strncpy(entry.name, feature.name, sizeof entry.name - 1);
        list.push_back(entry);
    }
}

} // namespace

std::vector<cl_name_version> platform_extensions() {
    std::vector<cl_name_version> list;
    append(list, api_extensions, {});
    return list;
}

std::vector<cl_name_version> extensions_of(const Device &device) {
    auto list = platform_extensions();
    if (Compiler::get().takes_spirv())
        append(list, spirv_extensions, {});
    if (svm_capabilities(device) != 0)
        append(list, shared_memory_extensions, {});
    append(list, language_extensions, device.isa());
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

} // namespace rivulet
