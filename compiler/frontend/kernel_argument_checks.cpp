// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/kernel_argument_checks.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>

namespace rivulet::compiler {
namespace {

// size_t and the like, under any name.
bool depends_on_device(clang::QualType type) {
    constexpr llvm::StringRef names[] = {"size_t", "ptrdiff_t", "intptr_t", "uintptr_t"};
    while (const auto *alias = type->getAs<clang::TypedefType>()) {
        if (llvm::is_contained(names, alias->getDecl()->getName()))
            return true;
        type = alias->desugar();
    }
    return false;
}

// Hosts know the addresses of shared virtual memory, which OpenCL C has from 2.0 on.
bool is_forbidden_pointer(const clang::ASTContext &context, clang::QualType type) {
    if (!type->isPointerType())
        return type->isAnyPointerType() || type->isBlockPointerType();
    const clang::LangAS space = type->getPointeeType().getAddressSpace();
    return context.getLangOpts().getOpenCLCompatibleVersion() < 200 ||
           space == clang::LangAS::opencl_generic || space == clang::LangAS::opencl_private;
}

bool is_forbidden(const clang::ASTContext &context, clang::QualType type) {
    return is_forbidden_pointer(context, type) || type->isBooleanType() ||
           type->isOpenCLSpecificType() || depends_on_device(type) ||
           (type->isHalfType() && !context.getLangOpts().NativeHalfType);
}

} // namespace

const clang::FieldDecl *forbidden_in_argument(const clang::ASTContext &context,
                                              clang::QualType type) {
    const auto *record = context.getBaseElementType(type)->getAsRecordDecl();
    if (!record)
        return nullptr;
    for (const clang::FieldDecl *field : record->fields()) {
        const clang::QualType element = context.getBaseElementType(field->getType());
        if (is_forbidden(context, element))
            return field;
        if (const clang::FieldDecl *inner = forbidden_in_argument(context, element))
            return inner;
    }
    return nullptr;
}

} // namespace rivulet::compiler
