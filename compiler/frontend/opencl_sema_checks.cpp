// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/opencl_sema_checks.h"

#include "compiler/frontend/source_visitor.h"

namespace rivulet::compiler {
namespace {

class Restrictions : public SourceVisitor<Restrictions, false> {
public:
    // 6.9.d
    bool VisitFieldDecl(clang::FieldDecl *field) {
        if (field->getType()->isIncompleteArrayType())
            error(field->getLocation(),
                  "structures with flexible arrays are not supported in OpenCL C");
        return true;
    }

    // 6.1.4
    bool VisitBuiltinTypeLoc(clang::BuiltinTypeLoc type) {
        if (type.getTypePtr()->getKind() == clang::BuiltinType::LongDouble)
            error(type.getBeginLoc(), "'long double' is reserved in OpenCL C");
        return true;
    }
    bool VisitComplexTypeLoc(clang::ComplexTypeLoc type) {
        error(type.getBeginLoc(), "complex types are reserved in OpenCL C");
        return true;
    }

    // 6.12.14.1; clang's code generator would stop with an error that it calls internal.
    bool VisitImplicitCastExpr(clang::ImplicitCastExpr *cast) {
        if (cast->getCastKind() == clang::CK_IntToOCLSampler &&
            !cast->getSubExpr()->isEvaluatable(*context_))
            error(cast->getExprLoc(), "a sampler in the source is initialized with a constant");
        return true;
    }

    // 6.2.4.2: clang's code generator would make a module that is none of it.
    bool VisitAsTypeExpr(clang::AsTypeExpr *value) {
        if (is_opaque(*value->getSrcExpr()) || is_opaque(*value))
            error(value->getExprLoc(),
                  "only scalars, vectors and pointers can be reinterpreted as another type");
        return true;
    }

    // Clang rejects `event_t all[2] = {0}` without a message, and then crashes on it.
    bool VisitRecoveryExpr(clang::RecoveryExpr *rejected) {
        if (!context_->getDiagnostics().hasErrorOccurred())
            error(rejected->getExprLoc(), "invalid value; use a variable of the type that is "
                                          "wanted");
        return true;
    }

    // 6.12.13: the format is known when the program is compiled, and %n is not among conversions,
    // nor are there any for opaque types.
    bool VisitCallExpr(clang::CallExpr *call) {
        const clang::FunctionDecl *callee = call->getDirectCallee();
        if (!callee || !callee->getIdentifier() || callee->getName() != "printf" ||
            call->getNumArgs() == 0)
            return true;
        const clang::Expr *format = call->getArg(0)->IgnoreParenCasts();
        if (auto *text = llvm::dyn_cast<clang::StringLiteral>(format)) {
            if (text->isOrdinary() && stores_a_count(text->getString()))
                error(format->getExprLoc(), "printf has no conversion %%n in OpenCL C");
        } else if (is_argument_of_kernel(*format)) {
            error(format->getExprLoc(), "the format of printf is a constant of the program");
        }
        for (const clang::Expr *value : llvm::drop_begin(call->arguments()))
            if (is_opaque(*value))
                error(value->getExprLoc(), "printf has no conversion for values of this type");
        return true;
    }

private:
    // True for images, samplers, events and atomic counters.
    static bool is_opaque(const clang::Expr &value) {
        return value.getType()->isOpenCLSpecificType();
    }

    static bool stores_a_count(llvm::StringRef format) {
        while (!format.empty()) {
            format = format.substr(format.find('%')).drop_front(format.contains('%'));
            format = format.ltrim("-+ #.*0123456789vhl"); // flags, width, precision, vector, length
            if (format.starts_with("n"))
                return true;
            format = format.drop_front(!format.empty());
        }
        return false;
    }

    static bool is_argument_of_kernel(const clang::Expr &value) {
        auto *name = llvm::dyn_cast<clang::DeclRefExpr>(&value);
        auto *argument = name ? llvm::dyn_cast<clang::ParmVarDecl>(name->getDecl()) : nullptr;
        auto *function =
            argument ? llvm::dyn_cast<clang::FunctionDecl>(argument->getDeclContext()) : nullptr;
        return function && function->hasAttr<clang::DeviceKernelAttr>();
    }
};

} // namespace

std::unique_ptr<clang::ASTConsumer> check_restrictions() {
    return std::make_unique<Restrictions>();
}

} // namespace rivulet::compiler
