// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend/opencl_sema_checks.h"

#include <array>

#include <clang/Basic/Builtins.h>

#include "compiler/analysis/sub_group_functions.h"
#include "compiler/frontend/kernel_argument_checks.h"
#include "compiler/frontend/printf_checks.h"
#include "compiler/frontend/source_visitor.h"
#include "hal/protocol/launch.h"
#include "hal/protocol/limits.h"
#include "hal/protocol/sub_groups.h"

namespace rivulet::compiler {
namespace {

// The first variable read by an expression that is not a program-scope constant, or null.
const clang::VarDecl *variable_in(const clang::Stmt *expression) {
    if (!expression || llvm::isa<clang::UnaryExprOrTypeTraitExpr>(expression)) // it reads nothing
        return nullptr;
    if (auto *name = llvm::dyn_cast<clang::DeclRefExpr>(expression))
        if (auto *variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl()))
            return variable->getType().getAddressSpace() == clang::LangAS::opencl_constant
                       ? nullptr
                       : variable;
    for (const clang::Stmt *part : expression->children())
        if (const clang::VarDecl *variable = variable_in(part))
            return variable;
    return nullptr;
}

class Restrictions : public SourceVisitor<Restrictions, false> {
public:
    Restrictions(const Options &options, const Target &target)
        : is_opencl_c_3_1_(options.language_version == 310), target_(target) {}

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
        if (type.getTypePtr()->getKind() == clang::BuiltinType::LongLong ||
            type.getTypePtr()->getKind() == clang::BuiltinType::ULongLong)
            warning(type.getBeginLoc(), "'long long' is reserved in OpenCL C for integers of 128 "
                                        "bits; it has the 64 bits of 'long' here");
        return true;
    }
    bool VisitComplexTypeLoc(clang::ComplexTypeLoc type) {
        error(type.getBeginLoc(), "complex types are reserved in OpenCL C");
        return true;
    }

    // Clang knows the names of these types wherever it knows blocks.
    bool VisitTypedefTypeLoc(clang::TypedefTypeLoc name) {
        const clang::QualType type = name.getType();
        if (type->isQueueT() || type->isClkEventT() || type->isReserveIDT())
            error(name.getBeginLoc(), "%0 is for commands that kernels enqueue, which this device "
                                      "does not support (__opencl_c_device_enqueue)")
                << type;
        return true;
    }

    // 6.9.d and C99 6.6: clang accepts as constants what other compilers reject.
    bool VisitConstantArrayTypeLoc(clang::ConstantArrayTypeLoc array) {
        if (const clang::VarDecl *variable = variable_in(array.getSizeExpr()))
            warning(array.getSizeExpr()->getExprLoc(),
                    "the length of an array is a constant expression in OpenCL C, and the value of "
                    "variable %0 is none; use a macro or an enumerator")
                << variable;
        return true;
    }

    // 6.3.k
    bool VisitUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr *value) {
        const clang::QualType type = context_->getBaseElementType(value->getTypeOfArgument());
        if (type->isOpenCLSpecificType())
            warning(value->getExprLoc(),
                    "what sizeof says of %0 is implementation-defined, and the "
                    "size of nothing that a host knows")
                << type;
        return true;
    }

    bool VisitFunctionDecl(clang::FunctionDecl *function) {
        if (function->isInvalidDecl())
            return true;
        if (!function->hasAttr<clang::DeviceKernelAttr>()) {
            for (const auto *mark : function->specific_attrs<clang::AnnotateAttr>())
                if (mark->getAnnotation().starts_with(sub_group_share_mark))
                    error(mark->getLocation(), "qcom_reqd_sub_group_size is for kernels");
            return true;
        }
        for (const clang::ParmVarDecl *parameter : function->parameters())
            check_parameter(*parameter);
        if (function->isInlineSpecified()) { // C99 would have no code for it in this program
            warning(function->getLocation(), "'inline' has no effect on a kernel");
            function->setInlineSpecified(false);
        }
        if (function->doesThisDeclarationHaveABody())
            check_sizes(*function);
        return true;
    }

    // 6.12.14.1; clang's code generator would stop with an error that it calls internal.
    bool VisitImplicitCastExpr(clang::ImplicitCastExpr *cast) {
        if (cast->getCastKind() == clang::CK_IntToOCLSampler &&
            !cast->getSubExpr()->isEvaluatable(*context_))
            error(cast->getExprLoc(), "a sampler in the source is initialized with a constant");
        else if (cast->getCastKind() == clang::CK_IntToOCLSampler)
            check_sampler(*cast->getSubExpr());
        return true;
    }

    // 6.2.4.2: clang's code generator would produce an invalid module.
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

    bool VisitCallExpr(clang::CallExpr *call) {
        const clang::FunctionDecl *callee = call->getDirectCallee();
        if (!callee || !callee->getIdentifier())
            return true;
        const unsigned builtin = callee->getBuiltinID();
        if (builtin == clang::Builtin::BI__builtin_alloca ||
            builtin == clang::Builtin::BI__builtin_alloca_uninitialized ||
            builtin == clang::Builtin::BI__builtin_alloca_with_align ||
            builtin == clang::Builtin::BI__builtin_alloca_with_align_uninitialized)
            error(call->getExprLoc(), "%0: the size of private memory is known when a program is "
                                      "compiled, as that of all arrays in OpenCL C")
                << callee;
        if (callee->getName() == "printf" && call->getNumArgs() > 0)
            check_printf(*call);
        return true;
    }

private:
    // True for images, samplers, events and atomic counters.
    static bool is_opaque(const clang::Expr &value) {
        return value.getType()->isOpenCLSpecificType();
    }

    static bool is_argument_of_kernel(const clang::Expr &value) {
        auto *name = llvm::dyn_cast<clang::DeclRefExpr>(&value);
        auto *argument = name ? llvm::dyn_cast<clang::ParmVarDecl>(name->getDecl()) : nullptr;
        auto *function =
            argument ? llvm::dyn_cast<clang::FunctionDecl>(argument->getDeclContext()) : nullptr;
        return function && function->hasAttr<clang::DeviceKernelAttr>();
    }

    // 6.12.13: the format is known when the program is compiled.
    void check_printf(const clang::CallExpr &call) {
        const clang::Expr *format = call.getArg(0)->IgnoreParenCasts();
        const HeldText held = held_text(*format);
        const std::optional<llvm::StringRef> text = held.text();
        if (text)
            for (const FormatFlaw &flaw : flaws_of_format(*text, is_opencl_c_3_1_))
                (flaw.is_error ? error(format->getExprLoc(), "%0")
                               : warning(format->getExprLoc(), "%0"))
                    << flaw.sentence;
        else if (is_argument_of_kernel(*format))
            error(format->getExprLoc(), "the format of printf is a constant of the program");
        else if (!held.is_held)
            warning(format->getExprLoc(), "the format of printf must be known when the program is "
                                          "compiled; write it into the call, or in an array of "
                                          "characters in the constant address space");
        const std::vector<bool> texts = text ? printed_as_text(*text) : std::vector<bool>();
        for (auto [i, value] : llvm::enumerate(llvm::drop_begin(call.arguments()))) {
            if (is_opaque(*value))
                error(value->getExprLoc(), "printf has no conversion for values of this type");
            else if (i < texts.size() && texts[i])
                check_text(*value->IgnoreParenCasts());
        }
    }

    // A string that is part of the program: a literal, or an array in constant memory, from a given
    // character on.
    struct HeldText {
        bool is_held = false;
        const clang::StringLiteral *literal = nullptr; // null: an array that no literal initialises
        uint64_t start = 0;

        std::optional<llvm::StringRef> text() const {
            if (!literal)
                return std::nullopt;
            return literal->getString().substr(start);
        }
    };

    HeldText held_text(const clang::Expr &value) const {
        HeldText held;
        const clang::Expr *at = value.IgnoreParenCasts();
        auto move_by = [&](const clang::Expr &index, const clang::Expr &base) {
            clang::Expr::EvalResult number;
            const clang::Type *element = base.getType()->getPointeeOrArrayElementType();
            if (!element->isAnyCharacterType() || !index.EvaluateAsInt(number, *context_) ||
                number.Val.getInt().isNegative())
                return false;
            held.start += number.Val.getInt().getZExtValue();
            at = base.IgnoreParenCasts();
            return true;
        };
        for (bool moved = true; moved;) { // &array[1], array + 1, &array
            moved = false;
            if (auto *sum = llvm::dyn_cast<clang::BinaryOperator>(at);
                sum && sum->getOpcode() == clang::BO_Add && sum->getType()->isPointerType()) {
                const bool is_first = sum->getLHS()->getType()->isPointerType();
                moved = move_by(is_first ? *sum->getRHS() : *sum->getLHS(),
                                is_first ? *sum->getLHS() : *sum->getRHS());
            } else if (auto *address = llvm::dyn_cast<clang::UnaryOperator>(at);
                       address && address->getOpcode() == clang::UO_AddrOf) {
                const clang::Expr *object = address->getSubExpr()->IgnoreParenCasts();
                if (auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(object)) {
                    moved = move_by(*element->getIdx(), *element->getBase());
                } else {
                    at = object;
                    moved = true;
                }
            }
        }
        if (auto *name = llvm::dyn_cast<clang::DeclRefExpr>(at)) {
            auto *variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
            held.is_held =
                variable && variable->getType()->isArrayType() &&
                variable->getType().getAddressSpace() == clang::LangAS::opencl_constant &&
                variable->getAnyInitializer();
            if (held.is_held)
                at = variable->getAnyInitializer()->IgnoreParenCasts();
        }
        held.literal = llvm::dyn_cast<clang::StringLiteral>(at);
        held.is_held |= held.literal != nullptr;
        return held;
    }

    // 6.12.13.2: the string has to be a literal. Others in constant memory are accepted, because
    // they are part of the program too; the host can't read the device's other memory.
    void check_text(const clang::Expr &value) {
        const clang::QualType type = value.getType();
        const clang::QualType element =
            type->isArrayType() ? context_->getBaseElementType(type) : type->getPointeeType();
        if (element.isNull()) // -Wformat reports arguments that are not pointers
            return;
        if (element.getAddressSpace() != clang::LangAS::opencl_constant ||
            is_argument_of_kernel(value))
            warning(value.getExprLoc(), "%%s of printf is for literal strings; what this points to "
                                        "is printed as (null)");
    }

    // 6.9.k, p and q
    void check_parameter(const clang::ParmVarDecl &parameter) {
        if (const clang::FieldDecl *field = forbidden_in_argument(*context_, parameter.getType())) {
            error(parameter.getLocation(),
                  "%0 cannot be an argument of a kernel: its field %1 is of type %2")
                << parameter.getType() << field << field->getType();
            report(Level::Note, field->getLocation(), "declared here");
        }
        const clang::QualType type = parameter.getType();
        const bool is_counter = // prelude.h
            type->isOCLImage2dMSAAROType() || type->isOCLImage2dArrayMSAAROType();
        if (type->isImageType() && !is_counter && type.getCVRQualifiers())
            warning(parameter.getLocation(), "type qualifiers cannot be used with images; ignored");
    }

    // Rejects values that no combination of the enumerators RVL_SAMPLER_… has.
    void check_sampler(const clang::Expr &value) {
        const uint64_t bits = value.EvaluateKnownConstInt(*context_).getZExtValue();
        const uint64_t filters = RVL_SAMPLER_NEAREST | RVL_SAMPLER_LINEAR;
        if (bits & ~(RVL_SAMPLER_NORMALIZED | RVL_SAMPLER_ADDRESS_MASK | filters) ||
            (bits & RVL_SAMPLER_ADDRESS_MASK) > 8 || (bits & filters) == filters)
            error(value.getExprLoc(), "%0 is no sampler: it is none of the sums of one of "
                                      "CLK_NORMALIZED_COORDS_…, CLK_ADDRESS_… and CLK_FILTER_… "
                                      "each")
                << llvm::utohexstr(bits, true).insert(0, "0x");
        else if (!(bits & filters))
            warning(value.getExprLoc(),
                    "a sampler has one of CLK_FILTER_NEAREST and CLK_FILTER_LINEAR; it is nearest "
                    "here");
    }

    // 6.7.2 and cl_intel_required_subgroup_size
    void check_sizes(const clang::FunctionDecl &kernel) {
        if (auto *sizes = kernel.getAttr<clang::ReqdWorkGroupSizeAttr>();
            sizes && !fits(*sizes->getXDim(), *sizes->getYDim(), *sizes->getZDim()))
            error(sizes->getLocation(), "a work-group has at most %0 work-items; no launch could "
                                        "give kernel %1 what it requires")
                << RVL_MAX_WORK_GROUP_SIZE << &kernel;
        if (auto *sizes = kernel.getAttr<clang::WorkGroupSizeHintAttr>();
            sizes && !fits(*sizes->getXDim(), *sizes->getYDim(), *sizes->getZDim()))
            warning(sizes->getLocation(), "a work-group has at most %0 work-items; the hint for "
                                          "kernel %1 can't be followed")
                << RVL_MAX_WORK_GROUP_SIZE << &kernel;
        if (auto *size = kernel.getAttr<clang::OpenCLIntelReqdSubGroupSizeAttr>()) {
            std::array<uint32_t, RVL_SUB_GROUP_SIZES> sizes;
            const llvm::ArrayRef<uint32_t> possible(
                sizes.data(), rvl_sub_group_sizes(target_.sub_group_vlen, sizes.data()));
            std::string list;
            for (uint32_t each : possible)
                list += (list.empty() ? "" : ", ") + std::to_string(each);
            if (!llvm::is_contained(possible, size->getSubGroupSize()))
                error(size->getLocation(), "kernel %0 requires sub-groups of %1 work-items; this "
                                           "device has them of %2")
                    << &kernel << size->getSubGroupSize() << list;
        }
    }
    bool fits(const clang::Expr &x, const clang::Expr &y, const clang::Expr &z) {
        uint64_t items = 1;
        for (const clang::Expr *size : {&x, &y, &z}) {
            const uint64_t each = size->EvaluateKnownConstInt(*context_).getZExtValue();
            if (each > RVL_MAX_WORK_GROUP_SIZE)
                return false;
            items *= each;
        }
        return items <= RVL_MAX_WORK_GROUP_SIZE;
    }

    const bool is_opencl_c_3_1_;
    const Target &target_;
};

} // namespace

std::unique_ptr<clang::ASTConsumer> check_restrictions(const Options &options,
                                                       const Target &target) {
    return std::make_unique<Restrictions>(options, target);
}

} // namespace rivulet::compiler
