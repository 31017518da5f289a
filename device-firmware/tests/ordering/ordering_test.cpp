// SPDX-License-Identifier: Apache-2.0
//
// Checks rings, lock, sleep and hart startup exhaustively under a weak memory model. The ordering
// of each access is read from the source, where the statement has the comment "order: NAME". So
// removing a fence from the source removes it here too, and a test fails. The last test removes
// each of them in turn and expects a defect, or states why there is none.
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>

#include <gtest/gtest.h>

#include "device-firmware/tests/ordering/weak_memory.h"

namespace rivulet::ordering {
namespace {

using Orders = std::map<std::string, Order>;

uint8_t domains_of(const std::string &letters) {
    uint8_t result = 0;
    for (const char letter : letters)
        result |= letter == 'r' ? R : letter == 'w' ? W : letter == 'i' ? I : O;
    return result;
}

Order order_of(const std::string &statement) {
    std::smatch match;
    if (statement.find("fence.i") != std::string::npos)
        return {.fetch = true};
    if (std::regex_search(statement, match, std::regex("fence ([iorw]+), ?([iorw]+)")))
        return {.before = domains_of(match[1]), .after = domains_of(match[2])};
    if (std::regex_search(statement,
                          std::regex("fence_all\\(|atomic_thread_fence\\(std::memory_order_seq")))
        return {.before = R | W, .after = R | W};
    if (std::regex_search(statement, std::regex("load_acquire\\(|__ATOMIC_ACQUIRE")))
        return {.acquire = true};
    if (std::regex_search(statement, std::regex("store_release\\(|__ATOMIC_RELEASE")))
        return {.release = true};
    return {};
}

/// Reads all sources that have ordering tags.
Orders read_orders() {
    Orders orders;
    const std::regex tag("order: ([a-z_]+[.][a-z_]+)");
    for (const char *folder :
         {"/device-firmware/core", "/device-firmware/arch/riscv", "/device-firmware/platform",
          "/device-firmware/drivers", "/hal/core", "/hal/drivers/linux"}) {
        const std::filesystem::path path = std::string(RIVULET_SOURCE) + folder;
        if (!std::filesystem::exists(path))
            continue;
        for (const auto &file : std::filesystem::recursive_directory_iterator(path)) {
            std::ifstream text(file.path());
            for (std::string line; std::getline(text, line);) {
                std::smatch match;
                if (!std::regex_search(line, match, tag))
                    continue;
                const std::string statement = line.substr(0, size_t(match.position()));
                EXPECT_TRUE(orders.emplace(match[1], order_of(statement)).second)
                    << match[1] << " occurs twice in the source";
            }
        }
    }
    return orders;
}

/// Builds programs with the operations of the source. A tagged operation is ordered as the source
/// says.
class Program {
public:
    explicit Program(const Orders &orders) : orders_(orders) {}

    Program &load(uint8_t result, uint8_t location, const std::string &tag = "") {
        return add(
            {.kind = Operation::Load, .location = location, .order = order(tag), .result = result});
    }
    Program &store(uint8_t location, uint8_t value, const std::string &tag = "") {
        return add(
            {.kind = Operation::Store, .location = location, .order = order(tag), .value = value});
    }
    Program &increment(uint8_t location, uint8_t scratch) {
        load(scratch, location);
        return add({.kind = Operation::Store,
                    .location = location,
                    .value = 1,
                    .value_register = static_cast<int8_t>(scratch)});
    }
    Program &fence(const std::string &tag) {
        return add({.kind = Operation::Fence, .order = order(tag)});
    }
    Program &take(uint8_t lock) {
        return add({.kind = Operation::TakeLock, .location = lock, .order = order("lock.take")});
    }
    Program &release(uint8_t lock) { return fence("lock.release").store(lock, 0); }
    Program &write_device(uint8_t location, uint8_t value) { // mmio_write32
        fence("mmio.write");
        return add(
            {.kind = Operation::Store, .location = location, .device = true, .value = value});
    }
    Program &read_device(uint8_t result, uint8_t location) { // mmio_read32
        add({.kind = Operation::Load, .location = location, .device = true, .result = result});
        return fence("mmio.read");
    }
    /// The host rings: its driver orders earlier stores before that (hal.h), as `linux` does on
    /// RISC-V.
    Program &ring(uint8_t bell) {
        fence("host.ring");
        return add({.kind = Operation::Store, .location = bell, .device = true, .value = 1});
    }
    Program &sleep(uint8_t bell) { return add({.kind = Operation::Sleep, .location = bell}); }
    Program &wake_by_system_call() {
        return add({.kind = Operation::Fence, .order = {.before = AllOfThem, .after = AllOfThem}});
    }
    Program &fetch(uint8_t result, uint8_t location) {
        return add({.kind = Operation::Fetch, .location = location, .result = result});
    }
    Program &when(uint8_t reg, bool nonzero) {
        conditions_.push_back({reg, nonzero});
        return *this;
    }
    Program &end() {
        conditions_.pop_back();
        return *this;
    }
    operator Thread() const { return thread_; }

private:
    Order order(const std::string &tag) const {
        if (tag.empty())
            return {};
        const auto found = orders_.find(tag);
        return found == orders_.end() ? Order{} : found->second;
    }
    Program &add(Operation operation) {
        operation.conditions = conditions_;
        thread_.push_back(operation);
        return *this;
    }
    const Orders &orders_;
    Thread thread_;
    std::vector<Operation::Condition> conditions_;
};

struct Protocol {
    const char *name;
    bool (*has_defect)(const Orders &);
};

bool check(std::vector<Thread> threads, std::function<bool(const Outcome &)> good,
           std::array<uint8_t, max_places> memory = {}) {
    return Checker(std::move(threads), memory, std::move(good)).finds_defect();
}

// Shared words of a ring with one slot.
enum { slot, tail, wanted, bell };

// The host's side of a command.
Thread sends_command(const Orders &orders) {
    return Program(orders)
        .store(slot, 1)
        .store(tail, 1, "host.store")
        .fence("host.look_for_sleeper")
        .load(0, wanted, "host.load")
        .when(0, true)
        .ring(bell);
}

// The second thread, which may have slept, has seen the tail and read the slot.
bool arrived(const Outcome &end) {
    return !end.asleep && end.registers[1][1] == 1 && end.registers[1][2] == 1;
}

// Command ring: the host writes one command while the device goes to sleep.
bool command_to_sleeper(const Orders &orders) {
    const Thread device = Program(orders)
                              .store(wanted, 1)
                              .fence("hart.sleep")
                              .load(0, tail) // has_work
                              .when(0, false)
                              .fence("hart.wait")
                              .sleep(bell)
                              .fence("imsic.claim")
                              .end()
                              .load(1, tail, "command.take")
                              .load(2, slot);
    return check({sends_command(orders), device}, arrived);
}

// Command ring: the same while the device enters a kernel, which a bell interrupts.
bool command_to_busy(const Orders &orders) {
    const Thread device = Program(orders)
                              .store(wanted, 1)
                              .fence("command.ask_for_bell")
                              .load(0, tail, "command.last_look")
                              .when(0, false)
                              .sleep(bell) // in U mode
                              .fence("imsic.claim")
                              .end()
                              .load(1, tail, "command.take")
                              .load(2, slot);
    return check({sends_command(orders), device}, arrived);
}

// Completion ring: the host goes to sleep while a completion is written.
bool completion_to_sleeper(const Orders &orders) {
    const Thread device = Program(orders)
                              .store(slot, 1)
                              .store(tail, 1, "completion.publish")
                              .fence("completion.look_for_sleeper")
                              .load(0, wanted)
                              .when(0, true)
                              .write_device(bell, 1);
    const Thread host = Program(orders)
                            .store(wanted, 1, "host.store")
                            .fence("host.sleep")
                            .load(0, tail, "host.load")
                            .when(0, false)
                            .sleep(bell)
                            .wake_by_system_call()
                            .end()
                            .load(1, tail, "host.load")
                            .load(2, slot);
    return check({device, host}, arrived);
}

// A slot is overwritten only after it has been read.
bool command_slot_reused(const Orders &orders) {
    enum { slot, head };
    const Thread device = Program(orders).load(0, slot).store(head, 1, "command.free");
    const Thread host = Program(orders).load(0, head, "host.load").when(0, true).store(slot, 2);
    return check({device, host}, [](const Outcome &end) { return end.registers[0][0] != 2; });
}
bool completion_slot_reused(const Orders &orders) {
    enum { slot, head };
    const Thread host = Program(orders).load(0, slot).store(head, 1, "host.store");
    const Thread device =
        Program(orders).load(0, head, "completion.room").when(0, true).store(slot, 2);
    return check({host, device}, [](const Outcome &end) { return end.registers[0][0] != 2; });
}

// A launch stays in the ring: one hart sees the tail, another one later takes the command, under
// the lock, and the host uses the slot again.
bool command_taken_by_another_hart(const Orders &orders) {
    enum { slot, tail, head, lock, left };
    const Thread host = Program(orders)
                            .store(slot, 1)
                            .store(tail, 1, "host.store")
                            .load(0, head, "host.load")
                            .when(0, true)
                            .store(slot, 2);
    const Thread looks = Program(orders)
                             .take(lock)
                             .load(0, tail, "command.take")
                             .when(0, true)
                             .store(left, 1)
                             .end()
                             .release(lock);
    const Thread takes = Program(orders)
                             .take(lock)
                             .load(0, left)
                             .when(0, true)
                             .load(1, slot)
                             .store(head, 1, "command.free")
                             .end()
                             .release(lock);
    return check({host, looks, takes}, [](const Outcome &end) {
        return end.registers[2][0] == 0 || end.registers[2][1] == 1;
    });
}

// One hart wakes another that goes to sleep; the work is handed over under the lock.
bool kick_of_sleeper(const Orders &orders) {
    enum { kick, asleep, interrupt, work, lock };
    const Thread waker = Program(orders)
                             .take(lock)
                             .store(work, 1)
                             .store(kick, 1, "hart.kick")
                             .fence("hart.look_for_sleeper")
                             .load(0, asleep)
                             .when(0, true)
                             .write_device(interrupt, 1)
                             .end()
                             .release(lock);
    const Thread sleeper = Program(orders)
                               .store(asleep, 1)
                               .fence("hart.sleep")
                               .load(0, kick, "hart.kicked")
                               .when(0, false)
                               .fence("hart.wait")
                               .sleep(interrupt)
                               .end()
                               .take(lock)
                               .load(1, work)
                               .release(lock);
    return check({waker, sleeper},
                 [](const Outcome &end) { return !end.asleep && end.registers[1][1] == 1; });
}

// The lock orders what it guards, in memory and in devices (alarms of other harts).
bool lock(const Orders &orders) {
    enum { lock, count, last, alarm };
    const auto holder = [&](uint8_t number) -> Thread {
        return Program(orders)
            .take(lock)
            .increment(count, 0)
            .store(last, number)
            .write_device(alarm, number)
            .release(lock);
    };
    return check({holder(1), holder(2)}, [](const Outcome &end) {
        return end.memory[count] == 2 && end.memory[alarm] == end.memory[last];
    });
}

// Results written by kernels on other harts are visible to a host that sees the launch's
// completion.
bool results_of_all_harts(const Orders &orders) {
    enum { result, lock, inside, slot, tail };
    const Thread first = Program(orders).store(result, 1).take(lock).store(inside, 0).release(lock);
    const Thread last = Program(orders)
                            .take(lock)
                            .load(0, inside)
                            .when(0, false)
                            .store(slot, 1)
                            .store(tail, 1, "completion.publish")
                            .end()
                            .release(lock);
    const Thread host = Program(orders).load(0, tail, "host.load").load(1, slot).load(2, result);
    return check({first, last, host},
                 [](const Outcome &end) {
                     return end.registers[2][0] == 0 ||
                            (end.registers[2][1] == 1 && end.registers[2][2] == 1);
                 },
                 {0, 0, 1});
}

// Results written by a kernel are visible to the next launch, on another hart.
bool results_for_next_launch(const Orders &orders) {
    enum { result, lock, ended };
    const Thread first = Program(orders).store(result, 1).take(lock).store(ended, 1).release(lock);
    const Thread next = Program(orders).take(lock).load(0, ended).release(lock).load(1, result);
    return check({first, next}, [](const Outcome &end) {
        return end.registers[1][0] == 0 || end.registers[1][1] == 1;
    });
}

// Secondary harts wait for the boot hart; an interrupt may be pending from before.
bool start_of_harts(const Orders &orders, uint8_t pending) {
    enum { data, stage, interrupt };
    const Thread boot =
        Program(orders).store(data, 1).store(stage, 1, "stage.enter").write_device(interrupt, 1);
    const Thread other = Program(orders)
                             .load(0, stage, "stage.seen")
                             .when(0, false)
                             .write_device(interrupt, 0)
                             .read_device(7, interrupt)
                             .fence("stage.sleep")
                             .load(1, stage, "stage.last_look")
                             .when(1, false)
                             .sleep(interrupt)
                             .end()
                             .end()
                             .load(2, stage, "stage.seen") // the loop's second iteration
                             .when(2, false)
                             .write_device(interrupt, 0)
                             .read_device(7, interrupt)
                             .fence("stage.sleep")
                             .load(3, stage, "stage.last_look")
                             .when(3, false)
                             .sleep(interrupt)
                             .end()
                             .end()
                             .load(4, stage, "stage.seen")
                             .load(5, data);
    return check(
        {boot, other},
        [pending](const Outcome &end) {
            if (pending && !end.asleep && end.registers[1][4] == 0)
                return true; // both iterations woke for what was pending: a third one follows
            return !end.asleep && (end.registers[1][4] == 0 || end.registers[1][5] == 1);
        },
        {0, 0, pending});
}

// The hello is complete for a host that sees the device running.
bool hello(const Orders &orders) {
    enum { hello, state };
    const Thread device = Program(orders).store(hello, 1).store(state, 1, "session.state");
    const Thread host = Program(orders).load(0, state, "host.load").load(1, hello);
    return check({device, host}, [](const Outcome &end) {
        return end.registers[1][0] == 0 || end.registers[1][1] == 1;
    });
}

// A host attaches. State 1 means it may continue; the same value was set for the former host.
bool attach(const Orders &orders) {
    enum { boot, session, bell, ended, state, welcome };
    const Thread host = Program(orders)
                            .store(boot, 1)
                            .store(session, 1, "host.store")
                            .ring(bell)
                            .load(0, welcome, "host.load")
                            .load(1, state, "host.load")
                            .load(2, ended);
    const Thread device = Program(orders)
                              .sleep(bell)
                              .load(0, session, "session.take")
                              .when(0, true)
                              .load(1, boot)
                              .store(state, 0)
                              .store(ended, 1)
                              .store(welcome, 1, "session.welcome")
                              .store(state, 1, "session.state")
                              .end();
    return check({host, device},
                 [](const Outcome &end) {
                     const auto &host = end.registers[0], &device = end.registers[1];
                     return !end.asleep && (device[0] == 0 || device[1] == 1) &&
                            (host[0] == 0 || host[1] == 0 || host[2] == 1);
                 },
                 {0, 0, 0, 0, 1, 0});
}

// A host attaches, and the device notices by itself before the doorbell.
bool attach_without_bell(const Orders &orders) {
    enum { boot, session };
    const Thread host = Program(orders).store(boot, 1).store(session, 1, "host.store");
    const Thread device = Program(orders).load(0, session, "session.take").load(1, boot);
    return check({host, device}, [](const Outcome &end) {
        return end.registers[1][0] == 0 || end.registers[1][1] == 1;
    });
}

// Code is copied by one hart and fetched by another.
bool code_is_fetched(const Orders &orders) {
    enum { lock, code, generation };
    const Thread loader =
        Program(orders).take(lock).store(code, 1).store(generation, 1).release(lock);
    const Thread runner = Program(orders)
                              .take(lock)
                              .load(0, generation)
                              .release(lock)
                              .when(0, true)
                              .fence("code.fetch")
                              .end()
                              .fetch(1, code);
    return check({loader, runner}, [](const Outcome &end) {
        return end.registers[1][0] == 0 || end.registers[1][1] == 1;
    });
}

const Protocol protocols[] = {
    {"command to a sleeping device", command_to_sleeper},
    {"command to a busy device", command_to_busy},
    {"completion to a sleeping host", completion_to_sleeper},
    {"command slot reused", command_slot_reused},
    {"completion slot reused", completion_slot_reused},
    {"command taken by another hart", command_taken_by_another_hart},
    {"kick of a sleeping hart", kick_of_sleeper},
    {"lock", lock},
    {"results of all harts", results_of_all_harts},
    {"results for the next launch", results_for_next_launch},
    {"start of the harts", [](const Orders &orders) { return start_of_harts(orders, 0); }},
    {"start with an interrupt pending", [](const Orders &o) { return start_of_harts(o, 1); }},
    {"new code is fetched", code_is_fetched},
    {"hello", hello},
    {"attach", attach},
    {"attach, found without the bell", attach_without_bell},
};

/// Tests the model itself: what it must and must not find.
TEST(WeakMemory, ShowsStoreBuffersAndLoadsOutOfOrder) {
    const auto run = [](Order first, Order second) {
        enum { x, y };
        Operation store{.kind = Operation::Store, .location = x, .value = 1};
        Operation fence{.kind = Operation::Fence, .order = first};
        Operation load{.kind = Operation::Load, .location = y, .result = 0};
        Operation store2 = store, fence2 = fence, load2 = load;
        store2.location = y, load2.location = x, fence2.order = second;
        return check({{store, fence, load}, {store2, fence2, load2}},
                     [](const Outcome &end) { return end.registers[0][0] || end.registers[1][0]; });
    };
    const Order full{.before = R | W, .after = R | W}, none{}, loads{.before = R, .after = R};
    EXPECT_FALSE(run(full, full));
    EXPECT_TRUE(run(none, none));
    EXPECT_TRUE(run(full, none));
    EXPECT_TRUE(run(full, loads));
}

TEST(Ordering, OfTheSourceHasNoDefect) {
    const Orders orders = read_orders();
    EXPECT_GE(orders.size(), 20u) << "most tags are missing from the sources";
    for (const Protocol &protocol : protocols)
        EXPECT_FALSE(protocol.has_defect(orders)) << protocol.name;
}

// Why removing one of these tags causes no defect.
const std::map<std::string, std::string> redundant = {
    {"command.last_look", "a new tail found here is loaded again, with command.take"},
    {"completion.room", "stores don't overtake the branch that waits for the load"},
    {"host.ring", "host.look_for_sleeper precedes it; an attaching host rings until it is served"},
    {"hart.kick", "what the kick announces is read under the lock"},
    {"hart.kicked", "what the kick announces is read under the lock"},
    {"hart.wait",
     "hart.sleep orders memory, and devices are reached whether the hart sleeps or not"},
    {"stage.last_look", "a stage found here is loaded again, with stage.seen"},
    {"stage.sleep", "mmio.read precedes it; a board's own interrupt may lack it"},
};

TEST(Ordering, EveryFenceThatIsTakenOutIsADefect) {
    const Orders orders = read_orders();
    for (const auto &[tag, order] : orders) {
        Orders mutant = orders;
        mutant[tag] = {};
        std::string found;
        for (const Protocol &protocol : protocols)
            if (protocol.has_defect(mutant))
                found += std::string(found.empty() ? "" : ", ") + protocol.name;
        EXPECT_EQ(found.empty(), redundant.contains(tag))
            << tag << (found.empty() ? " is not needed by any protocol" : " is needed: ") << found;
    }
}

TEST(Ordering, LocksFenceOrdersMemoryAndDevices) {
    const Orders orders = read_orders();
    const auto without = [&](uint8_t domain) {
        Orders mutant = orders;
        mutant["lock.release"].before &= static_cast<uint8_t>(~domain);
        return mutant;
    };
    EXPECT_TRUE(results_for_next_launch(without(W)));
    EXPECT_TRUE(lock(without(O)));
}

} // namespace
} // namespace rivulet::ordering
