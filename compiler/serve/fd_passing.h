// SPDX-License-Identifier: Apache-2.0
//
// Jobs on their way from process to process: a byte with the job's socket attached
// (hal/protocol/compile.h).
#ifndef RIVULET_COMPILER_SERVE_FD_PASSING_H
#define RIVULET_COMPILER_SERVE_FD_PASSING_H

#include "hal/protocol/compile.h"

namespace rivulet::compiler {

constexpr int no_more_jobs = -1; // the end of the control socket
constexpr int no_job = -2;       // a message without a socket

// Waits for one: its socket, or what is above.
int receive_job(int control);

bool send_job(int control, int job);

// Receives what a client answers to OPEN, with the descriptor on its first byte if it has one.
bool receive_with_descriptor(int socket, rvl_opened &opened, int &descriptor);

} // namespace rivulet::compiler

#endif
