// SPDX-License-Identifier: Apache-2.0
#include "hal/core/boot.h"

#include <bit>
#include <cstring>

#include "base/data_directory.h"
#include "base/now.h"
#include "base/parse.h"
#include "base/printable.h"
#include "base/read_file.h"
#include "hal/core/config.h"
#include "hal/core/describe.h"
#include "hal/core/firmware_file.h"
#include "hal/protocol/crash.h"

namespace rivulet::hal {
namespace {

constexpr uint64_t boot_limit_ns = 30'000'000'000;
constexpr uint64_t boot_poll_ns = 1'000'000;

bool same_major(uint32_t version) {
    return RVL_VERSION_MAJOR(version) == RVL_VERSION_MAJOR(RVL_PROTOCOL_VERSION);
}

std::unexpected<Error> other_protocol(const std::string &who, uint32_t version) {
    return fail(RVL_BAD_VERSION,
                {who, " speaks mailbox protocol ", version_text(version), ", this library ",
                 version_text(RVL_PROTOCOL_VERSION),
                 "; use firmware and library of the same release (RIVULET_FIRMWARE names the "
                 "firmware file)"});
}

} // namespace

std::string Boot::last_words() {
    rvl_hello hello{};
    uint32_t tail = 0;
    if (!link_.memory.read(link_.mailbox, &hello, sizeof hello) ||
        hello.magic != RVL_MAILBOX_MAGIC ||
        !link_.memory.read(link_.word(offsetof(rvl_mailbox, log) + offsetof(rvl_ring, tail)), &tail,
                           sizeof tail) ||
        !std::has_single_bit(hello.log_bytes) || tail > hello.log_bytes ||
        !link_.memory.contains(hello.log_ring, hello.log_bytes))
        return "its log can't be read";
    std::string log(tail, '\0'); // read from offset 0: the log has not wrapped yet
    if (!link_.memory.read(hello.log_ring, log.data(), log.size()))
        return "its log can't be read";
    make_printable(log, '\n');
    while (log.ends_with('\n'))
        log.pop_back();
    return log.substr(log.rfind('\n') + 1);
}

void Boot::save_last_words() {
    if (!link_.memory.contains(link_.mailbox, sizeof(rvl_mailbox)) ||
        !link_.memory.read(link_.mailbox, &link_.hello, sizeof link_.hello) ||
        link_.hello.magic != RVL_MAILBOX_MAGIC ||
        !link_.memory.contains(link_.hello.log_ring, link_.hello.log_bytes) ||
        !std::has_single_bit(link_.hello.log_bytes))
        return;
    if (link_.hello.log_ring != log_.address())
        open_log();
    static_cast<void>(log_.drain());
}

Result<> Boot::use_built_in_firmware() {
    link_.mailbox = link_.description.mailbox;
    look_for_report();
    if (link_.memory.contains(link_.mailbox, sizeof(rvl_mailbox)))
        return {};
    return fail(RVL_INVALID, {"driver ", link_.driver.name,
                              " loads no firmware and says that the mailbox of the one "
                              "that is there is at ",
                              hex(link_.mailbox), ", where the device has no memory"});
}

bool Boot::has_built_in_firmware() const {
    return (link_.description.flags & RVL_DEVICE_BUILT_IN_FIRMWARE) != 0 ||
           link_.driver.load == nullptr;
}

std::string Boot::path_of_firmware() const {
    const char *board = link_.description.board;
    return link_.config.get("firmware",
                            text({find_board_directory(board, link_.config.get("data")),
                                  "/firmware/", board, "-rv", link_.description.xlen, ".elf"}));
}

[[clang::minsize]] uint64_t Boot::promised_local_memory() const {
    constexpr uint64_t unless_told = uint64_t{64} << 10;
    const rvl_device_desc &description = link_.description;
    const uint64_t of_region = rvl_scratchpad_share(
        region_of(description, RVL_REGION_SCRATCHPAD).bytes, description.harts);
    if (of_region != 0)
        return of_region;
    if (description.local_memory_bytes != 0)
        return description.local_memory_bytes;
    if (has_built_in_firmware() || link_.attaches())
        return unless_told;
    const std::string path = path_of_firmware();
    const auto file = read_file(path);
    const auto firmware =
        file ? parse_firmware(*file, path) : Result<FirmwareFile>(std::unexpected(file.error()));
    const uint64_t noted = firmware ? local_memory_of(firmware->note, description.harts) : 0;
    return noted != 0 ? noted : unless_told;
}

[[clang::minsize]] Result<> Boot::load_firmware() {
    if (has_built_in_firmware())
        return use_built_in_firmware();
    const std::string path = path_of_firmware();
    const auto file = read_file(path);
    if (!file)
        return fail(file.error().status,
                    {"no firmware for board ", link_.description.board, ": ", file.error().message,
                     "; set RIVULET_FIRMWARE to the firmware's ELF file or "
                     "RIVULET_DATA to the directory that holds firmware/"});
    const auto firmware = parse_firmware(*file, path);
    if (!firmware)
        return std::unexpected(firmware.error());
    const rvl_firmware_note &note = firmware->note;
    if (!same_major(note.protocol))
        return other_protocol(path, note.protocol);
    if (note.xlen != link_.description.xlen ||
        std::strcmp(note.board, link_.description.board) != 0)
        return fail(RVL_INVALID,
                    {path, " is for board ", note.board, " with ", note.xlen,
                     "-bit harts, the machine ", link_.description.name, " is a ",
                     link_.description.board, " with ", link_.description.xlen, "-bit harts"});
    if (!link_.memory.contains(note.mailbox, sizeof(rvl_mailbox)))
        return fail(RVL_INVALID, {path, " has its mailbox at ", hex(note.mailbox),
                                  ", where the machine has no memory"});
    link_.mailbox = note.mailbox;
    look_for_report();
    DriverCall call(*link_.callbacks);
    const auto status = link_.driver.load(link_.device, file->data(), file->size());
    if (status == RVL_UNSUPPORTED && link_.description.mailbox != 0)
        return use_built_in_firmware();
    if (status != RVL_OK)
        return std::unexpected(call.to_error(status, text({"loading ", path})));
    return {};
}

// Whether to have memory cleared of what former hosts left, which must not be readable by this one.
bool Boot::wants_clear_memory() const {
    const auto wish = link_.config.get("clear");
    if (!wish.empty())
        return wish == "yes" || wish == "true";
    return (link_.description.flags & RVL_DEVICE_FRESH_MEMORY) == 0;
}

void Boot::look_whether_cleared() const {
    if (wants_clear_memory() && (link_.hello.flags & RVL_HELLO_CLEARED) == 0)
        link_.callbacks->log(
            1, "the firmware is too old to clear the data of former hosts from memory");
}

[[clang::minsize]] rvl_boot Boot::boot_block(uint32_t session) const {
    rvl_boot boot{};
    boot.magic = RVL_MAILBOX_MAGIC;
    boot.protocol = RVL_PROTOCOL_VERSION;
    if (link_.config.get("unfenced") == "yes")
        boot.flags |= RVL_BOOT_UNFENCED;
    if ((link_.description.flags & RVL_DEVICE_COHERENT) == 0)
        boot.flags |= RVL_BOOT_NONCOHERENT | RVL_BOOT_LARGE_BLOCKS;
    if ((link_.description.flags & RVL_DEVICE_CANT_RING) != 0)
        boot.flags |= RVL_BOOT_POLL;
    if (wants_clear_memory())
        boot.flags |= RVL_BOOT_CLEAR;
    boot.heartbeat_ms = heartbeat_ms_;
    boot.session = session;
    boot.preempt_us =
        static_cast<uint32_t>(parse_number(link_.config.get("preempt-us")).value_or(0));
    const rvl_region heap = region_of(link_.description, RVL_REGION_HEAP);
    const rvl_region scratchpad = region_of(link_.description, RVL_REGION_SCRATCHPAD);
    boot.second_heap_base = heap.base;
    boot.second_heap_bytes = heap.bytes;
    boot.scratchpad_base = scratchpad.base;
    boot.scratchpad_bytes = scratchpad.bytes;
    return boot;
}

Result<> Boot::write_boot_block(uint32_t session) {
    rvl_mailbox blank{}; // so that an old hello is not taken for the new one
    blank.boot = boot_block(session);
    return link_.memory.write(link_.mailbox, &blank, sizeof blank);
}

// Harts clear several GiB per second; this allows for 16 MiB per second.
uint64_t Boot::limit_of_start(uint64_t limit_ns) const {
    constexpr uint64_t ns_per_mib = 1'000'000'000 / 16;
    return link_.limit_after(limit_ns + (wants_clear_memory()
                                             ? (link_.description.memory_bytes >> 20) * ns_per_mib
                                             : 0));
}

Result<> Boot::await_hello() {
    const uint64_t state_word =
        link_.word(offsetof(rvl_mailbox, hello) + offsetof(rvl_hello, state));
    const uint64_t deadline = limit_of_start(boot_limit_ns);
    uint32_t state = RVL_STATE_OFFLINE;
    while (state != RVL_STATE_RUNNING && state != RVL_STATE_REFUSED) {
        if (state == RVL_STATE_CRASHED) {
            if (link_.memory.read(link_.mailbox, &link_.hello, sizeof link_.hello))
                static_cast<void>(crash_.report());
            return fail(RVL_DEAD, {"the firmware failed while it started: ", last_words()});
        }
        if (now_ns() > deadline)
            return fail(RVL_TIMEOUT, {"the firmware did not come up within ",
                                      boot_limit_ns / 1'000'000'000, " s; see its log"});
        if (auto waited = link_.await_bell(boot_poll_ns); !waited)
            return waited;
        const auto now = link_.memory.load(state_word);
        if (!now)
            return std::unexpected(now.error());
        state = *now;
    }
    return take_hello(static_cast<rvl_state>(state));
}

Result<> Boot::read_hello() {
    auto read = link_.memory.read(link_.mailbox, &link_.hello, sizeof link_.hello);
    if (read && link_.hello.bytes < sizeof link_.hello) // of older firmware: anything may follow it
        std::memset(reinterpret_cast<char *>(&link_.hello) + link_.hello.bytes, 0,
                    sizeof link_.hello - link_.hello.bytes);
    return read;
}

/// Before the firmware is loaded over what an earlier host has left in memory.
[[clang::minsize]] void Boot::look_for_report() {
    if (!link_.memory.contains(link_.mailbox, sizeof(rvl_mailbox)))
        return;
    DriverCall call(*link_.callbacks);
    if (const auto read = read_hello(); !read) // the first reset may make memory accessible
        static_cast<void>(call.to_error(read.error().status, ""));
    else if (link_.hello.magic == RVL_MAILBOX_MAGIC && check_hello())
        crash_.report_left();
}

Result<> Boot::take_hello(rvl_state state) {
    if (auto read = read_hello(); !read)
        return read;
    make_printable(link_.hello.board);
    make_printable(link_.hello.isa);
    make_printable(link_.hello.build);
    make_printable(link_.hello.core);
    if (link_.hello.magic != RVL_MAILBOX_MAGIC)
        return fail(RVL_IO, {"no Rivulet mailbox at ", hex(link_.mailbox)});
    if (!same_major(link_.hello.protocol) || state == RVL_STATE_REFUSED)
        return other_protocol("the firmware", link_.hello.protocol);
    look_whether_cleared();
    return check_hello();
}

[[clang::minsize]] Result<> Boot::check_hello() const {
    const auto wrong = [](std::string_view what) {
        return fail(RVL_INVALID, {"the firmware's hello is invalid: ", what});
    };
    if (link_.hello.bytes < RVL_HELLO_LEAST_BYTES)
        return wrong(text({"it has ", link_.hello.bytes, " bytes"}));
    const bool has_report = link_.hello.statistics != 0 && link_.hello.crash != 0;
    if (link_.hello.timebase == 0)
        return wrong("its clock does not advance");
    // They hold what the mailbox has for the first harts only (Link::wake_count).
    if (link_.hello.harts > RVL_MASK_HARTS &&
        (!has_report || link_.hello.statistics % sizeof(uint64_t) != 0))
        return wrong("it has no statistics of its harts");
    if ((link_.description.flags & RVL_DEVICE_COHERENT) == 0 &&
        (!std::has_single_bit(link_.hello.cache_block) ||
         link_.hello.cache_block < RVL_LEAST_CACHE_BLOCK ||
         link_.hello.cache_block > RVL_LARGEST_CACHE_BLOCK))
        return wrong(text({"its cache blocks have ", link_.hello.cache_block,
                           " bytes; a power of two from 32 to 256 is expected"}));
    const struct {
        const char *name;
        uint64_t address;
        uint64_t count;
        uint64_t element_bytes;
        bool ring;
    } regions[] = {
        {"command ring", link_.hello.command_ring, link_.hello.command_slots, sizeof(rvl_slot),
         true},
        {"completion ring", link_.hello.completion_ring, link_.hello.completion_slots,
         sizeof(rvl_slot), true},
        {"log", link_.hello.log_ring, link_.hello.log_bytes, 1, true},
        {"fault table", link_.hello.fault_table, link_.hello.fault_slots, sizeof(rvl_fault), false},
        {"heap", link_.hello.heap_base, link_.hello.heap_bytes, 1, false},
        {"second heap", link_.hello.second_heap_base, link_.hello.second_heap_bytes, 1, false},
        {"statistics", link_.hello.statistics, has_report ? link_.hello.harts : 0u,
         sizeof(rvl_hart_statistics), false},
        {"crash report", link_.hello.crash, has_report ? 1u : 0u, sizeof(rvl_crash), false},
    };
    for (const auto &region : regions)
        if ((region.count != 0 &&
             !link_.memory.contains(region.address, region.count * region.element_bytes)) ||
            (region.ring && !std::has_single_bit(region.count)))
            return wrong(text(
                {"its ", region.name, " is ", region.count, " long at ", hex(region.address)}));
    if (link_.hello.harts != link_.description.harts ||
        link_.hello.xlen != link_.description.xlen ||
        (link_.description.vlen != 0 && link_.hello.vlen != link_.description.vlen))
        return fail(RVL_INVALID,
                    {"the machine ", link_.description.name, " promises ", link_.description.harts,
                     " harts of VLEN ", link_.description.vlen, ", the firmware found ",
                     link_.hello.harts, " of VLEN ", link_.hello.vlen});
    return {};
}

void Boot::open_log() {
    log_ = LogReader(link_.memory, *link_.callbacks,
                     {.head = link_.word(offsetof(rvl_mailbox, log.head)),
                      .tail = link_.word(offsetof(rvl_mailbox, log.tail)),
                      .elements = link_.hello.log_ring,
                      .count = link_.hello.log_bytes,
                      .element_bytes = 1},
                     link_.word(offsetof(rvl_mailbox, log_lost)));
}

} // namespace rivulet::hal
