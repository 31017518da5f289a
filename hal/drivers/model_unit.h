// SPDX-License-Identifier: Apache-2.0
//
// Built-in kernels of the model of a fixed-function unit in the firmware of QEMU's machines and of
// the loopback drivers (device-firmware/units/model.c). Devices have them with unit=model.
#pragma once

#include "base/error.h"
#include "hal/core/config.h"
#include "hal/hal.h"
#include "hal/protocol/mailbox.h"

namespace rivulet::hal {

/// Whether a device's settings ask for the model.
inline Result<bool> wants_model_unit(const Settings &settings) {
    const auto unit = settings.get("unit");
    if (unit.empty() || unit == "model")
        return !unit.empty();
    return fail(RVL_INVALID, {"unit=", unit, " is no unit of this device; there is unit=model"});
}

inline const rvl_built_in_kernel *const *model_unit_kernels() {
    static constexpr rvl_built_in_argument copy2d_arguments[] = {
        {"source", "uchar*", RVL_BUILT_IN_CONSTANT, 0},
        {"source_pitch", "ulong", RVL_BUILT_IN_VALUE, 8},
        {"destination", "uchar*", RVL_BUILT_IN_GLOBAL, 0},
        {"destination_pitch", "ulong", RVL_BUILT_IN_VALUE, 8},
    };
    static constexpr rvl_built_in_argument crc32_arguments[] = {
        {"data", "uchar*", RVL_BUILT_IN_CONSTANT, 0},
        {"bytes", "ulong", RVL_BUILT_IN_VALUE, 8},
        {"result", "uint*", RVL_BUILT_IN_GLOBAL, 0},
    };
    static constexpr rvl_built_in_argument fail_arguments[] = {
        {"code", "uint", RVL_BUILT_IN_VALUE, 4},
    };
    constexpr uint32_t bytes = sizeof(rvl_built_in_kernel), version = 1u << 22,
                       unit = RVL_MODEL_UNIT;
    static constexpr rvl_built_in_kernel copy2d{
        bytes, version, "rivulet.copy2d", unit, 0, 4, 0, copy2d_arguments, {1 << 30, 1 << 30, 1}};
    static constexpr rvl_built_in_kernel crc32{bytes, version, "rivulet.crc32", unit,     1,
                                               3,     0,       crc32_arguments, {1, 1, 1}};
    static constexpr rvl_built_in_kernel failing{bytes, version, "rivulet.fail", unit,     2,
                                                 1,     0,       fail_arguments, {1, 1, 1}};
    static constexpr const rvl_built_in_kernel *kernels[] = {&copy2d, &crc32, &failing, nullptr};
    return kernels;
}

} // namespace rivulet::hal
