// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/asm_registers.h"

#include <clang/Basic/MacroBuilder.h>
#include <clang/Basic/TargetInfo.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace rivulet::compiler {
namespace {

struct RegisterFile {
    llvm::StringLiteral prefix;
    unsigned count;
};
constexpr RegisterFile register_files[] = {{"x", 32}, {"f", 32},  {"v", 32},  {"t", 7}, {"s", 12},
                                           {"a", 8},  {"ft", 12}, {"fs", 12}, {"fa", 8}};
constexpr llvm::StringLiteral other_registers[] = {
    "zero", "ra", "sp", "gp", "tp", "fp", "vl", "vtype", "vxrm", "vxsat", "frm", "fflags"};

// The target as adjusted to the program, plus registers. Virtual functions overridden by clang's
// subclasses are forwarded to the original.
class WithRegisters : public clang::TargetInfo {
public:
    // hart: null if the program uses nothing of the hart's.
    WithRegisters(llvm::IntrusiveRefCntPtr<clang::TargetInfo> base,
                  llvm::IntrusiveRefCntPtr<clang::TargetInfo> hart)
        : TargetInfo(*base), base_(std::move(base)), hart_(std::move(hart)) {
        HasRISCVVTypes = hart_ != nullptr;
    }

    bool isValidGCCRegisterName(llvm::StringRef name) const override {
        const llvm::StringRef prefix = name.take_while(llvm::isAlpha);
        const llvm::StringRef number = name.drop_front(prefix.size());
        unsigned n = 0;
        if (number.empty() || number.getAsInteger(10, n) || number != llvm::utostr(n))
            return llvm::is_contained(other_registers, name);
        return llvm::any_of(register_files, [&](const RegisterFile &file) {
            return file.prefix == prefix && n < file.count;
        });
    }

    void getTargetDefines(const clang::LangOptions &options,
                          clang::MacroBuilder &builder) const override {
        base_->getTargetDefines(options, builder);
        if (!hart_)
            return;
        std::string text;
        llvm::raw_string_ostream stream(text);
        clang::MacroBuilder all(stream);
        hart_->getTargetDefines(options, all);
        for (llvm::StringRef line : llvm::split(text, '\n'))
            if (line.starts_with("#define __riscv"))
                builder.append(line);
    }
    llvm::SmallVector<clang::Builtin::InfosShard> getTargetBuiltins() const override {
        return base_->getTargetBuiltins();
    }
    BuiltinVaListKind getBuiltinVaListKind() const override {
        return base_->getBuiltinVaListKind();
    }
    // Accepts the RISC-V constraints but for compressed registers (cr, cf). Vector registers are
    // for functions of sub-groups, which rvl-sub-group-functions checks.
    bool validateAsmConstraint(const char *&name, ConstraintInfo &info) const override {
        switch (*name) {
        case 'f': // of float and double
            info.setAllowsRegister();
            return true;
        case 'I': // of addi
            info.setRequiresImmediate(-2048, 2047);
            return true;
        case 'J':
            info.setRequiresImmediate(0);
            return true;
        case 'K': // of csrrwi
            info.setRequiresImmediate(0, 31);
            return true;
        case 'v':
            if (!hart_ || !llvm::StringRef("rdm").contains(name[1]) || name[1] == '\0')
                return false;
            info.setAllowsRegister();
            ++name;
            return true;
        default:
            return false;
        }
    }
    std::string convertConstraint(const char *&constraint) const override {
        if (*constraint != 'v')
            return TargetInfo::convertConstraint(constraint);
        return "^v" + std::string(1, *++constraint);
    }
    std::string_view getClobbers() const override { return base_->getClobbers(); }
    llvm::ArrayRef<const char *> getGCCRegNames() const override { return {}; }
    llvm::ArrayRef<GCCRegAlias> getGCCRegAliases() const override { return {}; }
    bool useFP16ConversionIntrinsics() const override {
        return base_->useFP16ConversionIntrinsics();
    }
    std::optional<unsigned> getDWARFAddressSpace(unsigned space) const override {
        return base_->getDWARFAddressSpace(space);
    }
    CallingConvCheckResult checkCallingConvention(clang::CallingConv convention) const override {
        return base_->checkCallingConvention(convention);
    }
    clang::CallingConv getDefaultCallingConv() const override {
        return base_->getDefaultCallingConv();
    }
    bool hasBitIntType() const override { return base_->hasBitIntType(); }
    bool hasInt128Type() const override { return base_->hasInt128Type(); }
    bool hasFeature(llvm::StringRef feature) const override {
        return base_->hasFeature(feature) || (hart_ && hart_->hasFeature(feature));
    }
    bool checkArithmeticFenceSupported() const override {
        return base_->checkArithmeticFenceSupported();
    }

private:
    llvm::IntrusiveRefCntPtr<clang::TargetInfo> base_, hart_;
};

} // namespace

void add_registers(clang::CompilerInstance &compiler) {
    compiler.setTarget(new WithRegisters(compiler.getTargetPtr(), compiler.getAuxTarget()));
}

} // namespace rivulet::compiler
