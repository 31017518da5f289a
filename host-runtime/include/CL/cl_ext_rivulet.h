/* SPDX-License-Identifier: Apache-2.0
 *
 * Rivulet's additions to OpenCL, and names that older OpenCL headers lack. */
#ifndef CL_EXT_RIVULET_H
#define CL_EXT_RIVULET_H

#include <CL/cl_ext.h>

#ifdef __cplusplus
extern "C" {
#endif

/* clGetEventProfilingInfo of a kernel's event.
 *
 * Instructions: cl_ulong, retired by the kernel, summed over the harts that ran it.
 * CL_PROFILING_INFO_NOT_AVAILABLE unless the device counts instructions exactly.
 *
 * Harts: cl_ulong, bit n set when hart n took part, of the first 64.
 * CL_PROFILING_INFO_NOT_AVAILABLE if none of these did. */
#define CL_PROFILING_COMMAND_INSTRUCTIONS_RIVULET 0x4F01
#define CL_PROFILING_COMMAND_HARTS_RIVULET 0x4F02

/* clGetDeviceInfo.
 *
 * VLEN: cl_uint, bits of a vector register; 0 without vector unit.
 * Instruction set: char[], as the device tree says it.
 * Harts: cl_ulong, mask of the harts of this (sub-)device, of the first 64.
 * Copied bytes: cl_ulong, all bytes that the library copied to and from the device's memory since
 * the device was started: contents of memory objects and code. What a program reads and writes
 * through mapped pointers is not copied where the driver maps memory. */
#define CL_DEVICE_VLEN_RIVULET 0x4F10
#define CL_DEVICE_ISA_RIVULET 0x4F11
#define CL_DEVICE_HARTS_RIVULET 0x4F12
#define CL_DEVICE_COPIED_BYTES_RIVULET 0x4F13

/* OpenCL 3.1. Older loaders don't export its function: clGetExtensionFunctionAddressForPlatform
 * finds it under this name, and clGetKernelSuggestedLocalWorkSizeKHR. */
#ifndef CL_VERSION_3_1
#define CL_DEVICE_MAX_WORK_GROUP_SIZES 0x1005
#define CL_DEVICE_UUID 0x106A
#define CL_DRIVER_UUID 0x106B
#define CL_DEVICE_LUID_VALID 0x106C
#define CL_DEVICE_LUID 0x106D
#define CL_DEVICE_NODE_MASK 0x106E
#define CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES 0x1073
#define CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT 0x1074
#define CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED 0x1075
#define CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS 0x12B9
#define CL_DEVICE_SPIRV_EXTENSIONS 0x12BA
#define CL_DEVICE_SPIRV_CAPABILITIES 0x12BB
#define CL_UUID_SIZE 16
#define CL_LUID_SIZE 8
#define CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED (1 << 0)
#define CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT (1 << 1)
typedef cl_bitfield cl_device_integer_dot_product_capabilities;
typedef struct _cl_device_integer_dot_product_acceleration_properties {
    cl_bool signed_accelerated;
    cl_bool unsigned_accelerated;
    cl_bool mixed_signedness_accelerated;
    cl_bool accumulating_saturating_signed_accelerated;
    cl_bool accumulating_saturating_unsigned_accelerated;
    cl_bool accumulating_saturating_mixed_signedness_accelerated;
} cl_device_integer_dot_product_acceleration_properties;
extern CL_API_ENTRY cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSize(
    cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
    const size_t *global_work_offset, const size_t *global_work_size,
    size_t *suggested_local_work_size);
#endif
typedef cl_int(CL_API_CALL *clGetKernelSuggestedLocalWorkSize_fn)(
    cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
    const size_t *global_work_offset, const size_t *global_work_size,
    size_t *suggested_local_work_size);

/* cl_khr_semaphore, version 1.0.0; provisional versions had another number for the list */
#ifndef CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR 0x2053
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR 0
#endif

/* cl_khr_external_semaphore and cl_khr_external_memory, versions 1.0 */
#ifndef CL_SEMAPHORE_EXPORTABLE_KHR
#define CL_SEMAPHORE_EXPORTABLE_KHR 0x2054
#endif
#ifndef CL_MEM_DEVICE_HANDLE_LIST_KHR
#define CL_MEM_DEVICE_HANDLE_LIST_KHR 0x2051
#define CL_MEM_DEVICE_HANDLE_LIST_END_KHR 0
#endif
#ifndef CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR
#define CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR 0x2052
#endif
#ifndef CL_KHR_EXTERNAL_SEMAPHORE_SYNC_FD_EXTENSION_NAME
typedef cl_properties cl_semaphore_reimport_properties_khr;
typedef cl_int(CL_API_CALL *clReImportSemaphoreSyncFdKHR_fn)(
    cl_semaphore_khr sema_object, cl_semaphore_reimport_properties_khr *reimport_props, int fd);
extern CL_API_ENTRY cl_int CL_API_CALL clReImportSemaphoreSyncFdKHR(
    cl_semaphore_khr sema_object, cl_semaphore_reimport_properties_khr *reimport_props, int fd);
#endif

/* Handles of Rivulet's own memory, for cl_khr_external_memory of other contexts. The property of
 * clCreateBufferWithProperties and clCreateImageWithProperties lists the types of handles that the
 * memory can get, and ends with 0. clGetMemHandleForTypeRIVULET stores a new handle, an int, which
 * belongs to the caller: it keeps the memory until it is closed or imported. */
#define CL_MEM_EXPORT_HANDLE_TYPES_RIVULET 0x4F20
#define CL_MEM_EXPORT_HANDLE_TYPES_LIST_END_RIVULET 0
typedef cl_int(CL_API_CALL *clGetMemHandleForTypeRIVULET_fn)(
    cl_mem memobj, cl_external_memory_handle_type_khr handle_type, size_t handle_size,
    void *handle_ptr, size_t *handle_size_ret);
extern CL_API_ENTRY cl_int CL_API_CALL
clGetMemHandleForTypeRIVULET(cl_mem memobj, cl_external_memory_handle_type_khr handle_type,
                             size_t handle_size, void *handle_ptr, size_t *handle_size_ret);

/* cl_ext_immutable_memory_objects */
#ifndef CL_MEM_IMMUTABLE_EXT
#define CL_MEM_IMMUTABLE_EXT (1 << 6)
#endif

/* cl_ext_buffer_device_address */
#ifndef CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT
#define CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT 0x5000
#define CL_MEM_DEVICE_ADDRESS_EXT 0x5001
#define CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT 0x5002
typedef cl_ulong cl_mem_device_address_ext;
typedef cl_int(CL_API_CALL *clSetKernelArgDevicePointerEXT_fn)(cl_kernel kernel, cl_uint arg_index,
                                                               cl_mem_device_address_ext arg_value);
extern CL_API_ENTRY cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(
    cl_kernel kernel, cl_uint arg_index, cl_mem_device_address_ext arg_value);
#endif

/* cl_khr_initialize_memory */
#ifndef CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR
#define CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR (1 << 0)
#define CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR (1 << 1)
#endif

/* cl_khr_spirv_queries */
#ifndef cl_khr_spirv_queries
#define cl_khr_spirv_queries 1
#define CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR 0x12B9
#define CL_DEVICE_SPIRV_EXTENSIONS_KHR 0x12BA
#define CL_DEVICE_SPIRV_CAPABILITIES_KHR 0x12BB
#endif

/* cl_khr_kernel_clock */
#ifndef cl_khr_kernel_clock
#define cl_khr_kernel_clock 1
#define CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR 0x1076
typedef cl_bitfield cl_device_kernel_clock_capabilities_khr;
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR (1 << 0)
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR (1 << 1)
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR (1 << 2)
#endif

/* cl_ext_float_atomics */
#ifndef CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT
#define CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT 0x4231
#define CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT 0x4232
#define CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT 0x4233
typedef cl_bitfield cl_device_fp_atomic_capabilities_ext;
#define CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT (1 << 0)
#define CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT (1 << 1)
#define CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT (1 << 2)
#define CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT (1 << 16)
#define CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT (1 << 17)
#define CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT (1 << 18)
#endif

/* cl_khr_command_buffer, version 0.9.8, whose commands take properties (none are defined yet); the
 * signatures in older headers lack them. Headers since 2025 declare the extension only for
 * applications that define CL_ENABLE_BETA_EXTENSIONS before they include CL/cl_ext.h. */
#ifdef cl_khr_command_buffer
#ifndef CL_KHR_COMMAND_BUFFER_EXTENSION_VERSION
typedef cl_properties cl_command_properties_khr;
#endif
#ifndef CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR
#define CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR 0x129A
#endif
#ifndef CL_COMMAND_BUFFER_CONTEXT_KHR
#define CL_COMMAND_BUFFER_CONTEXT_KHR 0x1299
#endif
#define RIVULET_RECORDED                                                                           \
    cl_uint num_sync_points, const cl_sync_point_khr *sync_points, cl_sync_point_khr *sync_point,  \
        cl_mutable_command_khr *mutable_handle
#define RIVULET_RECORD                                                                             \
    cl_command_buffer_khr command_buffer, cl_command_queue queue,                                  \
        const cl_command_properties_khr *properties
typedef cl_int(CL_API_CALL *clCommandBarrierWithWaitListKHR_098_fn)(RIVULET_RECORD,
                                                                    RIVULET_RECORDED);
typedef cl_int(CL_API_CALL *clCommandCopyBufferKHR_098_fn)(RIVULET_RECORD, cl_mem src_buffer,
                                                           cl_mem dst_buffer, size_t src_offset,
                                                           size_t dst_offset, size_t size,
                                                           RIVULET_RECORDED);
typedef cl_int(CL_API_CALL *clCommandCopyBufferRectKHR_098_fn)(
    RIVULET_RECORD, cl_mem src_buffer, cl_mem dst_buffer, const size_t *src_origin,
    const size_t *dst_origin, const size_t *region, size_t src_row_pitch, size_t src_slice_pitch,
    size_t dst_row_pitch, size_t dst_slice_pitch, RIVULET_RECORDED);
typedef cl_int(CL_API_CALL *clCommandCopyBufferToImageKHR_098_fn)(
    RIVULET_RECORD, cl_mem src_buffer, cl_mem dst_image, size_t src_offset,
    const size_t *dst_origin, const size_t *region, RIVULET_RECORDED);
typedef cl_int(CL_API_CALL *clCommandCopyImageKHR_098_fn)(RIVULET_RECORD, cl_mem src_image,
                                                          cl_mem dst_image,
                                                          const size_t *src_origin,
                                                          const size_t *dst_origin,
                                                          const size_t *region, RIVULET_RECORDED);
typedef cl_int(CL_API_CALL *clCommandCopyImageToBufferKHR_098_fn)(
    RIVULET_RECORD, cl_mem src_image, cl_mem dst_buffer, const size_t *src_origin,
    const size_t *region, size_t dst_offset, RIVULET_RECORDED);
typedef cl_int(CL_API_CALL *clCommandFillBufferKHR_098_fn)(RIVULET_RECORD, cl_mem buffer,
                                                           const void *pattern, size_t pattern_size,
                                                           size_t offset, size_t size,
                                                           RIVULET_RECORDED);
typedef cl_int(CL_API_CALL *clCommandFillImageKHR_098_fn)(RIVULET_RECORD, cl_mem image,
                                                          const void *fill_color,
                                                          const size_t *origin,
                                                          const size_t *region, RIVULET_RECORDED);
typedef cl_int(CL_API_CALL *clCommandNDRangeKernelKHR_098_fn)(
    RIVULET_RECORD, cl_kernel kernel, cl_uint work_dim, const size_t *global_work_offset,
    const size_t *global_work_size, const size_t *local_work_size, RIVULET_RECORDED);
typedef cl_int(CL_API_CALL *clCommandSVMMemcpyKHR_098_fn)(RIVULET_RECORD, void *dst_ptr,
                                                          const void *src_ptr, size_t size,
                                                          RIVULET_RECORDED);
typedef cl_int(CL_API_CALL *clCommandSVMMemFillKHR_098_fn)(RIVULET_RECORD, void *svm_ptr,
                                                           const void *pattern, size_t pattern_size,
                                                           size_t size, RIVULET_RECORDED);
#undef RIVULET_RECORD
#undef RIVULET_RECORDED

/* cl_khr_command_buffer_mutable_dispatch, version 0.9.5. Before 0.9.2 updates were a linked list,
 * so older headers have another structure, another number for it, and another function. */
#define CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_095 0
#ifndef CL_COMMAND_BUFFER_STATE_FINALIZED_KHR
#define CL_COMMAND_BUFFER_STATE_FINALIZED_KHR 2
#endif
#ifndef CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR
#define CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR 0x12A2
#endif
#ifndef CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR
#define CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR 0x12B7
#define CL_MUTABLE_DISPATCH_ASSERTS_KHR 0x12B8
#define CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR (1 << 0)
typedef cl_bitfield cl_mutable_dispatch_asserts_khr;
#endif
typedef struct _cl_mutable_dispatch_config_095 {
    cl_mutable_command_khr command;
    cl_uint num_args;
    cl_uint num_svm_args;
    cl_uint num_exec_infos;
    cl_uint work_dim;
    const cl_mutable_dispatch_arg_khr *arg_list;
    const cl_mutable_dispatch_arg_khr *arg_svm_list;
    const cl_mutable_dispatch_exec_info_khr *exec_info_list;
    const size_t *global_work_offset;
    const size_t *global_work_size;
    const size_t *local_work_size;
} cl_mutable_dispatch_config_095;
typedef cl_int(CL_API_CALL *clUpdateMutableCommandsKHR_095_fn)(cl_command_buffer_khr command_buffer,
                                                               cl_uint num_configs,
                                                               const cl_uint *config_types,
                                                               const void **configs);
#endif /* cl_khr_command_buffer */

#ifdef __cplusplus
}
#endif
#endif
