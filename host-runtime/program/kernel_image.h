// SPDX-License-Identifier: Apache-2.0
//
// A parsed and validated kernel image (hal/protocol/kernel_image.h). For any input, `read` returns
// either an image all of whose fields are valid, or a message that says what is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hal/device.h"
#include "hal/protocol/kernel_image.h"
#include "host-runtime/program/elf_file.h"

namespace rivulet {

/// The device for which a kernel image is checked.
struct InstructionSet {
    std::string isa; // as in rvl_hello, or "host"
    uint32_t xlen = 64;
    uint32_t vlen = 0;
};

struct ImageArgument {
    rvl_argument_note note;
    std::string_view name;
    std::string_view type;

    [[nodiscard]] bool is_pointer() const {
        return note.kind == RVL_ARGUMENT_GLOBAL || note.kind == RVL_ARGUMENT_CONSTANT ||
               note.kind == RVL_ARGUMENT_LOCAL;
    }
};

struct ImageKernel {
    rvl_kernel_note note;
    std::string_view name;
    std::string_view attributes;
    std::string_view vector_type_hint;
    std::vector<ImageArgument> arguments;
    /// What a fixed-function unit does instead of harts that run code; null for compiled kernels.
    const hal::BuiltInKernel *built_in = nullptr;

    /// 5.7.1: the same number, kinds and types of arguments.
    [[nodiscard]] bool has_definition_of(const ImageKernel &other) const;
};

class KernelImage {
public:
    static std::expected<std::shared_ptr<const KernelImage>, std::string>
    read(std::vector<std::byte> file, const InstructionSet &device);

    /// Describes built-in kernels, which have no code. They must live as long as the image.
    static std::shared_ptr<const KernelImage>
    of(std::span<const hal::BuiltInKernel *const> kernels);
    /// One kernel without a name, which begins with the first byte of the code, needs no stack and
    /// knows its arguments.
    static std::shared_ptr<const KernelImage> of(std::span<const std::byte> code);

    KernelImage(const KernelImage &) = delete;
    KernelImage &operator=(const KernelImage &) = delete;

    [[nodiscard]] std::span<const std::byte> file() const { return file_; }
    [[nodiscard]] std::span<const ImageKernel> kernels() const { return kernels_; }
    [[nodiscard]] const ImageKernel *kernel(std::string_view name) const;
    /// What runs once before any kernel (hal/protocol/initialiser.h), or null. Not among `kernels`.
    [[nodiscard]] const ImageKernel *initialiser() const {
        return initialiser_.name.empty() ? nullptr : &initialiser_;
    }
    [[nodiscard]] std::string_view options() const { return options_; }
    /// Name and version.
    [[nodiscard]] std::string_view compiler() const { return compiler_; }
    [[nodiscard]] bool has_argument_info() const { return note_.flags & RVL_IMAGE_ARGUMENT_INFO; }
    [[nodiscard]] size_t global_variable_bytes() const { return note_.global_variable_bytes; }
    [[nodiscard]] uint64_t entry() const { return elf_.entry; }

    // In memory: code and constants, then data; both are whole pages.
    [[nodiscard]] size_t memory_bytes() const { return elf_.memory.size(); }
    [[nodiscard]] size_t code_bytes() const { return elf_.code_bytes; }
    /// The bytes to load at `base`, which is page-aligned.
    [[nodiscard]] std::vector<std::byte> relocated_to(uint64_t base) const;

private:
    KernelImage() = default;
    friend class NoteReader;

    std::vector<std::byte> file_; // referred to by the string_views
    ElfFile elf_;
    rvl_image_note note_{};
    std::string_view isa_;
    std::string_view compiler_;
    std::string_view options_;
    std::vector<ImageKernel> kernels_;
    ImageKernel initialiser_{};
};

} // namespace rivulet
