// SPDX-License-Identifier: Apache-2.0
#include "tools/rivulet/card/device.h"

#include <fcntl.h>
#include <sys/eventfd.h>

#include <bit>
#include <cerrno>
#include <cstring>

#include "base/data_directory.h"
#include "base/read_file.h"
#include "hal/core/drivers.h"
#include "hal/drivers/support.h"

namespace rivulet::tools {

using namespace hal;

namespace {

Result<qemu::GuestMemory> memory_of(const std::string &window, uint64_t bytes) {
    if (window.empty())
        return qemu::GuestMemory::create(qemu::virt_memory_base, bytes);
    FileDescriptor file(
        ::open(window.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (!file)
        return fail(RVL_IO, {"cannot create ", window, ": ", errno_text(errno)});
    if (ftruncate(file.get(), static_cast<off_t>(bytes)) != 0) {
        unlink(window.c_str());
        return fail(RVL_IO,
                    {"cannot give ", window, " ", bytes_text(bytes), ": ", errno_text(errno)});
    }
    return qemu::GuestMemory::adopt(std::move(file), qemu::virt_memory_base, bytes);
}

} // namespace

Result<std::unique_ptr<CardDevice>> CardDevice::create(Config config, const std::string &window,
                                                       const rvl_host *log) {
    if (auto normal = normalise(config); !normal)
        return std::unexpected(normal.error());
    const DriverConfig entries(config);
    const Settings settings(&entries.get());
    if (const auto known = settings.check("qemu", {"sandbox"}); !known)
        return std::unexpected(known.error());
    auto machine = qemu::find_machine(settings);
    if (!machine)
        return std::unexpected(machine.error());
    if (!machine->has_doorbell)
        return fail(RVL_INVALID, {machine->name, " has no doorbell device, which a card needs"});
    if (machine->has_sbi)
        return fail(RVL_UNSUPPORTED, {"a card's firmware runs in M mode; ", machine->name,
                                      " is a machine with an SBI there"});
    if (!std::has_single_bit(machine->memory_bytes))
        return fail(RVL_INVALID,
                    {"a card has memory of a power of two, since it is a BAR, and not ",
                     bytes_text(machine->memory_bytes), "; set memory=512M, say"});
    auto emulator = qemu::find_emulator(settings, std::move(*machine));
    if (!emulator)
        return std::unexpected(emulator.error());
    auto memory = memory_of(window, emulator->machine.memory_bytes);
    if (!memory)
        return std::unexpected(memory.error());
    auto doorbell = qemu::Doorbell::create(emulator->machine.harts);
    if (!doorbell)
        return std::unexpected(doorbell.error());
    const auto &board = emulator->machine;
    auto firmware =
        settings.get("firmware", text({find_board_directory(board.board, settings.get("data")),
                                       "/firmware/", board.board, "-rv", board.xlen, ".elf"}));
    std::unique_ptr<CardDevice> card(
        new CardDevice(std::move(*emulator), std::move(*memory), std::move(*doorbell), log));
    card->window_ = window;
    card->firmware_ = std::move(firmware);
    card->ended_ = FileDescriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    return card;
}

CardDevice::~CardDevice() {
    if (!window_.empty())
        unlink(window_.c_str());
}

Result<> CardDevice::load() {
    if (!memory_.is_whole())
        return fail(RVL_IO, {window_, " has become shorter than the card's memory"});
    const auto content = read_file(firmware_);
    if (!content)
        return std::unexpected(content.error());
    const auto parsed = parse_firmware(*content, firmware_);
    if (!parsed)
        return std::unexpected(parsed.error());
    return memory_.load(*parsed);
}

Result<> CardDevice::start() {
    if (process_)
        return {};
    FileDescriptor for_qemu;
    if (auto connected = doorbell_.connect(for_qemu, doorbell_end_); !connected)
        return connected;
    auto process = qemu::Process::start({
        .program = emulator_.program,
        .arguments = qemu::command_line(emulator_),
        .inherited = {memory_.descriptor(), for_qemu.get()},
        .report = report_,
        .ended =
            [this](const qemu::Process::End &end) {
                report_.log(0, end.reason);
                const uint64_t one = 1;
                static_cast<void>(!::write(ended_.get(), &one, sizeof one));
            },
    });
    if (!process)
        return std::unexpected(process.error());
    process_ = std::move(*process);
    return {};
}

void CardDevice::stop() {
    process_.reset();
    doorbell_end_.reset();
    doorbell_.clear();
    memory_.clear();
    uint64_t count = 0;
    static_cast<void>(!::read(ended_.get(), &count, sizeof count));
}

void CardDevice::tell_death() {
    uint64_t count = 0;
    static_cast<void>(!::read(ended_.get(), &count, sizeof count));
    process_.reset();
    const auto content = read_file(firmware_);
    const auto parsed = content ? parse_firmware(*content, firmware_)
                                : fail(RVL_NOT_FOUND, "without firmware no mailbox");
    if (!parsed || !memory_.is_whole() || parsed->note.mailbox < memory_.base() ||
        parsed->note.mailbox - memory_.base() > memory_.bytes() - sizeof(rvl_mailbox))
        return;
    auto &mailbox = *reinterpret_cast<rvl_mailbox *>(memory_.at(parsed->note.mailbox));
    if (mailbox.hello.magic == RVL_MAILBOX_MAGIC)
        __atomic_store_n(&mailbox.hello.state, RVL_STATE_CRASHED, __ATOMIC_RELEASE);
    const uint64_t one = 1;
    static_cast<void>(!::write(doorbell_.host_bell(), &one, sizeof one));
}

} // namespace rivulet::tools
