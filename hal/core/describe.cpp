// SPDX-License-Identifier: Apache-2.0
#include "hal/core/describe.h"

#include "base/error.h"
#include "hal/device.h"

namespace rivulet::hal {

std::string_view state_name(rvl_state state) {
    switch (state) {
    case RVL_STATE_OFFLINE:
        return "offline";
    case RVL_STATE_BOOTING:
        return "booting";
    case RVL_STATE_RUNNING:
        return "running";
    case RVL_STATE_CRASHED:
        return "crashed";
    case RVL_STATE_REFUSED:
        return "refused";
    case RVL_STATE_DETACHED:
        return "detached";
    case RVL_STATE_SUSPENDED:
        return "suspended";
    }
    return "unknown";
}

std::string version_text(uint32_t version) {
    return text({RVL_VERSION_MAJOR(version), ".", RVL_VERSION_MINOR(version)});
}

} // namespace rivulet::hal
