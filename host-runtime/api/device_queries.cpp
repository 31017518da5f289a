// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/api/device_queries.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/build_version.h"
#include "base/error.h"
#include "host-runtime/api/external_memory.h"
#include "host-runtime/api/external_semaphore.h"
#include "host-runtime/api/mutable_command.h"
#include "host-runtime/compile/compiler.h"
#include "host-runtime/device/features.h"
#include "host-runtime/device/limits.h"
#include "host-runtime/device/platform.h"
#include "host-runtime/object/hash.h"
#include "host-runtime/object/query.h"
#include "host-runtime/program/spirv.h"

#ifndef CL_DEVICE_MAX_ATOMIC_COUNTERS_EXT // Khronos' headers of 2026 lack cl_ext_atomic_counters_32
#define CL_DEVICE_MAX_ATOMIC_COUNTERS_EXT 0x4032
#endif

namespace rivulet {
namespace {

using D = const Device &;

/// cl_intel_unified_shared_memory: access to memory that the host also uses, if it supports
/// `needed`.
cl_device_unified_shared_memory_capabilities_intel usm_access(D device,
                                                              cl_device_svm_capabilities needed) {
    const cl_device_svm_capabilities svm = svm_capabilities(device);
    if (!(svm & needed))
        return 0;
    cl_device_unified_shared_memory_capabilities_intel access =
        CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL;
    if (svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER)
        access |= CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL;
    if (svm & CL_DEVICE_SVM_ATOMICS)
        access |= CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL;
    return access;
}
constexpr auto usm_with_host = [](D d) { return usm_access(d, CL_DEVICE_SVM_FINE_GRAIN_BUFFER); };
constexpr auto usm_none = [](D) -> cl_device_unified_shared_memory_capabilities_intel { return 0; };

std::vector<cl_name_version> intermediate_languages(D) {
    std::vector<cl_name_version> list;
    for (cl_uint minor = spirv::highest_minor + 1; minor-- > 0 && Compiler::get().takes_spirv();)
        list.push_back({CL_MAKE_VERSION(1, minor, 0), "SPIR-V"});
    return list;
}

std::string built_in_names(D device) {
    std::string names;
    for (const hal::BuiltInKernel &kernel : device.built_in_kernels())
        names += (names.empty() ? "" : ";") + kernel.name;
    return names;
}

std::vector<cl_name_version> built_in_versions(D device) {
    std::vector<cl_name_version> list;
    for (const hal::BuiltInKernel &kernel : device.built_in_kernels()) {
        cl_name_version &entry = list.emplace_back();
        entry.version = kernel.version;
        kernel.name.copy(entry.name, sizeof entry.name - 1);
    }
    return list;
}

// Vector types hardly matter to a compiler that puts one work-item in each lane.
constexpr auto vector_width = [](D) -> cl_uint { return 1; };
constexpr auto none = [](D) -> cl_uint { return 0; };
constexpr auto no = [](D) -> cl_bool { return CL_FALSE; };
constexpr auto yes = [](D) -> cl_bool { return CL_TRUE; };

cl_uint double_width(D device) { return has_extension(device, "cl_khr_fp64") ? 1 : 0; }
cl_uint half_width(D device) { return has_extension(device, "cl_khr_fp16") ? 1 : 0; }

// The name of a feature, as a template argument.
template <size_t Size> struct Name {
    char text[Size];
    constexpr Name(const char (&name)[Size]) { std::ranges::copy(name, text); }
};
template <Name feature> cl_bool offers(D device) { return has_feature(device, feature.text); }

constexpr cl_device_atomic_capabilities atomic_capabilities =
    CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
    CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP |
    CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;

cl_device_kernel_clock_capabilities_khr kernel_clocks(D device) {
    constexpr std::pair<const char *, cl_device_kernel_clock_capabilities_khr> scopes[] = {
        {"__opencl_c_kernel_clock_scope_device", CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR},
        {"__opencl_c_kernel_clock_scope_work_group", CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR},
        {"__opencl_c_kernel_clock_scope_sub_group", CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR}};
    cl_device_kernel_clock_capabilities_khr offered = 0;
    for (const auto &[feature, scope] : scopes)
        offered |= has_feature(device, feature) ? scope : 0;
    return offered;
}

/// cl_ext_float_atomics: what the features of kernels say. OpenCL C 2.0 has loads and stores of
/// float and double already, so that only half has a feature for them.
template <Name type> cl_device_fp_atomic_capabilities_ext float_atomics(D device) {
    constexpr std::pair<const char *, cl_device_fp_atomic_capabilities_ext> operations[] = {
        {"_global_atomic_load_store", CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT},
        {"_global_atomic_add", CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT},
        {"_global_atomic_min_max", CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT},
        {"_local_atomic_load_store", CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT},
        {"_local_atomic_add", CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT},
        {"_local_atomic_min_max", CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT}};
    const std::string prefix = std::string("__opencl_c_ext_") + type.text;
    cl_device_fp_atomic_capabilities_ext offered = 0;
    for (const auto &[operation, capability] : operations)
        offered |= has_feature(device, prefix + operation) ? capability : 0;
    if (offered)
        offered |=
            CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT;
    return offered;
}

cl_device_pci_bus_info_khr pci_bus_info(D device) {
    require(device.physical_device().has(RVL_DEVICE_PCI), CL_INVALID_VALUE,
            "the device is not a PCI function: it lacks cl_khr_pci_bus_info");
    const auto &known = device.description();
    return {known.pci_domain, known.pci_bus, known.pci_device, known.pci_function};
}

constexpr cl_device_fp_config ieee = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST |
                                     CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA;

std::string name_of(D device) {
    std::string name = std::string("Rivulet ") + device.description().name;
    if (device.parent()) { // includes the harts, so that sub-devices can be distinguished
        name += " harts";
        for (uint32_t i = 0; i < device.harts().count; ++i)
            name += text({" ", device.harts().first + i});
    }
    return name;
}

std::vector<cl_device_partition_property> partition_kinds(D device) {
    if (device.hart_count() < 2)
        return {0};
    return {CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS};
}

using Uuid = std::array<cl_uchar, CL_UUID_SIZE_KHR>;

/// A stable hash of a string that identifies a device or driver.
Uuid uuid_of(std::string_view text) {
    return std::bit_cast<Uuid>(hash_of(text.data(), text.size()));
}

cl_uint vendor_id_of(D device) {
    const uint32_t known = device.description().vendor_id;
    return known != 0 ? known : vendor_id;
}

std::string_view vendor(D device) {
    const std::string_view known = device.description().vendor;
    return known.empty() ? "Rivulet" : known;
}

cl_uint cache_block(D device) {
    const uint32_t known = device.description().cache_block;
    return known != 0 ? known : RVL_CACHE_BLOCK;
}

constexpr auto device_queries = queries<Device>(
    row(CL_DEVICE_TYPE, [](D d) { return d.type(); }), row<vendor_id_of>(CL_DEVICE_VENDOR_ID),
    row(CL_DEVICE_MAX_COMPUTE_UNITS, [](D d) { return d.hart_count(); }),
    row(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, [](D) -> cl_uint { return 3; }),
    row(CL_DEVICE_MAX_WORK_ITEM_SIZES,
        [](D) {
            return std::array<size_t, 3>{max_work_group_size, max_work_group_size,
                                         max_work_group_size};
        }),
    row(CL_DEVICE_MAX_WORK_GROUP_SIZE, [](D) { return max_work_group_size; }),
    row(CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, vector_width),
    row(CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, vector_width),
    row(CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, vector_width),
    row(CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, vector_width),
    row(CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, vector_width),
    row<double_width>(CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE),
    row<half_width>(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF),
    row(CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, vector_width),
    row(CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, vector_width),
    row(CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, vector_width),
    row(CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, vector_width),
    row(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, vector_width),
    row<double_width>(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE),
    row<half_width>(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF),
    row(CL_DEVICE_MAX_CLOCK_FREQUENCY,
        [](D d) -> cl_uint {
            return d.description().clock_mhz;
        }), // 0: unknown, as for QEMU's harts
    row(CL_DEVICE_ADDRESS_BITS, [](D d) -> cl_uint { return d.xlen(); }),
    row(CL_DEVICE_MAX_MEM_ALLOC_SIZE, [](D d) -> cl_ulong { return max_allocation(d); }),
    row(CL_DEVICE_IMAGE_SUPPORT, [](D) -> cl_bool { return image_support; }),
    row(CL_DEVICE_MAX_READ_IMAGE_ARGS, [](D) -> cl_uint { return max_image_arguments; }),
    row(CL_DEVICE_MAX_WRITE_IMAGE_ARGS, [](D) -> cl_uint { return max_image_arguments; }),
    row(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS,
        [](D) -> cl_uint { return max_read_write_image_arguments; }),
    row(CL_DEVICE_IMAGE2D_MAX_WIDTH, [](D) { return max_image_width; }),
    row(CL_DEVICE_IMAGE2D_MAX_HEIGHT, [](D) { return max_image_width; }),
    row(CL_DEVICE_IMAGE3D_MAX_WIDTH, [](D) { return max_image_depth; }),
    row(CL_DEVICE_IMAGE3D_MAX_HEIGHT, [](D) { return max_image_depth; }),
    row(CL_DEVICE_IMAGE3D_MAX_DEPTH, [](D) { return max_image_depth; }),
    row(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, [](D) { return max_image_buffer; }),
    row(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, [](D) { return max_image_array; }),
    row(CL_DEVICE_IMAGE_PITCH_ALIGNMENT, [](D) -> cl_uint { return image_alignment; }),
    row(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, [](D) -> cl_uint { return image_alignment; }),
    row(CL_DEVICE_MAX_SAMPLERS, [](D) -> cl_uint { return max_samplers; }),
    // Applications add up sizes. The padding before an argument is less than its size.
    row(CL_DEVICE_MAX_PARAMETER_SIZE, [](D) -> size_t { return RVL_MAX_ARGUMENT_BYTES / 2; }),
    row(CL_DEVICE_MEM_BASE_ADDR_ALIGN,
        [](D d) { return static_cast<cl_uint>(d.base_alignment() * 8); }),
    row(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, [](D) -> cl_uint { return buffer_alignment; }),
    row(CL_DEVICE_SINGLE_FP_CONFIG,
        [](D) -> cl_device_fp_config { return ieee | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT; }),
    row(CL_DEVICE_DOUBLE_FP_CONFIG,
        [](D d) -> cl_device_fp_config { return double_width(d) ? ieee : 0; }),
    row(CL_DEVICE_HALF_FP_CONFIG,
        [](D d) -> cl_device_fp_config { return half_width(d) ? ieee : 0; }),
    row<float_atomics<"fp16">>(CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT),
    row<float_atomics<"fp32">>(CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT),
    row<float_atomics<"fp64">>(CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT),
    row(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE,
        [](D) -> cl_device_mem_cache_type { return CL_READ_WRITE_CACHE; }),
    row<cache_block>(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE),
    row(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, [](D) -> cl_ulong { return 64 * 1024; }),
    row(CL_DEVICE_GLOBAL_MEM_SIZE, [](D d) -> cl_ulong { return d.global_memory_bytes(); }),
    row(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE,
        [](D d) -> cl_ulong {
            return std::min({d.global_memory_bytes() / 2, largest_small_buffer, max_allocation(d)});
        }),
    row(CL_DEVICE_MAX_ATOMIC_COUNTERS_EXT, [](D) -> cl_uint { return RVL_MAX_COUNTERS; }),
    row(CL_DEVICE_MAX_CONSTANT_ARGS, [](D) -> cl_uint { return max_constant_arguments; }),
    row(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, [](D) { return max_global_variable; }),
    row(CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, [](D) { return max_global_variable; }),
    row(CL_DEVICE_LOCAL_MEM_TYPE, [](D) -> cl_device_local_mem_type { return CL_GLOBAL; }),
    row(CL_DEVICE_LOCAL_MEM_SIZE, [](D d) -> cl_ulong { return d.local_memory_bytes(); }),
    row(CL_DEVICE_ERROR_CORRECTION_SUPPORT, no),
    row(CL_DEVICE_HOST_UNIFIED_MEMORY,
        [](D d) -> cl_bool { return d.physical_device().has(RVL_DEVICE_MAPS); }),
    row(CL_DEVICE_PROFILING_TIMER_RESOLUTION, [](D) -> size_t { return timer_resolution; }),
    row(CL_DEVICE_ENDIAN_LITTLE, yes), row(CL_DEVICE_AVAILABLE, yes),
    row(CL_DEVICE_COMPILER_AVAILABLE, [](D) -> cl_bool { return Compiler::get().is_available(); }),
    row(CL_DEVICE_LINKER_AVAILABLE, [](D) -> cl_bool { return Compiler::get().is_available(); }),
    row(CL_DEVICE_EXECUTION_CAPABILITIES,
        [](D) -> cl_device_exec_capabilities { return CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL; }),
    row(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES,
        [](D) -> cl_command_queue_properties {
            return CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
        }),
    row(CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR,
        [](D) -> cl_device_command_buffer_capabilities_khr {
            // Headers since 2025 lack the name; applications built with older ones ask for it.
            constexpr cl_device_command_buffer_capabilities_khr out_of_order = 1 << 3;
            return CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR |
                   CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR | out_of_order;
        }),
    row(CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR, [](D) { return updatable_fields; }),
    row(CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR,
        [](D) -> cl_command_queue_properties { return 0; }),
    row(CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR,
        [](D) -> cl_command_queue_properties {
            return CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
        }),
    row(CL_DEVICE_SEMAPHORE_TYPES_KHR,
        [](D) -> cl_semaphore_type_khr { return CL_SEMAPHORE_TYPE_BINARY_KHR; }),
    row(CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, [](D) { return semaphore_handle_types(); }),
    row(CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, [](D) { return semaphore_handle_types(); }),
    row(CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR,
        [](D d) { return imported_handle_types(d); }),
    row(CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR,
        [](D d) { return imported_handle_types(d); }),
    row(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, [](D) -> cl_command_queue_properties { return 0; }),
    row(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, none),
    row(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, none), row(CL_DEVICE_MAX_ON_DEVICE_QUEUES, none),
    row(CL_DEVICE_MAX_ON_DEVICE_EVENTS, none),
    row(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES,
        [](D) -> cl_device_device_enqueue_capabilities { return 0; }),
    row(CL_DEVICE_BUILT_IN_KERNELS, [](D d) { return built_in_names(d); }),
    row(CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION, [](D d) { return built_in_versions(d); }),
    row(CL_DEVICE_PLATFORM, [](D) { return handle_of<cl_platform_id>(&Platform::get()); }),
    row<name_of>(CL_DEVICE_NAME), row<vendor>(CL_DEVICE_VENDOR),
    row(CL_DRIVER_VERSION, [](D) { return build_version(); }),
    row(CL_DEVICE_PROFILE, [](D) { return "EMBEDDED_PROFILE"; }),
    row(CL_DEVICE_VERSION, [](D) { return opencl_version_text(); }),
    row(CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT,
        // The year exceeds the bits of a major version; the extension defines it this way all the
        // same.
        [](D) { return static_cast<cl_version>(CL_MAKE_VERSION(2021U, 0U, 0U)); }),
    row(CL_DEVICE_NUMERIC_VERSION, [](D) { return opencl_version(); }),
    row(CL_DEVICE_OPENCL_C_VERSION, [](D) { return "OpenCL C 1.2 Rivulet"; }),
    row(CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR,
        [](D) -> cl_version { return CL_MAKE_VERSION(1, 2, 0); }),
    row(CL_DEVICE_OPENCL_C_ALL_VERSIONS, [](D) { return language_versions(); }),
    row(CL_DEVICE_OPENCL_C_FEATURES, [](D d) { return language_features_of(d); }),
    row(CL_DEVICE_EXTENSIONS, [](D d) { return names_of(extensions_of(d)); }),
    row(CL_DEVICE_EXTENSIONS_WITH_VERSION, [](D d) { return extensions_of(d); }),
    row(CL_DEVICE_PRINTF_BUFFER_SIZE, [](D) { return printf_bytes(); }),
    row(CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, yes),
    row(CL_DEVICE_PARENT_DEVICE, [](D d) { return handle_of<cl_device_id>(d.parent().get()); }),
    row(CL_DEVICE_PARTITION_MAX_SUB_DEVICES,
        [](D d) -> cl_uint { return d.hart_count() > 1 ? d.hart_count() : 0; }),
    row<partition_kinds>(CL_DEVICE_PARTITION_PROPERTIES),
    row(CL_DEVICE_PARTITION_AFFINITY_DOMAIN, [](D) -> cl_device_affinity_domain { return 0; }),
    row(CL_DEVICE_PARTITION_TYPE, [](D d) { return d.partition(); }),
    row(CL_DEVICE_REFERENCE_COUNT,
        [](D d) -> cl_uint { return d.parent() ? d.handle_references() : 1; }),
    row(CL_DEVICE_SVM_CAPABILITIES, [](D d) { return svm_capabilities(d); }),
    row(CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, usm_with_host),
    row(CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL,
        [](D d) { return usm_access(d, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER); }),
    row(CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, usm_with_host),
    row(CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, usm_none),
    row(CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL, usm_none),
    row(CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, none),
    row(CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, none),
    row(CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, none),
    row(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, [](D) { return atomic_capabilities; }),
    row(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES,
        [](D) { return atomic_capabilities | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM; }),
    row(CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR,
        [](D) -> cl_device_integer_dot_product_capabilities_khr {
            return CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR |
                   CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR;
        }),
    row(CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR,
        [](D) { return cl_device_integer_dot_product_acceleration_properties_khr{}; }),
    row(CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR,
        [](D) { return cl_device_integer_dot_product_acceleration_properties_khr{}; }),
    row(CL_DEVICE_MAX_PIPE_ARGS, none), row(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, none),
    row(CL_DEVICE_PIPE_MAX_PACKET_SIZE, none), row(CL_DEVICE_PIPE_SUPPORT, no),
    row(CL_DEVICE_IL_VERSION,
        [](D d) {
            std::string names;
            for (const cl_name_version &each : intermediate_languages(d))
                names +=
                    text({names.empty() ? "" : " ", each.name, "_", CL_VERSION_MAJOR(each.version),
                          ".", CL_VERSION_MINOR(each.version)});
            return names;
        }),
    row<intermediate_languages>(CL_DEVICE_ILS_WITH_VERSION),
    row<spirv_instruction_sets_of>(CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR),
    row<spirv_extensions_of>(CL_DEVICE_SPIRV_EXTENSIONS_KHR),
    row<spirv_capabilities_of>(CL_DEVICE_SPIRV_CAPABILITIES_KHR),
    row(CL_DEVICE_MAX_NUM_SUB_GROUPS,
        [](D d) { return static_cast<cl_uint>(max_work_group_size / sub_group_sizes(d).front()); }),
    row<sub_group_sizes>(CL_DEVICE_SUB_GROUP_SIZES_INTEL),
    row(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, no),
    row(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, yes),
    row(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, [](D d) { return lanes(d); }),
    row<offers<"__opencl_c_work_group_collective_functions">>(
        CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT),
    row<offers<"__opencl_c_generic_address_space">>(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT),
    row<kernel_clocks>(CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR),
    // Claims no conformance, in the format that clients can parse.
    row(CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED, [](D) { return "v0000-01-01-00"; }),
    row(CL_DEVICE_UUID_KHR, [](D d) { return uuid_of(name_of(d)); }),
    row(CL_DRIVER_UUID_KHR, [](D) { return uuid_of(build_version()); }),
    row(CL_DEVICE_LUID_VALID_KHR, no),
    row(CL_DEVICE_LUID_KHR, [](D) { return std::array<cl_uchar, CL_LUID_SIZE_KHR>{}; }),
    row(CL_DEVICE_NODE_MASK_KHR, none), row<pci_bus_info>(CL_DEVICE_PCI_BUS_INFO_KHR),
    row(CL_DEVICE_VLEN_RIVULET, [](D d) -> cl_uint { return d.vlen(); }),
    row(CL_DEVICE_ISA_RIVULET, [](D d) { return d.isa(); }),
    row(CL_DEVICE_HARTS_RIVULET, [](D d) -> cl_ulong { return d.hart_mask(); }),
    row(CL_DEVICE_COPIED_BYTES_RIVULET,
        [](D d) -> cl_ulong { return d.physical_device().instance()->copied_bytes(); }));

} // namespace

void query_device(const Device &device, cl_device_info name, size_t size, void *value,
                  size_t *size_ret) {
    query(device_queries, device, name, size, value, size_ret);
}

} // namespace rivulet
