// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "host-runtime/graph/graph.h"
#include "host-runtime/graph/queue.h"

namespace rivulet {
namespace {

Ref<Event> marker() { return make<Event>(nullptr, nullptr, cl_command_type{CL_COMMAND_MARKER}); }

TEST(GraphChange, CommitCompletesWhatWaitsForNothing) {
    const auto event = marker();
    Change change(Change::later);
    change.start(*Ref<Event>(event).detach());
    EXPECT_EQ(event->status(), CL_QUEUED);
    change.commit();
    EXPECT_EQ(event->status(), CL_COMPLETE);
}

TEST(GraphChange, WithoutChangesItOnlyUnlocks) {
    {
        const Change nothing(Change::at_once);
    }
    const Change again(Change::at_once);
}

TEST(GraphChange, WhatIsNotCommittedEndsTheProgram) {
    const auto forgetful = [] {
        const auto event = marker();
        Change change(Change::later);
        change.start(*Ref<Event>(event).detach());
    };
    EXPECT_DEATH(forgetful(), "was not committed");
}

} // namespace
} // namespace rivulet
