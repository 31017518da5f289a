// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "host-runtime/graph/graph.h"
#include "host-runtime/graph/queue.h"

namespace rivulet {
namespace {

Ref<Event> marker() { return make<Event>(nullptr, nullptr, cl_command_type{CL_COMMAND_MARKER}); }

TEST(GraphTransaction, CommitCompletesWhatWaitsForNothing) {
    const auto event = marker();
    GraphTransaction transaction(GraphTransaction::later);
    transaction.start(*Ref<Event>(event).detach());
    EXPECT_EQ(event->status(), CL_QUEUED);
    transaction.commit();
    EXPECT_EQ(event->status(), CL_COMPLETE);
}

TEST(GraphTransaction, WithoutChangesItOnlyUnlocks) {
    {
        const GraphTransaction nothing(GraphTransaction::at_once);
    }
    const GraphTransaction again(GraphTransaction::at_once);
}

TEST(GraphTransaction, WhatIsNotCommittedEndsTheProgram) {
    const auto forgetful = [] {
        const auto event = marker();
        GraphTransaction transaction(GraphTransaction::later);
        transaction.start(*Ref<Event>(event).detach());
    };
    EXPECT_DEATH(forgetful(), "was not committed");
}

} // namespace
} // namespace rivulet
