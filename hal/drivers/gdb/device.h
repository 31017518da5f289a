// SPDX-License-Identifier: Apache-2.0
//
// A device behind a gdb stub: its harts run between accesses, and are stopped for each access.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "hal/core/firmware_file.h"
#include "hal/drivers/gdb/board.h"
#include "hal/drivers/gdb/stub.h"
#include "hal/drivers/support.h"

namespace rivulet::hal::gdb {

struct Options {
    Overrides board;
    std::string target;
    std::string reset; // monitor command; "": the default for this kind of stub
    bool start_at_entry = true;
    bool start_is_given = false; // set by the user; otherwise it depends on the kind of stub
    bool leaves_running = false; // after it is closed
    bool stays_running = false;  // during memory accesses
    bool verify = false;         // read back what can't be verified by CRC
    std::chrono::milliseconds limit{};
};

class Device {
public:
    /// Connects and halts the harts.
    static Result<std::unique_ptr<Device>> open(Board board, Options options, Reporter report);
    ~Device();

    [[nodiscard]] const Board &board() const { return board_; }
    /// True if device time stops with the harts, as QEMU's does.
    [[nodiscard]] bool stops_time() const { return stops_time_; }

    rvl_status load(const FirmwareFile &firmware);
    rvl_status start();
    rvl_status reset();
    rvl_status read(uint64_t address, std::span<std::byte> to);
    rvl_status write(uint64_t address, std::span<const std::byte> from);
    rvl_status ring();
    rvl_status wait(uint64_t timeout_ns);
    void wake();

private:
    Device(Board board, Options options, Reporter report)
        : board_(std::move(board)), options_(std::move(options)), report_(report) {}

    /// The words that the firmware changes when it has news.
    struct News {
        uint32_t state = 0;
        uint32_t completions = 0;
        uint32_t log = 0;
        bool operator==(const News &) const = default;
    };
    using Step = std::function<Result<>()>;

    Result<> connect();
    Result<> reconnect();
    void take_live_tree();
    Result<> take_harts();
    Result<> reset_harts();
    Result<> unlock_in_qemu();
    Result<> load_segment(const Segment &segment);
    Result<> check(const Segment &segment);
    Result<> release_harts();
    Result<News> look();
    void continue_when_idle();
    /// A step that only accesses memory: harts that are configured to keep running are not stopped.
    rvl_status accessed(const Step &step);
    /// A step with the harts stopped, under the lock. They resume soon after the last one.
    rvl_status stopped(const Step &step);
    rvl_status failed(const Error &error);
    rvl_status tell_death();

    Board board_;
    Options options_;
    Reporter report_;
    bool stops_time_ = false;

    std::mutex lock_; // guards everything below except reports of death
    std::condition_variable changed_;
    std::unique_ptr<Stub> stub_;
    std::string death_; // why the device is gone; "": it is not
    bool told_ = false; // the host has been told
    bool was_reset_ = false;
    bool running_ = false; // from start to reset: harts resume after accesses
    bool woken_ = false;
    bool closing_ = false;
    uint64_t accesses_ = 0;
    uint64_t entry_ = 0;
    uint64_t mailbox_ = 0;
    News news_;
    std::thread idler_;
};

} // namespace rivulet::hal::gdb
