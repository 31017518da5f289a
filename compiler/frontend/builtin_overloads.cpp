// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/builtin_overloads.h"

#include <clang/AST/Decl.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/Lookup.h>
#include <clang/Sema/Scope.h>
#include <clang/Sema/Sema.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>

namespace rivulet::compiler {
namespace {

class BuiltInOverloads {
public:
    BuiltInOverloads(clang::CompilerInstance &compiler, PlainFunctions &plain)
        : compiler_(compiler), plain_(plain) {}

    // The parser looks up a name's declarations after reading the name. By then it knows earlier
    // declarators; an overload's own declarator is known when its body begins.
    void before_use(clang::IdentifierInfo &name, clang::SourceLocation location) {
        check_not_mangled(name, location);
        if (!name.getFETokenInfo() || !compiler_.hasSema() || no_built_ins_.contains(&name) ||
            plain_.hide_built_ins.contains(name.getName()))
            return;
        clang::Sema &sema = compiler_.getSema();
        // C functions such as exp are not OpenCL C functions if the table has them; clang's own
        // built-ins are.
        if (const unsigned id = name.getBuiltinID();
            id != 0 && !sema.Context.BuiltinInfo.isPredefinedLibFunction(id))
            return;
        auto declared = llvm::make_range(sema.IdResolver.begin(&name), sema.IdResolver.end());
        if (declared.empty() || !llvm::isa<clang::FunctionDecl>(*declared.begin()))
            return; // a variable, a type or a constant hides functions
        clang::Scope &scope = scope_of(**declared.begin(), sema);
        Functions own, built_in;
        bool adds_to_table = false;
        for (clang::NamedDecl *each : declared) {
            auto *function = llvm::dyn_cast<clang::FunctionDecl>(each);
            if (!function)
                break;
            const bool is_here = &scope_of(*function, sema) == &scope;
            if (!is_built_in(*function, sema)) {
                if (is_here)
                    own.push_back(function);
            } else if (is_here && takes_bfloat(*function)) {
                adds_to_table = true;
            } else if (is_here) {
                return; // they are all there
            } else {
                built_in.push_back(function);
            }
        }
        if (built_in.empty())
            built_in = look_up_in_table(name, sema);
        if (built_in.empty())
            no_built_ins_.insert(&name);
        else if (!(own.empty() && adds_to_table) &&
                 llvm::none_of(own, [](const clang::FunctionDecl *function) {
                     return function->hasAttr<clang::OverloadableAttr>();
                 }))
            plain_.declared.insert(name.getName());
        for (clang::FunctionDecl *function : built_in) {
            if (llvm::any_of(own, [&](const clang::FunctionDecl *other) {
                    return have_same_parameters(*function, *other);
                }))
                continue;
            scope.AddDecl(function);
            sema.IdResolver.AddDecl(function);
        }
    }

private:
    using Functions = llvm::SmallVector<clang::FunctionDecl *>;

    // A function or kernel named _Z5atan2ff would be taken for atan2(float, float).
    void check_not_mangled(const clang::IdentifierInfo &name, clang::SourceLocation location) {
        llvm::StringRef base = name.getName();
        size_t length = 0;
        if (!base.consume_front("_Z") || base.consumeInteger(10, length) || length >= base.size() ||
            !compiler_.hasSema() || !mangled_.insert(&name).second)
            return;
        base = base.substr(0, length);
        clang::Sema &sema = compiler_.getSema();
        if (look_up_in_table(sema.Context.Idents.get(base), sema).empty())
            return;
        clang::DiagnosticsEngine &diagnostics = compiler_.getDiagnostics();
        diagnostics.Report(location,
                           diagnostics.getCustomDiagID(
                               clang::DiagnosticsEngine::Error,
                               "%0 is reserved: so the compiler calls a built-in function '%1'"))
            << &name << base;
    }

    static Functions look_up_in_table(clang::IdentifierInfo &name, clang::Sema &sema) {
        clang::LookupResult result(sema, &name, clang::SourceLocation(),
                                   clang::Sema::LookupOrdinaryName);
        result.suppressDiagnostics();
        Functions found;
        if (sema.LookupBuiltin(result))
            for (clang::NamedDecl *function : result)
                found.push_back(llvm::cast<clang::FunctionDecl>(function));
        return found;
    }

    // Declared by the table, or by one of the compiler's headers, whose declarations replace the
    // table's.
    static bool is_built_in(const clang::FunctionDecl &function, const clang::Sema &sema) {
        return function.isImplicit() || sema.SourceMgr.isInSystemHeader(function.getLocation());
    }

    // The table has no function of bfloat: those of a header don't replace others.
    static bool takes_bfloat(const clang::FunctionDecl &function) {
        return llvm::any_of(function.parameters(), [](const clang::ParmVarDecl *parameter) {
            clang::QualType type = parameter->getType();
            if (type->isPointerType())
                type = type->getPointeeType();
            if (const auto *vector = type->getAs<clang::VectorType>())
                type = vector->getElementType();
            return type->isBFloat16Type();
        });
    }

    static clang::Scope &scope_of(clang::NamedDecl &declaration, clang::Sema &sema) {
        for (clang::Scope *scope = sema.getCurScope(); scope; scope = scope->getParent())
            if (scope->isDeclScope(&declaration))
                return *scope;
        return *sema.TUScope; // declared in the precompiled header
    }

    static bool have_same_parameters(const clang::FunctionDecl &one,
                                     const clang::FunctionDecl &other) {
        return llvm::equal(one.parameters(), other.parameters(),
                           [&](const clang::ParmVarDecl *a, const clang::ParmVarDecl *b) {
                               return one.getASTContext().hasSameUnqualifiedType(a->getType(),
                                                                                 b->getType());
                           });
    }

    clang::CompilerInstance &compiler_;
    PlainFunctions &plain_;
    llvm::SmallPtrSet<const clang::IdentifierInfo *, 16> no_built_ins_;
    llvm::SmallPtrSet<const clang::IdentifierInfo *, 4> mangled_; // names that were reported
};

} // namespace

bool PlainFunctions::hide_more() {
    const unsigned before = hide_built_ins.size();
    for (const auto &name : ambiguous)
        if (declared.contains(name.getKey()))
            hide_built_ins.insert(name.getKey());
    return hide_built_ins.size() > before;
}

void keep_built_in_overloads(clang::CompilerInstance &compiler, PlainFunctions &plain) {
    compiler.getPreprocessor().setTokenWatcher(
        [overloads = BuiltInOverloads(compiler, plain)](const clang::Token &token) mutable {
            if (token.is(clang::tok::identifier))
                overloads.before_use(*token.getIdentifierInfo(), token.getLocation());
        });
}

} // namespace rivulet::compiler
