// SPDX-License-Identifier: Apache-2.0
//
// A kernel image where the device executes it: code loaded by the firmware, initialised
// program-scope variables. Lives as long as its program, or a launch of it.
#pragma once

#include <memory>
#include <string>

#include "host-runtime/context/context.h"
#include "host-runtime/program/kernel_image.h"

namespace rivulet {

class KernelVersions;

class LoadedKernelImage {
public:
    /// All of a program's kernels. Fails with CL_MEM_OBJECT_ALLOCATION_FAILURE,
    /// CL_OUT_OF_RESOURCES or CL_INVALID_BINARY.
    LoadedKernelImage(std::shared_ptr<const KernelImage> image, ContextDevice &context_device,
                      std::span<const std::byte> signature,
                      std::shared_ptr<KernelVersions> versions);
    /// A version of a kernel, in place of which nothing else that is loaded is freed.
    LoadedKernelImage(std::shared_ptr<const KernelImage> image, ContextDevice &context_device,
                      std::span<const std::byte> signature, std::string version);

    /// Built-in kernels: nothing is loaded.
    explicit LoadedKernelImage(std::shared_ptr<const KernelImage> image)
        : image_(std::move(image)) {}

    [[nodiscard]] const KernelImage &image() const { return *image_; }
    /// Of its kernels; null if they can have none.
    [[nodiscard]] KernelVersions *versions() const { return versions_.get(); }
    /// "file:line" or "function at file:line" for an address in the image; empty if unknown.
    [[nodiscard]] std::string symbolize(uint64_t image_address) const;

    uint64_t base = 0;     // device address of image address 0
    uint64_t start = 0;    // address of the entry stub
    size_t code_bytes = 0; // whole pages, followed by the data's
    size_t data_bytes = 0;

    const std::string version; // of a kernel: what it is for; "": all of the program's kernels
    std::string file;          // kept by debug_files; "": none

private:
    void load(ContextDevice &context_device, std::span<const std::byte> signature);

    std::shared_ptr<const KernelImage> image_;
    std::shared_ptr<KernelVersions> versions_; // hold the context, whose memory the block is
    Block block_;
};

} // namespace rivulet
