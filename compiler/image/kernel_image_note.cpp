// SPDX-License-Identifier: Apache-2.0
#include "compiler/image/kernel_image_note.h"

#include <cstring>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/BinaryFormat/ELF.h>

#include "compiler/support/version.h"

namespace rivulet::compiler {
namespace {

constexpr char owner[8] = RVL_NOTE_OWNER; // 7 letters and the NUL: padded to 4 as ELF wants it
constexpr size_t header_bytes = sizeof(llvm::ELF::Elf32_Nhdr) + sizeof owner;

class Strings {
public:
    uint32_t add(llvm::StringRef text) {
        auto [entry, is_new] = offsets_.try_emplace(text, static_cast<uint32_t>(bytes_.size()));
        if (is_new)
            bytes_.append(text.str()).push_back('\0');
        return entry->second;
    }
    /// Takes `bytes` at least, so that texts of other lengths move nothing behind them.
    uint32_t add_padded(llvm::StringRef text, size_t bytes) {
        const uint32_t offset = add(text);
        bytes_.resize(std::max(bytes_.size(), offset + bytes));
        return offset;
    }
    const std::string &bytes() const { return bytes_; }

private:
    std::string bytes_ = std::string(1, '\0');
    llvm::StringMap<uint32_t> offsets_{{{"", 0u}}};
};

template <class Entry> void append(std::vector<char> &bytes, std::span<const Entry> entries) {
    auto *data = reinterpret_cast<const char *>(entries.data());
    bytes.insert(bytes.end(), data, data + entries.size_bytes());
}

rvl_argument_note describe(const Argument &argument, Strings &strings) {
    rvl_argument_note note = {};
    note.name = strings.add(argument.name);
    note.type = strings.add(argument.type);
    note.kind = argument.kind;
    note.offset = argument.offset;
    note.bytes = argument.bytes;
    note.pointee_alignment = argument.pointee_alignment;
    note.access = argument.access;
    note.qualifiers = argument.qualifiers;
    note.image_type = argument.image_type;
    note.flags = argument.is_unwritten ? RVL_ARGUMENT_UNWRITTEN : 0;
    return note;
}

rvl_kernel_note describe(const Kernel &kernel, Strings &strings) {
    rvl_kernel_note note = {};
    note.name = strings.add(kernel.name);
    note.attributes = strings.add(kernel.attributes);
    note.argument_count = static_cast<uint32_t>(kernel.arguments.size());
    note.argument_bytes = kernel.argument_bytes;
    note.saved_bytes = kernel.saved_bytes;
    note.local_bytes = kernel.local_bytes;
    note.private_bytes = kernel.private_bytes;
    std::ranges::copy(kernel.required_group_size, note.required_group_size);
    std::ranges::copy(kernel.group_size_hint, note.group_size_hint);
    note.sub_group_size = kernel.sub_group_size;
    note.required_sub_group_size = kernel.required_sub_group_size;
    note.preferred_multiple = kernel.preferred_multiple;
    note.vector_type_hint = strings.add(kernel.vector_type_hint);
    note.flags = kernel.flags;
    return note;
}

// A second version of the kernel. One launch runs one of them.
void merge(rvl_kernel_note &note, const Kernel &version) {
    note.saved_bytes = std::max(note.saved_bytes, version.saved_bytes);
    note.private_bytes = std::max(note.private_bytes, version.private_bytes);
    note.flags |= version.flags | RVL_KERNEL_LARGE_BUFFERS;
}

// With extensions that LLVM doesn't know, if a board's instructions need them.
std::string isa_of(const Program &program, const Target &target) {
    std::string isa = target.isa;
    for (const std::string &name : program.needed_extensions)
        isa += "_" + name;
    return isa;
}

uint32_t global_variable_bytes(const llvm::Module &module) {
    uint64_t bytes = 0;
    for (const llvm::GlobalVariable &variable : module.globals())
        if (!variable.isConstant() && variable.getAddressSpace() == global_space)
            bytes += module.getDataLayout().getTypeAllocSize(variable.getValueType());
    return static_cast<uint32_t>(bytes);
}

} // namespace

std::vector<char> write_note(const Program &program, const Target &target) {
    Strings strings;
    std::vector<rvl_kernel_note> kernels;
    std::vector<rvl_argument_note> arguments;
    for (const Kernel &kernel : program.kernels) {
        if (kernel.takes_large_buffers) {
            merge(kernels.back(), kernel);
            continue;
        }
        kernels.push_back(describe(kernel, strings));
        kernels.back().first_argument = static_cast<uint32_t>(arguments.size());
        for (const Argument &argument : kernel.arguments)
            arguments.push_back(describe(argument, strings));
    }
    rvl_image_note image = {};
    image.version = RVL_KERNEL_IMAGE_VERSION;
    image.xlen = target.xlen;
    image.vlen = target.vlen;
    image.min_vlen = target.min_vlen;
    image.isa = strings.add(isa_of(program, target));
    image.compiler = strings.add_padded(compiler_version(), 80);
    image.options = strings.add(program.options);
    image.kernel_bytes = sizeof(rvl_kernel_note);
    image.kernel_count = static_cast<uint32_t>(kernels.size());
    image.kernels = sizeof image;
    image.argument_bytes = sizeof(rvl_argument_note);
    image.argument_count = static_cast<uint32_t>(arguments.size());
    image.arguments = image.kernels + image.kernel_count * image.kernel_bytes;
    image.strings = image.arguments + image.argument_count * image.argument_bytes;
    image.string_bytes = static_cast<uint32_t>(strings.bytes().size());
    image.bytes = image.strings + image.string_bytes;
    image.global_variable_bytes = global_variable_bytes(*program.module);
    image.flags = program.argument_info ? RVL_IMAGE_ARGUMENT_INFO : 0;

    llvm::ELF::Elf32_Nhdr header = {};
    header.n_namesz = sizeof owner;
    header.n_descsz = image.bytes;
    header.n_type = RVL_IMAGE_NOTE;
    std::vector<char> bytes;
    append(bytes, std::span<const llvm::ELF::Elf32_Nhdr>(&header, 1));
    append(bytes, std::span<const char>(owner));
    append(bytes, std::span<const rvl_image_note>(&image, 1));
    append(bytes, std::span<const rvl_kernel_note>(kernels));
    append(bytes, std::span<const rvl_argument_note>(arguments));
    append(bytes, std::span<const char>(strings.bytes()));
    bytes.resize(llvm::alignTo(bytes.size(), 4));
    return bytes;
}

void complete_note(std::span<char> note, const Program &program,
                   std::span<const Placement> placements) {
    char *at = note.data() + header_bytes + sizeof(rvl_image_note) - sizeof(rvl_kernel_note);
    for (auto [kernel, placement] : llvm::zip_equal(program.kernels, placements)) {
        at += kernel.takes_large_buffers ? 0 : sizeof(rvl_kernel_note);
        rvl_kernel_note note_of_kernel;
        memcpy(&note_of_kernel, at, sizeof note_of_kernel);
        (kernel.takes_large_buffers ? note_of_kernel.large_entry : note_of_kernel.entry) =
            placement.entry;
        if (!kernel.takes_large_buffers && kernel.flags & RVL_KERNEL_LARGE_BUFFERS)
            note_of_kernel.large_entry = placement.entry;
        note_of_kernel.stack_bytes = std::max(note_of_kernel.stack_bytes, placement.stack_bytes);
        memcpy(at, &note_of_kernel, sizeof note_of_kernel);
    }
}

} // namespace rivulet::compiler
