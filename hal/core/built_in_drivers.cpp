// SPDX-License-Identifier: Apache-2.0
//
// Replaces drivers.cpp in the static library: contains the drivers it was built with
// (RIVULET_STATIC_DRIVERS), for hosts that can't load shared objects.
#include "hal/core/config.h"
#include "hal/core/drivers.h"

#define FIND(file) extern "C" const rvl_driver *rvl_driver_named_##file(const char *name);
RIVULET_BUILT_IN_DRIVERS
#undef FIND

namespace rivulet::hal {
namespace {

constexpr struct {
    const char *name;
    const rvl_driver *(*find)(const char *name);
} files[] = {
#define FIND(file) {#file, rvl_driver_named_##file},
    RIVULET_BUILT_IN_DRIVERS
#undef FIND
};

const rvl_driver *built_in(const std::string &name) {
    for (const auto &file : files)
        if (const rvl_driver *driver = file.find(name.c_str()))
            return driver;
    return nullptr;
}

} // namespace

Result<const rvl_driver *> find_driver(const Config &config) {
    const std::string chosen = config.get("driver");
    if (const rvl_driver *driver = built_in(chosen))
        return driver;
    if (chosen.empty()) {
        for (const std::string &name : {config.get("machine"), std::string("qemu")})
            if (const rvl_driver *driver = built_in(name))
                return driver;
        if (std::size(files) == 1)
            if (const rvl_driver *driver = built_in(files[0].name))
                return driver;
    }
    std::string all;
    for (const auto &file : files)
        all.append(all.empty() ? "" : ", ").append(file.name);
    return fail(RVL_NOT_FOUND,
                {"there is no driver \"", chosen.empty() ? config.get("machine") : chosen,
                 "\" in this program, whose OpenCL library is linked in; RIVULET_DRIVER may be one "
                 "of: ",
                 all});
}

} // namespace rivulet::hal
