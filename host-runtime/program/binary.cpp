// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/program/binary.h"

#include <cstring>

#include "base/error.h"
#include "host-runtime/object/checked_size.h"

namespace rivulet {
namespace {

/// Precedes the bitcode. Little endian.
struct ObjectHeader {
    char magic[8];
    uint32_t type; // cl_program_binary_type
    uint32_t vlen;
    uint64_t isa_bytes; // length of the ISA string that follows
    uint64_t object_bytes;
};

/// At the end of an executable's file, preceded by options, source and SPIR-V.
struct RecipeFooter {
    uint64_t options_bytes;
    uint64_t source_bytes;
    uint64_t spirv_bytes;
    char magic[8];
};
constexpr char recipe_magic[8] = {'R', 'V', 'L', 'F', 'R', 'O', 'M', '\1'};

/// Removes the recipe from the end of a file, if there is one.
std::shared_ptr<const Recipe> take_recipe(std::span<const std::byte> &file) {
    RecipeFooter footer;
    if (file.size() < sizeof footer)
        return nullptr;
    std::memcpy(&footer, file.last(sizeof footer).data(), sizeof footer);
    if (std::memcmp(footer.magic, recipe_magic, sizeof recipe_magic) != 0)
        return nullptr;
    const CheckedSize all = CheckedSize(footer.options_bytes) + footer.source_bytes +
                            footer.spirv_bytes + sizeof footer;
    if (!all.fits(file.size()))
        return nullptr;
    auto from = file.last(all.saturated());
    file = file.first(file.size() - from.size());
    const auto take = [&](uint64_t bytes) {
        const auto part = from.first(bytes);
        from = from.subspan(bytes);
        return part;
    };
    const auto text = [](std::span<const std::byte> part) {
        return std::string(reinterpret_cast<const char *>(part.data()), part.size());
    };
    auto recipe = std::make_shared<Recipe>();
    recipe->options = text(take(footer.options_bytes));
    recipe->source = text(take(footer.source_bytes));
    const auto spirv = take(footer.spirv_bytes);
    recipe->spirv.assign(spirv.begin(), spirv.end());
    return recipe;
}

constexpr char object_magic[8] = {'R', 'V', 'L', 'O', 'B', 'J', '\1', '\0'};
constexpr char bitcode_magic[4] = {'B', 'C', '\xc0', '\xde'};

bool starts_with(std::span<const std::byte> file, std::span<const char> bytes) {
    return file.size() >= bytes.size() && std::memcmp(file.data(), bytes.data(), bytes.size()) == 0;
}

std::expected<Binary, std::string> read_object(std::span<const std::byte> file,
                                               const InstructionSet &device) {
    ObjectHeader header;
    if (file.size() < sizeof header)
        return std::unexpected("The compiled program is truncated.");
    std::memcpy(&header, file.data(), sizeof header);
    file = file.subspan(sizeof header);
    if (header.isa_bytes > file.size() || header.object_bytes != file.size() - header.isa_bytes)
        return std::unexpected("The compiled program is truncated.");
    if (header.type != CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT &&
        header.type != CL_PROGRAM_BINARY_TYPE_LIBRARY)
        return std::unexpected("The compiled program is damaged.");
    const std::string_view isa(reinterpret_cast<const char *>(file.data()), header.isa_bytes);
    if (isa != device.isa || header.vlen != device.vlen)
        return std::unexpected(text({"The program is compiled for ", isa, ", VLEN ", header.vlen,
                                     "; the device is ", device.isa, ", VLEN ", device.vlen, "."}));
    const auto object = file.subspan(header.isa_bytes);
    if (!starts_with(object, bitcode_magic))
        return std::unexpected("The compiled program is damaged.");
    return Binary{header.type, nullptr, {object.begin(), object.end()}};
}

} // namespace

std::vector<std::byte> Binary::file(const InstructionSet &device) const {
    std::vector<std::byte> file;
    const auto append = [&](const void *data, size_t size) {
        const auto *bytes = static_cast<const std::byte *>(data);
        file.insert(file.end(), bytes, bytes + size);
    };
    if (executable) {
        append(executable->file().data(), executable->file().size());
        if (recipe) {
            append(recipe->options.data(), recipe->options.size());
            append(recipe->source.data(), recipe->source.size());
            append(recipe->spirv.data(), recipe->spirv.size());
            RecipeFooter footer{
                recipe->options.size(), recipe->source.size(), recipe->spirv.size(), {}};
            std::memcpy(footer.magic, recipe_magic, sizeof recipe_magic);
            append(&footer, sizeof footer);
        }
        return file;
    }
    if (object.empty())
        return file;
    ObjectHeader header{{}, type, device.vlen, device.isa.size(), object.size()};
    std::memcpy(header.magic, object_magic, sizeof object_magic);
    append(&header, sizeof header);
    append(device.isa.data(), device.isa.size());
    append(object.data(), object.size());
    return file;
}

std::expected<Binary, std::string> Binary::read(std::span<const std::byte> file,
                                                const InstructionSet &device) {
    if (starts_with(file, object_magic))
        return read_object(file, device);
    if (starts_with(file, bitcode_magic))
        return Binary{CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, nullptr, {file.begin(), file.end()}};
    std::vector<std::byte> copy(file.begin(), file.end()); // first, because a length may be wrong
    std::span<const std::byte> rest = copy;
    auto recipe = take_recipe(rest);
    copy.resize(rest.size());
    auto image = KernelImage::read(std::move(copy), device);
    if (!image)
        return std::unexpected(std::move(image.error()));
    return Binary{CL_PROGRAM_BINARY_TYPE_EXECUTABLE, std::move(*image), {}, std::move(recipe)};
}

} // namespace rivulet
