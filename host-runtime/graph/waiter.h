// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hal/core/lock.h"

namespace rivulet {

class Event;

/// A thread that sleeps until an event is done, or ready to be run by it. Under the graph's lock.
struct Waiter {
    Waiter *next = nullptr; // of the same event
    Condition woken;
    bool due = false;
};

} // namespace rivulet
