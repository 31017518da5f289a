// SPDX-License-Identifier: Apache-2.0
//
// rivulet doctor --board NAME: goes through the steps of docs/porting.md, from the board's tree to
// the HAL suite, until one fails.
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <random>

#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include "base/data_directory.h"
#include "base/parse.h"
#include "base/printable.h"
#include "base/read_file.h"
#include "hal/core/describe.h"
#include "hal/core/firmware_file.h"
#include "hal/protocol/crash.h"
#include "tools/command_line/program.h"
#include "tools/rivulet/doctor.h"
#include "tools/rivulet/doctor/raw_device.h"

namespace rivulet::tools {
namespace {

using namespace hal;
using Clock = std::chrono::steady_clock;

constexpr uint64_t look_ns = 1'000'000;
constexpr uint32_t session_of_doctor = 0x646f6374; // "doct"
constexpr uint32_t heartbeat_ms = 100;

/// A step's result: what was found, or why it failed and what to check.
struct Verdict {
    bool holds = true;
    std::string words;
    std::string advice;
};
Verdict holds(std::string words) { return {true, std::move(words), ""}; }
Verdict breaks(std::string words, std::string advice) {
    return {false, std::move(words), std::move(advice)};
}

/// A heartbeat, and the host's times between which the device took its time.
struct Beat {
    rvl_heartbeat said;
    Clock::time_point after, before;
};
constexpr uint32_t beats_of_clock = 4;
constexpr double clock_tolerance = 1.25; // for a device that is halted between clock and count

class Climber {
public:
    Climber(std::string board, Config config, unsigned seconds)
        : board_(std::move(board)), config_(std::move(config)),
          folder_(find_board_directory(board_, config_.get("data"))), seconds_(seconds) {}

    Verdict tree();
    Verdict firmware();
    Verdict open();
    Verdict memory();
    Verdict hello();
    Verdict heartbeat();
    Verdict quieten();
    Result<bool> answered(uint32_t before);
    Result<bool> await_answer(uint32_t before, std::chrono::milliseconds limit, bool &rung);
    Verdict ping();
    void close() { device_.reset(); }

    /// The value of RIVULET_MACHINE that selects this device.
    [[nodiscard]] std::string machine() const;

private:
    Verdict check_memory(uint64_t address, size_t bytes);
    [[nodiscard]] Verdict compare_clocks(const Beat &first, const Beat &last) const;
    Verdict silence(uint32_t state);
    std::string failure();
    [[nodiscard]] bool has_own_firmware() const {
        return device_->has(RVL_DEVICE_BUILT_IN_FIRMWARE | RVL_DEVICE_RUNNING);
    }
    [[nodiscard]] Clock::time_point patience() const {
        return Clock::now() + std::chrono::seconds(seconds_);
    }
    template <class T> Result<T> object(uint64_t address) {
        T value{};
        if (auto done = device_->read(address, &value, sizeof value); !done)
            return std::unexpected(done.error());
        return value;
    }

    std::string board_;
    Config config_;
    std::string folder_; // of boards/ and firmware/ with this board's files
    unsigned seconds_;
    std::string path_; // of the firmware
    std::vector<std::byte> elf_;
    FirmwareFile firmware_;
    std::unique_ptr<RawDevice> device_;
    uint64_t mailbox_ = 0;
    rvl_hello hello_{};
};

std::string Climber::machine() const {
    std::string machine = config_.get("machine", config_.get("driver"));
    for (const auto &entry : config_.entries())
        if (!entry.starts_with("machine=") && !entry.starts_with("driver=") &&
            !entry.starts_with("data=") && !entry.starts_with("firmware="))
            machine += "," + entry;
    return machine;
}

Verdict Climber::tree() {
    const auto path = text({folder_, "/boards/", board_, "/board.dtb"});
    const auto file = read_file(path);
    if (!file)
        return breaks(
            file.error().message,
            text({"boards are folders of ", config_.get("data"),
                  "/boards, and of boards/ in the folders of RIVULET_BOARD_PATH, such "
                  "as lib/rivulet in the build tree of a project; ",
                  name_of_document("boards/README.md"), " says how one is added and built"}));
    constexpr std::byte magic[] = {std::byte{0xd0}, std::byte{0x0d}, std::byte{0xfe},
                                   std::byte{0xed}};
    if (file->size() < sizeof magic || std::memcmp(file->data(), magic, sizeof magic) != 0)
        return breaks(text({path, " is no device tree"}), "build the board again");
    return holds(path);
}

Verdict Climber::firmware() {
    path_ = config_.get("firmware");
    if (path_.empty()) {
        path_ = text({folder_, "/firmware/", board_, "-rv64.elf"});
        std::error_code none;
        const auto narrow = text({folder_, "/firmware/", board_, "-rv32.elf"});
        const bool wants_narrow = config_.get("machine").starts_with("rv32");
        if (wants_narrow || !std::filesystem::exists(path_, none))
            path_ = narrow;
    }
    auto file = read_file(path_);
    if (!file)
        return breaks(file.error().message, "build it (rivulet_add_board in a project, ./dev build "
                                            "for boards of this tree), or name it with "
                                            "RIVULET_FIRMWARE");
    elf_ = std::move(*file);
    auto parsed = parse_firmware(elf_, path_);
    if (!parsed)
        return breaks(parsed.error().message, text({"readelf -n ", path_, " shows its note"}));
    firmware_ = std::move(*parsed);
    const auto &note = firmware_.note;
    if (board_ != note.board)
        return breaks(text({path_, " is for board ", note.board}),
                      "RIVULET_FIRMWARE names another file than the board's");
    if (RVL_VERSION_MAJOR(note.protocol) != RVL_VERSION_MAJOR(RVL_PROTOCOL_VERSION))
        return breaks(text({path_, " speaks mailbox protocol ", version_text(note.protocol),
                            ", these tools ", version_text(RVL_PROTOCOL_VERSION)}),
                      "use firmware and tools of one release");
    return holds(text({path_, ", ", note.xlen, " bits, mailbox at ", hex(note.mailbox)}));
}

Verdict Climber::open() {
    auto device = RawDevice::open(config_);
    if (!device)
        return breaks(device.error().message,
                      text({"RIVULET_MACHINE=", machine(), " rivulet info shows it"}));
    device_ = std::move(*device);
    const auto &found = device_->description();
    if (board_ != found.board)
        return breaks(text({"the driver finds board ", found.board}),
                      text({"set RIVULET_MACHINE for the board that is meant, say gdb,board=",
                            board_, ",target=localhost:3333"}));
    if (!has_own_firmware() && found.xlen != firmware_.note.xlen)
        return breaks(
            text({"its harts have ", found.xlen, " bits, the firmware ", firmware_.note.xlen}),
            "RIVULET_FIRMWARE names another build");
    mailbox_ = has_own_firmware() ? found.mailbox : firmware_.note.mailbox;
    const auto before = failure(); // the next steps write to that memory
    return holds(
        text({found.harts, " harts, ", found.memory_bytes >> 20, " MiB at ", hex(found.memory_base),
              before.empty() ? "" : "; its firmware had failed before: ", before}));
}

/// Random bytes are read back as written, including at odd addresses; a word is written atomically.
Verdict Climber::check_memory(uint64_t address, size_t bytes) {
    std::mt19937 random(42);
    std::vector<uint8_t> sent(bytes), got(bytes);
    for (auto &byte : sent)
        byte = static_cast<uint8_t>(random());
    const auto differs = [&](uint64_t at, const char *what) {
        return breaks(
            text({what, " at ", hex(at), " reads back differently than written"}),
            "is DRAM initialised, is this the board's memory map, are there caches in between? "
            "boards/NAME/board.dts says where memory is");
    };
    auto done = device_->write(address, sent.data(), bytes);
    if (done)
        done = device_->read(address, got.data(), bytes);
    if (done && sent != got)
        return differs(address, "memory");
    const uint32_t word = 0x600df00d;
    uint32_t back = 0;
    if (done)
        done = device_->write(address + 8, &word, sizeof word);
    if (done)
        done = device_->read(address + 8, &back, sizeof back);
    if (done && back != word)
        return differs(address + 8, "a word");
    constexpr size_t odd = 13;
    if (done)
        done = device_->read(address + odd, got.data(), odd);
    if (!done)
        return breaks(done.error().message, "the driver can't reach the board's memory");
    if (std::memcmp(sent.data() + odd, got.data(), odd) != 0)
        return differs(address + odd, "memory");
    return holds("");
}

Verdict Climber::memory() {
    if (device_->has(RVL_DEVICE_RUNNING))
        return holds("not written: firmware is running there");
    const auto &found = device_->description();
    constexpr size_t bytes = 4096;
    std::vector<uint64_t> addresses = {mailbox_, found.memory_base + found.memory_bytes - bytes};
    if (!firmware_.segments.empty())
        addresses.push_back(firmware_.segments.front().address);
    for (const uint64_t address : addresses) {
        if (address < found.memory_base || address - found.memory_base > found.memory_bytes - bytes)
            return breaks(text({hex(address), ", which the firmware uses, is not in memory"}),
                          "the driver's memory and the board's tree differ");
        if (auto verdict = check_memory(address, bytes); !verdict.holds)
            return verdict;
    }
    return holds("firmware's memory, mailbox and the end hold what is written");
}

/// What firmware has recorded of its failure, in whatever state it is; or "".
std::string Climber::failure() {
    const auto &found = device_->description();
    const auto is_memory = [&](uint64_t address, uint64_t bytes) {
        return address >= found.memory_base && bytes <= found.memory_bytes &&
               address - found.memory_base <= found.memory_bytes - bytes;
    };
    if (!is_memory(mailbox_, sizeof(rvl_mailbox)))
        return "";
    const auto hello = object<rvl_hello>(mailbox_);
    if (!hello || hello->magic != RVL_MAILBOX_MAGIC || !is_memory(hello->crash, sizeof(rvl_crash)))
        return "";
    auto crash = object<rvl_crash>(hello->crash);
    if (!crash || crash->magic != RVL_CRASH_MAGIC)
        return "";
    make_printable(crash->reason);
    return text({crash->reason, ", pc ", hex(crash->pc)});
}

/// Describes firmware that sends no hello, or fails.
Verdict Climber::silence(uint32_t state) {
    const auto words = device_->last_words();
    const auto heard = words.empty() ? std::string("; the console printed nothing")
                                     : "; driver and console printed:" + words;
    const std::string why = failure();
    if (state == RVL_STATE_CRASHED || !why.empty())
        return breaks(text({has_own_firmware() ? "the firmware has failed: "
                                               : "the firmware failed while it started: ",
                            why.empty() ? "it gives no reason" : why, heard}),
                      text({"llvm-symbolizer-22 --obj=", path_, " PC names the line"}));
    if (state == RVL_STATE_BOOTING)
        return breaks("the firmware started booting and hung" + heard,
                      "gdb on the board's stub shows where: " +
                          name_of_document("docs/firmware.md"));
    return breaks(text({"no hello within ", seconds_, " s: no hart wrote to the mailbox at ",
                        hex(mailbox_), heard}),
                  "do harts reach the firmware's entry? The board's console says \"rivulet "
                  "firmware for\" first; without it look at pc over the debug port");
}

Verdict Climber::hello() {
    if (!has_own_firmware()) {
        rvl_mailbox blank{};
        blank.boot.magic = RVL_MAILBOX_MAGIC;
        blank.boot.protocol = RVL_PROTOCOL_VERSION;
        blank.boot.session = session_of_doctor;
        blank.boot.flags = (device_->has(RVL_DEVICE_COHERENT) ? 0 : RVL_BOOT_NONCOHERENT) |
                           (device_->has(RVL_DEVICE_CANT_RING) ? RVL_BOOT_POLL : 0);
        if (!device_->has(RVL_DEVICE_VIRTUAL_TIME))
            blank.boot.heartbeat_ms = heartbeat_ms;
        auto done = device_->load(elf_);
        if (done)
            done = device_->write(mailbox_, &blank, sizeof blank);
        if (done)
            done = device_->start();
        if (!done)
            return breaks(done.error().message,
                          text({"RIVULET_MACHINE=", machine(), " rivulet info --start -v"}));
    }
    uint32_t state = RVL_STATE_OFFLINE;
    for (const auto end = patience(); Clock::now() < end;) {
        const auto now = object<uint32_t>(mailbox_ + offsetof(rvl_hello, state));
        if (!now)
            return breaks(now.error().message, "the device disappeared while starting");
        state = *now;
        if (state >= RVL_STATE_RUNNING || !failure().empty())
            break;
        if (const auto waited = device_->wait(look_ns); !waited)
            return breaks(waited.error().message, "the device disappeared while starting");
    }
    const auto hello = object<rvl_hello>(mailbox_);
    if (!hello)
        return breaks(hello.error().message, "the driver can't read the mailbox");
    hello_ = *hello;
    make_printable(hello_.isa);
    if (state == RVL_STATE_REFUSED)
        return breaks(text({"the firmware refuses this protocol; its own is ",
                            version_text(hello_.protocol)}),
                      "use firmware and tools of one release");
    if ((state != RVL_STATE_RUNNING && state != RVL_STATE_DETACHED) ||
        hello_.magic != RVL_MAILBOX_MAGIC || !failure().empty())
        return silence(state);
    const auto &expected = device_->description();
    if (hello_.harts != expected.harts || hello_.vlen != expected.vlen)
        return breaks(text({"the firmware found ", hello_.harts, " harts of VLEN ", hello_.vlen,
                            ", the driver says ", expected.harts, " of ", expected.vlen}),
                      "the driver's description has to say what the firmware finds");
    return holds(text({hello_.harts, " harts, VLEN ", hello_.vlen, ", ", hello_.pmp_entries,
                       " PMP entries, ", hello_.heap_bytes >> 20, " MiB heap"}));
}

/// A tree with another clock than the board's makes the times of events and time limits wrong,
/// which nothing else shows. The host's clock bounds the time between two heartbeats.
Verdict Climber::compare_clocks(const Beat &first, const Beat &last) const {
    using Seconds = std::chrono::duration<double>;
    const double ticks = static_cast<double>(last.said.time - first.said.time);
    const double least = Seconds(last.after - first.before).count();
    const double most = Seconds(last.before - first.after).count();
    const double said = ticks / static_cast<double>(std::max<uint64_t>(hello_.timebase, 1));
    if (said * clock_tolerance < least || said > most * clock_tolerance)
        return breaks(text({"the device's clock has about ",
                            std::lround(2 * ticks / (least + most) / 1e5) * 100,
                            " kHz, the firmware takes it for ", hello_.timebase / 1000, " kHz"}),
                      "timebase-frequency in board.dts, or in the tree that the boot chain passes");
    return holds(
        text({"every ", std::lround(said * 1000 / (last.said.count - first.said.count)), " ms"}));
}

Verdict Climber::heartbeat() {
    if (device_->has(RVL_DEVICE_RUNNING))
        return holds("left to the suite: firmware is already running");
    if (device_->has(RVL_DEVICE_VIRTUAL_TIME))
        return holds("not required: device time stops or follows instructions");
    const uint64_t address = mailbox_ + offsetof(rvl_mailbox, heartbeat);
    std::optional<Beat> first;
    rvl_heartbeat last{};
    auto looked = Clock::now();
    for (const auto end = patience(); Clock::now() < end;) {
        const auto begin = Clock::now();
        const auto now = object<rvl_heartbeat>(address);
        const Beat beat{now.value_or(last), looked, Clock::now()};
        const auto waited = now ? device_->wait(10 * look_ns) : Result<bool>(false);
        if (!now || !waited)
            return breaks(now ? waited.error().message : now.error().message,
                          "the device went away");
        if (now->count != last.count) {
            // It is not known when the heartbeat came that the first look finds.
            if (!first && last.count != 0)
                first = beat;
            last = *now;
            if (first && last.count - first->said.count >= beats_of_clock)
                return compare_clocks(*first, beat);
        }
        looked = begin;
    }
    return breaks(
        text({"hart 0 sends no heartbeat: ", last.count, " heartbeats in ", seconds_, " s"}),
        "its timer interrupt does not arrive: the tree's timer node, or mtimecmp");
}

/// Takes the device over again, without heartbeats: with them, hart 0 polls for commands, and a
/// broken doorbell would go unnoticed.
Verdict Climber::quieten() {
    const uint32_t no_heartbeat = 0, session = session_of_doctor + 1;
    const auto boot = [&](size_t offset) {
        return mailbox_ + offsetof(rvl_mailbox, boot) + offset;
    };
    auto done =
        device_->write(boot(offsetof(rvl_boot, heartbeat_ms)), &no_heartbeat, sizeof no_heartbeat);
    if (done)
        done = device_->write(boot(offsetof(rvl_boot, session)), &session, sizeof session);
    if (done)
        done = device_->ring();
    if (!done)
        return breaks(done.error().message, "the driver can't ring");
    for (const auto end = patience(); Clock::now() < end;) {
        const auto hello = object<rvl_hello>(mailbox_);
        if (!hello)
            return breaks(hello.error().message, "the device went away");
        if (hello->session == session && hello->state == RVL_STATE_RUNNING)
            return holds("");
        if (const auto waited = device_->wait(look_ns); !waited)
            return breaks(waited.error().message, "the device went away");
    }
    return breaks("the firmware does not take another session of this host",
                  "boot.session and hello.session in the mailbox: hal/protocol/mailbox.h");
}

Result<bool> Climber::answered(uint32_t before) {
    const auto now =
        object<uint32_t>(mailbox_ + offsetof(rvl_mailbox, completions) + offsetof(rvl_ring, tail));
    if (!now)
        return std::unexpected(now.error());
    return *now != before;
}

/// Waits for a command's answer, at most `limit`. `rung`: whether `wait` returned because of a
/// bell.
Result<bool> Climber::await_answer(uint32_t before, std::chrono::milliseconds limit, bool &rung) {
    for (const auto end = Clock::now() + limit; Clock::now() < end;) {
        const auto waited = device_->wait(10 * look_ns);
        if (!waited)
            return waited;
        const auto done = answered(before);
        if (!done || *done) {
            rung = *waited || device_->wait(10 * look_ns).value_or(false);
            return done;
        }
    }
    return false;
}

/// Sends a command that is only rung if it is not answered without a bell, so that each direction
/// is tested separately.
Verdict Climber::ping() {
    if (has_own_firmware())
        return holds("left to the suite");
    constexpr std::chrono::milliseconds unrung(300);
    const bool can_ring = !device_->has(RVL_DEVICE_CANT_RING);
    if (can_ring)
        if (auto verdict = quieten(); !verdict.holds)
            return verdict;
    const auto word = [&](size_t offset) { return mailbox_ + offset; };
    constexpr size_t commands = offsetof(rvl_mailbox, commands);
    constexpr size_t completions = offsetof(rvl_mailbox, completions);
    const auto before = object<uint32_t>(word(completions + offsetof(rvl_ring, tail)));
    const auto tail = object<uint32_t>(word(commands + offsetof(rvl_ring, tail)));
    if (!before || !tail)
        return breaks("the mailbox can't be read", "the device went away");
    constexpr int most_bells = 1000;
    for (int bells = 0; bells < most_bells && device_->wait(0).value_or(false); ++bells) {
    } // discard bells of the start
    const bool looks_itself =
        device_->wait(std::chrono::nanoseconds(unrung).count()).value_or(false);

    rvl_slot slot{};
    slot.header = {
        .group = RVL_GROUP_BASE, .service = RVL_BASE_PING, .flags = 0, .length = 0, .token = 1};
    const uint32_t one = 1, next = *tail + 1;
    auto done =
        device_->write(hello_.command_ring + (*tail & (hello_.command_slots - 1)) * sizeof slot,
                       &slot, sizeof slot);
    if (done)
        done = device_->write(word(offsetof(rvl_mailbox, host_notify_enabled)), &one, sizeof one);
    if (done)
        done = device_->write(word(commands + offsetof(rvl_ring, tail)), &next, sizeof next);
    if (!done)
        return breaks(done.error().message, "the mailbox can't be written");
    bool rung = false;
    auto answer = await_answer(*before, unrung, rung);
    const bool device_polls = answer.value_or(false);
    if (answer && !*answer && can_ring) {
        if (done = device_->ring(); !done)
            return breaks(done.error().message, "the driver can't ring");
        answer = await_answer(*before, std::chrono::seconds(seconds_), rung);
    }
    if (!answer)
        return breaks(answer.error().message, "the device went away");
    if (!*answer && !can_ring)
        return breaks(
            "a ping is not answered: this host can't ring, and the firmware does not look "
            "by itself",
            "firmware of this release does, where boot.flags have RVL_BOOT_POLL");
    if (!*answer)
        return breaks("a ping is not answered: the doorbell to the device does not arrive",
                      "the interrupt behind `ring`: doorbell, PLIC or IMSIC nodes of the tree. A "
                      "driver that can't ring says so (RVL_DEVICE_CANT_RING), and the firmware "
                      "looks by itself");
    if (!rung && !looks_itself)
        return breaks("a ping is answered, but the device's doorbell does not arrive",
                      "`wait` of the driver, and the device's way to ring the host");
    return holds(text(
        {"answered; ",
         device_polls ? "the device polls and needs no doorbell" : "the doorbell woke the device",
         looks_itself ? "; the driver polls" : "; the device's doorbell arrived"}));
}

struct Rung {
    const char *name;
    Verdict (Climber::*climb)();
};
constexpr Rung own_rungs[] = {
    {"board", &Climber::tree},  {"firmware", &Climber::firmware},
    {"open", &Climber::open},   {"memory", &Climber::memory},
    {"hello", &Climber::hello}, {"heartbeat", &Climber::heartbeat},
    {"ping", &Climber::ping},
};

/// Steps of docs/porting.md that are checked by the HAL suite.
struct SuiteRung {
    const char *name, *filter;
};
constexpr SuiteRung suite_rungs[] = {
    {"log", "Start.HelloAgreesWithDescription:Log.*"},
    {"transfers", "Read.*:Write.*:Memory.*"},
    {"interrupts", "Ring.*:Wait.*:Clock.*"},
    {"launch", "Launch.*:Chain.*:Kill.*"},
    {"faults", "Fault.*"},
    {"recovery", "Start.*:Death.*:Fork.*:Attach.*"},
    {"options", "Copy.*:Suspend.*"},
};

void report(const char *name, const Verdict &verdict, nlohmann::ordered_json *rungs) {
    if (rungs != nullptr) {
        rungs->push_back({{"rung", name},
                          {"state", verdict.holds ? "ok" : "stop"},
                          {"text", verdict.words},
                          {"look_at", verdict.advice}});
        return;
    }
    std::printf("%-4s %-11s %s\n", verdict.holds ? "ok" : "STOP", name, verdict.words.c_str());
    if (!verdict.holds)
        std::printf("     look at     %s\n", verdict.advice.c_str());
    std::fflush(stdout);
}

Verdict run_suite(const SuiteRung &rung, const std::string &machine) {
    std::error_code none;
    const auto beside = std::filesystem::read_symlink("/proc/self/exe", none).parent_path();
    const auto suite = (beside / "rivulet-hal-test").native();
    const auto shown = text(
        {"RIVULET_MACHINE='", machine, "' rivulet hal-test --gtest_filter='", rung.filter, "'"});
    if (!std::filesystem::exists(suite, none))
        return breaks(suite + " is not there", "build it: ninja rivulet_hal_conformance");
    const auto command = text({"'", suite, "' --gtest_filter='", rung.filter, "' 2>&1"});
    const std::unique_ptr<FILE, int (*)(FILE *)> output(popen(command.c_str(), "r"), pclose);
    if (!output)
        return breaks("the suite can't be run: " + errno_text(errno), shown);
    std::string failures, passed;
    char line[1024];
    while (std::fgets(line, sizeof line, output.get()) != nullptr) {
        const std::string_view words = trimmed(line);
        if (words.starts_with("[  PASSED  ]"))
            passed = words.substr(13);
        else if (words.starts_with("[  FAILED  ]") || words.starts_with("[  PORTER  ]"))
            failures += text({"\n    ", words});
    }
    if (failures.empty() && !passed.empty())
        return holds(passed);
    return breaks(
        "the suite fails" + (failures.empty() ? std::string(" without output") : failures), shown);
}

/// The device selected by the environment or a configuration file; otherwise QEMU for its own
/// board, and a debug port for all others. nullopt if all selected devices have errors.
std::optional<Config> config_of(const std::string &board) {
    std::vector<Error> errors;
    auto configs = Config::of_host(errors);
    for (const Error &error : errors)
        std::fprintf(stderr, "rivulet: %s\n", error.message.c_str());
    if (configs.empty())
        return std::nullopt;
    Config config = std::move(configs.front());
    if (config.get("data").empty())
        config.set("data", find_data_directory());
    if (config.get("machine").empty() && config.get("driver").empty() && board != "virt") {
        config.set("machine", "gdb");
        config.set("board", board);
    }
    if (config.get("machine") == "gdb" && config.get("board").empty())
        config.set("board", board);
    return config;
}

int climb(Climber &climber, bool quick, nlohmann::ordered_json *rungs) {
    for (const Rung &rung : own_rungs) {
        const Verdict verdict = (climber.*rung.climb)();
        report(rung.name, verdict, rungs);
        if (!verdict.holds)
            return 1;
    }
    climber.close();
    if (quick)
        return 0;
    if (const auto machine = climber.machine(); !machine.empty())
        setenv(name_of(Variable::machine), machine.c_str(), 1);
    for (const SuiteRung &rung : suite_rungs) {
        const Verdict verdict = run_suite(rung, climber.machine());
        report(rung.name, verdict, rungs);
        if (!verdict.holds)
            return 1;
    }
    return 0;
}

} // namespace

int doctor_board(const std::string &board, bool quick, unsigned seconds, bool json) {
    auto config = config_of(board);
    if (!config)
        return 1;
    Climber climber(board, std::move(*config), seconds);
    auto rungs = nlohmann::ordered_json::array();
    const int status = climb(climber, quick, json ? &rungs : nullptr);
    if (json)
        command_line::print(rungs);
    return status;
}

} // namespace rivulet::tools
