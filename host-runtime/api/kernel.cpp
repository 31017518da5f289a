// SPDX-License-Identifier: Apache-2.0
//
// 5.7: kernel objects, their arguments, and queries for both.
#include <algorithm>

#include "host-runtime/device/features.h"
#include "host-runtime/device/limits.h"
#include "host-runtime/object/checked_size.h"
#include "host-runtime/object/query.h"
#include "host-runtime/program/kernel.h"

using namespace rivulet;

namespace {

constexpr auto kernel_queries = queries<Kernel>(
    row(CL_KERNEL_FUNCTION_NAME, [](const Kernel &k) { return k.name(); }),
    row(CL_KERNEL_NUM_ARGS,
        [](const Kernel &k) { return static_cast<cl_uint>(k.definition().arguments.size()); }),
    row(CL_KERNEL_REFERENCE_COUNT, [](const Kernel &k) { return k.handle_references(); }),
    row(CL_KERNEL_CONTEXT, [](const Kernel &k) { return handle_of<cl_context>(&k.context()); }),
    row(CL_KERNEL_PROGRAM, [](const Kernel &k) { return handle_of<cl_program>(&k.program()); }),
    row(CL_KERNEL_ATTRIBUTES, [](const Kernel &k) { return k.definition().attributes; }));

/// A kernel on a device, for the queries of 5.7.3.
struct OnDevice {
    const Kernel &kernel;
    const Device &device;

    [[nodiscard]] const rvl_kernel_note &note() const { return kernel.note(device); }
    [[nodiscard]] size_t max_group_size() const {
        const uint64_t local = kernel.local_bytes(device);
        return rivulet::max_group_size(
            device, note(), static_cast<uint32_t>(std::min<uint64_t>(local, UINT32_MAX)));
    }
    [[nodiscard]] size_t sub_group_size() const { return std::max(1u, note().sub_group_size); }
};

std::array<size_t, 3> sizes(const uint32_t (&from)[3]) { return {from[0], from[1], from[2]}; }

// 5.7.3: only built-in kernels have this size.
std::array<size_t, 3> max_global_size(const OnDevice &k) {
    const hal::BuiltInKernel *built_in = k.kernel.variant(k.device).kernel->built_in;
    require(built_in, CL_INVALID_VALUE, "kernel % is not a built-in kernel", k.kernel.name());
    std::array<size_t, 3> sizes{};
    std::ranges::copy(built_in->max_global_size, sizes.begin());
    return sizes;
}

constexpr auto work_group_queries = queries<OnDevice>(
    row<max_global_size>(CL_KERNEL_GLOBAL_WORK_SIZE),
    row(CL_KERNEL_WORK_GROUP_SIZE, [](const OnDevice &k) { return k.max_group_size(); }),
    row(CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
        [](const OnDevice &k) { return sizes(k.note().required_group_size); }),
    row(CL_KERNEL_LOCAL_MEM_SIZE,
        [](const OnDevice &k) -> cl_ulong { return k.kernel.local_bytes(k.device); }),
    row(CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
        [](const OnDevice &k) -> size_t { return k.note().preferred_multiple; }),
    row(CL_KERNEL_PRIVATE_MEM_SIZE,
        [](const OnDevice &k) -> cl_ulong { return k.note().private_bytes; }),
    // Spills are not distinguished from the rest of a hart's stack.
    row(CL_KERNEL_SPILL_MEM_SIZE_INTEL,
        [](const OnDevice &k) -> cl_ulong { return k.note().stack_bytes; }));

/// The same with the input of clGetKernelSubGroupInfo: a local size, or a number of sub-groups.
struct WithInput : OnDevice {
    std::span<const size_t> input;

    [[nodiscard]] size_t work_items() const {
        require(!input.empty() && input.size() <= 3, CL_INVALID_VALUE,
                "input_value has % sizes, it must have 1 to 3", input.size());
        CheckedSize product = 1;
        for (const size_t size : input)
            product = product * size;
        return product.or_fail(CL_INVALID_VALUE, "the product of input_value's sizes is too large");
    }
    [[nodiscard]] size_t sub_groups(size_t work_items) const {
        return work_items / sub_group_size() + (work_items % sub_group_size() != 0);
    }
    /// A one-dimensional local size with that many sub-groups, or 0, 0, 0 if there is none.
    [[nodiscard]] std::array<size_t, 3> local_size() const {
        require(input.size() == 1, CL_INVALID_VALUE, "input_value has % numbers, it must have 1",
                input.size());
        if (input[0] == 0 || input[0] > max_group_size() / sub_group_size())
            return {0, 0, 0};
        return {input[0] * sub_group_size(), 1, 1};
    }
};

constexpr auto sub_group_queries = queries<WithInput>(
    row(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
        [](const WithInput &k) { return std::min(k.sub_group_size(), k.work_items()); }),
    row(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE,
        [](const WithInput &k) { return k.sub_groups(k.work_items()); }),
    row(CL_KERNEL_MAX_NUM_SUB_GROUPS,
        [](const WithInput &k) { return k.sub_groups(k.max_group_size()); }),
    row(CL_KERNEL_COMPILE_NUM_SUB_GROUPS, [](const WithInput &) -> size_t { return 0; }),
    row(CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL,
        [](const WithInput &k) -> size_t { return k.note().required_sub_group_size; }));

/// The address qualifier for each kind of argument.
constexpr cl_kernel_arg_address_qualifier address_qualifiers[] = {
    CL_KERNEL_ARG_ADDRESS_PRIVATE, // value
    CL_KERNEL_ARG_ADDRESS_GLOBAL,  CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_ADDRESS_LOCAL,
    CL_KERNEL_ARG_ADDRESS_GLOBAL,  // image
    CL_KERNEL_ARG_ADDRESS_PRIVATE, // sampler
    CL_KERNEL_ARG_ADDRESS_PRIVATE, // counter
    CL_KERNEL_ARG_ADDRESS_GLOBAL,  // pipe
};
constexpr cl_kernel_arg_access_qualifier access_qualifiers[] = {
    CL_KERNEL_ARG_ACCESS_NONE,
    CL_KERNEL_ARG_ACCESS_READ_ONLY,
    CL_KERNEL_ARG_ACCESS_WRITE_ONLY,
    CL_KERNEL_ARG_ACCESS_READ_WRITE,
};
// The bits in the image are the same as the API's.
static_assert(RVL_QUALIFIER_CONST == CL_KERNEL_ARG_TYPE_CONST &&
              RVL_QUALIFIER_RESTRICT == CL_KERNEL_ARG_TYPE_RESTRICT &&
              RVL_QUALIFIER_VOLATILE == CL_KERNEL_ARG_TYPE_VOLATILE &&
              RVL_QUALIFIER_PIPE == CL_KERNEL_ARG_TYPE_PIPE);

constexpr auto argument_queries = queries<ImageArgument>(
    row(CL_KERNEL_ARG_ADDRESS_QUALIFIER,
        [](const ImageArgument &a) { return address_qualifiers[a.note.kind]; }),
    row(CL_KERNEL_ARG_ACCESS_QUALIFIER,
        [](const ImageArgument &a) { return access_qualifiers[a.note.access]; }),
    row(CL_KERNEL_ARG_TYPE_NAME, [](const ImageArgument &a) { return a.type; }),
    row(CL_KERNEL_ARG_TYPE_QUALIFIER,
        [](const ImageArgument &a) -> cl_kernel_arg_type_qualifier { return a.note.qualifiers; }),
    row(CL_KERNEL_ARG_NAME, [](const ImageArgument &a) { return a.name; }));

/// 5.7.3: one of the kernel's devices; NULL is allowed if there is only one.
Ref<Device> checked_device(const Kernel &kernel, cl_device_id handle) {
    const auto &devices = kernel.program().devices();
    if (!handle) {
        require(devices.size() == 1, CL_INVALID_DEVICE, "device is NULL, the kernel has % devices",
                devices.size());
        return devices.front();
    }
    Ref<Device> device = checked(handle);
    require(kernel.context().has(*device), CL_INVALID_DEVICE,
            "device is not in the kernel's context");
    return device;
}

} // namespace

cl_kernel CL_API_CALL clCreateKernel(cl_program program_handle, const char *kernel_name,
                                     cl_int *errcode_ret) {
    return create(program_handle, errcode_ret, [&](Program &program) {
        require(kernel_name, CL_INVALID_VALUE, "kernel_name is NULL");
        program.finish_builds();
        return give<cl_kernel>(make<Kernel>(Ref(program), kernel_name));
    });
}

cl_int CL_API_CALL clCreateKernelsInProgram(cl_program program_handle, cl_uint num_kernels,
                                            cl_kernel *kernels, cl_uint *num_kernels_ret) {
    return entry(program_handle, [&](Program &program) {
        program.finish_builds();
        const std::vector<DeviceProgram> built = program.built();
        require_built(built);
        std::vector<Ref<Kernel>> made;
        for (const ImageKernel *kernel : kernels_of(built)) {
            try {
                made.push_back(make<Kernel>(Ref(program), kernel->name));
            } catch (const Failure &failure) { // 5.7.1: kernels with differing definitions are left
                                               // out
                if (failure.code != CL_INVALID_KERNEL_DEFINITION)
                    throw;
            }
        }
        require(!kernels || num_kernels >= made.size(), CL_INVALID_VALUE,
                "num_kernels is %, the program has %", num_kernels, made.size());
        if (kernels)
            std::ranges::transform(made, kernels, &give<cl_kernel>);
        if (num_kernels_ret)
            *num_kernels_ret = static_cast<cl_uint>(made.size());
    });
}

cl_kernel CL_API_CALL clCloneKernel(cl_kernel source_kernel, cl_int *errcode_ret) {
    return create(source_kernel, errcode_ret,
                  [](const Kernel &kernel) { return give<cl_kernel>(make<Kernel>(kernel)); });
}

cl_int CL_API_CALL clRetainKernel(cl_kernel kernel) { return retain_entry(kernel); }
cl_int CL_API_CALL clReleaseKernel(cl_kernel kernel) { return release_entry(kernel); }

cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint arg_index, size_t arg_size,
                                  const void *arg_value) {
    return entry(kernel,
                 [&](Kernel &object) { object.set_argument(arg_index, arg_size, arg_value); });
}

cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint arg_index,
                                                  cl_mem_device_address_ext arg_value) {
    return entry(kernel, [&](Kernel &object) { object.set_device_address(arg_index, arg_value); });
}

cl_int CL_API_CALL clGetKernelInfo(cl_kernel kernel, cl_kernel_info param_name,
                                   size_t param_value_size, void *param_value,
                                   size_t *param_value_size_ret) {
    return entry(kernel, [&](const Kernel &object) {
        query(kernel_queries, object, param_name, param_value_size, param_value,
              param_value_size_ret);
    });
}

cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device_handle,
                                            cl_kernel_work_group_info param_name,
                                            size_t param_value_size, void *param_value,
                                            size_t *param_value_size_ret) {
    return entry(kernel, [&](const Kernel &object) {
        const Ref<Device> device = checked_device(object, device_handle);
        query(work_group_queries, OnDevice{object, *device}, param_name, param_value_size,
              param_value, param_value_size_ret);
    });
}

cl_int CL_API_CALL clGetKernelArgInfo(cl_kernel kernel, cl_uint arg_indx,
                                      cl_kernel_arg_info param_name, size_t param_value_size,
                                      void *param_value, size_t *param_value_size_ret) {
    return entry(kernel, [&](const Kernel &object) {
        require(object.has_argument_info() || arg_indx >= object.definition().arguments.size(),
                CL_KERNEL_ARG_INFO_NOT_AVAILABLE,
                "the program was built without -cl-kernel-arg-info");
        query(argument_queries, object.described(arg_indx), param_name, param_value_size,
              param_value, param_value_size_ret);
    });
}

static cl_int sub_group_info(cl_kernel kernel, cl_device_id device_handle,
                             cl_kernel_sub_group_info param_name, size_t input_value_size,
                             const void *input_value, size_t param_value_size, void *param_value,
                             size_t *param_value_size_ret, Caller caller = __builtin_FUNCTION()) {
    return entry(
        kernel,
        [&](const Kernel &object) {
            const Ref<Device> device = checked_device(object, device_handle);
            require(has_extension(*device, "cl_intel_subgroups"), CL_INVALID_OPERATION,
                    "the device has no sub-groups");
            require(input_value_size % sizeof(size_t) == 0, CL_INVALID_VALUE,
                    "input_value_size is %, and must be a multiple of %", input_value_size,
                    sizeof(size_t));
            const auto *input = static_cast<const size_t *>(input_value);
            const WithInput asked{{object, *device},
                                  {input, input ? input_value_size / sizeof(size_t) : 0}};
            if (param_name != CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT)
                return query(sub_group_queries, asked, param_name, param_value_size, param_value,
                             param_value_size_ret);
            // param_value_size determines how many dimensions are returned.
            const std::array<size_t, 3> local_size = asked.local_size();
            const size_t bytes = param_value ? param_value_size : sizeof local_size;
            require(bytes != 0 && bytes % sizeof(size_t) == 0 && bytes <= sizeof local_size,
                    CL_INVALID_VALUE, "param_value_size is %, and must be 1 to 3 times %", bytes,
                    sizeof(size_t));
            Reply(param_value_size, param_value, param_value_size_ret)
                .bytes(local_size.data(), bytes);
        },
        caller);
}

cl_int CL_API_CALL clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device,
                                           cl_kernel_sub_group_info param_name,
                                           size_t input_value_size, const void *input_value,
                                           size_t param_value_size, void *param_value,
                                           size_t *param_value_size_ret) {
    return sub_group_info(kernel, device, param_name, input_value_size, input_value,
                          param_value_size, param_value, param_value_size_ret);
}

cl_int CL_API_CALL clGetKernelSubGroupInfoKHR(cl_kernel kernel, cl_device_id device,
                                              cl_kernel_sub_group_info param_name,
                                              size_t input_value_size, const void *input_value,
                                              size_t param_value_size, void *param_value,
                                              size_t *param_value_size_ret) {
    return sub_group_info(kernel, device, param_name, input_value_size, input_value,
                          param_value_size, param_value, param_value_size_ret);
}
