// SPDX-License-Identifier: Apache-2.0
#include "host-runtime/program/kernel_image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "host-runtime/device/isa.h"
#include "host-runtime/program/kernel_image_builder.h"

namespace rivulet {
namespace {

using ::testing::HasSubstr;
using testing::ImageBuilder;

const InstructionSet device{"rv64imafdcvh_zicsr_zba_zvfh", 64, 256};

std::shared_ptr<const KernelImage> read(const ImageBuilder &builder) {
    auto image = KernelImage::read(builder.file(), device);
    EXPECT_TRUE(image) << (image ? "" : image.error());
    return image ? *image : nullptr;
}

std::string reason(const ImageBuilder &builder, const InstructionSet &target = device) {
    const auto image = KernelImage::read(builder.file(), target);
    return image ? "accepted" : image.error();
}

TEST(KernelImage, GivesKernelsAndArguments) {
    const auto image = read({});
    ASSERT_TRUE(image);
    ASSERT_EQ(image->kernels().size(), 1u);
    const ImageKernel *kernel = image->kernel("scale");
    ASSERT_TRUE(kernel);
    EXPECT_EQ(kernel->note.entry, 16u);
    ASSERT_EQ(kernel->arguments.size(), 3u);
    EXPECT_EQ(kernel->arguments[0].name, "data");
    EXPECT_EQ(kernel->arguments[0].type, "float*");
    EXPECT_EQ(kernel->arguments[1].note.bytes, 4u);
    EXPECT_EQ(kernel->arguments[2].name, "");
    EXPECT_EQ(image->options(), "-cl-kernel-arg-info");
    EXPECT_TRUE(image->has_argument_info());
    EXPECT_EQ(image->kernel("missing"), nullptr);
}

TEST(KernelImage, RelocatesDataToItsPlace) {
    const auto image = read({});
    ASSERT_TRUE(image);
    EXPECT_EQ(image->code_bytes(), size_t{RVL_PAGE_BYTES});
    EXPECT_EQ(image->memory_bytes(), 2 * size_t{RVL_PAGE_BYTES});
    const auto memory = image->relocated_to(0x80000000);
    uint64_t words[2];
    std::memcpy(words, memory.data() + RVL_PAGE_BYTES, sizeof words);
    EXPECT_EQ(words[0], 42u);
    EXPECT_EQ(words[1], 0x80000000u + RVL_PAGE_BYTES + 8);
}

TEST(KernelImage, NewerMinorVersionMayAppendFields) {
    ImageBuilder builder;
    builder.note.version = RVL_KERNEL_IMAGE_VERSION + 1;
    builder.kernel_bytes = sizeof(rvl_kernel_note) + 16;
    builder.kernels.push_back(builder.kernels[0]);
    builder.kernels[1].name = builder.string("second");
    builder.kernels[1].argument_count = 0;
    const auto image = read(builder);
    ASSERT_TRUE(image);
    EXPECT_TRUE(image->kernel("second"));
}

TEST(KernelImage, OlderMinorVersionHasFewerFields) {
    ImageBuilder builder;
    builder.note.version = RVL_VERSION(1, 1);
    builder.kernel_bytes = RVL_KERNEL_NOTE_BYTES_1_0;
    builder.kernels[0].large_entry = 32; // cut off
    const auto image = read(builder);
    ASSERT_TRUE(image);
    EXPECT_EQ(image->kernels()[0].note.entry, 16u);
    EXPECT_EQ(image->kernels()[0].note.large_entry, 0u);
}

TEST(KernelImage, CodeForLargeBuffersIsCode) {
    ImageBuilder builder;
    builder.kernels[0].large_entry = RVL_PAGE_BYTES;
    EXPECT_THAT(reason(builder), HasSubstr("starts outside of the code"));
}

TEST(KernelImage, OtherMajorVersionIsRefused) {
    ImageBuilder builder;
    builder.note.version = RVL_VERSION(2, 0);
    EXPECT_THAT(reason(builder), HasSubstr("version 2 of the kernel image"));
}

struct Spoilt {
    const char *name;
    void (*spoil)(ImageBuilder &);
    const char *reason;
};

constexpr Spoilt spoilt_images[] = {
    {"Executable", [](auto &b) { b.header.e_type = ET_EXEC; }, "position-independent"},
    {"BigEndian", [](auto &b) { b.header.e_ident[EI_DATA] = ELFDATA2MSB; }, "little-endian"},
    {"Machine", [](auto &b) { b.header.e_machine = EM_MIPS; }, "unknown machine"},
    {"OtherMachine",
     [](auto &b) {
         b.header.e_machine = EM_X86_64;
         b.relocations[0].r_info = R_X86_64_RELATIVE;
     },
     "the device runs"},
    {"HeaderTable", [](auto &b) { b.header.e_phoff = UINT64_MAX - 8; }, "program headers"},
    {"CutOff",
     [](auto &b) {
         b.header.e_shoff = 4000;
         b.header.e_shentsize = sizeof(Elf64_Shdr);
         b.header.e_shnum = 10;
     },
     "cut off"},
    {"WritableCode", [](auto &b) { b.code.p_flags |= PF_W; }, "writable and executable"},
    {"HugeSegment", [](auto &b) { b.data.p_memsz = UINT64_MAX / 2; }, "take more than 64 MiB"},
    {"OverlappingSegments", [](auto &b) { b.data.p_vaddr = 16; }, "overlap"},
    {"SharedPage", [](auto &b) { b.data.p_vaddr = 2048; }, "share a page"},
    {"EntryInData", [](auto &b) { b.header.e_entry = RVL_PAGE_BYTES; }, "entry point"},
    {"SymbolRelocation", [](auto &b) { b.relocations[0].r_info = R_RISCV_64; }, "RELATIVE"},
    {"RelocatedCode", [](auto &b) { b.relocations[0].r_offset = 16; }, "outside of its data"},
    {"MisalignedRelocation", [](auto &b) { b.relocations[0].r_offset += 4; },
     "outside of its data"},
    {"FarRelocation", [](auto &b) { b.relocations[0].r_addend = -1; }, "outside of its memory"},
    {"SharedLibrary", [](auto &b) { b.dynamic_entries.push_back({DT_NEEDED, {1}}); },
     "shared library"},
    {"NoNote", [](auto &b) { b.notes.p_filesz -= 200; }, "note"},
    {"XlenDiffers", [](auto &b) { b.note.xlen = 32; }, "XLEN"},
    {"KernelTable", [](auto &b) { b.note.kernel_bytes = 1 << 20; }, "table"},
    {"ShortEntries", [](auto &b) { b.note.kernel_bytes = -4; }, "table"},
    {"OpenString", [](auto &b) { b.strings.back() = 'x'; }, "not terminated"},
    {"FarString", [](auto &b) { b.kernels[0].name = 1 << 30; }, "string"},
    {"NamelessKernel", [](auto &b) { b.kernels[0].name = 0; }, "without a proper name"},
    {"FarKernel", [](auto &b) { b.kernels[0].entry = RVL_PAGE_BYTES; }, "outside of the code"},
    {"ArgumentRange", [](auto &b) { b.kernels[0].first_argument = 1; }, "not described"},
    {"ArgumentBlock", [](auto &b) { b.kernels[0].argument_bytes = (1 << 16) + 1; },
     "more bytes of arguments"},
    {"ArgumentOffset", [](auto &b) { b.arguments[1].offset = 21; }, "argument 1"},
    {"ArgumentKind", [](auto &b) { b.arguments[0].kind = 99; }, "argument 0"},
    {"ArgumentAlignment", [](auto &b) { b.arguments[2].pointee_alignment = 12; }, "argument 2"},
    {"GroupSize", [](auto &b) { b.kernels[0].required_group_size[1] = 8; }, "work-group size"},
    {"TwoOfAName",
     [](auto &b) {
         b.kernels.push_back(b.kernels[0]);
         b.kernels[1].argument_count = 0;
     },
     "two kernels named 'scale'"},
};

class SpoiltImage : public ::testing::TestWithParam<Spoilt> {};

TEST_P(SpoiltImage, IsRefusedWithItsReason) {
    ImageBuilder builder;
    GetParam().spoil(builder);
    EXPECT_THAT(reason(builder), HasSubstr(GetParam().reason));
}

INSTANTIATE_TEST_SUITE_P(Every, SpoiltImage, ::testing::ValuesIn(spoilt_images),
                         [](const auto &info) { return info.param.name; });

TEST(KernelImage, IsHeldAgainstTheDevice) {
    EXPECT_THAT(reason({}, {device.isa, 64, 512}), HasSubstr("VLEN 256, the device has VLEN 512"));
    EXPECT_THAT(reason({}, {device.isa, 32, 256}), HasSubstr("XLEN 64, the device has XLEN 32"));
    EXPECT_THAT(reason({}, {"rv64imafdc", 64, 256}), HasSubstr("lacks: v"));
    EXPECT_THAT(reason({}, {"host", 64, 0}), HasSubstr("the device runs host"));
    ImageBuilder any_length;
    any_length.note.vlen = 0;
    any_length.note.min_vlen = 512;
    EXPECT_THAT(reason(any_length), HasSubstr("needs VLEN 512"));
    any_length.note.min_vlen = 128;
    EXPECT_EQ(reason(any_length), "accepted");
}

TEST(KernelImage, TruncatedAnywhereIsRefusedOrWhole) {
    const auto file = ImageBuilder().file();
    for (size_t size = 0; size < file.size(); ++size) {
        const auto image = KernelImage::read({file.begin(), file.begin() + size}, device);
        if (image) // only padding is missing
            EXPECT_GE(size + 4, file.size());
        else
            EXPECT_FALSE(image.error().empty());
    }
}

TEST(KernelImage, AnyByteMayBeWrong) {
    const auto file = ImageBuilder().file();
    for (size_t at = 0; at < file.size(); ++at) {
        for (const unsigned flip : {0x01u, 0x80u, 0xffu}) {
            auto damaged = file;
            damaged[at] ^= std::byte(flip);
            const auto image = KernelImage::read(std::move(damaged), device);
            if (!image)
                continue;
            // An accepted image is consistent: relocations and all strings can be accessed.
            EXPECT_EQ((*image)->relocated_to(0x1000).size(), (*image)->memory_bytes());
            for (const ImageKernel &kernel : (*image)->kernels()) {
                EXPECT_LT(kernel.note.entry, (*image)->code_bytes());
                for (const ImageArgument &argument : kernel.arguments)
                    EXPECT_LE(argument.name.size() + argument.type.size(), file.size());
            }
        }
    }
}

TEST(InstructionSetString, NamesWhatIsMissing) {
    EXPECT_EQ(missing_extensions("rv64imafdcv_zba", 256, "rv64imafdc_zba"), "");
    EXPECT_EQ(missing_extensions("rv64gc", 0, "rv64imafd_zicsr_zifencei_zca"), "");
    EXPECT_EQ(missing_extensions("rv64imac", 0, "rv64gc"), "f d");
    EXPECT_EQ(missing_extensions("rv64gc", 0, "rv64gcv_zvfh"), "v zvfh");
    EXPECT_EQ(missing_extensions("rv64gcv", 512, "rv64i2p1_m2p0_zve64d1p0_zvl512b1p0"), "");
    EXPECT_EQ(missing_extensions("rv64gcv", 256, "rv64gcv_zvl512b1p0"), "zvl512b");
    EXPECT_EQ(missing_extensions("rv32imac_zve32f", 128, "rv32imac_zve32x"), "");
    EXPECT_EQ(missing_extensions("rv64gc", 0, "rv32gc"), "rv32");
}

} // namespace
} // namespace rivulet
