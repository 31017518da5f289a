// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/function_attributes.h"

#include <limits>

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/Sema/ParsedAttr.h>
#include <clang/Sema/Sema.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/Support/FormatVariadic.h>

#include "compiler/analysis/sub_group_functions.h"
#include "compiler/lowering/vendor_instructions.h"
#include "hal/isa/isa_string.h"

namespace rivulet::compiler {
namespace {

using llvm::StringRef;

void report(clang::Sema &sema, clang::SourceLocation where, StringRef message) {
    sema.Diag(where, sema.getDiagnostics().getCustomDiagID(clang::DiagnosticsEngine::Error, "%0"))
        << message;
}

// The intrinsic with the most similar name, for a message.
std::string nearest_intrinsic(StringRef name) {
    const StringRef family = name.starts_with("llvm.riscv.") ? "llvm.riscv." : "llvm.";
    std::string nearest;
    unsigned least = std::numeric_limits<unsigned>::max();
    for (unsigned id = 1; id < llvm::Intrinsic::num_intrinsics; ++id) {
        const StringRef known = llvm::Intrinsic::getBaseName(id);
        if (!known.starts_with(family))
            continue;
        const unsigned distance = name.edit_distance(known, /*AllowReplacements=*/true, least);
        if (distance < least) {
            least = distance;
            nearest = known.str();
        }
    }
    return nearest;
}

std::string find_mistake(const clang::FunctionDecl &function, const InstructionForm &form) {
    for (auto [kind, parameter] : llvm::zip(form.operands, function.parameters())) {
        const clang::QualType type = parameter->getType();
        const std::string name = parameter->getNameAsString();
        if (kind == OperandKind::mask && !type->isBooleanType())
            return llvm::formatv("the shape has m for '{}', which is no bool", name);
        if (kind != OperandKind::mask && type->isBooleanType())
            return llvm::formatv("the shape has {} for '{}', a bool, which is a mask: m",
                                 char(kind), name);
        if (kind == OperandKind::integer && !type->isIntegerType())
            return llvm::formatv("the shape has x for '{}', which is no integer", name);
        if (kind == OperandKind::real && !type->isRealFloatingType())
            return llvm::formatv("the shape has f for '{}', which is no float", name);
        if (kind == OperandKind::bytes && !type->isIntegerType())
            return llvm::formatv("the shape has b for '{}', which is no integer", name);
        if (kind == OperandKind::overwritten &&
            !function.getASTContext().hasSameUnqualifiedType(type, function.getReturnType()))
            return llvm::formatv("the shape has d for '{}', which hasn't the result's type", name);
    }
    if (form.is_intrinsic && !llvm::Intrinsic::lookupIntrinsicID(form.text))
        return llvm::formatv("LLVM has no intrinsic '{}'; did you mean '{}'?", form.text,
                             nearest_intrinsic(form.text));
    return "";
}

// An element of a vector register.
bool is_lane_type(const clang::ASTContext &context, clang::QualType type) {
    return (type->isRealFloatingType() ||
            (type->isIntegerType() && !type->isBooleanType() && !type->isBitIntType())) &&
           context.getTypeSize(type) <= 64;
}

std::string find_mistake_in_extension(StringRef name) {
    if (std::string wrong = isa::check(("rv64gcv_" + name).str()).error; !wrong.empty())
        return wrong;
    const std::vector<std::string> names = isa::names(("rv64i_" + name).str());
    if (names.size() != 3 || names[2] != name.lower())
        return llvm::formatv("'{}' is not the name of one extension, without a version", name);
    return "";
}

// rivulet_instruction(EXTENSION, FORM, …)
struct InstructionAttribute : clang::ParsedAttrInfo {
    InstructionAttribute() {
        static constexpr Spelling spellings[] = {
            {clang::ParsedAttr::AS_GNU, "rivulet_instruction"}};
        Spellings = spellings;
        NumArgs = 2;
        OptArgs = 15; // any number
    }

    bool diagAppertainsToDecl(clang::Sema &sema, const clang::ParsedAttr &attribute,
                              const clang::Decl *declaration) const override {
        if (llvm::isa<clang::FunctionDecl>(declaration))
            return true;
        report(sema, attribute.getLoc(), "rivulet_instruction is for functions");
        return false;
    }

    AttrHandling handleDeclAttribute(clang::Sema &sema, clang::Decl *declaration,
                                     const clang::ParsedAttr &attribute) const override {
        auto &function = *llvm::cast<clang::FunctionDecl>(declaration);
        if (!is_lane_type(sema.Context, function.getReturnType()) ||
            llvm::any_of(function.parameters(),
                         [&](const clang::ParmVarDecl *parameter) {
                             return !parameter->getType()->isBooleanType() &&
                                    !is_lane_type(sema.Context, parameter->getType());
                         }) ||
            function.param_empty() || function.getNumParams() > 9) {
            report(sema, attribute.getLoc(),
                   "a function with an instruction takes one to nine integers, floats or masks, "
                   "and returns an integer or float");
            return AttributeNotApplied;
        }
        std::string text;
        for (unsigned i = 0; i < attribute.getNumArgs(); ++i) {
            StringRef word;
            clang::SourceLocation where;
            if (!sema.checkStringLiteralArgumentAttr(attribute, i, word, &where))
                return AttributeNotApplied;
            const std::string mistake =
                i == 0 ? find_mistake_in_extension(word) : find_mistake_in_form(function, word);
            if (!mistake.empty()) {
                report(sema, where, mistake);
                return AttributeNotApplied;
            }
            text += (i ? "\n" : "") + (i ? word.str() : word.lower());
        }
        clang::ASTContext &context = sema.Context;
        function.addAttr(clang::AnnotateAttr::Create(
            context, (vendor_instruction_mark + ":" + text).str(), nullptr, 0, attribute));
        // Of a header that several parts of a program include.
        function.addAttr(clang::InternalLinkageAttr::CreateImplicit(context));
        return AttributeApplied;
    }

private:
    static std::string find_mistake_in_form(const clang::FunctionDecl &function, StringRef text) {
        // Lines separate the forms later, and what follows the first one would be lost.
        if (!llvm::all_of(text, [](char c) { return llvm::isPrint(c) || c == '\t'; }))
            return "a form is one line of ASCII characters; ';' separates instructions";
        auto form = parse_form(text, function.getNumParams());
        return form ? find_mistake(function, *form) : form.error();
    }
};

// rivulet_sub_group
struct SubGroupAttribute : clang::ParsedAttrInfo {
    SubGroupAttribute() {
        static constexpr Spelling spellings[] = {{clang::ParsedAttr::AS_GNU, "rivulet_sub_group"}};
        Spellings = spellings;
    }

    bool diagAppertainsToDecl(clang::Sema &sema, const clang::ParsedAttr &attribute,
                              const clang::Decl *declaration) const override {
        const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
        if (function && !function->hasAttr<clang::DeviceKernelAttr>())
            return true;
        report(sema, attribute.getLoc(), "rivulet_sub_group is for functions that kernels call");
        return false;
    }

    AttrHandling handleDeclAttribute(clang::Sema &sema, clang::Decl *declaration,
                                     const clang::ParsedAttr &attribute) const override {
        declaration->addAttr(clang::AnnotateAttr::Create(
            sema.Context, (sub_group_function_mark + ":").str(), nullptr, 0, attribute));
        return AttributeApplied;
    }
};

// cl_qcom_reqd_sub_group_size: qcom_reqd_sub_group_size("full") or ("half")
struct SubGroupShareAttribute : clang::ParsedAttrInfo {
    SubGroupShareAttribute() {
        static constexpr Spelling spellings[] = {
            {clang::ParsedAttr::AS_GNU, "qcom_reqd_sub_group_size"}};
        Spellings = spellings;
        NumArgs = 1;
    }

    bool diagAppertainsToDecl(clang::Sema &sema, const clang::ParsedAttr &attribute,
                              const clang::Decl *declaration) const override {
        // Whether it is a kernel may come after the attribute: opencl_sema_checks.cpp looks.
        if (llvm::isa<clang::FunctionDecl>(declaration))
            return true;
        report(sema, attribute.getLoc(), "qcom_reqd_sub_group_size is for kernels");
        return false;
    }

    AttrHandling handleDeclAttribute(clang::Sema &sema, clang::Decl *declaration,
                                     const clang::ParsedAttr &attribute) const override {
        StringRef share;
        clang::SourceLocation where;
        if (!sema.checkStringLiteralArgumentAttr(attribute, 0, share, &where))
            return AttributeNotApplied;
        if (share != "full" && share != "half") {
            report(sema, where, "a kernel requires \"full\" or \"half\" sub-groups");
            return AttributeNotApplied;
        }
        declaration->addAttr(clang::AnnotateAttr::Create(
            sema.Context, (sub_group_share_mark + ":" + share).str(), nullptr, 0, attribute));
        return AttributeApplied;
    }
};

constexpr llvm::StringLiteral annotations_name = "llvm.global.annotations";

} // namespace

void register_function_attributes() {
    static const clang::ParsedAttrInfoRegistry::Add<InstructionAttribute> instruction(
        "rivulet_instruction", "");
    static const clang::ParsedAttrInfoRegistry::Add<SubGroupAttribute> sub_group(
        "rivulet_sub_group", "");
    static const clang::ParsedAttrInfoRegistry::Add<SubGroupShareAttribute> share(
        "qcom_reqd_sub_group_size", "");
}

void take_function_attributes(llvm::Module &module) {
    llvm::GlobalVariable *all = module.getGlobalVariable(annotations_name);
    if (!all || !all->hasInitializer())
        return;
    llvm::SmallVector<llvm::Constant *> others;
    for (const llvm::Use &use :
         llvm::cast<llvm::ConstantArray>(all->getInitializer())->operands()) {
        auto *entry = llvm::cast<llvm::ConstantStruct>(use.get());
        auto *function = llvm::dyn_cast<llvm::Function>(entry->getOperand(0)->stripPointerCasts());
        StringRef text;
        if (auto *string =
                llvm::dyn_cast<llvm::GlobalVariable>(entry->getOperand(1)->stripPointerCasts()))
            if (auto *letters =
                    llvm::dyn_cast<llvm::ConstantDataSequential>(string->getInitializer());
                letters && letters->isCString())
                text = letters->getAsCString();
        const auto [name, value] = text.split(':');
        if (function && name == vendor_instruction_mark) {
            function->addFnAttr(name, value);
            function->addFnAttr(llvm::Attribute::AlwaysInline);
        } else if (function && name == sub_group_function_mark) {
            function->addFnAttr(name);
        } else if (function && name == sub_group_share_mark) {
            function->addFnAttr(name, value);
        } else {
            others.push_back(entry);
        }
    }
    if (others.size() == llvm::cast<llvm::ConstantArray>(all->getInitializer())->getNumOperands())
        return;
    const unsigned space = all->getAddressSpace();
    all->eraseFromParent();
    if (others.empty())
        return;
    auto *type = llvm::ArrayType::get(others.front()->getType(), others.size());
    auto *rest = new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::AppendingLinkage,
                                          llvm::ConstantArray::get(type, others), annotations_name,
                                          nullptr, llvm::GlobalValue::NotThreadLocal, space);
    rest->setSection("llvm.metadata");
}

} // namespace rivulet::compiler
