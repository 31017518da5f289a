// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/program/binary.h"

#include <cstring>

#include "hal/core/error.h"

namespace rivulet {
namespace {

/// Before the bitcode. Little endian.
struct ObjectHeader {
    char magic[8];
    uint32_t type; // cl_program_binary_type
    uint32_t vlen;
    uint64_t isa_bytes; // of the ISA string that follows
    uint64_t object_bytes;
};
constexpr char magic[8] = {'R', 'V', 'L', 'O', 'B', 'J', '\1', '\0'};
constexpr char bitcode_magic[4] = {'B', 'C', '\xc0', '\xde'};

bool starts_with(std::span<const std::byte> file, std::span<const char> bytes) {
    return file.size() >= bytes.size() && std::memcmp(file.data(), bytes.data(), bytes.size()) == 0;
}

std::expected<Binary, std::string> read_object(std::span<const std::byte> file,
                                               const InstructionSet &device) {
    ObjectHeader header;
    if (file.size() < sizeof header)
        return std::unexpected("The compiled program is cut off.");
    std::memcpy(&header, file.data(), sizeof header);
    file = file.subspan(sizeof header);
    if (header.isa_bytes > file.size() || header.object_bytes != file.size() - header.isa_bytes)
        return std::unexpected("The compiled program is cut off.");
    if (header.type != CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT &&
        header.type != CL_PROGRAM_BINARY_TYPE_LIBRARY)
        return std::unexpected("The compiled program is damaged.");
    const std::string_view isa(reinterpret_cast<const char *>(file.data()), header.isa_bytes);
    if (isa != device.isa || header.vlen != device.vlen)
        return std::unexpected(
            hal::text({"The program is compiled for ", isa, ", VLEN ", header.vlen,
                       "; the device is ", device.isa, ", VLEN ", device.vlen, "."}));
    const auto object = file.subspan(header.isa_bytes);
    if (!starts_with(object, bitcode_magic))
        return std::unexpected("The compiled program is damaged.");
    return Binary{header.type, nullptr, {object.begin(), object.end()}};
}

} // namespace

std::vector<std::byte> Binary::file(const InstructionSet &device) const {
    if (executable)
        return {executable->file().begin(), executable->file().end()};
    if (object.empty())
        return {};
    ObjectHeader header{{}, type, device.vlen, device.isa.size(), object.size()};
    std::memcpy(header.magic, magic, sizeof magic);
    std::vector<std::byte> file;
    const auto append = [&](const void *data, size_t size) {
        const auto *bytes = static_cast<const std::byte *>(data);
        file.insert(file.end(), bytes, bytes + size);
    };
    append(&header, sizeof header);
    append(device.isa.data(), device.isa.size());
    append(object.data(), object.size());
    return file;
}

std::expected<Binary, std::string> Binary::read(std::span<const std::byte> file,
                                                const InstructionSet &device) {
    if (starts_with(file, magic))
        return read_object(file, device);
    if (starts_with(file, bitcode_magic))
        return Binary{CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, nullptr, {file.begin(), file.end()}};
    auto image = KernelImage::read({file.begin(), file.end()}, device);
    if (!image)
        return std::unexpected(std::move(image.error()));
    return Binary{CL_PROGRAM_BINARY_TYPE_EXECUTABLE, std::move(*image), {}};
}

} // namespace rivulet
