// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>

#include <string>

#include "hal/hal.h"

namespace rivulet::hal {

/// The driver qemu.so in the directory of the library that contains `own`; NULL if missing.
inline const rvl_driver *qemu_beside(const void *own) {
    Dl_info info;
    if (dladdr(own, &info) == 0)
        return nullptr;
    const std::string file = info.dli_fname;
    const auto path = file.substr(0, file.rfind('/') + 1) + "qemu.so";
    void *const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        return nullptr;
    const auto find =
        reinterpret_cast<decltype(&rvl_driver_named)>(dlsym(library, "rvl_driver_named"));
    return find("qemu");
}

} // namespace rivulet::hal
