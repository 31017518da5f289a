// SPDX-License-Identifier: Apache-2.0
//
// mkimage and genimage could write U-Boot's images and the partition table, but not the boot ROM's
// header behind it. These few fields are written here so that a board can be flashed from a machine
// that has neither; the test flash.images reads the results with mkimage.
#include "tools/flash/image.h"

#include <elf.h>
#include <openssl/sha.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>

namespace rivulet::flash {
namespace {

constexpr uint64_t largest_image = 64u << 20;
constexpr uint64_t sector = 512;

void put_little(Bytes &to, uint64_t offset, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i)
        to[offset + i] = static_cast<std::byte>(value >> 8 * i);
}

void put_big(Bytes &to, uint64_t offset, uint32_t value) {
    for (unsigned i = 0; i < 4; ++i)
        to[offset + i] = static_cast<std::byte>(value >> (24 - 8 * i));
}

void put(Bytes &to, uint64_t offset, std::span<const std::byte> bytes) {
    std::ranges::copy(bytes, to.begin() + static_cast<std::ptrdiff_t>(offset));
}

uint32_t crc(std::span<const std::byte> bytes) {
    return static_cast<uint32_t>(
        crc32(0, reinterpret_cast<const Bytef *>(bytes.data()), static_cast<uInt>(bytes.size())));
}

template <class Header, class Program>
Bytes bare_elf_of(const Flat &firmware, unsigned char elf_class) {
    using Address = decltype(Header::e_entry);
    Header header{};
    Program program{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = elf_class;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_EXEC;
    header.e_machine = EM_RISCV;
    header.e_version = EV_CURRENT;
    header.e_entry = static_cast<Address>(firmware.entry);
    header.e_phoff = header.e_ehsize = sizeof header;
    header.e_phentsize = sizeof program;
    header.e_phnum = 1;
    program.p_type = PT_LOAD;
    program.p_flags = PF_R | PF_W | PF_X;
    program.p_offset = sizeof header + sizeof program;
    program.p_vaddr = program.p_paddr = static_cast<Address>(firmware.address);
    program.p_filesz = program.p_memsz = static_cast<Address>(firmware.bytes.size());
    program.p_align = 4; // also of its file offset, in both classes
    Bytes file(program.p_offset + firmware.bytes.size());
    put(file, 0, std::as_bytes(std::span(&header, 1)));
    put(file, sizeof header, std::as_bytes(std::span(&program, 1)));
    put(file, program.p_offset, firmware.bytes);
    return file;
}

} // namespace

Bytes bare_elf(const Flat &firmware, unsigned xlen) {
    return xlen == 32 ? bare_elf_of<Elf32_Ehdr, Elf32_Phdr>(firmware, ELFCLASS32)
                      : bare_elf_of<Elf64_Ehdr, Elf64_Phdr>(firmware, ELFCLASS64);
}

Result<Flat> flatten(const hal::FirmwareFile &firmware) {
    Flat flat;
    flat.entry = firmware.entry;
    flat.address = UINT64_MAX;
    uint64_t end = 0;
    for (const auto &segment : firmware.segments)
        if (!segment.contents.empty()) {
            flat.address = std::min(flat.address, segment.address);
            end = std::max(end, segment.address + segment.contents.size());
        }
    if (flat.address >= end || end - flat.address > largest_image)
        return fail(RVL_INVALID, {"the firmware's segments lie up to ",
                                  bytes_text(end - std::min(end, flat.address)),
                                  " apart: that is no image for a flash"});
    flat.bytes.resize(end - flat.address);
    for (const auto &segment : firmware.segments)
        put(flat.bytes, segment.contents.empty() ? 0 : segment.address - flat.address,
            segment.contents);
    return flat;
}

Result<Bytes> sd_card_image(const Recipe &recipe, const Flat &firmware) {
    const auto &card = recipe.sdcard;
    constexpr uint64_t length_at = 4, encryption_at = 8, digest_at = 12;
    if (card.magic.size() != 4 || card.offset == 0 || card.offset % sector != 0 ||
        card.offset > largest_image || card.payload_offset < digest_at + SHA256_DIGEST_LENGTH ||
        card.payload_offset > largest_image)
        return fail(RVL_INVALID, {"flash.toml of ", recipe.board,
                                  " describes no SD card: [sdcard] needs an offset in whole "
                                  "sectors, a magic of 4 letters and a payload_offset of 44 or "
                                  "more"});
    const uint64_t used = card.payload_offset + firmware.bytes.size();
    const uint64_t sectors = (used + sector - 1) / sector;
    Bytes image(card.offset + sectors * sector);
    // One partition around everything, so that the card does not look empty: type da, which is not
    // a file system.
    // file system.
    constexpr uint64_t entry = 446;
    image[entry + 4] = std::byte{0xda};
    put_little(image, entry + 8, card.offset / sector, 4);
    put_little(image, entry + 12, sectors, 4);
    image[510] = std::byte{0x55};
    image[511] = std::byte{0xaa};
    put(image, card.offset, std::as_bytes(std::span(card.magic)));
    put_little(image, card.offset + length_at, firmware.bytes.size(), 4);
    put_little(image, card.offset + encryption_at, 0, 4);
    SHA256(reinterpret_cast<const unsigned char *>(firmware.bytes.data()), firmware.bytes.size(),
           reinterpret_cast<unsigned char *>(image.data() + card.offset + digest_at));
    put(image, card.offset + card.payload_offset, firmware.bytes);
    return image;
}

Result<Bytes> uboot_image(const Flat &firmware, const std::string &name) {
    if (firmware.address > UINT32_MAX || firmware.entry > UINT32_MAX)
        return fail(RVL_UNSUPPORTED, {"U-Boot's legacy image has addresses of 32 bits, the "
                                      "firmware is at ",
                                      hex(firmware.address)});
    constexpr uint64_t header = 64;
    constexpr std::byte linux_os{5}, riscv{26}, kernel{2}, uncompressed{0};
    Bytes image(header + firmware.bytes.size());
    put_big(image, 0, 0x27051956);
    put_big(image, 12, static_cast<uint32_t>(firmware.bytes.size()));
    put_big(image, 16, static_cast<uint32_t>(firmware.address));
    put_big(image, 20, static_cast<uint32_t>(firmware.entry));
    put_big(image, 24, crc(firmware.bytes));
    image[28] = linux_os; // the boot path in which U-Boot starts the other harts
    image[29] = riscv;
    image[30] = kernel;
    image[31] = uncompressed;
    put(image, 32, std::as_bytes(std::span(name).first(std::min<size_t>(name.size(), 31))));
    put_big(image, 4, crc(std::span(image).first(header))); // computed with this word set to 0
    put(image, header, firmware.bytes);
    return image;
}

} // namespace rivulet::flash
