// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/program/kernel_image.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <elf.h>

#include "base/error.h"
#include "hal/protocol/initialiser.h"
#include "host-runtime/device/isa.h"

namespace rivulet {
namespace {

#if defined(__x86_64__)
constexpr uint16_t host_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr uint16_t host_machine = EM_AARCH64;
#else
constexpr uint16_t host_machine = EM_NONE;
#endif

/// Size of an argument in the argument block; 0: given by its note.
constexpr uint32_t block_bytes[] = {
    0 /* value */, 8 /* global */,  8 /* constant */, 8 /* local */,
    8 /* image */, 4 /* sampler */, 4 /* counter */,  8 /* pipe */,
};
constexpr uint32_t image_type_count = 8;
constexpr uint32_t most_kernels = 8192;
// More than a launch can hold: such kernels can be queried but not enqueued.
constexpr uint32_t largest_argument_block = 1 << 16;

} // namespace

/// Reads the description in the ELF file's note.
class NoteReader {
public:
    explicit NoteReader(KernelImage &image) : image_(image), bytes_(image.elf_.note) {}

    /// Throws BadImage.
    void read(const InstructionSet &device) {
        read_header();
        read_strings();
        read_kernels();
        check_fit(device);
    }

private:
    void read_header() {
        rvl_image_note &note = image_.note_;
        if (bytes_.size() < sizeof note)
            refuse({"the description of its kernels is truncated"});
        std::memcpy(&note, bytes_.data(), sizeof note);
        if (RVL_VERSION_MAJOR(note.version) != RVL_VERSION_MAJOR(RVL_KERNEL_IMAGE_VERSION))
            refuse({"it has version ", RVL_VERSION_MAJOR(note.version),
                    " of the kernel image, this runtime reads version ",
                    RVL_VERSION_MAJOR(RVL_KERNEL_IMAGE_VERSION),
                    ": rebuild it with this runtime's rivulet-cc"});
        if (note.bytes < sizeof note || note.bytes > bytes_.size())
            refuse({"the description of its kernels is truncated"});
        bytes_ = bytes_.first(note.bytes);
        if (note.xlen != image_.elf_.xlen)
            refuse({"its description and its ELF header differ in XLEN"});
        const uint64_t least_kernel = RVL_VERSION_MINOR(note.version) < 3
                                          ? RVL_KERNEL_NOTE_BYTES_1_0
                                          : sizeof(rvl_kernel_note);
        if (!is_table(note.kernels, note.kernel_bytes, note.kernel_count, least_kernel) ||
            !is_table(note.arguments, note.argument_bytes, note.argument_count,
                      sizeof(rvl_argument_note)) ||
            !is_table(note.strings, 1, note.string_bytes, 1))
            refuse({"a table is outside the description of its kernels"});
    }

    /// A newer minor version may have longer entries, never shorter ones.
    [[nodiscard]] bool is_table(uint64_t offset, uint64_t entry, uint64_t count,
                                uint64_t least_entry) const {
        return entry >= least_entry && offset <= bytes_.size() &&
               entry * count <= bytes_.size() - offset;
    }

    void read_strings() {
        const rvl_image_note &note = image_.note_;
        strings_ = std::string_view(reinterpret_cast<const char *>(bytes_.data()) + note.strings,
                                    note.string_bytes);
        if (strings_.empty() || strings_.front() != '\0' || strings_.back() != '\0')
            refuse({"its strings are not terminated"});
        if (!take_string(note.isa, image_.isa_) || !take_string(note.compiler, image_.compiler_) ||
            !take_string(note.options, image_.options_))
            refuse({"a string is outside its string table"});
    }

    bool take_string(uint32_t offset, std::string_view &to) const {
        if (offset >= strings_.size())
            return false;
        to = strings_.data() + offset; // terminated, because the last byte is a NUL
        return true;
    }

    void read_kernels() {
        const rvl_image_note &note = image_.note_;
        if (note.kernel_count > most_kernels)
            refuse({"it has more kernels than a program may have"});
        image_.kernels_.resize(note.kernel_count);
        for (uint32_t i = 0; i < note.kernel_count; ++i) {
            ImageKernel &kernel = image_.kernels_[i];
            std::memcpy(&kernel.note, bytes_.data() + note.kernels + size_t{i} * note.kernel_bytes,
                        std::min<size_t>(sizeof kernel.note, note.kernel_bytes));
            read_kernel(kernel);
            if (image_.kernel(kernel.name) != &kernel)
                refuse({"it has two kernels named '", kernel.name, "'"});
        }
        if (const ImageKernel *found = image_.kernel(RVL_INITIALISER)) {
            image_.initialiser_ = *found;
            if (!found->arguments.empty())
                refuse({"its constructors take arguments"});
            image_.kernels_.erase(image_.kernels_.begin() + (found - image_.kernels_.data()));
        }
    }

    void read_kernel(ImageKernel &kernel) {
        const rvl_kernel_note &note = kernel.note;
        if (!take_string(note.name, kernel.name) ||
            !take_string(note.attributes, kernel.attributes) ||
            !take_string(note.vector_type_hint, kernel.vector_type_hint))
            refuse({"a string of a kernel is outside its string table"});
        if (kernel.name.empty() || kernel.name.find(';') != kernel.name.npos)
            refuse({"it has a kernel without a proper name"});
        const auto refuse_kernel = [&](const char *reason) {
            refuse({"kernel '", kernel.name, "' ", reason});
        };
        if (note.entry >= image_.elf_.code_bytes || note.large_entry >= image_.elf_.code_bytes)
            refuse_kernel("starts outside of the code");
        const uint32_t count = image_.note_.argument_count;
        if (note.first_argument > count || note.argument_count > count - note.first_argument ||
            note.argument_count > count - arguments_read_)
            refuse_kernel("has arguments that are not described");
        arguments_read_ += note.argument_count;
        if (note.argument_bytes > largest_argument_block)
            refuse_kernel("has more bytes of arguments than can be");
        if (note.preferred_multiple == 0)
            refuse_kernel("has no preferred multiple of the work-group size");
        const auto *size = note.required_group_size;
        const uint64_t product = uint64_t{size[0]} * size[1];
        const bool has_size = size[0] != 0 || size[1] != 0 || size[2] != 0;
        if (has_size &&
            (product == 0 || size[2] == 0 || product > INT32_MAX || product * size[2] > INT32_MAX))
            refuse_kernel("requires a work-group size that cannot be");
        for (uint32_t i = 0; i < note.argument_count; ++i) {
            const size_t index = size_t{note.first_argument} + i;
            ImageArgument &argument = kernel.arguments.emplace_back();
            std::memcpy(&argument.note,
                        bytes_.data() + image_.note_.arguments +
                            index * image_.note_.argument_bytes,
                        sizeof argument.note);
            if (!is_argument(argument, note.argument_bytes))
                refuse({"kernel '", kernel.name, "' has a bad description of argument ", i});
        }
    }

    bool is_argument(ImageArgument &argument, uint32_t block) const {
        const rvl_argument_note &note = argument.note;
        if (!take_string(note.name, argument.name) || !take_string(note.type, argument.type) ||
            note.kind >= std::size(block_bytes))
            return false;
        const uint32_t fixed = block_bytes[note.kind];
        const uint32_t bytes = fixed ? fixed : note.bytes;
        if (bytes == 0 || note.offset > block || bytes > block - note.offset)
            return false;
        if (note.kind == RVL_ARGUMENT_COUNTER && note.bytes != 4 && note.bytes != 8)
            return false;
        if (note.kind == RVL_ARGUMENT_IMAGE && (note.image_type == 0 || note.access == 0))
            return false;
        return (note.pointee_alignment == 0 || std::has_single_bit(note.pointee_alignment)) &&
               note.access <= RVL_ACCESS_READ_WRITE && note.image_type <= image_type_count;
    }

    void check_fit(const InstructionSet &device) {
        const rvl_image_note &note = image_.note_;
        const bool is_host = device.isa == "host";
        if (image_.elf_.machine != (is_host ? host_machine : EM_RISCV))
            refuse({"it is built for ", image_.isa_, ", the device runs ", device.isa});
        if (note.xlen != device.xlen)
            refuse({"it is built for XLEN ", note.xlen, ", the device has XLEN ", device.xlen});
        if (is_host)
            return;
        if (note.vlen != 0 && note.vlen != device.vlen)
            refuse({"it is built for VLEN ", note.vlen, ", the device has VLEN ", device.vlen});
        if (note.min_vlen > device.vlen)
            refuse({"it needs VLEN ", note.min_vlen, ", the device has VLEN ", device.vlen});
        const std::string missing = missing_extensions(device.isa, device.vlen, image_.isa_);
        if (!missing.empty())
            refuse({"it needs extensions that the device lacks: ", missing});
    }

    KernelImage &image_;
    std::span<const std::byte> bytes_;
    std::string_view strings_;
    uint32_t arguments_read_ = 0; // kernels share none, so memory stays proportional to the file's
                                  // size
};

std::expected<std::shared_ptr<const KernelImage>, std::string>
KernelImage::read(std::vector<std::byte> file, const InstructionSet &device) {
    std::shared_ptr<KernelImage> image(new KernelImage);
    image->file_ = std::move(file);
    const char *what = "This is not a kernel image: ";
    try {
        image->elf_ = ElfFile::read(image->file_, RVL_NOTE_OWNER, RVL_IMAGE_NOTE);
        what = "The kernel image can't be used: ";
        NoteReader(*image).read(device);
    } catch (const BadImage &bad) {
        return std::unexpected(text({what, bad.reason, "."}));
    }
    return image;
}

// An argument has 8 bytes of the block, whatever its size (RVL_MAX_UNIT_ARGUMENTS).
std::shared_ptr<const KernelImage>
KernelImage::of(std::span<const hal::BuiltInKernel *const> kernels) {
    static_assert(RVL_BUILT_IN_VALUE == uint32_t{RVL_ARGUMENT_VALUE} &&
                  RVL_BUILT_IN_GLOBAL == uint32_t{RVL_ARGUMENT_GLOBAL} &&
                  RVL_BUILT_IN_CONSTANT == uint32_t{RVL_ARGUMENT_CONSTANT});
    constexpr uint32_t unit_argument_bytes = 8;
    std::shared_ptr<KernelImage> image(new KernelImage);
    image->note_.flags = RVL_IMAGE_ARGUMENT_INFO;
    for (const hal::BuiltInKernel *built_in : kernels) {
        ImageKernel &kernel = image->kernels_.emplace_back();
        kernel.built_in = built_in;
        kernel.name = built_in->name;
        kernel.note.entry = built_in->function;
        kernel.note.preferred_multiple = 1;
        for (const auto &described : built_in->arguments) {
            ImageArgument &argument = kernel.arguments.emplace_back();
            argument.name = described.name;
            argument.type = described.type;
            argument.note.kind = described.kind;
            argument.note.offset = kernel.note.argument_bytes;
            argument.note.bytes =
                described.kind == RVL_BUILT_IN_VALUE ? described.bytes : unit_argument_bytes;
            argument.note.qualifiers =
                described.kind == RVL_BUILT_IN_CONSTANT ? RVL_QUALIFIER_CONST : 0;
            kernel.note.argument_bytes += unit_argument_bytes;
        }
        kernel.note.argument_count = static_cast<uint32_t>(kernel.arguments.size());
    }
    return image;
}

std::shared_ptr<const KernelImage> KernelImage::of(std::span<const std::byte> code) {
    std::shared_ptr<KernelImage> image(new KernelImage);
    image->elf_.memory.assign(code.begin(), code.end());
    image->elf_.memory.resize(RVL_PAGE_BYTES);
    image->elf_.code_bytes = RVL_PAGE_BYTES;
    image->kernels_.emplace_back();
    return image;
}

const ImageKernel *KernelImage::kernel(std::string_view name) const {
    const auto found = std::ranges::find(kernels_, name, &ImageKernel::name);
    return found == kernels_.end() ? nullptr : &*found;
}

std::vector<std::byte> KernelImage::relocated_to(uint64_t base) const {
    std::vector<std::byte> memory = elf_.memory;
    for (const auto &[offset, addend] : elf_.relocations) {
        const uint64_t value = base + addend;
        std::memcpy(memory.data() + offset, &value, elf_.xlen / 8); // little endian on both sides
    }
    return memory;
}

bool ImageKernel::has_definition_of(const ImageKernel &other) const {
    return std::ranges::equal(arguments, other.arguments, [](const auto &a, const auto &b) {
        return a.note.kind == b.note.kind && a.note.bytes == b.note.bytes && a.type == b.type;
    });
}

} // namespace rivulet
