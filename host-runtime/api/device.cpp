// SPDX-License-Identifier: Apache-2.0
//
// 4.2: querying devices. 4.3: partitioning a device. 3.0: timers, default device queue.
#include <algorithm>

#include "base/now.h"
#include "host-runtime/api/device_queries.h"
#include "host-runtime/device/partition.h"
#include "host-runtime/device/platform.h"
#include "host-runtime/object/entry.h"

using namespace rivulet;

namespace rivulet {

std::vector<Ref<Device>> devices_of_type(const Platform &platform, cl_device_type device_type) {
    constexpr cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU |
                                     CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR |
                                     CL_DEVICE_TYPE_CUSTOM;
    // CL_DEVICE_TYPE_ALL has 32 of 64 bits; some callers sign-extend it.
    require((device_type & known) == known || (device_type && !(device_type & ~known)),
            CL_INVALID_DEVICE_TYPE, "device_type % is invalid", Hex{device_type});
    std::vector<Ref<Device>> found;
    for (const Ref<Device> &device : platform.devices()) {
        const bool is_default = device == platform.devices().front();
        if (device->type() & device_type || (is_default && device_type & CL_DEVICE_TYPE_DEFAULT))
            found.push_back(device);
    }
    return found;
}

void require_found(const std::vector<Ref<Device>> &found, const Platform &platform) {
    require(!found.empty(), CL_DEVICE_NOT_FOUND,
            platform.devices().empty()
                ? "no device could be opened: `rivulet doctor` says why"
                : "no device of that type: RIVULET_DEVICE_TYPE changes the type they report");
}

} // namespace rivulet

cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id platform, cl_device_type device_type,
                                  cl_uint num_entries, cl_device_id *devices,
                                  cl_uint *num_devices) {
    return entry([&] {
        const Ref<Platform> object = Platform::checked_or_default(platform);
        const auto found = devices_of_type(*object, device_type);
        require(!devices || num_entries > 0, CL_INVALID_VALUE,
                "num_entries is 0, devices is not NULL");
        require(devices || num_devices, CL_INVALID_VALUE, "devices and num_devices are NULL");
        if (num_devices)
            *num_devices = static_cast<cl_uint>(found.size());
        require_found(found, *object);
        for (size_t i = 0; devices && i < std::min<size_t>(found.size(), num_entries); ++i)
            devices[i] = handle_of<cl_device_id>(found[i].get());
    });
}

cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device, cl_device_info param_name,
                                   size_t param_value_size, void *param_value,
                                   size_t *param_value_size_ret) {
    return entry(device, [&](const Device &object) {
        query_device(object, param_name, param_value_size, param_value, param_value_size_ret);
    });
}

cl_int CL_API_CALL clCreateSubDevices(cl_device_id in_device,
                                      const cl_device_partition_property *properties,
                                      cl_uint num_devices, cl_device_id *out_devices,
                                      cl_uint *num_devices_ret) {
    return entry(in_device, [&](Device &device) {
        require(properties && (!out_devices || num_devices > 0), CL_INVALID_VALUE,
                "properties is %, num_devices is %, out_devices is %", address_of(properties),
                num_devices, address_of(out_devices));
        const Partition partition = Partition::checked(device, properties);
        if (num_devices_ret)
            *num_devices_ret = static_cast<cl_uint>(partition.harts.size());
        if (!out_devices)
            return;
        require(num_devices >= partition.harts.size(), CL_INVALID_VALUE,
                "num_devices is %, the partition has %", num_devices, partition.harts.size());
        std::vector<Ref<Device>> made;
        for (const HartRange harts : partition.harts)
            made.push_back(make<Device>(Ref<Device>(device), harts, partition.properties));
        std::ranges::transform(made, out_devices, &give<cl_device_id>);
    });
}

// 4.3: retaining and releasing a root device has no effect.
cl_int CL_API_CALL clRetainDevice(cl_device_id device) {
    return entry(device, [](Device &object) {
        if (object.parent())
            object.retain_handle();
    });
}

cl_int CL_API_CALL clReleaseDevice(cl_device_id device) {
    return entry(device, [](Device &object) {
        if (object.parent())
            require(object.release_handle(), CL_INVALID_DEVICE,
                    "the last reference was released already");
    });
}

cl_int CL_API_CALL clGetDeviceAndHostTimer(cl_device_id device, cl_ulong *device_timestamp,
                                           cl_ulong *host_timestamp) {
    return entry(device, [&](const Device &) {
        require(device_timestamp && host_timestamp, CL_INVALID_VALUE,
                "device_timestamp is %, host_timestamp is %", address_of(device_timestamp),
                address_of(host_timestamp));
        // Profiling times of events are already on the host's clock.
        *device_timestamp = *host_timestamp = now_ns();
    });
}

cl_int CL_API_CALL clGetHostTimer(cl_device_id device, cl_ulong *host_timestamp) {
    return entry(device, [&](const Device &) {
        require(host_timestamp, CL_INVALID_VALUE, "host_timestamp is NULL");
        *host_timestamp = now_ns();
    });
}
