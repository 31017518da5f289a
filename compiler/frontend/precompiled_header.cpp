// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/precompiled_header.h"

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <clang/Serialization/ASTWriter.h>
#include <clang/Serialization/PCHContainerOperations.h>

namespace rivulet::compiler {
namespace {

using Tree = std::shared_ptr<clang::PCHBuffer>;

constexpr llvm::StringLiteral path = "/rivulet/header.pch";

class Precompile : public clang::ASTFrontendAction {
public:
    explicit Precompile(Tree tree) : tree_(std::move(tree)) {}

private:
    clang::TranslationUnitKind getTranslationUnitKind() override { return clang::TU_Prefix; }
    bool hasASTFileSupport() const override { return false; }
    std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler,
                                                          llvm::StringRef) override {
        compiler.getPreprocessorOpts().Macros.clear(); // defined by now; the tree would list them
        return std::make_unique<clang::PCHGenerator>(
            compiler.getPreprocessor(), compiler.getModuleCache(), path, "", tree_,
            compiler.getCodeGenOpts(), compiler.getFrontendOpts().ModuleFileExtensions,
            /*AllowASTWithErrors=*/false, /*IncludeTimestamps=*/false);
    }
    Tree tree_;
};

// Returns nothing if clang complains about the options: a compilation of the program has to report
// that.
Tree precompile(const clang::CompilerInvocation &invocation,
                llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
    auto alone = std::make_shared<clang::CompilerInvocation>(invocation);
    alone->getFrontendOpts().Inputs = {
        {llvm::MemoryBufferRef("", "header"), clang::Language::OpenCL}};
    clang::CompilerInstance compiler(std::move(alone));
    compiler.setVirtualFileSystem(std::move(files));
    clang::DiagnosticConsumer complaints;
    compiler.createDiagnostics(&complaints, /*ShouldOwnClient=*/false);
    compiler.setVerboseOutputStream(llvm::nulls());
    auto tree = std::make_shared<clang::PCHBuffer>();
    Precompile action(tree);
    const bool fine = compiler.ExecuteAction(action) && tree->IsComplete &&
                      complaints.getNumErrors() + complaints.getNumWarnings() == 0;
    return fine ? tree : nullptr;
}

} // namespace

void use_precompiled_header(std::string key, clang::CompilerInvocation &invocation,
                            const llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> &files) {
    static struct {
        std::string key;
        bool is_made = false;
        Tree tree;
        llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> file; // the tree
    } last;
    if (last.key != key) {
        last = {std::move(key), false, nullptr, nullptr};
        return;
    }
    if (!std::exchange(last.is_made, true)) {
        last.tree = precompile(invocation, files);
        if (last.tree) {
            last.file = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
            last.file->addFile(
                path, 0,
                llvm::MemoryBuffer::getMemBuffer({last.tree->Data.data(), last.tree->Data.size()},
                                                 path, /*RequiresNullTerminator=*/false));
        }
    }
    if (!last.tree)
        return;
    files->pushOverlay(last.file);
    clang::PreprocessorOptions &options = invocation.getPreprocessorOpts();
    options.ImplicitPCHInclude = path;
    options.DisablePCHOrModuleValidation = clang::DisableValidationForModuleKind::PCH; // see key
    // The tree has them.
    options.Includes.clear();
    options.Macros.clear();
    options.UsePredefines = false;
}

} // namespace rivulet::compiler
