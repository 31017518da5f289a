// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "host-runtime/device/limits.h"
#include "host-runtime/device/platform.h"

namespace rivulet {

// SVM requires equal addresses on host and device. Only one physical device of the process can have
// it: another could not access memory of the first.
cl_device_svm_capabilities svm_capabilities(const Device &device) {
    const auto able = [](const Ref<Device> &candidate) {
        return candidate->physical_device().has(RVL_DEVICE_SAME_ADDRESSES) &&
               candidate->xlen() == 64;
    };
    const auto &all = Platform::get().devices();
    const auto first = std::ranges::find_if(all, able);
    if (first == all.end() || &(*first)->physical_device() != &device.physical_device())
        return 0;
    if (!device.physical_device().has(RVL_DEVICE_COHERENT))
        return CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
    return CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
           (device.physical_device().has(RVL_DEVICE_ATOMICS) ? CL_DEVICE_SVM_ATOMICS : 0);
}

} // namespace rivulet
