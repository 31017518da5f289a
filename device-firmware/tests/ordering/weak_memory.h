// SPDX-License-Identifier: Apache-2.0
//
// An exhaustive checker of short programs under a weak memory model similar to RVWMO (Unprivileged
// manual, chapter 17). Memory is multi-copy atomic (stores become visible to all other harts at
// once), but a hart performs its operations in any order that fences, acquire and release,
// dependencies and accesses to the same location permit. A load may take the value of an earlier
// store of its own hart that has not been performed yet, and may be performed before a branch that
// precedes it. Every interleaving is visited once.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace rivulet::ordering {

enum Domain : uint8_t { R = 1, W = 2, I = 4, O = 8, AllOfThem = 15 }; // as in FENCE

/// The ordering that a source line requests.
struct Order {
    bool acquire = false;
    bool release = false;
    bool fetch = false; // FENCE.I
    uint8_t before = 0, after = 0;
};

constexpr size_t max_registers = 8;
constexpr size_t max_places = 8;
constexpr size_t max_threads = 3;

struct Operation {
    enum Kind : uint8_t { Load, Store, Fence, TakeLock, Sleep, Fetch } kind = Load;
    uint8_t location = 0;
    bool device = false;
    Order order{};
    uint8_t result = 0;         // register of a load
    uint8_t value = 0;          // stored, plus
    int8_t value_register = -1; // this register, if any
    struct Condition {
        uint8_t reg;
        bool nonzero;
    };
    std::vector<Condition> conditions{}; // of the branches that precede it

    [[nodiscard]] uint8_t domains() const {
        switch (kind) {
        case Load:
            return device ? I : R;
        case Store:
            return device ? O : W;
        case TakeLock:
            return R | W;
        case Sleep:
            return I;
        default:
            return 0;
        }
    }
};
using Thread = std::vector<Operation>;

struct Outcome {
    std::array<std::array<uint8_t, max_registers>, max_threads> registers{};
    std::array<uint8_t, max_places> memory{};
    bool asleep = false; // a hart sleeps and nothing will wake it
};

class Checker {
public:
    Checker(std::vector<Thread> threads, std::array<uint8_t, max_places> memory,
            std::function<bool(const Outcome &)> good)
        : threads_(std::move(threads)), initial_(memory), good_(std::move(good)) {
        if (threads_.size() > max_threads)
            throw std::logic_error("too many threads");
    }

    /// True if some interleaving ends badly.
    bool finds_defect() {
        assume(0, {});
        return defect_;
    }
    [[nodiscard]] size_t states() const { return states_; }

private:
    struct State {
        std::array<uint32_t, max_threads> done{};
        Outcome data;
        [[nodiscard]] std::string key() const {
            return {reinterpret_cast<const char *>(this), sizeof *this};
        }
    };

    /// Enumerates all combinations of branch outcomes; each gives straight-line programs to run.
    void assume(size_t thread, std::vector<Thread> chosen) {
        if (thread == threads_.size()) {
            path_ = std::move(chosen);
            seen_.clear();
            State state;
            state.data.memory = initial_;
            visit(state);
            return;
        }
        uint32_t decided = 0;
        for (const Operation &operation : threads_[thread])
            for (const auto &condition : operation.conditions)
                decided |= 1u << condition.reg;
        for (uint32_t nonzero = decided;; nonzero = (nonzero - 1) & decided) {
            Thread path;
            for (const Operation &operation : threads_[thread]) {
                bool taken = true;
                for (const auto &condition : operation.conditions)
                    taken &= ((nonzero >> condition.reg & 1) != 0) == condition.nonzero;
                if (taken)
                    path.push_back(operation);
            }
            decided_[thread] = decided;
            nonzero_[thread] = nonzero;
            auto next = chosen;
            next.push_back(std::move(path));
            // The paths of later threads are chosen before this thread's next one.
            assume(thread + 1, std::move(next));
            if (nonzero == 0)
                break;
        }
    }

    [[nodiscard]] bool decides(size_t thread, const Operation &operation) const {
        return operation.kind == Operation::Load && (decided_[thread] >> operation.result & 1);
    }

    /// Whether `first`, earlier in the program, must be performed before `second`.
    [[nodiscard]] bool precedes(size_t thread, const Operation &first,
                                const Operation &second) const {
        using enum Operation::Kind;
        const uint8_t a = first.domains(), b = second.domains();
        if (second.kind == Fetch)
            return first.order.fetch || first.kind == Fetch;
        if (first.kind == Fetch)
            return false;
        if (second.kind == Fence)
            return first.kind == Fence || second.order.fetch || (a & second.order.before) != 0;
        if (first.kind == Fence)
            return (b & first.order.after) != 0;
        // Acquire and release order memory only, not devices (A extension).
        if (first.order.acquire && (b & (R | W)))
            return true;
        if (second.order.release && (a & (R | W)))
            return true;
        if (first.location == second.location && first.device == second.device &&
            first.kind != Sleep && second.kind != Sleep)
            return first.device || !(first.kind == Store && second.kind == Load);
        // Stores and sleeps are not speculative: the branches that lead to them have to be resolved
        // first.
        if (second.kind != Load &&
            (decides(thread, first) || first.kind == Sleep || first.kind == TakeLock))
            return true;
        return first.kind == Load && second.kind == Store && second.value_register == first.result;
    }

    void visit(const State &state) {
        if (defect_ || !seen_.insert(state.key()).second)
            return;
        ++states_;
        bool any = false, sleeper = false;
        for (size_t thread = 0; thread < path_.size(); ++thread)
            for (size_t i = 0; i < path_[thread].size(); ++i) {
                if (state.done[thread] >> i & 1 || !enabled(state, thread, i))
                    continue;
                const Operation &operation = path_[thread][i];
                if (operation.kind == Operation::Sleep &&
                    state.data.memory[operation.location] == 0) {
                    sleeper = true;
                    continue;
                }
                if (operation.kind == Operation::TakeLock &&
                    state.data.memory[operation.location] != 0)
                    continue;
                any = true;
                State next = state;
                if (perform(next, thread, i))
                    visit(next);
            }
        if (any)
            return;
        Outcome end = state.data;
        end.asleep = sleeper;
        defect_ |= !good_(end);
    }

    [[nodiscard]] bool enabled(const State &state, size_t thread, size_t i) const {
        for (size_t j = 0; j < i; ++j)
            if (!(state.done[thread] >> j & 1) &&
                precedes(thread, path_[thread][j], path_[thread][i]))
                return false;
        return true;
    }

    /// False if the branch after it goes the other way, which is a different path.
    bool perform(State &state, size_t thread, size_t i) const {
        const Operation &operation = path_[thread][i];
        auto &registers = state.data.registers[thread];
        uint8_t &location = state.data.memory[operation.location];
        state.done[thread] |= 1u << i;
        switch (operation.kind) {
        case Operation::Fence:
            break;
        case Operation::Sleep:
        case Operation::TakeLock:
            location = operation.kind == Operation::TakeLock;
            break;
        case Operation::Store:
            location = operation.value;
            if (operation.value_register >= 0)
                location =
                    static_cast<uint8_t>(location + registers[size_t(operation.value_register)]);
            break;
        case Operation::Load:
        case Operation::Fetch: {
            uint8_t value = location;
            for (size_t j = 0; j < i; ++j) // forwarded from a store that has not been performed
                if (const Operation &store = path_[thread][j];
                    store.kind == Operation::Store && store.location == operation.location &&
                    !(state.done[thread] >> j & 1))
                    value = store.value;
            registers[operation.result] = value;
            if (decides(thread, operation))
                return (value != 0) == ((nonzero_[thread] >> operation.result & 1) != 0);
        }
        }
        return true;
    }

    std::vector<Thread> threads_;
    std::array<uint8_t, max_places> initial_;
    std::function<bool(const Outcome &)> good_;
    std::vector<Thread> path_;
    std::array<uint32_t, max_threads> decided_{}, nonzero_{};
    std::set<std::string> seen_;
    size_t states_ = 0;
    bool defect_ = false;
};

} // namespace rivulet::ordering
