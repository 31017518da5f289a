// SPDX-License-Identifier: Apache-2.0
#include "compiler/lowering/vendor_instructions.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/Support/FormatVariadic.h>

#include "compiler/analysis/target_features.h"
#include "compiler/lowering/delayed_inlining.h"
#include "compiler/lowering/vendor_instruction_checks.h"

namespace rivulet::compiler {

using namespace llvm;

namespace {

constexpr StringLiteral intrinsic_prefix = "llvm.";
// RISC-V intrinsics' policies: bit 0 is a tail that may hold anything, bit 1 the same of elements
// that the mask excludes.
constexpr uint64_t all_agnostic = 3, mask_undisturbed = 1;

// The largest number in a %NUMBER of the text; an error if something else follows a %.
std::expected<unsigned, std::string> largest_number(StringRef text) {
    unsigned largest = 0;
    for (size_t at = text.find('%'); at != StringRef::npos; at = text.find('%', at + 2)) {
        const StringRef what = text.substr(at + 1, 1);
        unsigned number = 0;
        if (what.getAsInteger(10, number))
            return std::unexpected(
                formatv("'%{}' is neither %0, the result, nor a parameter from %1 on", what).str());
        largest = std::max(largest, number);
    }
    return largest;
}

SmallVector<StringRef, 4> lines_of(const Function &function) {
    SmallVector<StringRef, 4> lines;
    function.getFnAttribute(vendor_instruction_mark).getValueAsString().split(lines, '\n');
    return lines;
}

bool has_extension(const Target &target, StringRef name) {
    const StringRef features = target.machine->getTargetFeatureString();
    return has_feature(features, name) || has_feature(features, ("experimental-" + name).str());
}

// Elements that vectors of this target have, for all parameters and the result.
bool has_vectors_of_types(const Function &function, const Target &target) {
    const StringRef features = target.machine->getTargetFeatureString();
    auto fits = [&](const Type *type) {
        if (type->isHalfTy())
            return has_feature(features, "zvfh");
        if (type->isBFloatTy())
            return has_feature(features, "zvfbfmin");
        if (type->isDoubleTy())
            return has_feature(features, "zve64d");
        return !type->isIntegerTy(64) || (has_feature(features, "zve64x") && target.xlen == 64);
    };
    return target.min_vlen != 0 && fits(function.getReturnType()) &&
           all_of(function.args(),
                  [&](const llvm::Argument &argument) { return fits(argument.getType()); });
}

} // namespace

unsigned InstructionForm::scalars() const {
    return unsigned(count_if(operands, [](OperandKind kind) {
        return kind == OperandKind::integer || kind == OperandKind::real;
    }));
}

std::expected<InstructionForm, std::string> parse_form(StringRef text, unsigned parameters) {
    InstructionForm form;
    auto [head, body] = text.split(':');
    form.text = body.trim().str();
    SmallVector<StringRef> words;
    head.split(words, ' ', -1, /*KeepEmpty=*/false);
    if (form.text.empty() || words.empty())
        return std::unexpected(
            "a form is 'SHAPE: INSTRUCTION', such as \"vx: vandn.vx %0, %1, %2\"");
    for (const char letter : words[0]) {
        if (!StringRef("vdbxfm").contains(letter))
            return std::unexpected(
                formatv("the shape '{1}' has the letter '{0}'; letters are v (vector), d (vector "
                        "that becomes the result), b (vector of bytes), x and f "
                        "(scalar registers), m (mask)",
                        letter, words[0])
                    .str());
        form.operands.push_back(OperandKind(letter));
    }
    if (form.operands.size() != parameters)
        return std::unexpected(formatv("the shape '{}' has {} letters; the function has {} "
                                       "parameters",
                                       words[0], form.operands.size(), parameters)
                                   .str());
    if (form.scalars() + size_t(count(form.operands, OperandKind::mask)) == parameters)
        return std::unexpected(formatv("the shape '{}' has no vector", words[0]).str());
    if (count(form.operands, OperandKind::overwritten) > 1)
        return std::unexpected(formatv("the shape '{}' has two results", words[0]).str());
    if (count(form.operands, OperandKind::mask) > 1)
        return std::unexpected(formatv("the shape '{}' has two masks", words[0]).str());
    for (StringRef word : drop_begin(words)) {
        if (word == "&")
            form.is_early = true;
        else if (!word.starts_with("e") || word.drop_front().getAsInteger(10, form.element_bits) ||
                 !is_contained({8u, 16u, 32u, 64u}, form.element_bits))
            return std::unexpected(formatv("'{}' is not e8, e16, e32, e64 or &", word).str());
    }
    form.is_intrinsic = StringRef(form.text).starts_with(intrinsic_prefix);
    if (form.is_intrinsic)
        return form;
    if (form.has(OperandKind::bytes))
        return std::unexpected("vectors of bytes (b) are for intrinsics");
    auto largest = largest_number(form.text);
    if (!largest)
        return std::unexpected(largest.error());
    if (*largest > parameters)
        return std::unexpected(
            formatv("'%{}': the function has {} parameters", *largest, parameters).str());
    return form;
}

SmallVector<InstructionForm, 2> instruction_forms(const Function *callee) {
    SmallVector<InstructionForm, 2> forms;
    if (!callee || !callee->hasFnAttribute(vendor_instruction_mark))
        return forms;
    for (StringRef line : drop_begin(lines_of(*callee)))
        if (auto form = parse_form(line, unsigned(callee->arg_size())))
            forms.push_back(std::move(*form));
    return forms;
}

Value *call_vector_intrinsic(IRBuilderBase &builder, Intrinsic::ID id, Type *result,
                             ArrayRef<Value *> operands, Value *length, bool merges) {
    Value *policy = ConstantInt::get(length->getType(), merges ? mask_undisturbed : all_agnostic);
    const SmallVector<Value *, 6> plain(operands);
    SmallVector<Value *, 6> merged{PoisonValue::get(result)}, with_policy(plain);
    append_range(merged, plain);
    merged.push_back(length);
    with_policy.append({length, policy});
    for (ArrayRef<Value *> all : {ArrayRef(plain), ArrayRef(merged), ArrayRef(with_policy)}) {
        SmallVector<Type *, 6> types;
        for (Value *operand : all)
            types.push_back(operand->getType());
        auto *type = FunctionType::get(result, types, /*isVarArg=*/false);
        SmallVector<Type *, 4> overloads;
        if (!Intrinsic::getIntrinsicSignature(id, type, overloads))
            continue;
        const AttributeList attributes = Intrinsic::getAttributes(builder.getContext(), id, type);
        const bool needs_constants = any_of(enumerate(all), [&](const auto &each) {
            return attributes.hasParamAttr(unsigned(each.index()), Attribute::ImmArg) &&
                   !isa<Constant>(each.value());
        });
        if (!needs_constants)
            return builder.CreateIntrinsic(id, overloads, all);
    }
    return nullptr;
}

std::expected<void, std::string> delay_vendor_instructions(Program &program, const Target &target) {
    for (Function &function : *program.module) {
        if (!function.hasFnAttribute(vendor_instruction_mark) || function.isDeclaration())
            continue;
        const StringRef extension = lines_of(function).front();
        const bool is_unknown = is_contained(target.unknown_extensions, extension);
        const bool applies = (is_unknown || has_extension(target, extension)) &&
                             has_vectors_of_types(function, target);
        if (const std::string wrong = find_mistake(function, target, applies); !wrong.empty()) {
            const DISubprogram *place = function.getSubprogram();
            return std::unexpected(
                (place ? formatv("{}:{}: ", place->getFilename(), place->getLine()).str() : "") +
                formatv("error: built-in function '{}': {}\n",
                        place ? place->getName() : function.getName(), wrong)
                    .str());
        }
        if (!applies)
            continue;
        if (is_unknown && !is_contained(program.needed_extensions, extension))
            program.needed_extensions.push_back(extension.str());
        delay_inlining(function);
        // A body may be undefined for some operands, such as a division by zero.
        function.removeFnAttr(Attribute::Speculatable);
    }
    return {};
}

void inline_vendor_instructions(Module &module) {
    for (Function &function : make_early_inc_range(module))
        if (function.hasFnAttribute(vendor_instruction_mark) && !function.isDeclaration())
            inline_delayed(function);
}

} // namespace rivulet::compiler
