// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/device/accelerator.h"

#include <string>

#include "hal/core/error.h"
#include "host-runtime/device/device.h"
#include "host-runtime/device/platform.h"
#include "host-runtime/graph/engine.h"
#include "host-runtime/object/entry.h"

namespace rivulet {
namespace {

/// What was said of the device before it ran must hold now; programs were built for it.
std::string broken_promise(const rvl_device_desc &promised, const rvl_hello &hello) {
    const auto text = [](const char *what, uint64_t promised, uint64_t found) {
        return hal::text({what, ": ", promised, " expected, the firmware has ", found});
    };
    if (hello.harts != promised.harts)
        return text("harts", promised.harts, hello.harts);
    if (hello.xlen != promised.xlen)
        return text("register width", promised.xlen, hello.xlen);
    if (hello.vlen != promised.vlen)
        return text("VLEN", promised.vlen, hello.vlen);
    if (hello.local_memory_bytes < promised_local_memory)
        return text("bytes of local memory", promised_local_memory, hello.local_memory_bytes);
    if (hello.heap_bytes < global_memory_bytes(promised))
        return text("bytes of global memory", global_memory_bytes(promised), hello.heap_bytes);
    return {};
}

} // namespace

// Firmware, stacks and local memory of the harts take the rest.
uint64_t global_memory_bytes(const rvl_device_desc &description) {
    return description.memory_bytes / 8 * 7 / RVL_PAGE_BYTES * RVL_PAGE_BYTES;
}

Accelerator::Accelerator(std::unique_ptr<hal::Device> device) : hal_(std::move(device)) {}

std::shared_ptr<Session> Accelerator::session() {
    Lock lock(mutex_);
    if (session_ && session_->alive())
        return session_;
    if (session_) { // contexts may still hold it: it must never touch the device again
        session_->engine().retire("it was started anew");
        session_->close();
    }
    session_.reset();
    try {
        auto started = hal_->start();
        require(started || started.error().status != RVL_NO_MEMORY, CL_OUT_OF_HOST_MEMORY);
        const std::string trouble =
            started ? broken_promise(description(), hal_->hello()) : started.error().message;
        if (!trouble.empty()) {
            log(0, hal::text({"device ", description().name, " can't be used: ", trouble}));
            fail(CL_DEVICE_NOT_AVAILABLE);
        }
        hart_memory_bytes_ = hal_->hello().hart_memory_bytes;
        local_memory_bytes_ = hal_->hello().local_memory_bytes;
        session_ = std::make_shared<Session>(*hal_);
    } catch (...) {
        hal_->stop();
        throw;
    }
    return session_;
}

} // namespace rivulet
