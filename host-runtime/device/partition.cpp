// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/device/partition.h"

#include "host-runtime/object/entry.h"

namespace rivulet {
namespace {

/// Removes the lowest `count` harts from `harts` and returns them.
HartRange take(HartRange &harts, cl_uint count) {
    const HartRange taken{harts.first, count};
    harts.first += count;
    harts.count -= count;
    return taken;
}

} // namespace

Partition Partition::checked(const Device &device, const cl_device_partition_property *properties) {
    Partition partition;
    HartRange harts = device.harts();
    const cl_uint units = device.hart_count();
    switch (properties[0]) {
    case CL_DEVICE_PARTITION_EQUALLY: {
        require(
            properties[1] > 0 && properties[2] == 0, CL_INVALID_VALUE,
            "CL_DEVICE_PARTITION_EQUALLY must be followed by a number of compute units and a 0");
        partition.properties.assign(properties, properties + 3);
        require(properties[1] <= units, CL_INVALID_DEVICE_PARTITION_COUNT,
                "parts of % compute units are requested, the device has %",
                static_cast<cl_uint>(properties[1]), units);
        require(properties[1] < units, CL_DEVICE_PARTITION_FAILED,
                "a single part with all of the device's % compute units is not a partition", units);
        const auto each = static_cast<cl_uint>(properties[1]);
        for (cl_uint left = units; left >= each; left -= each)
            partition.harts.push_back(take(harts, each));
        break;
    }
    case CL_DEVICE_PARTITION_BY_COUNTS: {
        const cl_device_partition_property *count = properties + 1;
        cl_device_partition_property sum = 0;
        for (; *count != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END; ++count) {
            require(*count > 0 && *count <= units, CL_INVALID_DEVICE_PARTITION_COUNT,
                    "a part of % compute units is requested, the device has %",
                    static_cast<cl_uint>(*count), units);
            sum += *count;
            require(sum <= units, CL_INVALID_DEVICE_PARTITION_COUNT,
                    "the parts have % compute units or more, the device %",
                    static_cast<cl_uint>(sum), units);
            partition.harts.push_back(take(harts, static_cast<cl_uint>(*count)));
        }
        require(!partition.harts.empty() && count[1] == 0, CL_INVALID_VALUE,
                "CL_DEVICE_PARTITION_BY_COUNTS wants counts, "
                "CL_DEVICE_PARTITION_BY_COUNTS_LIST_END and a 0");
        partition.properties.assign(properties, count + 2);
        break;
    }
    default: // affinity domains and names are not supported
        fail(CL_INVALID_VALUE,
             "properties[0] is %: CL_DEVICE_PARTITION_EQUALLY and CL_DEVICE_PARTITION_BY_COUNTS "
             "are supported",
             {Hex{static_cast<uint64_t>(properties[0])}});
    }
    require(units > 1, CL_DEVICE_PARTITION_FAILED,
            "the device has only one hart and can't be partitioned");
    return partition;
}

} // namespace rivulet
