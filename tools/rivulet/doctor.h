// SPDX-License-Identifier: Apache-2.0
//
// The checks of `rivulet doctor`: each check appends what it found.
#pragma once

#include <string>
#include <vector>

namespace rivulet::tools {

struct Finding {
    enum State { good, optional, bad };
    State state = good; // optional: it works without, or is no mistake for sure
    std::string name;   // "qemu"
    std::string text;
    std::string mend; // a command, or what to do; "" where nothing is wrong
};
using Findings = std::vector<Finding>;

// The machine's part (doctor_host.cpp).
void check_emulator(Findings &findings);
void check_data(Findings &findings);
void check_limits(Findings &findings);
void check_environment(Findings &findings);
void check_device(Findings &findings);

// OpenCL's part (doctor_opencl.cpp).
void check_compiler(Findings &findings);
void check_vendors(Findings &findings);
void check_cache(Findings &findings);

} // namespace rivulet::tools
