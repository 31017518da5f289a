// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/device/session.h"

#include "host-runtime/graph/engine.h"
#include "host-runtime/object/entry.h"

namespace rivulet {

Session::Session(hal::Device &device)
    : hal_(device),
      heap_(std::make_shared<Heap>(device.hello().heap_base, device.hello().heap_bytes)),
      coherent_(device.description().flags & RVL_DEVICE_COHERENT) {
    if (device.description().flags & RVL_DEVICE_MAPS)
        mapping_ = hal_.map(hello().heap_base, hello().heap_bytes);
    engine_ = std::make_unique<Engine>(*this);
}

Session::~Session() = default;

bool Session::alive() const { return engine_->alive(); }

void Session::read(uint64_t address, std::span<std::byte> to) {
    require(alive() && hal_.read(address, to), CL_OUT_OF_RESOURCES);
}

void Session::write(uint64_t address, std::span<const std::byte> from) {
    require(alive() && hal_.write(address, from), CL_OUT_OF_RESOURCES);
}

void Session::sync(uint64_t address, size_t bytes, rvl_sync_direction direction) {
    if (!coherent_)
        require(alive() && hal_.sync(address, bytes, direction), CL_OUT_OF_RESOURCES);
}

} // namespace rivulet
