// SPDX-License-Identifier: Apache-2.0
//
// A kernel image where the device executes it: code loaded by the firmware, initialised
// program-scope variables. Lives as long as its program, or a launch of it.
#pragma once

#include <memory>
#include <string>

#include "host-runtime/device/context.h"
#include "host-runtime/graph/launch.h"
#include "host-runtime/program/kernel_image.h"

namespace rivulet {

class LoadedKernelImage : public LoadedImage {
public:
    /// Fails with CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_RESOURCES or CL_INVALID_BINARY.
    LoadedKernelImage(std::shared_ptr<const KernelImage> image, ContextDevice &context_device,
                      std::span<const std::byte> signature);

    [[nodiscard]] const KernelImage &image() const { return *image_; }
    [[nodiscard]] std::string symbolize(uint64_t image_address) const override;

private:
    std::shared_ptr<const KernelImage> image_;
    Block block_;
};

} // namespace rivulet
