// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/device/physical_device.h"

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "base/data_directory.h"
#include "base/error.h"
#include "base/fork.h"
#include "host-runtime/device/device.h"
#include "host-runtime/device/expected_memory.h"
#include "host-runtime/object/entry.h"
#include "host-runtime/object/log.h"

namespace rivulet {
namespace {

/// Compares the running device with its earlier description, for which programs have been built.
std::string broken_promise(const rvl_device_desc &promised, uint64_t local_memory,
                           const rvl_hello &hello) {
    const auto text = [](const char *what, uint64_t promised, uint64_t found) {
        return rivulet::text({what, ": ", promised, " expected, the firmware has ", found});
    };
    if (hello.harts != promised.harts)
        return text("harts", promised.harts, hello.harts);
    if (hello.protocol < RVL_VERSION(1, 2))
        return rivulet::text(
            {"the firmware speaks mailbox protocol 1.", RVL_VERSION_MINOR(hello.protocol),
             ", in which kernels can't be kept from launch records; 1.2 is needed: "
             "use firmware and library of the same release"});
    if (hello.xlen != promised.xlen)
        return text("register width", promised.xlen, hello.xlen);
    if (hello.vlen != promised.vlen)
        return text("VLEN", promised.vlen, hello.vlen);
    if (hello.local_memory_bytes < local_memory)
        return text("bytes of local memory", local_memory, hello.local_memory_bytes);
    return {};
}

} // namespace

PhysicalDevice::PhysicalDevice(std::unique_ptr<hal::Device> device, hal::Config config)
    : hal_(std::move(device)), config_(std::move(config)), process_(process_generation()),
      global_memory_bytes_(expected_memory(description())) {}

std::string PhysicalDevice::board_file(std::string_view name) const {
    std::string data = config_.get("data");
    if (data.empty())
        data = find_data_directory();
    const std::string_view board = description().board;
    return text({find_board_directory(board, data), "/boards/", board, "/", name});
}

/// Opens a device for this process, because the parent's, which has no context yet, has memory that
/// both processes share.
void PhysicalDevice::open_in_child() {
    auto device = hal::Device::open(config_, log);
    if (!device) {
        log(0, device.error().message);
        if (device.error().status == RVL_NO_MEMORY)
            throw std::bad_alloc();
        fail(CL_DEVICE_NOT_AVAILABLE, device.error().message);
    }
    parents_ = std::exchange(hal_, std::move(*device));
    process_ = process_generation();
}

std::shared_ptr<DeviceInstance> PhysicalDevice::instance() {
    Lock lock(mutex_);
    if (instance_ && instance_->alive())
        return instance_;
    if (instance_) { // contexts may still hold it: it must not access the device any more
        instance_->scheduler().retire("it was restarted");
        instance_->close();
    }
    instance_.reset();
    forbid_forks();
    if (process_ != process_generation())
        open_in_child();
    try {
        auto started = hal_->start();
        if (!started && started.error().status == RVL_NO_MEMORY) {
            log(0, started.error().message);
            throw std::bad_alloc();
        }
        const std::string trouble =
            started ? broken_promise(description(), promised_local_memory(), hal_->hello())
                    : started.error().message;
        if (!trouble.empty()) {
            const std::string message =
                text({"device ", description().name, " can't be used: ", trouble});
            log(0, message);
            fail(CL_DEVICE_NOT_AVAILABLE, message);
        }
        hart_memory_bytes_ = hal_->hello().hart_memory_bytes;
        local_memory_bytes_ = hal_->hello().local_memory_bytes;
        local_memory_is_apart_ = hal_->hello().flags & RVL_HELLO_SCRATCHPAD;
        instance_ = std::make_shared<DeviceInstance>(*hal_);
        global_memory_bytes_ =
            std::min<uint64_t>(expected_memory(description()), instance_->heap()->bytes());
    } catch (...) {
        hal_->stop();
        throw;
    }
    return instance_;
}

} // namespace rivulet
