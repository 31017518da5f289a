// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/lock.h"

namespace rivulet {

class Event;

/// A thread that sleeps until an event is done, or ready for it to execute. Guarded by the graph's
/// lock.
struct Waiter {
    Waiter *next = nullptr; // waiting for the same event
    Condition woken;
    bool due = false;
};

} // namespace rivulet
