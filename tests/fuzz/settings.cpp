// SPDX-License-Identifier: Apache-2.0
//
// The text of RIVULET_MACHINE, up to an open device of the null driver.
#include <cstdlib>
#include <string>

#include "base/parse.h"
#include "hal/core/config.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    using namespace rivulet;
    using namespace rivulet::hal;
    const std::string text(reinterpret_cast<const char *>(data), size);
    setenv("RIVULET_MACHINE", text.c_str(), 1);
    (void)parse_number(text);
    (void)parse_bytes(text);
    for (const Config &config : Config::from_environment()) {
        const auto entries = config.entries();
        std::vector<const char *> pointers;
        for (const std::string &entry : entries)
            pointers.push_back(entry.c_str());
        pointers.push_back(nullptr);
        const rvl_config c_config{.size = sizeof c_config, .entries = pointers.data()};
        (void)Settings(&c_config).check("null", {"vlen"});
        (void)Device::open(*rvl_driver_named("null"), config, {});
    }
    return 0;
}
