// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/graph/code_load.h"

#include "host-runtime/context/context.h"
#include "host-runtime/graph/device_scheduler.h"
#include "host-runtime/graph/graph.h"
#include "host-runtime/graph/queue.h"
#include "host-runtime/object/entry.h"

namespace rivulet {
namespace {

class CodeLoad final : public DeviceWork {
public:
    CodeLoad(DeviceScheduler &scheduler, const rvl_load_code &command)
        : DeviceWork(scheduler), command_(command) {}

    bool encode(rvl_slot &slot) override {
        slot.header.group = RVL_GROUP_MEMORY;
        slot.header.service = RVL_MEMORY_LOAD_CODE;
        slot.header.length = sizeof command_;
        slot.load_code = command_;
        return true;
    }
    cl_int ended(const rvl_completion &completion) override {
        return completion.result == RVL_RESULT_OK         ? CL_COMPLETE
               : completion.result == RVL_RESULT_UNSIGNED ? CL_INVALID_BINARY
                                                          : CL_OUT_OF_RESOURCES;
    }

private:
    rvl_load_code command_;
};

} // namespace

// Only the device may write the code it executes: its instruction fetch might never see the host's
// writes to memory that was executed before.
void load_code(const ContextDevice &context_device, uint64_t destination,
               std::span<const std::byte> code, std::span<const std::byte> signature) {
    DeviceInstance &instance = context_device.instance();
    const Block staging = context_device.allocate(code.size() + signature.size());
    const uint64_t behind = staging.address() + code.size(); // whole pages
    instance.write(staging.address(), code);
    if (!signature.empty())
        instance.write(behind, signature);
    const rvl_load_code command{destination, staging.address(), code.size(),
                                signature.empty() ? 0 : behind};
    auto event = make<Event>(nullptr, nullptr, 0u,
                             std::make_unique<CodeLoad>(scheduler_of(instance), command));
    GraphTransaction transaction(GraphTransaction::later);
    transaction.start(*Ref<Event>(event).detach());
    transaction.commit();
    Graph::get().wait(*event);
    require(event->status() == CL_COMPLETE, event->status(), "the device did not load the kernels");
}

} // namespace rivulet
