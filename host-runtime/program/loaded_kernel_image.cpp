// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/program/loaded_kernel_image.h"

#include <algorithm>

#include "hal/protocol/sanitizer.h"
#include "host-runtime/compile/compiler.h"
#include "host-runtime/graph/code_load.h"
#include "host-runtime/program/debug_files.h"

namespace rivulet {

LoadedKernelImage::LoadedKernelImage(std::shared_ptr<const KernelImage> image,
                                     ContextDevice &context_device,
                                     std::span<const std::byte> signature,
                                     std::shared_ptr<KernelVersions> versions)
    : image_(std::move(image)), versions_(std::move(versions)),
      block_(context_device.allocate_code(image_->memory_bytes())) {
    load(context_device, signature);
}

LoadedKernelImage::LoadedKernelImage(std::shared_ptr<const KernelImage> image,
                                     ContextDevice &context_device,
                                     std::span<const std::byte> signature, std::string version)
    : version(std::move(version)), image_(std::move(image)),
      block_(context_device.allocate_code(image_->memory_bytes(), false)) {
    load(context_device, signature);
}

void LoadedKernelImage::load(ContextDevice &context_device, std::span<const std::byte> signature) {
    if (std::ranges::any_of(image_->kernels(), [](const ImageKernel &kernel) {
            return kernel.note.flags & RVL_KERNEL_SANITIZED;
        }))
        context_device.arena().quarantine_released();
    base = block_.address();
    start = base + image_->entry();
    code_bytes = image_->code_bytes();
    data_bytes = image_->memory_bytes() - image_->code_bytes();
    const std::vector<std::byte> memory = image_->relocated_to(base);
    const std::span bytes(memory);
    if (const auto data = bytes.subspan(image_->code_bytes()); !data.empty())
        context_device.instance().write(base + image_->code_bytes(), data);
    load_code(context_device, base, bytes.first(image_->code_bytes()), signature);
    file = debug_files::keep_image(*image_, base);
}

std::string LoadedKernelImage::symbolize(uint64_t image_address) const {
    return Compiler::get().symbolize(image_->file(), image_address);
}

} // namespace rivulet
