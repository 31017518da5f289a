// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/block_checks.h"

#include "compiler/frontend/source_visitor.h"

namespace rivulet::compiler {
namespace {

class Blocks : public SourceVisitor<Blocks, true> {
public:
    bool VisitVarDecl(clang::VarDecl *variable) {
        if (variable->getType()->isBlockPointerType() && variable->hasInit()) {
            variable->setInit(variable->getInit()->IgnoreParens());
            if (!is_known(*variable->getInit()))
                error(variable->getLocation(), "a block variable must be initialized with a block "
                                               "literal or a block variable");
        }
        if (variable->getType().getAddressSpace() == clang::LangAS::opencl_local &&
            llvm::isa<clang::BlockDecl>(variable->getDeclContext()))
            error(variable->getLocation(), "variables in the local address space can only be "
                                           "declared in the outermost scope of a kernel function");
        return true;
    }

    // clang's code generator would crash on an unknown block, and doesn't look through parentheses.
    bool VisitCallExpr(clang::CallExpr *call) {
        if (!call->getCallee()->getType()->isBlockPointerType())
            return true;
        call->setCallee(call->getCallee()->IgnoreParens());
        if (!is_known(*call->getCallee()))
            error(call->getExprLoc(), "a block that is called must be known when the program is "
                                      "compiled");
        return true;
    }
    bool VisitCastExpr(clang::CastExpr *cast) {
        if (cast->getType()->isBlockPointerType())
            cast->setSubExpr(cast->getSubExpr()->IgnoreParens());
        return true;
    }

    // "Arrays are captured by reference (decayed to pointers)"; clang would copy them, so that a
    // block doesn't see what is written afterwards.
    bool VisitBlockDecl(clang::BlockDecl *block) {
        llvm::SmallVector<clang::BlockDecl::Capture, 8> captures;
        for (const clang::BlockDecl::Capture &capture : block->captures()) {
            clang::VarDecl *variable = capture.getVariable();
            const bool by_reference = variable->getType()->isArrayType();
            if (by_reference && !variable->hasAttr<clang::BlocksAttr>())
                variable->addAttr(
                    clang::BlocksAttr::CreateImplicit(*context_, clang::BlocksAttr::ByRef));
            captures.emplace_back(variable, by_reference, capture.isNested(),
                                  capture.getCopyExpr());
        }
        block->setCaptures(*context_, captures, block->capturesCXXThis());
        return true;
    }

private:
    static bool is_known(const clang::Expr &value) {
        const clang::Expr *bare = value.IgnoreParenImpCasts();
        if (auto *name = llvm::dyn_cast<clang::DeclRefExpr>(bare))
            return name->getType()->isBlockPointerType();
        return llvm::isa<clang::BlockExpr>(bare) || bare->containsErrors();
    }
};

} // namespace

void allow_blocks(clang::CompilerInstance &compiler) {
    clang::LangOptions &language = compiler.getLangOpts();
    language.Blocks = language.OpenCLVersion == 300;
}

std::unique_ptr<clang::ASTConsumer> check_blocks() { return std::make_unique<Blocks>(); }

} // namespace rivulet::compiler
