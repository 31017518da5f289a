// SPDX-License-Identifier: Apache-2.0
//
// The checks of `rivulet doctor`: each check appends its findings.
#pragma once

#include <string>
#include <vector>

namespace rivulet::tools {

struct Finding {
    enum State { good, optional, bad };
    State state = good; // optional: not required, or not necessarily an error
    std::string name;   // "qemu"
    std::string text;
    std::string mend; // a command or advice; "" if nothing is wrong
};
using Findings = std::vector<Finding>;

// Checks of the machine (doctor_host.cpp).
void check_emulator(Findings &findings);
void check_data(Findings &findings);
void check_limits(Findings &findings);
void check_environment(Findings &findings);
void check_device(Findings &findings);

// Checks of OpenCL (doctor_opencl.cpp).
void check_compiler(Findings &findings);
void check_vendors(Findings &findings);
void check_cache(Findings &findings);

/// Goes through the steps of docs/porting.md on a board, prints a line for each, and reports which
/// step failed, why, and which command shows it (doctor_board.cpp). `quick` skips the HAL suite;
/// `seconds` is the timeout for each sign of life. `json`: prints an array of the steps at the end.
/// Returns the exit code.
int doctor_board(const std::string &board, bool quick, unsigned seconds, bool json);

} // namespace rivulet::tools
