// SPDX-License-Identifier: Apache-2.0
//
// A configuration file.
#include "hal/core/config_toml.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const rivulet_config_sink sink{
        .user = nullptr,
        .device = [](void *, uint32_t) {},
        .setting = [](void *, const char *, const char *, uint32_t) {},
        .error = [](void *, uint32_t, const char *) {},
    };
    rivulet_read_config(reinterpret_cast<const char *>(data), size, &sink);
    return 0;
}
