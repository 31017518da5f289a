// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/device/partition.h"

#include "host-runtime/object/entry.h"

namespace rivulet {
namespace {

/// The lowest `count` harts of `harts`, which loses them.
uint64_t take(uint64_t &harts, cl_uint count) {
    uint64_t taken = 0;
    for (; count; --count) {
        const uint64_t lowest = harts & -harts;
        taken |= lowest;
        harts &= ~lowest;
    }
    return taken;
}

} // namespace

Partition Partition::checked(const Device &device, const cl_device_partition_property *properties) {
    Partition partition;
    uint64_t harts = device.hart_mask();
    const cl_uint units = device.hart_count();
    switch (properties[0]) {
    case CL_DEVICE_PARTITION_EQUALLY: {
        require(properties[1] > 0 && properties[2] == 0, CL_INVALID_VALUE);
        partition.properties.assign(properties, properties + 3);
        require(properties[1] <= units, CL_INVALID_DEVICE_PARTITION_COUNT);
        require(properties[1] < units, CL_DEVICE_PARTITION_FAILED); // one part is no partition
        const auto each = static_cast<cl_uint>(properties[1]);
        for (cl_uint left = units; left >= each; left -= each)
            partition.harts.push_back(take(harts, each));
        break;
    }
    case CL_DEVICE_PARTITION_BY_COUNTS: {
        const cl_device_partition_property *count = properties + 1;
        cl_device_partition_property sum = 0;
        for (; *count != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END; ++count) {
            require(*count > 0 && *count <= units, CL_INVALID_DEVICE_PARTITION_COUNT);
            sum += *count;
            require(sum <= units, CL_INVALID_DEVICE_PARTITION_COUNT);
            partition.harts.push_back(take(harts, static_cast<cl_uint>(*count)));
        }
        require(!partition.harts.empty() && count[1] == 0, CL_INVALID_VALUE);
        partition.properties.assign(properties, count + 2);
        break;
    }
    default: // affinity domains and names are not supported
        fail(CL_INVALID_VALUE);
    }
    require(units > 1, CL_DEVICE_PARTITION_FAILED); // one hart can't be divided any further
    return partition;
}

} // namespace rivulet
