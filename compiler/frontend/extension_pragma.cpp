// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/extension_pragma.h"

#include <clang/Basic/DiagnosticParse.h>

namespace rivulet::compiler {
namespace {

// The preprocessor calls this before the parser sees the pragma. The parser's warnings are turned
// off from the extension's name to its behavior.
class OfferedExtensions : public clang::PPCallbacks {
public:
    OfferedExtensions(clang::DiagnosticsEngine &diagnostics, std::vector<llvm::StringRef> offered,
                      llvm::StringRef lending)
        : diagnostics_(diagnostics), offered_(std::move(offered)), lending_(lending) {}

private:
    void PragmaOpenCLExtension(clang::SourceLocation name_location,
                               const clang::IdentifierInfo *name,
                               clang::SourceLocation state_location, unsigned) override {
        if (name->getName() == lending_)
            diagnostics_.Report(name_location, clang::diag::warn_pragma_unsupported_extension)
                << name;
        if (!llvm::is_contained(offered_, name->getName()))
            return;
        diagnostics_.pushMappings(name_location);
        for (unsigned warning : {clang::diag::warn_pragma_unknown_extension,
                                 clang::diag::warn_pragma_unsupported_extension,
                                 clang::diag::warn_pragma_extension_is_core})
            diagnostics_.setSeverity(warning, clang::diag::Severity::Ignored, name_location);
        diagnostics_.popMappings(state_location);
    }

    clang::DiagnosticsEngine &diagnostics_;
    std::vector<llvm::StringRef> offered_;
    llvm::StringRef lending_;
};

} // namespace

void accept_extension_pragmas(clang::Preprocessor &preprocessor,
                              std::vector<llvm::StringRef> offered, llvm::StringRef lending) {
    preprocessor.addPPCallbacks(std::make_unique<OfferedExtensions>(preprocessor.getDiagnostics(),
                                                                    std::move(offered), lending));
}

} // namespace rivulet::compiler
