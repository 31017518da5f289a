// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/hart_builtins.h"

#include <clang/AST/Decl.h>
#include <clang/Basic/TargetInfo.h>
#include <clang/Basic/TargetOptions.h>
#include <clang/Lex/Pragma.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/Lookup.h>
#include <clang/Sema/RISCVIntrinsicManager.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/SemaRISCV.h>
#include <llvm/ADT/StringExtras.h>

namespace rivulet::compiler {
namespace {

constexpr char vector_header[] = {
#embed "riscv_vector.h" suffix(, 0)
};
constexpr char bitmanip_header[] = {
#embed "riscv_bitmanip.h" suffix(, 0)
};
constexpr char crypto_header[] = {
#embed "riscv_crypto.h" suffix(, 0)
};
constexpr char sifive_header[] = {
#embed "sifive_vector.h" suffix(, 0)
};
constexpr char andes_header[] = {
#embed "andes_vector.h" suffix(, 0)
};

// OpenCL C has all that the others need of C's headers (6.9.f), but for these names.
constexpr llvm::StringLiteral integers_header = R"(
#pragma once
typedef char int8_t;
typedef uchar uint8_t;
typedef short int16_t;
typedef ushort uint16_t;
typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;
typedef ulong uint64_t;
)";

// Clang's functions take pointers to C's one address space, which is private memory here. They take
// pointers to any memory but constant memory if the parameters are generic ones.
class GenericPointers : public clang::sema::RISCVIntrinsicManager {
public:
    explicit GenericPointers(clang::Sema &sema)
        : sema_(sema), all_(clang::CreateRISCVIntrinsicManager(sema)) {}

    void InitIntrinsicList() override { all_->InitIntrinsicList(); }
    bool CreateIntrinsicIfFound(clang::LookupResult &result, clang::IdentifierInfo *name,
                                clang::Preprocessor &preprocessor) override {
        if (!all_->CreateIntrinsicIfFound(result, name, preprocessor))
            return false;
        for (clang::NamedDecl *found : result)
            if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(found))
                make_generic(*function);
        return true;
    }

private:
    void make_generic(clang::FunctionDecl &function) const {
        clang::ASTContext &context = sema_.Context;
        const auto *type = function.getType()->castAs<clang::FunctionProtoType>();
        llvm::SmallVector<clang::QualType> parameters(type->getParamTypes());
        for (auto [i, parameter] : llvm::enumerate(parameters)) {
            const auto *pointer = parameter->getAs<clang::PointerType>();
            if (!pointer || pointer->getPointeeType().getAddressSpace() != clang::LangAS::Default)
                continue;
            clang::QualType pointee = pointer->getPointeeType();
            // OpenCL C's char is signed.
            if (pointee->isSpecificBuiltinType(clang::BuiltinType::SChar))
                pointee = context.getQualifiedType(context.CharTy, pointee.getQualifiers());
            parameter = context.getPointerType(
                context.getAddrSpaceQualType(pointee, clang::LangAS::opencl_generic));
            if (i < function.getNumParams())
                function.getParamDecl(unsigned(i))->setType(parameter);
        }
        function.setType(
            context.getFunctionType(type->getReturnType(), parameters, type->getExtProtoInfo()));
    }

    clang::Sema &sema_;
    std::unique_ptr<clang::sema::RISCVIntrinsicManager> all_;
};

// #pragma clang riscv intrinsic vector|sifive_vector|andes_vector: clang's own parser knows it on
// RISC-V targets only.
class IntrinsicPragma : public clang::PragmaHandler {
public:
    explicit IntrinsicPragma(clang::CompilerInstance &compiler)
        : PragmaHandler("riscv"), compiler_(compiler) {}

    void HandlePragma(clang::Preprocessor &preprocessor, clang::PragmaIntroducer,
                      clang::Token &token) override {
        preprocessor.Lex(token); // intrinsic
        preprocessor.Lex(token);
        const clang::IdentifierInfo *which = token.getIdentifierInfo();
        preprocessor.DiscardUntilEndOfDirective();
        if (!which || !compiler_.hasSema())
            return;
        clang::SemaRISCV &sema = compiler_.getSema().RISCV();
        sema.DeclareRVVBuiltins |= which->isStr("vector");
        sema.DeclareSiFiveVectorBuiltins |= which->isStr("sifive_vector");
        sema.DeclareAndesVectorBuiltins |= which->isStr("andes_vector");
        if (!sema.IntrinsicManager)
            sema.IntrinsicManager = std::make_unique<GenericPointers>(compiler_.getSema());
    }

private:
    clang::CompilerInstance &compiler_;
};

} // namespace

void add_hart(clang::CompilerInstance &compiler, const Target &target) {
    // Clang's target refers to its options. This process compiles one program at a time.
    static clang::TargetOptions options;
    options = {};
    options.Triple = target.machine->getTargetTriple().str();
    options.ABI = target.machine->Options.MCOptions.ABIName;
    for (llvm::StringRef feature : llvm::split(target.machine->getTargetFeatureString(), ','))
        options.FeaturesAsWritten.push_back(feature.str());
    compiler.setAuxTarget(clang::TargetInfo::CreateTargetInfo(compiler.getDiagnostics(), options));
    for (const auto &feature : options.FeatureMap) // of functions, which have the first target's
        compiler.getTargetOpts().FeatureMap[feature.getKey()] = feature.getValue();
}

void add_hart_pragma(clang::CompilerInstance &compiler) {
    compiler.getPreprocessor().AddPragmaHandler("clang", new IntrinsicPragma(compiler));
}

std::vector<std::pair<llvm::StringRef, llvm::StringRef>> hart_headers() {
    const auto text = [](const auto &bytes) { return llvm::StringRef(bytes, sizeof bytes - 1); };
    return {
        {"riscv_vector.h", text(vector_header)},        {"riscv_bitmanip.h", text(bitmanip_header)},
        {"riscv_crypto.h", text(crypto_header)},        {"sifive_vector.h", text(sifive_header)},
        {"andes_vector.h", text(andes_header)},         {"stdint.h", integers_header},
        {"stddef.h", llvm::StringRef("#pragma once\n")}};
}

} // namespace rivulet::compiler
