// SPDX-License-Identifier: Apache-2.0
//
// A device behind a debug port. Its harts are halted for each sample, and then resumed.
#include "hal/drivers/gdb/stub.h"
#include "base/data_directory.h"
#include "base/parse.h"
#include "hal/core/config.h"
#include "hal/drivers/gdb/board.h"
#include "tools/rivulet/watch/memory.h"

namespace rivulet::tools {
namespace {

using namespace hal;

constexpr unsigned pc_register = 32; // gdb's register number

class StubMemory final : public WatchedMemory {
public:
    StubMemory(std::unique_ptr<gdb::Stub> stub, gdb::Board board, uint64_t mailbox,
               std::string target)
        : stub_(std::move(stub)), board_(std::move(board)), mailbox_(mailbox),
          target_(std::move(target)) {}
    ~StubMemory() override { static_cast<void>(stub_->detach()); }

    Result<> read(uint64_t address, std::span<std::byte> to) override {
        auto done = stub_->halt();
        return done ? stub_->read(address, to) : done;
    }
    [[nodiscard]] uint64_t base() const override { return board_.memory_base; }
    [[nodiscard]] uint64_t bytes() const override { return board_.memory_bytes; }
    [[nodiscard]] std::string title() const override {
        return text({"board ", board_.name, " behind ", target_});
    }
    [[nodiscard]] std::optional<uint64_t> mailbox() const override { return mailbox_; }
    void pass_time(std::chrono::milliseconds time) override {
        if (stub_->halted())
            static_cast<void>(stub_->resume());
        WatchedMemory::pass_time(time);
    }
    Result<std::vector<HartRegisters>> registers() override {
        std::vector<HartRegisters> harts;
        if (auto halted = stub_->halt(); !halted)
            return std::unexpected(halted.error());
        for (const std::string &thread : stub_->threads()) {
            HartRegisters &hart = harts.emplace_back();
            for (unsigned number = 1; number <= pc_register; ++number) {
                const auto value = stub_->read_register(thread, number);
                if (!value)
                    return std::unexpected(value.error());
                hart[number % pc_register] = *value;
            }
        }
        return harts;
    }

private:
    std::unique_ptr<gdb::Stub> stub_;
    gdb::Board board_;
    uint64_t mailbox_;
    std::string target_;
};

} // namespace

Result<std::unique_ptr<WatchedMemory>> open_stub(const Config &config) {
    auto data = config.get("data");
    if (data.empty())
        data = find_data_directory();
    auto board = gdb::read_board(data, config.get("board"));
    if (!board)
        return std::unexpected(board.error());
    const auto mailbox = mailbox_of_firmware(config, board->name, board->xlen);
    if (!mailbox)
        return std::unexpected(mailbox.error());
    const auto target = config.get("target", "localhost:3333");
    const auto seconds = parse_number(config.get("timeout", "10")).value_or(10);
    auto stub = gdb::Stub::open(target, std::chrono::seconds(seconds));
    if (!stub)
        return fail(stub.error().status,
                    {stub.error().message, "; most stubs serve one program at a time"});
    return std::make_unique<StubMemory>(std::move(*stub), std::move(*board), *mailbox, target);
}

} // namespace rivulet::tools
