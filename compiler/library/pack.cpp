// SPDX-License-Identifier: Apache-2.0
//
// pack ARCHIVE MODULE…: creates the built-in library. Each OpenCL C name has an archive member of
// its own with its functions for all types and widths: when loading a member, the compiler reads
// all declarations in it, which takes longer than compiling a small kernel's own source.
#include <deque>
#include <map>
#include <span>

#include <llvm/ADT/STLExtras.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Object/ArchiveWriter.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

namespace {

using Names = std::map<std::string, std::vector<std::string>>;

// _Z3fmafff: fma
llvm::StringRef plain_name(llvm::StringRef mangled) {
    llvm::StringRef name = mangled;
    size_t length = 0;
    if (name.consume_front("_Z") && !name.consumeInteger(10, length))
        return name.take_front(length);
    return mangled;
}

class Packer {
public:
    explicit Packer(llvm::StringRef program) { stop_.setBanner((program + ": ").str()); }

    void add(llvm::StringRef path) {
        std::unique_ptr<llvm::MemoryBuffer> file =
            stop_(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(path)));
        for (const auto &[name, functions] : defined(*file)) {
            names_.push_back((llvm::sys::path::stem(path) + "." + name).str());
            members_.emplace_back(llvm::MemoryBufferRef(excerpt(*file, functions), names_.back()));
        }
    }

    void write(llvm::StringRef path) {
        stop_(llvm::writeArchive(path, members_, llvm::SymtabWritingMode::NormalSymtab,
                                 llvm::object::Archive::K_GNU, true, false));
    }

private:
    Names defined(llvm::MemoryBufferRef file) {
        llvm::LLVMContext context;
        auto module = stop_(llvm::getLazyBitcodeModule(file, context));
        Names names;
        for (const llvm::Function &function : *module)
            if (!function.isDeclaration() && !function.hasLocalLinkage())
                names[plain_name(function.getName()).str()].push_back(function.getName().str());
        return names;
    }

    // Links what a program that declares these functions would link.
    llvm::StringRef excerpt(llvm::MemoryBufferRef file, std::span<const std::string> functions) {
        llvm::LLVMContext context;
        auto whole = stop_(llvm::getLazyBitcodeModule(file, context));
        llvm::Module part("", context);
        part.setTargetTriple(whole->getTargetTriple());
        part.setDataLayout(whole->getDataLayout());
        for (const std::string &name : functions)
            part.getOrInsertFunction(name, whole->getFunction(name)->getFunctionType());
        if (llvm::Linker::linkModules(part, std::move(whole), llvm::Linker::Flags::LinkOnlyNeeded))
            stop_(llvm::createStringError("cannot split off " + functions[0]));
        for (llvm::Function &function : part) // of another name, called by these: in its own member
            if (!function.isDeclaration() && !function.hasLocalLinkage() &&
                !llvm::is_contained(functions, function.getName()))
                function.deleteBody();
        while (!part.named_metadata_empty()) // versions, which programs have, too
            part.eraseNamedMetadata(&*part.named_metadata_begin());
        llvm::raw_string_ostream stream(contents_.emplace_back());
        llvm::WriteBitcodeToFile(part, stream);
        return stream.str();
    }

    llvm::ExitOnError stop_;
    std::deque<std::string> contents_, names_; // of members
    std::vector<llvm::NewArchiveMember> members_;
};

} // namespace

int main(int count, char **words) {
    Packer packer(words[0]);
    const std::span paths(words + 1, words + count);
    for (const char *path : paths.subspan(1))
        packer.add(path);
    packer.write(paths[0]);
}
