// SPDX-License-Identifier: Apache-2.0
#include "compiler/image/symbolize.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/FormatVariadic.h>

namespace rivulet::compiler {

std::expected<std::string, std::string> symbolize(std::string_view image, uint64_t address) {
    auto file = llvm::object::ObjectFile::createELFObjectFile(
        llvm::MemoryBufferRef({image.data(), image.size()}, "kernel image"));
    if (!file)
        return std::unexpected("not a kernel image: " + llvm::toString(file.takeError()) + "\n");
    auto context = llvm::DWARFContext::create(**file);
    // Code merged from several lines has no line; the preceding one is a good enough approximation.
    llvm::DILineInfoSpecifier wanted(llvm::DILineInfoSpecifier::FileLineInfoKind::RawValue,
                                     llvm::DILineInfoSpecifier::FunctionNameKind::ShortName,
                                     /*ApproximateLine=*/true);
    auto frames = context->getInliningInfoForAddress(
        {address, llvm::object::SectionedAddress::UndefSection}, wanted);
    // Innermost first; what was inlined from the built-in library has no lines.
    for (uint32_t i = 0; i < frames.getNumberOfFrames(); ++i) {
        const llvm::DILineInfo &frame = frames.getFrame(i);
        if (frame.Line == 0 || frame.FileName == llvm::DILineInfo::BadString)
            continue;
        const std::string location = llvm::formatv("{}:{}", frame.FileName, frame.Line).str();
        const bool named = frame.FunctionName != llvm::DILineInfo::BadString;
        return named ? frame.FunctionName + " at " + location : location;
    }
    return std::unexpected(llvm::formatv("no line is known for address {0:x}\n", address).str());
}

} // namespace rivulet::compiler
