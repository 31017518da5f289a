// SPDX-License-Identifier: Apache-2.0
#include "compiler/library/builtin_library_linker.h"

#include <map>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Operator.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include "compiler/analysis/fp_sign_bit_facts.h"
#include "compiler/analysis/library_functions.h"

namespace rivulet::compiler {
namespace {

std::vector<std::string> undefined_functions(const llvm::Module &module) {
    std::vector<std::string> names;
    for (const llvm::Function &function : module)
        if (function.isDeclaration() && !function.isIntrinsic() && !function.use_empty())
            names.push_back(function.getName().str());
    return names;
}

// _Z3sinf → _Z13__relaxed_sinf: what follows the name are the types of arguments.
std::string relaxed_name(llvm::StringRef name) {
    size_t length = 0;
    if (!name.consume_front("_Z") || name.consumeInteger(10, length))
        return {};
    const std::string prefix = "__relaxed_";
    return "_Z" + std::to_string(prefix.size() + length) + prefix + name.str();
}

} // namespace

std::expected<const BuiltinLibrary *, std::string> BuiltinLibrary::of(unsigned xlen) {
    static std::map<unsigned, BuiltinLibrary> known;
    if (auto found = known.find(xlen); found != known.end())
        return &found->second;
    // Found once: a new build may replace this program while it serves.
    static const std::string folder = [] {
        static int anchor;
        llvm::SmallString<256> path(llvm::sys::fs::getMainExecutable(nullptr, &anchor));
        llvm::sys::path::remove_filename(path);
        llvm::sys::path::append(path, "..", "lib", "rivulet", "library");
        return path.str().str();
    }();
    auto library = open(folder + "/builtins" + std::to_string(xlen) + ".a");
    if (!library)
        return std::unexpected(library.error());
    return &known.emplace(xlen, std::move(*library)).first->second;
}

std::expected<BuiltinLibrary, std::string> BuiltinLibrary::open(const std::string &path) {
    auto fail = [&](const std::string &why) {
        return std::unexpected("built-in library " + path + ": " + why);
    };
    auto file =
        llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false,
                                    /*IsVolatile=*/true); // no mapping: it may be replaced
    if (!file)
        return fail(file.getError().message());
    auto archive = llvm::object::Archive::create((*file)->getMemBufferRef());
    if (!archive)
        return fail(llvm::toString(archive.takeError()));
    BuiltinLibrary result;
    result.file_ = std::move(*file);
    result.archive_ = std::move(*archive);
    for (const auto &symbol : result.archive_->symbols())
        result.symbols_.try_emplace(symbol.getName(), symbol);
    return result;
}

void BuiltinLibrary::relax_calls(llvm::Module &module) const {
    for (const std::string &name : undefined_functions(module)) {
        const std::string other = relaxed_name(name);
        if (!symbols_.contains(other))
            continue;
        llvm::Function &function = *module.getFunction(name);
        auto relaxed = module.getOrInsertFunction(other, function.getFunctionType());
        llvm::cast<llvm::Function>(relaxed.getCallee())->setCallingConv(function.getCallingConv());
        for (llvm::User *user : llvm::make_early_inc_range(function.users()))
            if (auto *call = llvm::dyn_cast<llvm::CallBase>(user);
                call && llvm::isa<llvm::FPMathOperator>(call) && call->hasApproxFunc())
                call->setCalledFunction(relaxed);
    }
}

std::expected<void, std::string> BuiltinLibrary::link_into(llvm::Module &module) const {
    relax_calls(module);
    auto fail = [](llvm::Error error) {
        return std::unexpected("built-in library: " + llvm::toString(std::move(error)));
    };
    // A function of the program's may have the name of a built-in one, which others of the library
    // call: exp(double) calls exp(float).
    llvm::SmallPtrSet<const llvm::Function *, 32> own;
    for (llvm::Function &function : module)
        if (!function.isDeclaration()) {
            own.insert(&function);
            if (symbols_.contains(function.getName()) &&
                function.getCallingConv() != llvm::CallingConv::SPIR_KERNEL) // found by its name
                function.setName(function.getName() + ".own");
        }
    llvm::StringSet<> linked;
    for (bool more = true; more;) {
        more = false;
        for (const std::string &name : undefined_functions(module)) {
            auto symbol = symbols_.find(name);
            if (symbol == symbols_.end() || !module.getFunction(name)->isDeclaration() ||
                !linked.insert(name).second)
                continue;
            auto member = symbol->second.getMember();
            if (!member)
                return fail(member.takeError());
            auto buffer = member->getMemoryBufferRef();
            if (!buffer)
                return fail(buffer.takeError());
            // Lazy: of the dozens of functions in a member only those in need are read.
            auto part = llvm::getLazyBitcodeModule(*buffer, module.getContext());
            if (!part)
                return fail(part.takeError());
            if (llvm::Linker::linkModules(module, std::move(*part),
                                          llvm::Linker::Flags::LinkOnlyNeeded))
                return std::unexpected("built-in library: cannot link " + name);
            more = true;
        }
    }
    for (llvm::Function &function : module)
        if (!own.contains(&function)) {
            record_sign_bit_facts(function);
            if (!function.isDeclaration())
                function.addFnAttr(library_mark);
        }
    return {};
}

} // namespace rivulet::compiler
