// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include <llvm/BinaryFormat/ELF.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/FormatVariadic.h>

#include "compiler/image/kernel_image_note.h"

namespace rivulet::compiler {
namespace {

using llvm::StringRef;

// A note from who knows where: every read is checked.
class NoteReader {
public:
    explicit NoteReader(StringRef bytes) : bytes_(bytes) {}

    // Fields that this version knows and the note lacks stay 0.
    template <class Entry> Entry read(uint64_t offset, uint64_t bytes = sizeof(Entry)) {
        Entry entry = {};
        if (offset > bytes_.size() || bytes > bytes_.size() - offset)
            is_whole_ = false;
        else
            memcpy(&entry, bytes_.data() + offset, std::min<uint64_t>(bytes, sizeof entry));
        return entry;
    }

    StringRef string(const rvl_image_note &image, uint32_t offset) {
        StringRef strings = bytes_.substr(image.strings, image.string_bytes).drop_front(offset);
        size_t end = strings.find('\0');
        is_whole_ &= end != StringRef::npos;
        return strings.substr(0, end);
    }

    bool is_whole() const { return is_whole_; }

private:
    StringRef bytes_;
    bool is_whole_ = true;
};

constexpr StringRef kinds[] = {"value", "global",  "constant", "local",
                               "image", "sampler", "counter",  "pipe"};
constexpr StringRef kernel_flags[] = {"barriers",     "flat",   "printf 1.0", "sub-groups",
                                      "uniform",      "printf", "sanitized",  "counts lost printf",
                                      "large-buffers"};
constexpr StringRef qualifier_names[] = {"const", "restrict", "volatile", "pipe"};
constexpr StringRef access_names[] = {"", "read_only", "write_only", "read_write"};

std::string flags_text(uint32_t flags, llvm::ArrayRef<StringRef> names) {
    std::string text;
    for (size_t i = 0; i < names.size(); ++i)
        if (flags & 1u << i)
            text += " " + names[i].str();
    return text;
}

void print_kernel(llvm::raw_ostream &out, NoteReader &note, const rvl_image_note &image,
                  const rvl_kernel_note &kernel) {
    out << llvm::formatv("kernel {0} at {1:x}, {2} bytes of arguments\n",
                         note.string(image, kernel.name), kernel.entry, kernel.argument_bytes);
    out << llvm::formatv("  stack {}, saved {}, private {}, local {} bytes;", kernel.stack_bytes,
                         kernel.saved_bytes, kernel.private_bytes, kernel.local_bytes)
        << llvm::formatv(" sub-group {}, preferred multiple {};{}\n", kernel.sub_group_size,
                         kernel.preferred_multiple, flags_text(kernel.flags, kernel_flags));
    if (StringRef attributes = note.string(image, kernel.attributes); !attributes.empty())
        out << "  attributes " << attributes << '\n';
    const uint64_t end = uint64_t{kernel.first_argument} + kernel.argument_count;
    for (uint64_t i = kernel.first_argument; i < end && note.is_whole(); ++i) {
        auto argument = note.read<rvl_argument_note>(image.arguments + i * image.argument_bytes,
                                                     image.argument_bytes);
        out << llvm::formatv("  argument {} at {}, {} bytes: {}", i - kernel.first_argument,
                             argument.offset, argument.bytes,
                             argument.kind < std::size(kinds) ? kinds[argument.kind] : "?")
            << flags_text(argument.qualifiers, qualifier_names);
        if (argument.access && argument.access < std::size(access_names))
            out << ' ' << access_names[argument.access];
        out << ' ' << note.string(image, argument.type) << ' ' << note.string(image, argument.name);
        if (argument.image_type)
            out << " (image type " << unsigned(argument.image_type) << ')';
        if (argument.pointee_alignment)
            out << " aligned " << argument.pointee_alignment;
        if (argument.flags & RVL_ARGUMENT_UNWRITTEN)
            out << " unwritten";
        out << '\n';
    }
}

std::expected<std::string, std::string> describe_note(StringRef bytes) {
    NoteReader note(bytes);
    auto image = note.read<rvl_image_note>(0);
    if (!note.is_whole())
        return std::unexpected("the note is cut off");
    if (RVL_VERSION_MAJOR(image.version) != RVL_VERSION_MAJOR(RVL_KERNEL_IMAGE_VERSION))
        return std::unexpected("a kernel image of another version");
    std::string text;
    llvm::raw_string_ostream out(text);
    out << llvm::formatv("kernel image, version {}.{}, by {}\n", RVL_VERSION_MAJOR(image.version),
                         RVL_VERSION_MINOR(image.version), note.string(image, image.compiler));
    out << "isa " << note.string(image, image.isa) << ", VLEN ";
    if (image.vlen)
        out << image.vlen << '\n';
    else if (image.min_vlen)
        out << "any from " << image.min_vlen << '\n';
    else
        out << "none needed\n";
    out << "options " << note.string(image, image.options) << '\n';
    if (image.flags & RVL_IMAGE_ARGUMENT_INFO)
        out << "argument information\n";
    out << "global variables " << image.global_variable_bytes << " bytes\n";
    for (uint64_t i = 0; i < image.kernel_count && note.is_whole(); ++i)
        print_kernel(
            out, note, image,
            note.read<rvl_kernel_note>(image.kernels + i * image.kernel_bytes, image.kernel_bytes));
    if (!note.is_whole())
        return std::unexpected("the note points outside of itself");
    return text;
}

template <class Elf>
std::expected<std::string, std::string> find_note(const llvm::object::ELFObjectFile<Elf> &object) {
    const auto &file = object.getELFFile();
    auto headers = file.program_headers();
    if (!headers)
        return std::unexpected(llvm::toString(headers.takeError()));
    for (const auto &header : *headers) {
        if (header.p_type != llvm::ELF::PT_NOTE)
            continue;
        llvm::Error error = llvm::Error::success();
        for (const auto &note : file.notes(header, error))
            if (note.getName() == RVL_NOTE_OWNER && note.getType() == RVL_IMAGE_NOTE) {
                llvm::consumeError(std::move(error));
                return describe_note(llvm::toStringRef(note.getDesc(4)));
            }
        if (error)
            return std::unexpected(llvm::toString(std::move(error)));
    }
    return std::unexpected("an ELF file, but no kernel image");
}

} // namespace

std::expected<std::string, std::string> describe_image(std::string_view image) {
    auto file = llvm::object::ObjectFile::createELFObjectFile(
        llvm::MemoryBufferRef({image.data(), image.size()}, "kernel image"));
    if (!file)
        return std::unexpected("no kernel image: " + llvm::toString(file.takeError()));
    if (auto *elf = llvm::dyn_cast<llvm::object::ELF64LEObjectFile>(file->get()))
        return find_note(*elf);
    if (auto *elf = llvm::dyn_cast<llvm::object::ELF32LEObjectFile>(file->get()))
        return find_note(*elf);
    return std::unexpected("no little-endian ELF file");
}

} // namespace rivulet::compiler
