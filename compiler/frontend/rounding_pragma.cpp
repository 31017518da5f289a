// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/rounding_pragma.h"

#include <optional>

#include <clang/Lex/LexDiagnostic.h>
#include <clang/Lex/Pragma.h>
#include <clang/Sema/ParsedAttr.h>
#include <clang/Sema/Sema.h>

#include "compiler/frontend/source_visitor.h"

namespace rivulet::compiler {
namespace {

struct Mode {
    llvm::StringLiteral name;
    llvm::RoundingMode mode;
    const char *attribute;
};
constexpr Mode modes[] = {
    {"rte", llvm::RoundingMode::NearestTiesToEven, "rivulet_rounding_rte"},
    {"rtz", llvm::RoundingMode::TowardZero, "rivulet_rounding_rtz"},
    {"rtp", llvm::RoundingMode::TowardPositive, "rivulet_rounding_rtp"},
    {"rtn", llvm::RoundingMode::TowardNegative, "rivulet_rounding_rtn"},
};
constexpr llvm::StringLiteral mode_macro = "__ROUNDING_MODE__";

// The parser accepts FENV_ROUND only at the beginning of a compound statement. This pragma may
// appear between any statements, so it becomes a declaration with an attribute, which takes effect
// in sequence instead of when the token is read ahead.
class SelectsRounding : public clang::ParsedAttrInfo {
public:
    SelectsRounding() {
        static constexpr Spelling spellings[] = {
            {clang::AttributeCommonInfo::AS_GNU, modes[0].attribute},
            {clang::AttributeCommonInfo::AS_GNU, modes[1].attribute},
            {clang::AttributeCommonInfo::AS_GNU, modes[2].attribute},
            {clang::AttributeCommonInfo::AS_GNU, modes[3].attribute},
        };
        Spellings = spellings;
    }

private:
    AttrHandling handleDeclAttribute(clang::Sema &sema, clang::Decl *,
                                     const clang::ParsedAttr &attribute) const override {
        for (const Mode &mode : modes)
            if (attribute.getAttrName()->getName() == mode.attribute)
                sema.ActOnPragmaFEnvRound(attribute.getLoc(), mode.mode);
        clang::FunctionDecl *function = sema.getCurFunctionDecl();
        if (function && sema.getCurFPFeatures().isFPConstrained())
            function->setUsesFPIntrin(true);
        return AttributeApplied;
    }
};
const clang::ParsedAttrInfoRegistry::Add<SelectsRounding> selects_rounding("rivulet_rounding", "");

class SelectRoundingMode : public clang::PragmaHandler {
public:
    SelectRoundingMode() : PragmaHandler("SELECT_ROUNDING_MODE") {}

private:
    void HandlePragma(clang::Preprocessor &preprocessor, clang::PragmaIntroducer,
                      clang::Token &pragma) override {
        if (!preprocessor.isMacroDefined("cl_khr_select_fprounding_mode")) {
            preprocessor.Diag(pragma, clang::diag::warn_pragma_ignored);
            return;
        }
        clang::Token word, end;
        preprocessor.LexUnexpandedToken(word);
        const Mode *mode =
            llvm::find_if(modes, [&](const Mode &one) { return is(word, one.name); });
        if (word.isNot(clang::tok::eod))
            preprocessor.LexUnexpandedToken(end);
        if (mode == std::end(modes) || end.isNot(clang::tok::eod)) {
            clang::DiagnosticsEngine &diagnostics = preprocessor.getDiagnostics();
            diagnostics.Report(word.getLocation(),
                               diagnostics.getCustomDiagID(
                                   clang::DiagnosticsEngine::Error,
                                   "#pragma OPENCL SELECT_ROUNDING_MODE takes one of rte, rtz, "
                                   "rtp, rtn"));
            return;
        }
        declare(preprocessor, pragma.getLocation(), *mode);
        if (!watching_)
            preprocessor.setTokenWatcher(
                [&](const clang::Token &token) { watch(preprocessor, token); });
        watching_ = true;
        set(preprocessor, *mode);
    }

    static bool is(const clang::Token &token, llvm::StringRef name) {
        return token.is(clang::tok::identifier) && token.getIdentifierInfo()->getName() == name;
    }

    // typedef void NAME __attribute__((ATTRIBUTE));
    void declare(clang::Preprocessor &preprocessor, clang::SourceLocation location,
                 const Mode &mode) {
        using namespace clang;
        const std::string name = "rivulet_rounding_" + std::to_string(++count_);
        const std::pair<tok::TokenKind, llvm::StringRef> words[] = {
            {tok::kw_typedef, "typedef"},
            {tok::kw_void, "void"},
            {tok::identifier, name},
            {tok::kw___attribute, "__attribute__"},
            {tok::l_paren, ""},
            {tok::l_paren, ""},
            {tok::identifier, mode.attribute},
            {tok::r_paren, ""},
            {tok::r_paren, ""},
            {tok::semi, ""},
        };
        auto tokens = std::make_unique<Token[]>(std::size(words));
        for (auto [word, token] :
             llvm::zip(words, llvm::MutableArrayRef(tokens.get(), std::size(words)))) {
            token.startToken();
            token.setKind(word.first);
            token.setLocation(location);
            if (!word.second.empty())
                token.setIdentifierInfo(preprocessor.getIdentifierInfo(word.second));
        }
        preprocessor.EnterTokenStream(std::move(tokens), std::size(words),
                                      /*DisableMacroExpansion=*/true, /*IsReinject=*/false);
    }

    // The end of a compound statement ends the mode that it selected. Before the first pragma, the
    // mode is rte.
    void watch(clang::Preprocessor &preprocessor, const clang::Token &token) {
        if (token.is(clang::tok::l_brace)) {
            outer_.push_back(current_);
        } else if (token.is(clang::tok::r_brace)) {
            const Mode *mode = outer_.empty() ? &modes[0] : outer_.pop_back_val();
            if (mode != current_)
                set(preprocessor, *mode);
        }
    }

    void set(clang::Preprocessor &preprocessor, const Mode &mode) {
        current_ = &mode;
        clang::MacroInfo *macro = preprocessor.AllocateMacroInfo(clang::SourceLocation());
        clang::Token name;
        name.startToken();
        name.setKind(clang::tok::identifier);
        name.setIdentifierInfo(preprocessor.getIdentifierInfo(mode.name));
        macro->setTokens({name}, preprocessor.getPreprocessorAllocator());
        preprocessor.appendDefMacroDirective(preprocessor.getIdentifierInfo(mode_macro), macro);
    }

    const Mode *current_ = &modes[0];
    llvm::SmallVector<const Mode *> outer_;
    unsigned count_ = 0;
    bool watching_ = false;
};

class Inheritance : public SourceVisitor<Inheritance, true> {
public:
    bool VisitCallExpr(clang::CallExpr *call) {
        auto *name = llvm::dyn_cast<clang::DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts());
        auto *callee = name ? llvm::dyn_cast<clang::FunctionDecl>(name->getDecl()) : nullptr;
        const clang::FPOptionsOverride options = call->getFPFeatures();
        if (!callee || !callee->getIdentifier() || callee->hasBody() ||
            !options.hasConstRoundingModeOverride() || !inherits(callee->getName()))
            return true;
        for (const Mode &mode : modes)
            if (options.getConstRoundingModeOverride() == mode.mode)
                name->setDecl(with_mode(*callee, mode.name));
        return true;
    }

    // clang's code generator selects modes in functions only.
    bool TraverseBlockDecl(clang::BlockDecl *block) {
        ++blocks_;
        const bool go_on = RecursiveASTVisitor::TraverseBlockDecl(block);
        --blocks_;
        return go_on;
    }
    bool VisitBinaryOperator(clang::BinaryOperator *operation) {
        return allow_nearest(*operation, operation->getFPFeatures());
    }
    bool VisitUnaryOperator(clang::UnaryOperator *operation) {
        return allow_nearest(*operation, operation->getFPOptionsOverride());
    }
    bool VisitCastExpr(clang::CastExpr *cast) {
        return allow_nearest(*cast, cast->getFPFeatures());
    }

private:
    bool allow_nearest(const clang::Expr &value, clang::FPOptionsOverride options) {
        if (blocks_ == 0 || !options.hasConstRoundingModeOverride() ||
            options.getConstRoundingModeOverride() == llvm::RoundingMode::NearestTiesToEven ||
            !value.getType()->hasFloatingRepresentation())
            return true;
        error(value.getExprLoc(), "in a block all rounding is to nearest even; call a function");
        return false; // once
    }

    // convert_float4, not convert_float4_sat; vstore_half, not vstorea_half2_rtz.
    static bool inherits(llvm::StringRef name) {
        auto ends = [](llvm::StringRef rest) { return rest.trim("0123456789").empty(); };
        if (name.consume_front("convert_"))
            return llvm::any_of(
                std::initializer_list<llvm::StringRef>{"half", "bfloat", "float", "double"},
                [&](llvm::StringRef type) {
                    return name.starts_with(type) && ends(name.substr(type.size()));
                });
        return (name.consume_front("vstore_") || name.consume_front("vstorea_")) &&
               (name.consume_front("half") || name.consume_front("bfloat")) && ends(name);
    }

    clang::FunctionDecl *with_mode(clang::FunctionDecl &inheriting, llvm::StringRef mode) {
        const std::string name = (inheriting.getName() + "_" + mode).str();
        auto *function = clang::FunctionDecl::Create(
            *context_, inheriting.getDeclContext(), inheriting.getLocation(),
            inheriting.getLocation(), clang::DeclarationName(&context_->Idents.get(name)),
            inheriting.getType(), inheriting.getTypeSourceInfo(), clang::SC_Extern);
        llvm::SmallVector<clang::ParmVarDecl *> parameters;
        for (const clang::ParmVarDecl *parameter : inheriting.parameters())
            parameters.push_back(clang::ParmVarDecl::Create(
                *context_, function, parameter->getLocation(), parameter->getLocation(), nullptr,
                parameter->getType(), nullptr, clang::SC_None, nullptr));
        function->setParams(parameters);
        for (const clang::Attr *attribute : inheriting.attrs())
            function->addAttr(attribute->clone(*context_));
        return function;
    }

    unsigned blocks_ = 0;
};

} // namespace

void add_rounding_pragma(clang::Preprocessor &preprocessor) {
    preprocessor.AddPragmaHandler("OPENCL", new SelectRoundingMode); // which it owns
}

std::unique_ptr<clang::ASTConsumer> let_built_ins_inherit_rounding() {
    return std::make_unique<Inheritance>();
}

} // namespace rivulet::compiler
