// SPDX-License-Identifier: Apache-2.0
//
// 4.1: platform queries. Chapter 9: extension function addresses, the entry for the ICD loader.
#include <cstring>

#include "host-runtime/api/command_buffer.h"
#include "host-runtime/api/external_memory.h"
#include "host-runtime/api/external_semaphore.h"
#include "host-runtime/device/features.h"
#include "host-runtime/device/platform.h"
#include "host-runtime/object/query.h"

using namespace rivulet;

namespace {

constexpr auto platform_queries = queries<Platform>(
    row(CL_PLATFORM_PROFILE, [](const Platform &) { return "EMBEDDED_PROFILE"; }),
    row(CL_PLATFORM_VERSION, [](const Platform &) { return opencl_version_text(); }),
    row(CL_PLATFORM_NUMERIC_VERSION, [](const Platform &) { return opencl_version(); }),
    row(CL_PLATFORM_NAME, [](const Platform &) { return "Rivulet"; }),
    row(CL_PLATFORM_VENDOR, [](const Platform &) { return "Rivulet"; }),
    row(CL_PLATFORM_EXTENSIONS, [](const Platform &) { return names_of(platform_extensions()); }),
    row(CL_PLATFORM_EXTENSIONS_WITH_VERSION,
        [](const Platform &) { return platform_extensions(); }),
    row(CL_PLATFORM_SEMAPHORE_TYPES_KHR,
        [](const Platform &) -> cl_semaphore_type_khr { return CL_SEMAPHORE_TYPE_BINARY_KHR; }),
    row(CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR,
        [](const Platform &) { return semaphore_handle_types(); }),
    row(CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
        [](const Platform &) { return semaphore_handle_types(); }),
    row(CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR,
        [](const Platform &) { return imported_handle_types(); }),
    row(CL_PLATFORM_HOST_TIMER_RESOLUTION, [](const Platform &) -> cl_ulong { return 1; }),
    row(CL_PLATFORM_ICD_SUFFIX_KHR, [](const Platform &) { return "RVL"; }));

struct Named {
    const char *name;
    void *function;
};

// 9.2: extension functions, and those that older loaders don't know; all others are exported by
// name.
const Named functions[] = {
#define RIVULET_HERE(name, since)
#define RIVULET_ABSENT(name, since)
#define RIVULET_NEWER(name, since) {#name, reinterpret_cast<void *>(::name)},
#define RIVULET_EXTENSION(name, extension) {#name, reinterpret_cast<void *>(::name)},
#define RIVULET_COMMAND(name, extension) {#name, reinterpret_cast<void *>(command_buffer::name)},
#include "host-runtime/api/entry_points.def"
#undef RIVULET_HERE
#undef RIVULET_ABSENT
#undef RIVULET_NEWER
#undef RIVULET_EXTENSION
#undef RIVULET_COMMAND
};

} // namespace

static cl_int platform_ids(cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms,
                           Caller caller = __builtin_FUNCTION()) {
    return guarded(
        [&] {
            require(!platforms || num_entries > 0, CL_INVALID_VALUE,
                    "num_entries is 0, platforms is not NULL");
            require(platforms || num_platforms, CL_INVALID_VALUE,
                    "platforms and num_platforms are NULL");
            if (platforms)
                platforms[0] = handle_of<cl_platform_id>(&Platform::get());
            if (num_platforms)
                *num_platforms = 1;
        },
        caller);
}

cl_int CL_API_CALL clGetPlatformIDs(cl_uint num_entries, cl_platform_id *platforms,
                                    cl_uint *num_platforms) {
    return platform_ids(num_entries, platforms, num_platforms);
}

extern "C" CL_API_ENTRY cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries,
                                                                  cl_platform_id *platforms,
                                                                  cl_uint *num_platforms) {
    return platform_ids(num_entries, platforms, num_platforms);
}

cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info param_name,
                                     size_t param_value_size, void *param_value,
                                     size_t *param_value_size_ret) {
    return entry([&] {
        query(platform_queries, *Platform::checked_or_default(platform), param_name,
              param_value_size, param_value, param_value_size_ret);
    });
}

void *CL_API_CALL clGetExtensionFunctionAddress(const char *function_name) {
    if (function_name)
        for (const Named &candidate : functions)
            if (!std::strcmp(candidate.name, function_name))
                return candidate.function;
    return nullptr;
}

void *CL_API_CALL clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
                                                           const char *function_name) {
    return create(platform, nullptr,
                  [&](const Platform &) { return clGetExtensionFunctionAddress(function_name); });
}
