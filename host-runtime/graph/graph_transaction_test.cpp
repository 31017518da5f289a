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

// One before them may still be writing output. The sanitizers see accesses to what has been freed.
TEST(GraphTransaction, CommandsOfALostDeviceCompleteBehindTheirPredecessors) {
    const auto user = make<Event>(nullptr, nullptr, cl_command_type{CL_COMMAND_USER});
    auto first = marker();
    const auto second = marker();
    const auto behind_first = marker();
    {
        const std::array waits{user, user, user}; // more edges than an event has room for
        const std::array after{first};
        GraphTransaction transaction(GraphTransaction::later);
        GraphTransaction::make_edges(*first, waits);
        GraphTransaction::make_edges(*second, waits);
        GraphTransaction::make_edges(*behind_first, after);
        for (const Ref<Event> &event : {first, second, behind_first}) {
            transaction.add_edges(*event);
            transaction.start(*Ref<Event>(event).detach());
        }
        transaction.commit();
    }
    {
        GraphTransaction transaction(GraphTransaction::later);
        transaction.end(*first, CL_DEVICE_NOT_AVAILABLE);
        transaction.commit();
    }
    EXPECT_EQ(first->status(), CL_QUEUED);
    EXPECT_EQ(behind_first->status(), CL_QUEUED);
    EXPECT_TRUE(Graph::get().set_user_status(*user, CL_COMPLETE));
    EXPECT_EQ(first->status(), CL_DEVICE_NOT_AVAILABLE);
    first = nullptr;
    EXPECT_EQ(second->status(), CL_COMPLETE);
    EXPECT_EQ(behind_first->status(), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
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
