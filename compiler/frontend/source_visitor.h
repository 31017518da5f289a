// SPDX-License-Identifier: Apache-2.0
#ifndef RIVULET_COMPILER_FRONTEND_SOURCE_VISITOR_H
#define RIVULET_COMPILER_FRONTEND_SOURCE_VISITOR_H

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/Diagnostic.h>

namespace rivulet::compiler {

// Visits each declaration at program scope as soon as it has been read, before code is generated
// from it. With `code_only`, visits functions and variables, not the thousands of declarations in
// headers.
template <class Self, bool code_only>
class SourceVisitor : public clang::ASTConsumer, public clang::RecursiveASTVisitor<Self> {
public:
    bool HandleTopLevelDecl(clang::DeclGroupRef declarations) override {
        for (clang::Decl *declaration : declarations)
            if (!code_only || declaration->hasBody() || llvm::isa<clang::VarDecl>(declaration))
                this->TraverseDecl(declaration);
        return true;
    }

protected:
    using Level = clang::DiagnosticsEngine::Level;
    // Values follow with <<; they are %0, %1, … of the message.
    template <size_t size>
    clang::DiagnosticBuilder report(Level level, clang::SourceLocation where,
                                    const char (&message)[size]) {
        clang::DiagnosticsEngine &diagnostics = context_->getDiagnostics();
        return diagnostics.Report(where, diagnostics.getCustomDiagID(level, message));
    }
    template <size_t size>
    clang::DiagnosticBuilder error(clang::SourceLocation where, const char (&message)[size]) {
        return report(Level::Error, where, message);
    }
    template <size_t size>
    clang::DiagnosticBuilder warning(clang::SourceLocation where, const char (&message)[size]) {
        // Clang doesn't apply -w and -Werror to messages without a group.
        const clang::DiagnosticsEngine &diagnostics = context_->getDiagnostics();
        return report(diagnostics.getIgnoreAllWarnings()  ? Level::Ignored
                      : diagnostics.getWarningsAsErrors() ? Level::Error
                                                          : Level::Warning,
                      where, message);
    }

    clang::ASTContext *context_ = nullptr;

private:
    void Initialize(clang::ASTContext &context) override { context_ = &context; }
};

} // namespace rivulet::compiler

#endif
