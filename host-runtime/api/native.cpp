// SPDX-License-Identifier: Apache-2.0
//
// 5.8: native kernels, i.e. application functions executed in queue order.
#include <cstring>

#include "host-runtime/graph/queue.h"
#include "host-runtime/memory/buffer.h"
#include "host-runtime/object/checked_size.h"
#include "host-runtime/object/entry.h"

using namespace rivulet;

namespace {

/// A memory object for which the function gets a pointer, and where that is in its arguments.
struct NativeArgument {
    Ref<MemObject> object;
    std::shared_ptr<Mapping> mapping;
    size_t offset;
};

} // namespace

cl_int CL_API_CALL clEnqueueNativeKernel(cl_command_queue queue,
                                         void(CL_CALLBACK *user_func)(void *), void *args,
                                         size_t cb_args, cl_uint num_mem_objects,
                                         const cl_mem *mem_list, const void **args_mem_loc,
                                         cl_uint num_events, const cl_event *wait_list,
                                         cl_event *event) {
    return entry(queue, [&](Queue &object) {
        require(user_func, CL_INVALID_VALUE, "user_func is NULL");
        require((args == nullptr) == (cb_args == 0) && (args || num_mem_objects == 0),
                CL_INVALID_VALUE, "args is %, cb_args is %, num_mem_objects is %", address_of(args),
                cb_args, num_mem_objects);
        require((num_mem_objects == 0) == (mem_list == nullptr) &&
                    (num_mem_objects == 0) == (args_mem_loc == nullptr),
                CL_INVALID_VALUE, "num_mem_objects is %, mem_list is %, args_mem_loc is %",
                num_mem_objects, address_of(mem_list), address_of(args_mem_loc));
        const auto waits = WaitList::checked(num_events, wait_list, object.context());
        const auto *bytes = static_cast<const std::byte *>(args);
        require(end_of(bytes, cb_args).fits(UINTPTR_MAX), CL_INVALID_VALUE,
                "cb_args is %: args would end beyond all addresses", cb_args);
        std::vector<std::byte> copy(bytes, bytes + cb_args);
        std::vector<NativeArgument> arguments;
        for (cl_uint index = 0; index < num_mem_objects; ++index) {
            const auto *location = static_cast<const std::byte *>(args_mem_loc[index]);
            require(location >= bytes && end_of(location, sizeof(void *))
                                             .fits(reinterpret_cast<uintptr_t>(bytes + cb_args)),
                    CL_INVALID_VALUE, "args_mem_loc[%] is %, not in the % bytes of args", index,
                    address_of(location), cb_args);
            auto memory = checked_buffer(mem_list[index], object.context());
            const Layout layout{memory->origin(), 0, 0};
            auto mapping =
                memory->mapping_of(CL_MAP_READ | CL_MAP_WRITE, layout, {}, {memory->size()});
            const auto offset = static_cast<size_t>(location - bytes);
            std::memcpy(copy.data() + offset, &mapping->pointer, sizeof mapping->pointer);
            arguments.push_back({std::move(memory), std::move(mapping), offset});
        }
        auto work = [=, arguments = std::move(arguments)]() mutable {
            for (const NativeArgument &argument : arguments)
                argument.object->fetch(*argument.mapping);
            user_func(copy.empty() ? nullptr : copy.data());
            for (const NativeArgument &argument : arguments)
                argument.object->store(*argument.mapping);
        };
        object.submit(CL_COMMAND_NATIVE_KERNEL, foreign_work(std::move(work)), waits, event);
    });
}
