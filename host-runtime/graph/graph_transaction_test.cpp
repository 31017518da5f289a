// SPDX-License-Identifier: Apache-2.0
#include <array>

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

// As those of a lost device do. The sanitizers see accesses to what has been freed.
TEST(GraphTransaction, CommandsMayEndBeforeTheirPredecessors) {
    const auto user = make<Event>(nullptr, nullptr, cl_command_type{CL_COMMAND_USER});
    auto first = marker();
    const auto second = marker();
    {
        const std::array waits{user, user, user}; // more edges than an event has room for
        GraphTransaction transaction(GraphTransaction::later);
        for (const Ref<Event> &event : {first, second}) {
            GraphTransaction::make_edges(*event, waits);
            transaction.add_edges(*event);
            transaction.start(*Ref<Event>(event).detach());
        }
        transaction.commit();
    }
    {
        GraphTransaction transaction(GraphTransaction::later);
        transaction.complete(*first, CL_DEVICE_NOT_AVAILABLE);
        transaction.commit();
    }
    EXPECT_EQ(first->status(), CL_DEVICE_NOT_AVAILABLE);
    first = nullptr;
    EXPECT_EQ(second->status(), CL_QUEUED);
    EXPECT_TRUE(Graph::get().set_user_status(*user, CL_COMPLETE));
    EXPECT_EQ(second->status(), CL_COMPLETE);
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
