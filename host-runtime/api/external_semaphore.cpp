// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/api/external_semaphore.h"

#include <algorithm>
#include <cstring>

#include "host-runtime/device/device.h"
#include "host-runtime/graph/graph.h"
#include "host-runtime/object/entry.h"

namespace rivulet {

std::vector<cl_external_semaphore_handle_type_khr> semaphore_handle_types() {
    return {CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, CL_SEMAPHORE_HANDLE_SYNC_FD_KHR};
}

void import_sync_file(const Ref<Semaphore> &semaphore, int descriptor) {
    require(descriptor == -1 || is_sync_file(descriptor), CL_INVALID_VALUE,
            "file descriptor % is not a sync file", descriptor);
    Semaphore::End end(semaphore, Semaphore::Side::signal);
    DescriptorWaits::List waits;
    if (descriptor != -1) {
        DescriptorWaits::get().prepare();
        waits.push_back(
            {.descriptor = {}, .kind = DescriptorWaits::Kind::sync_file, .event = end.event()});
        waits.front().descriptor = FileDescriptor(descriptor);
    }
    const Ref<Event> event = end.event();
    end.keep();
    if (descriptor == -1)
        Graph::get().set_user_status(*event, CL_COMPLETE);
    else
        DescriptorWaits::get().add(std::move(waits));
}

namespace {

/// Userland can't make a sync file for what has not happened yet, but -1 is one that has.
int sync_file_of(Semaphore &semaphore) {
    const Ref<Event> signal = semaphore.take_signal();
    require(bool(signal), CL_INVALID_OPERATION,
            "no signal of the semaphore has been enqueued, or a wait has taken it");
    Graph::get().wait(*signal);
    require(signal->status() == CL_COMPLETE, CL_INVALID_OPERATION,
            "the semaphore's signal ended with an error, %", signal->status());
    return -1;
}

} // namespace
} // namespace rivulet

using namespace rivulet;

extern "C" CL_API_ENTRY cl_int CL_API_CALL
clGetSemaphoreHandleForTypeKHR(cl_semaphore_khr sema_object, cl_device_id device,
                               cl_external_semaphore_handle_type_khr handle_type,
                               size_t handle_size, void *handle_ptr, size_t *handle_size_ret) {
    return entry(sema_object, [&](Semaphore &semaphore) {
        const auto asked = checked(device);
        require(std::ranges::any_of(
                    semaphore.devices(),
                    [&](const Ref<Device> &known) { return known.get() == asked.get(); }),
                CL_INVALID_DEVICE, "the semaphore is of another device");
        require(semaphore.exported() == handle_type, CL_INVALID_VALUE,
                "the semaphore was not created for handles of type %", Hex{handle_type});
        if (handle_size_ret)
            *handle_size_ret = sizeof(int);
        if (!handle_ptr)
            return;
        require(handle_size >= sizeof(int), CL_INVALID_VALUE, "handle_size is %, a handle has %",
                handle_size, sizeof(int));
        const int handle = semaphore.counter() ? semaphore.counter()->duplicate().release()
                                               : sync_file_of(semaphore);
        std::memcpy(handle_ptr, &handle, sizeof handle);
    });
}

extern "C" CL_API_ENTRY cl_int CL_API_CALL clReImportSemaphoreSyncFdKHR(
    cl_semaphore_khr sema_object, cl_semaphore_reimport_properties_khr *reimport_props, int fd) {
    return entry(sema_object, [&](Semaphore &semaphore) {
        require(semaphore.is_of_sync_file(), CL_INVALID_SEMAPHORE_KHR,
                "the semaphore was not made of a sync file");
        require(!reimport_props || !*reimport_props, CL_INVALID_VALUE,
                "property % is not known: none is defined",
                Hex{reimport_props ? *reimport_props : 0});
        import_sync_file(Ref(semaphore), fd);
    });
}
