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

/// Climbs the ladder of docs/porting.md on a board, prints a line for each rung, and says where it
/// stops, why, and which command shows it (doctor_board.cpp). `quick` leaves out the HAL suite;
/// `seconds` is the patience for each sign of life. `json`: prints an array of the rungs at the
/// end. Returns the exit code.
int doctor_board(const std::string &board, bool quick, unsigned seconds, bool json);

} // namespace rivulet::tools
