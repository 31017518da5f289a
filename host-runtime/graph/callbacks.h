// SPDX-License-Identifier: Apache-2.0
//
// Threads of the library that do what they are given, in order, with no lock held. They start at
// the first task and live as long as the process.
#pragma once

#include <functional>

namespace rivulet {

/// Where the application's callbacks run, in the order in which they became due.
void run_callback(std::function<void()> callback);

/// Where host work runs that nobody waits for.
void run_on_worker(std::function<void()> task);

} // namespace rivulet
